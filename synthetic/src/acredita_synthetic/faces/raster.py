"""Find the triangle that is visible at each pixel, by a z-buffer.

Triangles of similar size are rasterized together.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from acredita_synthetic.faces.fields import Array

_SIZES: Final = (0, 1, 2, 3, 4, 6, 9, 14, 24, 48, 120)
_AT_ONCE: Final = 400_000
_NOTHING: Final = -1e9


@dataclass(frozen=True, slots=True)
class Seen:
    """Per covered pixel: its index, its triangle, and the weights of the triangle's corners.

    `depth` covers the whole picture. Larger is nearer; empty pixels have -1e9.
    """

    pixels: Array
    triangles: Array
    weights: Array
    depth: Array


@dataclass(frozen=True, slots=True)
class _Covered:
    """The pixels that triangles cover, whether or not a nearer triangle hides them."""

    pixels: Array
    depths: Array
    triangles: Array
    second: Array
    third: Array


def grid_triangles(rows: int, columns: int, first: int) -> Array:
    """Return the triangles of a grid whose first point has the number `first`."""
    numbers = np.arange(rows * columns).reshape(rows, columns) + first
    a, b = numbers[:-1, :-1].ravel(), numbers[:-1, 1:].ravel()
    c, d = numbers[1:, :-1].ravel(), numbers[1:, 1:].ravel()
    return np.concatenate([np.stack([a, b, c], 1), np.stack([b, d, c], 1)])


def rasterize(points: Array, triangles: Array, size: tuple[int, int]) -> Seen:
    """Return the visible triangles. `points`: (n, 3), pixels and depth. `size`: width, height."""
    width, height = size
    corners = points[triangles]
    # Of so few values each, numpy's own reductions take five times as long.
    a, b, c = (corners[:, corner, :2] for corner in range(3))
    low = np.ceil(np.minimum(np.minimum(a, b), c)).astype(int)
    high = np.floor(np.maximum(np.maximum(a, b), c)).astype(int)
    visible = np.abs(_area(corners)) > 1e-9
    for axis, side in enumerate((width, height)):
        visible &= high[:, axis] >= np.maximum(low[:, axis], 0)
        visible &= low[:, axis] < side
    extent = np.maximum(*(high - low).T) + 1
    parts = []
    for smaller, larger in pairwise(_SIZES):
        chosen = np.flatnonzero(visible & (extent > smaller) & (extent <= larger))
        pieces = max(1, len(chosen) * larger * larger // _AT_ONCE)
        parts += [
            _cover(piece, corners[piece], low[piece], larger, size)
            for piece in np.array_split(chosen, pieces)
            if len(piece)
        ]
    return _nearest(parts, size)


def _area(corners: Array) -> Array:
    """Return twice the signed area of each triangle."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    return np.asarray(
        (b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])
    )


def _cover(
    numbers: Array, corners: Array, low: Array, side: int, size: tuple[int, int]
) -> _Covered:
    offset_y, offset_x = np.mgrid[0:side, 0:side].reshape(2, -1)
    x, y = low[:, :1] + offset_x, low[:, 1:] + offset_y
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    area = _area(corners)[:, None]
    from_x, from_y = x - a[:, :1], y - a[:, 1:2]
    second = (from_x * (c - a)[:, 1:2] - from_y * (c - a)[:, :1]) / area
    third = ((b - a)[:, :1] * from_y - (b - a)[:, 1:2] * from_x) / area
    inside = (second >= -1e-6) & (third >= -1e-6) & (second + third <= 1 + 1e-6)
    inside &= (x >= 0) & (x < size[0]) & (y >= 0) & (y < size[1])
    i, j = np.nonzero(inside)
    v, w = second[i, j], third[i, j]
    depths = a[i, 2] * (1 - v - w) + b[i, 2] * v + c[i, 2] * w
    return _Covered(y[i, j] * size[0] + x[i, j], depths, numbers[i], v, w)


def _nearest(parts: list[_Covered], size: tuple[int, int]) -> Seen:
    pixels, depths, triangles, second, third = (
        np.concatenate([getattr(part, name) for part in parts])
        for name in ("pixels", "depths", "triangles", "second", "third")
    )
    order = np.argsort(depths, kind="stable")
    winner = np.full(size[0] * size[1], -1)
    # If an index occurs several times, numpy keeps its last value, which is the nearest here.
    winner[pixels[order]] = order
    shown = np.flatnonzero(winner >= 0)
    chosen = winner[shown]
    depth = np.full(size[0] * size[1], _NOTHING, np.float32)
    depth[shown] = depths[chosen]
    v, w = second[chosen], third[chosen]
    weights = np.stack([1 - v - w, v, w], 1)
    return Seen(shown, triangles[chosen], weights, depth.reshape(size[1], size[0]))
