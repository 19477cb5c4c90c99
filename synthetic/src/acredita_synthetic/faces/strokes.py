"""Draw strands of hair into a picture, from back to front, where no surface hides them."""

from typing import Any, Final

import cv2
import numpy as np

from acredita_synthetic.faces.fields import Array, unit, vector
from acredita_synthetic.faces.hair import Strands
from acredita_synthetic.faces.light import Camera, Light, turned

_MOST_SEGMENTS: Final = 10
_SUBPIXELS: Final = 3
_MIDDLE: Final = vector(0, 1, -1)


def tone(light: Array) -> Array:
    """Convert linear light to screen values (0 to 255). Highlights are compressed, not clipped."""
    light = np.clip(light, 0, None)
    highlights = 0.7 + 0.3 * (1 - np.exp(-(light - 0.7) / 0.3))
    return np.clip(255 * np.where(light > 0.7, highlights, light) ** (1 / 2.2), 0, 255)


def draw_strands(
    picture: Array,
    depth: Array,
    strands: Strands,
    colour: Array,
    camera: Camera,
    light: Light,
    rotation: Array,
    *,
    of_scalp: bool,
) -> None:
    """Draw into `picture` (RGB). `depth`: the depth of the surfaces per pixel."""
    thinned = strands.points[:, :: max(1, (strands.points.shape[1] - 1) // _MOST_SEGMENTS)]
    points = turned(thinned, rotation)
    shown = _before(camera.project(points), depth, 0.5 if of_scalp else 0.35)
    strand, number = np.nonzero(shown)
    middles = ((points[:, 1:] + points[:, :-1]) / 2)[strand, number]
    tangents = unit((points[:, 1:] - points[:, :-1])[strand, number])
    along = number / max(1, points.shape[1] - 2)
    brightness = strands.brightness[strand] * (0.5 + 0.5 * along)
    outward = unit(middles - turned(_MIDDLE, rotation))
    shades = _shade(colour, brightness, tangents, outward, middles, camera, light, gloss=of_scalp)
    flat = np.round(camera.project(points)[..., :2] * 2**_SUBPIXELS).astype(np.int32)
    order = np.argsort(middles[:, 2])
    starts, ends = flat[strand, number][order], flat[strand, number + 1][order]
    for start, end, shade in zip(
        starts.tolist(), ends.tolist(), shades[order].tolist(), strict=True
    ):
        cv2.line(picture, start, end, shade, 1, cv2.LINE_AA, _SUBPIXELS)


def _before(projected: Array, depth: Array, tolerance: float) -> Array:
    """Return which segments have both ends in front of the surfaces."""
    height, width = depth.shape
    column = np.clip(projected[..., 0], 0, width - 1).astype(int)
    row = np.clip(projected[..., 1], 0, height - 1).astype(int)
    shown = projected[..., 2] > depth[row, column] - tolerance
    return np.asarray(shown[:, 1:] & shown[:, :-1])


def _shade(
    colour: Array,
    brightness: Array,
    tangents: Array,
    outward: Array,
    middles: Array,
    camera: Camera,
    light: Light,
    *,
    gloss: bool,
) -> Any:
    """Shade by the model of Kajiya and Kay: diffuse across the hair, specular along a cone."""
    side = np.clip(0.45 + 0.6 * (outward @ light.key), 0.08, 1)
    across = np.sqrt(np.clip(1 - (tangents @ light.key) ** 2, 0, 1))
    received = light.key_strength * across * side
    received += light.ambient * (0.55 + 0.35 * outward[:, 1]) + 0.12
    shaded = colour * (brightness * received)[:, None]
    if any(light.glow):
        shaded = shaded + colour * (brightness * side)[:, None] * vector(*light.glow)
    if gloss:
        half = unit(unit(camera.place - middles) + light.key)
        cone = np.clip(1 - (tangents * half).sum(1) ** 2, 0, 1)
        shine = (0.09 * cone**28 + 0.25 * colour.mean() * cone**9) * side * light.key_strength
        shaded = shaded + (shine * brightness**2)[:, None] * vector(1, 0.95, 0.88)
    return tone(shaded)
