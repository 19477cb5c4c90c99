"""Measure the colour of a face and of the background, in linear light."""

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.liveness.light import Glow, Rgb
from acredita.engines.face.find import Face, Image

# Landmarks of the mesh: cheeks, forehead and the ridge of the nose, without eyes and mouth.
_SKIN: Final = (
    (117, 118, 101, 36, 205, 187, 123),
    (346, 347, 330, 266, 425, 411, 352),
    (67, 109, 10, 338, 297, 299, 9, 69),
    (6, 197, 195, 5),
)
_DARKEST, _BRIGHTEST = 8, 250
"""Levels of the picture. Pixels outside this range have no reliable colour."""
_LEAST_SKIN: Final = 60
_CLEAR_OF_FACE: Final = 0.35
"""The margin on each side, as a share of the face's width: hair and ears are lit like the face."""
_LEAST_BEHIND: Final = 0.01
"""A share of the picture."""


def measure_glow(image: Image, face: Face) -> Glow | None:
    """Measure the mean linear RGB of face and background; None if too little skin is well lit.
    `image` is BGR."""
    skin = np.zeros(image.shape[:2], np.uint8)
    for polygon in _SKIN:
        corners = cv2.convexHull(np.rint(face.points[list(polygon), :2]).astype(np.int32))
        cv2.fillConvexPoly(skin, corners, 1)
    own = _mean(image, skin > 0, _LEAST_SKIN)
    if own is None:
        return None
    behind = _behind(image.shape[:2], face)
    return Glow(own, _mean(image, behind, int(_LEAST_BEHIND * behind.size)))


def _behind(shape: tuple[int, ...], face: Face) -> NDArray[np.bool_]:
    """Return the mask of the background: beside the head and above the shoulders."""
    left, right = face.points[:, 0].min(), face.points[:, 0].max()
    margin = _CLEAR_OF_FACE * (right - left)
    mask = np.ones(shape[:2], bool)
    mask[:, max(0, int(left - margin)) : max(0, int(right + margin))] = False
    mask[max(0, int(face.points[:, 1].mean())) :] = False
    return mask


def _mean(image: Image, mask: NDArray[np.bool_], least: int) -> Rgb | None:
    pixels = image[mask]
    lit = (pixels.max(axis=1) >= _DARKEST) & (pixels.max(axis=1) <= _BRIGHTEST)
    if np.count_nonzero(lit) < max(least, len(pixels) // 4):
        return None
    blue, green, red = (float(each) for each in _linear()[pixels[lit]].mean(axis=0))
    return red, green, blue


@cache
def _linear() -> NDArray[np.float64]:
    """Return the linear light of each of the 256 levels, float64[256] (IEC 61966-2-1, sRGB)."""
    level = np.arange(256) / 255
    return np.where(level <= 0.04045, level / 12.92, ((level + 0.055) / 1.055) ** 2.4)
