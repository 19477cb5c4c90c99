"""Measure the quality of a page's picture: sharpness, glare, brightness."""

from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Quality
from acredita.engines.text import Image

WIDTH: Final = 1000
"""Sharpness depends on scale, so it is always measured at this width."""


def at_width(page: Image, tallest: float = 2.0) -> Image:
    """Return the page (BGR) scaled to the width of measurement, and one whose height exceeds
    `tallest` widths to that height."""
    scale = min(WIDTH / page.shape[1], tallest * WIDTH / page.shape[0])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = max(1, round(page.shape[1] * scale)), max(1, round(page.shape[0] * scale))
    return np.asarray(cv2.resize(page, size, interpolation=method), np.uint8)


def measure_quality(page: Image, text_score: float, small: Image | None = None) -> Quality:
    """Return the measurements of `page`, the flattened document (height × width × 3, uint8, BGR).

    `text_score` is the mean score of the text that was read on it, from 0 to 1. `small` is the page
    at the width of measurement, if that is known. Sharpness is the third quartile of the tiles'
    Laplacian variance: a document has empty tiles, and one sharp edge must not decide for the page.
    Noise raises the sharpness, so a low value proves blur, and a high value proves nothing without
    a good text score. Glare is the area of the largest overexposed spot as a share of the page.
    """
    small = at_width(page) if small is None else small
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    tiles = [tile for row in np.array_split(grey, 4) for tile in np.array_split(row, 6, axis=1)]
    blur = [cv2.Laplacian(tile, cv2.CV_64F).var() for tile in tiles if min(tile.shape) > 2]
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    burnt = cv2.inRange(hsv, np.array([0, 0, 251]), np.array([255, 39, 255]))
    largest = 0
    if burnt.any():
        _, _, spots, _ = cv2.connectedComponentsWithStats(burnt)
        largest = int(spots[1:, cv2.CC_STAT_AREA].max())
    return Quality(
        width=page.shape[1],
        height=page.shape[0],
        sharpness=round(float(np.quantile(blur, 0.75)), 1) if blur else 0.0,
        glare=round(largest / burnt.size, 4),
        brightness=round(float(grey.mean()), 1),
        text_score=round(text_score, 4),
    )
