"""Rows of print in any picture, found without reading a letter, in a few milliseconds.

Print is dark strokes, close together, in straight rows with others of their height above or below.
Hair, lace and blinds make single rows, seldom several. Only what is about level is looked for;
whether it is mirrored or upside down makes no difference.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.text import Image

_SIDE: Final = 1280
_STROKE, _LEAST_DEPTH = 9, 24
"""The broadest stroke in pixels, and its least contrast with its surroundings."""
_NEIGHBOURHOOD, _ABOVE_IT = 41, 12
_GAP, _SLACK = 11, 3
"""The gaps in pixels that are closed between letters, along the row and across it."""
_HEIGHTS, _LEAST_LENGTH = (4.5, 36.0), 30
_LEAST_SHAPE, _STEEPEST = 4.5, 0.45
_FILL, _LEAST_STROKES = (0.2, 0.85), 0.6
"""Share of a row that is ink, and strokes crossed along as much of it as it is high."""
_PARALLEL, _LIKE_HEIGHT, _PITCH = 0.12, 2.2, (0.8, 7.0)

_FEWEST_AROUND: Final = 2
"""Rows of print outside an outline from which it may be only a part of the document."""

_Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PrintedRows:
    """The number of rows with others above or below, and the box around them (left, top, right,
    bottom, in pixels of the picture).
    """

    count: int
    box: tuple[int, int, int, int]


def is_print_around(image: Image, corners: NDArray[np.float32]) -> bool:
    """Whether rows of print lie outside an outline, level or upright. `image` is BGR, uint8;
    `corners` are float32 of shape (4, 2), pixels, clockwise from the top left.
    """
    upright = np.ascontiguousarray(np.rot90(image))
    turned = np.stack([corners[:, 1], image.shape[1] - 1 - corners[:, 0]], axis=1)
    return any(
        _count_outside(picture, outline) >= _FEWEST_AROUND
        for picture, outline in ((image, corners), (upright, turned.astype(np.float32)))
    )


def _count_outside(image: Image, corners: NDArray[np.float32]) -> int:
    rows, scale = _rows_in_company(image)
    outline = (corners * scale).astype(np.float32)
    middles = [(float(row[0]), float(row[1])) for row in rows]
    return sum(cv2.pointPolygonTest(outline, at, measureDist=False) < 0 for at in middles)


def _rows_in_company(image: Image) -> tuple[_Numbers, float]:
    """Return the rows of `_rows` that have company, at the scale of measurement, and that scale."""
    scale = min(1.0, _SIDE / max(image.shape[:2]))
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    if scale < 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return _in_company(_rows(_ink(np.asarray(grey, np.uint8)))), scale


def printed_rows(image: Image) -> PrintedRows:
    """Find the rows of print. `image` is BGR, uint8."""
    kept, scale = _rows_in_company(image)
    if not len(kept):
        return PrintedRows(0, (0, 0, 0, 0))
    middles, reach = kept[:, :2], kept[:, 2:3] / 2
    box = np.concatenate([(middles - reach).min(axis=0), (middles + reach).max(axis=0)]) / scale
    limits = np.array(image.shape[1::-1] * 2)
    left, top, right, bottom = (int(edge) for edge in np.clip(box, 0, limits))
    return PrintedRows(len(kept), (left, top, right, bottom))


def _ink(grey: Image) -> Image:
    """Return a mask, 255 for narrow strokes that are darker than their surroundings."""
    depth = cv2.morphologyEx(grey, cv2.MORPH_BLACKHAT, np.ones((_STROKE, _STROKE), np.uint8))
    ink = cv2.adaptiveThreshold(
        depth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, _NEIGHBOURHOOD, -_ABOVE_IT
    )
    ink[depth < _LEAST_DEPTH] = 0
    return np.asarray(ink, np.uint8)


def _rows(ink: Image) -> _Numbers:
    """Return an array of shape (n, 5): each row's centre x and y, length, height, and slope down to
    the right."""
    joined = cv2.morphologyEx(ink, cv2.MORPH_CLOSE, np.ones((_SLACK, _GAP), np.uint8))
    _, labels, boxes, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    least, most = _HEIGHTS
    likely = (
        (boxes[:, cv2.CC_STAT_WIDTH] >= _LEAST_LENGTH)
        & (boxes[:, cv2.CC_STAT_HEIGHT] >= least)
        & (boxes[:, cv2.CC_STAT_WIDTH] >= 2 * boxes[:, cv2.CC_STAT_HEIGHT])
        & (boxes[:, cv2.CC_STAT_AREA] >= _LEAST_LENGTH * least / 2)
    )
    found = []
    for label in np.flatnonzero(likely[1:]) + 1:
        left, top, width, height = boxes[label, :4]
        part = np.s_[top : top + height, left : left + width]
        own = (labels[part] == label).astype(np.uint8)
        x, y, length, across, slope = _bar(own)
        if not (least <= across <= most and length >= _LEAST_SHAPE * across):
            continue
        letters = (ink[part] > 0) & (own > 0)
        fill = letters.sum() / (length * across)
        strokes = np.count_nonzero(letters[:, 1:] != letters[:, :-1]) / 2 / length
        if abs(slope) <= _STEEPEST and _FILL[0] < fill < _FILL[1] and strokes > _LEAST_STROKES:
            found.append((x + left, y + top, length, across, slope))
    return np.array(found, np.float64).reshape(-1, 5)


def _bar(mask: Image) -> tuple[float, float, float, float, float]:
    """Return the bar with the mask's moments: centre, length, height, slope."""
    moments = cv2.moments(mask, binaryImage=True)
    area = moments["m00"]
    wide, mixed, high = (moments[name] / area for name in ("mu20", "mu11", "mu02"))
    middle, half = (wide + high) / 2, float(np.hypot((wide - high) / 2, mixed))
    length, across = (
        float(np.sqrt(12 * max(each, 0.0))) for each in (middle + half, middle - half)
    )
    slope = float(np.tan(0.5 * np.arctan2(2 * mixed, wide - high)))
    return moments["m10"] / area, moments["m01"] / area, length, across, slope


def _in_company(rows: _Numbers) -> _Numbers:
    """Return the rows that have a parallel row of similar height above or below."""
    x, y, length, height, slope = rows.T
    right, down = x[None] - x[:, None], y[None] - y[:, None]
    larger, smaller = (pick(height[None], height[:, None]) for pick in (np.maximum, np.minimum))
    apart = np.abs(down - slope[:, None] * right)
    near = (
        (np.abs(slope[None] - slope[:, None]) < _PARALLEL)
        & (np.abs(right) < (length[None] + length[:, None]) / 2)
        & (apart > _PITCH[0] * smaller)
        & (apart < _PITCH[1] * larger)
        & (larger < _LIKE_HEIGHT * smaller)
    )
    return np.asarray(rows[near.any(axis=1)], np.float64)
