"""Measure the quality of a page's picture: sharpness, glare, brightness."""

import cv2
import numpy as np

from acredita.domain.documents import Quality
from acredita.engines.text import Image

_WIDTH = 1000
"""Sharpness depends on scale, so it is always measured at this width."""


def measure_quality(page: Image, text_score: float) -> Quality:
    """`page` is the flattened document; `text_score` the mean score of what was read on it.

    Sharpness is the third quartile of the tiles' Laplacian variance: a document has empty tiles,
    and one sharp edge must not speak for the rest. Noise raises it, so that a low value is proof
    of blur while a high one proves nothing: the text score stands beside it. Glare is the area of
    the largest burnt-out spot as a share of the page.
    """
    scale = min(_WIDTH / page.shape[1], 2 * _WIDTH / page.shape[0])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    size = max(1, round(page.shape[1] * scale)), max(1, round(page.shape[0] * scale))
    small = cv2.resize(page, size, interpolation=method)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    tiles = [tile for row in np.array_split(grey, 4) for tile in np.array_split(row, 6, axis=1)]
    blur = [cv2.Laplacian(tile, cv2.CV_64F).var() for tile in tiles if min(tile.shape) > 2]
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    burnt = ((hsv[..., 2] > 250) & (hsv[..., 1] < 40)).astype(np.uint8)
    _, _, spots, _ = cv2.connectedComponentsWithStats(burnt)
    largest = int(spots[1:, cv2.CC_STAT_AREA].max()) if len(spots) > 1 else 0
    return Quality(
        width=page.shape[1],
        height=page.shape[0],
        sharpness=round(float(np.quantile(blur, 0.75)), 1) if blur else 0.0,
        glare=round(largest / burnt.size, 4),
        brightness=round(float(grey.mean()), 1),
        text_score=round(text_score, 4),
    )
