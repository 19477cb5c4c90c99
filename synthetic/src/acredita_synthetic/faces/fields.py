"""Smooth functions from which shapes and colours are composed."""

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]

UP: Final = np.array([0.0, 1.0, 0.0])
ASIDE: Final = np.array([1.0, 0.0, 0.0])
AHEAD: Final = np.array([0.0, 0.0, 1.0])


def vector(*parts: float) -> Array:
    return np.array(parts, np.float64)


def step(start: Any, end: Any, x: Any) -> Any:
    """Rise smoothly from 0 at `start` to 1 at `end`. If `end` is below `start`, fall instead."""
    t = np.clip((x - start) / (end - start), 0, 1)
    return t * t * (3 - 2 * t)


def ridge(x: Any, width: float) -> Any:
    """Return a Gaussian of x alone: 1 on the line, less on both sides."""
    return np.exp(-((x / width) ** 2))


def bump(x: Any, y: Any, centre: tuple[Any, Any], size: tuple[float, float]) -> Any:
    """Return a two-dimensional Gaussian, 1 at its centre."""
    return np.exp(-(((x - centre[0]) / size[0]) ** 2) - ((y - centre[1]) / size[1]) ** 2)


def blend(one: Any, other: Any, share: Any) -> Any:
    """Interpolate: `one` where `share` is 0, `other` where it is 1."""
    return one + (other - one) * share


def unit(vectors: Array) -> Array:
    """Scale each vector along the last axis to length 1."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    # A norm of three values each takes numpy far longer.
    length = np.sqrt(x * x + y * y + z * z)
    return np.asarray(vectors / (length[..., None] + 1e-9))


def linear(colour: ArrayLike) -> Array:
    """Convert a screen's red, green, blue (0 to 255) to linear light."""
    return (np.asarray(colour, np.float64) / 255) ** 2.2


def noise(side: int, seed: int, cells: tuple[int, ...]) -> Array:
    """Return a square of noise that tiles, with mean 0 and deviation 1.

    `cells`: the grids that are added; each finer one has less weight.
    """
    rng = np.random.default_rng(seed)
    sheet = np.zeros((side, side), np.float32)
    for octave, count in enumerate(cells):
        grid = np.pad(rng.standard_normal((count, count)).astype(np.float32), 2, mode="wrap")
        scale = count / side
        placed = np.array([[scale, 0, 2], [0, scale, 2]], np.float32)
        flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        sheet += 0.6**octave * np.asarray(
            cv2.warpAffine(grid, placed, (side, side), flags=flags), np.float32
        )
    return np.asarray((sheet - sheet.mean()) / sheet.std())
