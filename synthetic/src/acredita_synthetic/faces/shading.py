"""Light on skin and cloth: shadows, hollows, shine."""

from typing import Final

import cv2
import numpy as np

from acredita_synthetic.faces.eyes import shade_eyes
from acredita_synthetic.faces.fields import UP, Array, blend, noise, step, unit, vector
from acredita_synthetic.faces.identity import Identity
from acredita_synthetic.faces.light import PIVOT, Camera, Light
from acredita_synthetic.faces.raster import rasterize
from acredita_synthetic.faces.scene import Mesh, Part, View
from acredita_synthetic.faces.skin import Paint
from acredita_synthetic.faces.surface import Expression

_MAP: Final = 300
_MAP_CENTRE: Final = np.array([150, 135, 0])
_MAP_SCALE: Final = np.array([5.5, 5.5, 1])
_BIAS: Final = 0.55
_HOLLOWS: Final = (0.35, 1.1, 2.6)
_BEHIND: Final = -14.0
# Light that enters skin leaves it nearby, red the farthest, so it wraps around the edge.
_WRAP: Final = vector(0.32, 0.16, 0.1)
_SEEN_OPENING: Final = 0.01


def key_light_reaching(mesh: Mesh, view: View, light: Light, size: tuple[int, int]) -> Array:
    """Return the share of the key light per covered pixel, from 0 (shadow) to 1, softened."""
    across = unit(np.cross(UP, light.key))
    axes = np.stack([across, unit(np.cross(light.key, across)), light.key]).T * _MAP_SCALE
    nearest = rasterize(mesh.points @ axes + _MAP_CENTRE, mesh.triangles, (_MAP, _MAP)).depth
    nearest = cv2.dilate(nearest, np.ones((2, 2), np.uint8))
    x, y, depth = (view.points @ axes + _MAP_CENTRE).T
    lit = np.zeros(len(x))
    offsets = ((0, 0), (2.2, 0.6), (-2.2, -0.6), (0.6, -2.2), (-0.6, 2.2))
    for right, down in offsets:
        column = np.clip((x + right).round(), 0, _MAP - 1).astype(int)
        row = np.clip((y + down).round(), 0, _MAP - 1).astype(int)
        lit += (nearest[row, column] < depth + _BIAS) / len(offsets)
    width, height = size
    both = np.zeros((height * width, 2), np.float32)
    both[view.pixels, 0], both[view.pixels, 1] = lit, 1
    soft = cv2.GaussianBlur(both.reshape(height, width, 2), (0, 0), height / 170)
    soft = soft.reshape(-1, 2)[view.pixels]
    return np.asarray(soft[:, 0] / (soft[:, 1] + 1e-4), np.float64)


def openness(view: View, camera: Camera) -> Array:
    """Return the share of the ambient light per covered pixel; hollows get less."""
    depth = np.where(view.depth > _BEHIND * 100, view.depth, _BEHIND).astype(np.float32)
    shut = np.zeros(len(view.pixels))
    for radius in _HOLLOWS:
        around = cv2.GaussianBlur(depth, (0, 0), camera.pixels_per_centimetre * radius)
        shut += np.clip((around - depth) / (radius * 1.6), 0, 0.8).ravel()[view.pixels]
    return np.asarray(np.exp(-1.05 * shut))


def cloth_at(view: View, colour: Array, face: Identity) -> Array:
    """Return the colour of the cloth for the pixels of the shoulders."""
    x, y, _ = view.points[view.parts == Part.SHOULDERS].T

    def woven(seed: int, cells: tuple[int, ...], columns: float, rows: float) -> Array:
        sheet = noise(512, face.seed * 7 + seed, cells)
        return np.asarray(sheet[(x * columns).astype(int) % 512, (y * rows).astype(int) % 512])

    weave = 0.12 * woven(0, (5, 11, 23), 9, 5) + 0.07 * woven(1, (128, 256), 30, 30)
    collar = 1 - 0.3 * step(-16.6, -16.2, y)
    return np.asarray(colour * ((1 + weave) * collar)[:, None])


def shade(
    view: View, paint: Paint, light: Light, camera: Camera, lit: Array, open_: Array
) -> Array:
    """Return the light, shape (n, 3), that each pixel sends to the camera."""
    is_cloth = view.parts == Part.SHOULDERS
    to_camera = unit(camera.place - view.points)
    normals = _roughened(view.normals, paint, is_cloth)
    facing = normals @ light.key
    wrap = (~is_cloth)[:, None] * _WRAP
    diffuse = np.clip((facing[:, None] + wrap) / (1 + wrap), 0, None)
    diffuse = diffuse * lit[:, None] ** vector(0.75, 1, 1.1)
    from_above = 0.5 + 0.5 * normals[:, 1:2]
    ambient = light.ambient * blend(vector(0.55, 0.5, 0.47), vector(1, 1.02, 1.06), from_above)
    fill = light.fill * np.clip(0.5 + 0.5 * (normals @ light.from_far_side), 0, 1)
    received = 1.15 * light.key_colour * diffuse
    received = received + (open_ * paint.covered)[:, None] * (ambient + fill[:, None])
    if any(light.glow):
        received = received + (to_camera * normals).sum(1).clip(0)[:, None] * vector(*light.glow)
    gloss = np.where(is_cloth, 0.01, paint.gloss)
    grazing = (1 - np.clip((normals * to_camera).sum(1), 0, 1)) ** 4
    fresnel = gloss + (1 - gloss) * 0.12 * grazing
    half = np.clip((normals * unit(light.key + to_camera)).sum(1), 0, 1)
    shine = fresnel * (2.6 * half**22 + 2.2 * half**70) * lit * np.clip(4 * facing, 0, 1)
    shine = shine * np.where(is_cloth, 0.4, 1) * (1 - 0.9 * paint.scalp)
    return np.asarray(paint.colour * received + shine[:, None] * light.key_colour)


def _roughened(normals: Array, paint: Paint, is_cloth: Array) -> Array:
    aside = unit(np.cross(UP, normals))
    depth = np.where(is_cloth, 0.1, 0.05) * (1 - 0.5 * paint.lips)
    along, across = paint.grain
    rough = normals + aside * (depth * across)[:, None]
    return unit(rough + np.cross(normals, aside) * (depth * along)[:, None])


def with_eyes(
    shaded: Array,
    view: View,
    paint: Paint,
    face: Identity,
    expression: Expression,
    light: Light,
    camera: Camera,
    rotation: Array,
    lit: Array,
) -> Array:
    """Add the eyeballs between the lids and the lashes over them."""
    shown = np.flatnonzero(paint.opening > _SEEN_OPENING)
    if len(shown):
        eyes = shade_eyes(
            face,
            expression,
            light.seen_from_head(rotation),
            camera=(camera.place - PIVOT) @ rotation + PIVOT,
            points=(view.points[shown] - PIVOT) @ rotation + PIVOT,
            left=view.spots.azimuth[shown] > 0,
            outward=paint.outward[shown],
            lit=lit[shown],
        )
        eyes = eyes * paint.shade[shown, None]
        shaded[shown] = blend(shaded[shown], eyes, paint.opening[shown, None])
    return shaded * paint.lashes[:, None]
