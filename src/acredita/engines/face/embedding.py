"""Lay a face straight, and compute its embedding.

The network sees the face on its own five places. Comparisons of pixels (copies, prints, sharpness)
see it on a larger chip, whose places do not move with the mouth.
"""

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.face.find import Face, Image, resized
from acredita.engines.face.network import Embedding, network

_CHIP_SIDE: Final = 150
_PADDING: Final = 0.25
# Landmarks of the mesh; a place is their middle. For the network: the eyes, the tip of the nose,
# the corners of the mouth. For the chip: outer and inner corner of the eye on the picture's right,
# of the other one, below the nose; _CHIP_PLACES are their places in a square of side 1.
_NETWORK_POINTS: Final = ((33, 133), (362, 263), (1,), (61,), (291,))
_CHIP_POINTS: Final = ((263,), (362,), (33,), (133,), (2,))
_CHIP_PLACES: Final = np.array(
    [(0.8596, 0.2135), (0.6461, 0.2290), (0.1206, 0.2137), (0.3341, 0.2291), (0.4901, 0.6278)]
)


def embed(image: Image, face: Face) -> Embedding:
    """Return the embedding of a face: float64, of length 1. `image` is BGR."""
    return network().embed(aligned(image, face))


def distance(one: Embedding, other: Embedding) -> float:
    """Return the distance that `domain.faces` judges: 1 minus the cosine, from 0 to 2.

    Both embeddings are float64 of length 1, from the same network. The cosines of an operator's own
    network are first converted to those of the built-in network.
    """
    return network().distance(one, other)


def aligned(image: Image, face: Face) -> Image:
    """Return the face as the network takes it: uint8 of shape (side, side, 3), RGB. `image` is
    BGR."""
    wanted = network().preparation
    return _laid(image, face, _NETWORK_POINTS, np.array(wanted.all_places), wanted.input_size)


def chip(image: Image, face: Face, padding: float = _PADDING) -> Image:
    """Return the face for comparisons of pixels: uint8 of shape (150, 150, 3), RGB, with `padding`
    (a share of the face's square) on each side. `image` is BGR."""
    places = (_CHIP_PLACES + padding) / (1 + 2 * padding) * _CHIP_SIDE
    return _laid(image, face, _CHIP_POINTS, places, _CHIP_SIDE)


def _laid(
    image: Image,
    face: Face,
    landmarks: Sequence[tuple[int, ...]],
    places: NDArray[np.float64],
    side: int,
) -> Image:
    left, top, right, bottom = _surroundings(image, face)
    part = image[top:bottom, left:right]
    middles = np.array([face.points[list(each), :2].mean(axis=0) for each in landmarks])
    points = middles - np.array([left, top], np.float32)
    transform = _alignment(points, places)
    scale = float(np.hypot(*transform[0, :2]))
    if scale < 1:  # in one step, a large face would alias
        part = resized(part, scale)
        transform = _alignment(points * scale, places)
    straight = cv2.warpAffine(part, transform, (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(straight, cv2.COLOR_BGR2RGB), np.uint8)


def _alignment(points: NDArray[Any], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotation, scale and shift, float64 of shape (2, 3), that move the points nearest
    to their places (least squares)."""
    found, wanted = (each[:, 0] + 1j * each[:, 1] for each in (points, places))
    centred = found - found.mean()
    turn = np.vdot(centred, wanted) / np.vdot(centred, centred)
    shift = wanted.mean() - turn * found.mean()
    return np.array([[turn.real, -turn.imag, shift.real], [turn.imag, turn.real, shift.imag]])


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
