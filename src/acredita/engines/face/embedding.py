"""Compute the embedding of a face: dlib's residual network on chips aligned by the landmarks.

Four views of a face are averaged: with two paddings, each also mirrored. So a random error of one
view, such as a landmark half a pixel off in a small portrait, has less weight.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.face import models
from acredita.engines.face.find import Face, Image, Points, resized

_CHIP_SIDE: Final = 150
_PADDING: Final = 0.25
"""The padding with which the network was trained; the views have less and more."""
_PADDINGS: Final = (0.2, 0.3)
# The mesh's landmarks that correspond to dlib's five: outer and inner corner of the person's left
# eye (on the picture's right), of the right eye, and below the nose. _PLACES are dlib's positions
# of them in a square of side 1 around the face, as x + iy.
_FIVE_POINTS: Final = (263, 362, 33, 133, 2)
_PLACES: Final = np.array(
    [0.8596 + 0.2135j, 0.6461 + 0.2290j, 0.1206 + 0.2137j, 0.3341 + 0.2291j, 0.4901 + 0.6278j]
)

Embedding = NDArray[np.float64]


def embed(image: Image, face: Face) -> Embedding:
    """Return the embedding, float64 of shape (128,). `image` is BGR. Two embeddings of one person
    are within about 0.6 of each other (Euclidean)."""
    chips = [chip(image, face, padding) for padding in _PADDINGS]
    return describe(*chips, *(each[:, ::-1] for each in chips))


def chip(image: Image, face: Face, padding: float = _PADDING) -> Image:
    """Return the aligned face, uint8 of shape (150, 150, 3), RGB, with `padding` (a share of the
    face's square) on each side. `image` is BGR."""
    left, top, right, bottom = _surroundings(image, face)
    part = image[top:bottom, left:right]
    points = face.points[list(_FIVE_POINTS), :2] - np.array([left, top], np.float32)
    places = (_PLACES + padding * (1 + 1j)) / (1 + 2 * padding) * _CHIP_SIDE
    transform = _alignment(points, places)
    scale = float(np.hypot(*transform[0, :2]))
    if scale < 1:  # in one step, a large face would alias
        part = resized(part, scale)
        transform = _alignment(points * scale, places)
    straight = cv2.warpAffine(
        part, transform, (_CHIP_SIDE, _CHIP_SIDE), borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2RGB), np.uint8)


def _alignment(points: Points, places: NDArray[np.complex128]) -> NDArray[np.float64]:
    """Return the rotation, scale and shift, float64 of shape (2, 3), that move the points nearest
    to their places (least squares)."""
    found = points[:, 0] + 1j * points[:, 1]
    centred = found - found.mean()
    turn = np.vdot(centred, places) / np.vdot(centred, centred)
    shift = places.mean() - turn * found.mean()
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]])


def describe(*views: Image) -> Embedding:
    """Return the mean embedding of the chips (RGB)."""
    picture = np.stack(views).astype(np.float32)
    (numbers,) = models.graph("embedding").run(["numbers"], {"picture": picture})
    return np.asarray(numbers.mean(axis=0), np.float64)


def _surroundings(image: Image, face: Face) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of the box with a margin of half its side, clipped."""
    margin = face.side / 2
    left, top, right, bottom = face.box
    return (
        max(0, int(left - margin)),
        max(0, int(top - margin)),
        min(image.shape[1], int(right + margin) + 1),
        min(image.shape[0], int(bottom + margin) + 1),
    )
