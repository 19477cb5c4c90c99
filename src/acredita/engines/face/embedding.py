"""A face as 128 numbers: dlib's residual network on chips that the mesh's points lay straight.

Four views of a face are averaged, near and far, as it is and mirrored: what chance puts into one of
them, such as a point that lies half a pixel off in a small portrait, does not reach the others.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.face import models
from acredita.engines.face.find import Face, Image, Points, resized

_CHIP_SIDE: Final = 150
_PADDING: Final = 0.25
"""What the network was trained with; the views lie on both sides of it."""
_PADDINGS: Final = (0.2, 0.3)
# The mesh's points where dlib's five are: outer and inner corner of the left eye (the person's, on
# the picture's right), of the right eye, and under the nose. Where dlib lays them, in a square of
# side 1 around the face, x + iy.
_FIVE_POINTS: Final = (263, 362, 33, 133, 2)
_PLACES: Final = np.array(
    [0.8596 + 0.2135j, 0.6461 + 0.2290j, 0.1206 + 0.2137j, 0.3341 + 0.2291j, 0.4901 + 0.6278j]
)

Embedding = NDArray[np.float64]


def embed(image: Image, face: Face) -> Embedding:
    """128 numbers of a face; two of one person lie within about 0.6 of each other (Euclidean)."""
    chips = [chip(image, face, padding) for padding in _PADDINGS]
    return describe(*chips, *(each[:, ::-1] for each in chips))


def chip(image: Image, face: Face, padding: float = _PADDING) -> Image:
    """The face upright, 150 × 150, RGB, with `padding` of its own square on each side."""
    left, top, right, bottom = _surroundings(image, face)
    part = image[top:bottom, left:right]
    points = face.points[list(_FIVE_POINTS), :2] - np.array([left, top], np.float32)
    places = (_PLACES + padding * (1 + 1j)) / (1 + 2 * padding) * _CHIP_SIDE
    transform = _laid_on(points, places)
    scale = float(np.hypot(*transform[0, :2]))
    if scale < 1:  # sampled at once, a large face would alias
        part = resized(part, scale)
        transform = _laid_on(points * scale, places)
    straight = cv2.warpAffine(
        part, transform, (_CHIP_SIDE, _CHIP_SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2RGB), np.uint8)


def _laid_on(points: Points, places: NDArray[np.complex128]) -> NDArray[np.float64]:
    """The turn, scale and shift that bring the points nearest to their places (least squares)."""
    found = points[:, 0] + 1j * points[:, 1]
    centred = found - found.mean()
    turn = np.vdot(centred, places) / np.vdot(centred, centred)
    shift = places.mean() - turn * found.mean()
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]])


def describe(*views: Image) -> Embedding:
    """The mean of what the network makes of each chip."""
    picture = np.stack(views).astype(np.float32)
    (numbers,) = models.graph("embedding").run(["numbers"], {"picture": picture})
    return np.asarray(numbers.mean(axis=0), np.float64)


def _surroundings(image: Image, face: Face) -> tuple[int, int, int, int]:
    """The box with half its side around it, inside the picture."""
    margin = face.side / 2
    left, top, right, bottom = face.box
    return (
        max(0, int(left - margin)),
        max(0, int(top - margin)),
        min(image.shape[1], int(right + margin) + 1),
        min(image.shape[0], int(bottom + margin) + 1),
    )
