"""Outlines of the lines of text in the map that the detection network computes.

The map has each pixel's probability of being inside a line that is shrunk on all sides, so that
neighbours stay apart (Liao et al., "Real-time Scene Text Detection with Differentiable
Binarization", AAAI 2020). An outline is the rectangle around such an area, grown again.

It gives the same outlines as the post-processing of the rapidocr package, which a test compares.
Importing that parses lists of models for a second, two thirds of the start of an engine process.
"""

from collections.abc import Iterable
from operator import itemgetter
from typing import Any, Final

import cv2
import numpy as np
import pyclipper
from numpy.typing import NDArray

Quad = NDArray[np.float32]
"""Corners of shape (4, 2), x and y in pixels, clockwise from the top left one."""
Contour = NDArray[Any]
"""Points of shape (n, 1, 2), as OpenCV has them."""

_INSIDE: Final = 0.3
"""Probability above which a pixel is inside a shrunk line."""
_LIKELY: Final = 0.5
"""Minimum of the mean probability within a line."""
_GROWTH: Final = 1.6
"""By how much a shrunk line grows on each side, in areas per perimeter."""
_MOST_LINES: Final = 1000
_LEAST_SIDE: Final = 3
"""Smallest side of a shrunk line, in pixels of the map, and of an outline, in those of the image,
which must exceed it. A line that has grown is two pixels larger."""
_SAME_ROW: Final = 10
"""Lines whose top left corners differ by fewer pixels in height, one by one, are one row."""


def outlines(probabilities: NDArray[np.float32], height: int, width: int) -> list[Quad]:
    """Find the lines of text of an image of that size, row by row, from left to right.

    `probabilities`: float32 of shape (rows, columns), of the whole image.
    """
    inside = (probabilities > _INSIDE).astype(np.uint8)
    # A line whose letters stand apart stays one.
    areas = cv2.dilate(inside, np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(areas, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    grown = (_grown(contour, probabilities) for contour in contours[:_MOST_LINES])
    rows, columns = probabilities.shape
    ratio = np.array([width, height]) / np.array([columns, rows])
    return _by_rows(
        quad
        for corners in grown
        if corners is not None and (quad := _within(corners * ratio, height, width)) is not None
    )


def _grown(contour: Contour, probabilities: NDArray[np.float32]) -> Quad | None:
    """The rectangle around a shrunk line's contour, grown; None if it is no line."""
    corners, (one, other) = _rectangle(contour)
    if min(one, other) < _LEAST_SIDE or _mean_inside(corners, probabilities) < _LIKELY:
        return None
    offset = pyclipper.PyclipperOffset()
    offset.AddPath(corners, pyclipper.JT_ROUND, pyclipper.ET_CLOSEDPOLYGON)
    paths = offset.Execute(_GROWTH * one * other / (2 * (one + other)))
    corners, sides = _rectangle(np.array(paths, np.int32).reshape(-1, 1, 2))
    return None if min(sides) < _LEAST_SIDE + 2 else corners


def _rectangle(contour: Contour) -> tuple[Quad, tuple[float, float]]:
    """The smallest rectangle around a contour, and its sides."""
    found = cv2.minAreaRect(contour)
    width, height = found[1]
    return _clockwise(cv2.boxPoints(found)), (width, height)


def _clockwise(corners: NDArray[Any]) -> Quad:
    by_x = sorted(corners.tolist())
    (top_left, bottom_left), (top_right, bottom_right) = (
        sorted(pair, key=itemgetter(1)) for pair in (by_x[:2], by_x[2:])
    )
    return np.array([top_left, top_right, bottom_right, bottom_left], np.float32)


def _mean_inside(corners: Quad, probabilities: NDArray[np.float32]) -> float:
    rows, columns = probabilities.shape
    x, y, width, height = cv2.boundingRect(corners)
    left, top = (min(max(at, 0), most - 1) for at, most in ((x, columns), (y, rows)))
    part = probabilities[top : y + height, left : x + width]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillPoly(mask, [(corners - (left, top)).astype(np.int32)], [1])
    return float(cv2.mean(part, mask)[0])


def _within(corners: NDArray[np.float64], height: int, width: int) -> Quad | None:
    """Whole pixels of the image; None if the outline is too small for a line."""
    whole = np.clip(np.round(corners), 0, [width, height]).astype(np.float32)
    quad = np.minimum(_clockwise(whole), np.array([width - 1, height - 1], np.float32))
    top_left, top_right, _, bottom_left = quad
    sides = np.linalg.norm([top_right - top_left, bottom_left - top_left], axis=1)
    return None if (sides.astype(int) <= _LEAST_SIDE).any() else quad


def _by_rows(quads: Iterable[Quad]) -> list[Quad]:
    """From top to bottom, and within a row from left to right."""
    ordered = sorted(quads, key=lambda quad: quad[0, 1])
    if not ordered:
        return []
    rows = np.cumsum(
        np.diff([quad[0, 1] for quad in ordered], prepend=ordered[0][0, 1]) >= _SAME_ROW
    )
    by_row = sorted(zip(rows, ordered, strict=True), key=lambda each: (each[0], each[1][0, 0]))
    return [quad for _, quad in by_row]
