"""Eyeballs: spheres with an iris, visible where the lids are open."""

from typing import Final

import numpy as np

from acredita_synthetic.faces.fields import Array, blend, noise, step, unit, vector
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.light import Light
from acredita_synthetic.faces.surface import Expression, eye_centre

_RADIUS: Final = 1.22
_IRIS_HALF_ANGLE: Final = np.radians(28.5)
_WINDOW: Final = unit(vector(0.25, 0.35, 0.9))
"""The direction of the second, softer reflection."""


def shade_eyes(
    face: Identity,
    expression: Expression,
    light: Light,
    *,
    camera: Array,
    points: Array,
    left: Array,
    outward: Array,
    lit: Array,
) -> Array:
    """Return the colour, shape (n, 3), of the eyeballs at `points` in the frame of the head.

    `left`: which points belong to the person's left eye. `lit`: the key light that reaches them.
    """
    rays = unit(points - camera)
    centres = np.where(left[:, None], eye_centre(face, 1), eye_centre(face, -1))
    towards = camera - centres
    along = (towards * rays).sum(1)
    root = np.sqrt(np.maximum(along**2 - (towards**2).sum(1) + _RADIUS**2, 0))
    normals = unit(towards + rays * (-along - root)[:, None])
    looks = blend(vector(0, 0, 1), unit(camera - centres * 0.96), 0.85)
    looks = unit(looks + np.append(np.sin(np.radians(expression.gaze)), 0))
    facing = np.clip((normals * looks).sum(1), -1, 1)
    radius = np.arccos(facing) / _IRIS_HALF_ANGLE
    colour = _colour(face, radius, normals - looks * facing[:, None], outward)
    lambert = np.clip((normals @ light.key + 0.35) / 1.35, 0, 1) * (0.35 + 0.65 * lit)
    ambient = light.ambient * 0.85 + light.fill * 0.6 + vector(*light.glow)
    shaded = colour * (lambert[:, None] * light.key_colour + ambient)
    cornea = unit(normals + 0.55 * looks * step(1.1, 0.7, radius)[:, None])
    for source, sharpness, strength in (
        (light.key, 260, 1.6 * light.key_strength),
        (_WINDOW, 500, 0.5),
    ):
        mirrored = np.clip((cornea * unit(source - rays)).sum(1), 0, 1) ** sharpness
        shaded = shaded + strength * mirrored[:, None]
    return np.asarray(shaded)


def _colour(face: Identity, radius: Array, around: Array, outward: Array) -> Array:
    fibres = noise(256, face.seed + 3, (60, 120))
    angle = (np.arctan2(around[:, 1], around[:, 0]) * 40.7 + 128).astype(int) % 256
    fibre = fibres[angle, (14 * radius).astype(int) % 256]
    brightness = (1.1 + 0.28 * fibre) * blend(1.25, 0.75, np.clip(radius, 0, 1))
    iris = face.iris * (brightness * (1 - 0.7 * step(0.78, 1.0, radius)))[:, None]
    iris = blend(iris, 0.004, step(0.46, 0.38, radius)[:, None])
    edge = step(0.5, 1.4, np.abs(outward))[:, None]
    white = vector(0.70, 0.66, 0.63) * (1 - 0.2 * edge * vector(0.2, 1, 1))
    eye = blend(iris, white, step(0.95, 1.06, radius)[:, None])
    corner = 0.9 * step(-1.05, -1.4, outward)[:, None]
    return np.asarray(blend(eye, face.skin * vector(0.8, 0.42, 0.4), corner))
