"""Pictures of a copy in black and white, which has no colour of the document's own."""

from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Signal
from acredita.domain.tampering.signs import Sign
from acredita.engines.text import Image

SIGN: Final = Sign("colourless", "conditions-1", limit=8.5, digits=2, is_raised_below=True)
"""Measure: distance of colours (Lab). Colour documents of the drawn set measure 31 and more at
every level, half of one 9.5 and more, copies 7.1 at most."""
_WIDTH: Final = 400
_MARGIN_SHARE: Final = 0.04
"""The background of the page may be visible at its margin."""


def colourless(page: Image) -> Signal:
    """How far the most coloured hundredth of a flat page is from the colour of the rest, so that a
    warm lamp over grey paper is no colour.
    """
    height = round(_WIDTH * page.shape[0] / page.shape[1])
    small = cv2.resize(page, (_WIDTH, height), interpolation=cv2.INTER_AREA)
    down, across = (round(_MARGIN_SHARE * side) for side in small.shape[:2])
    inner = small[down : height - down, across : _WIDTH - across]
    lab = cv2.cvtColor(inner.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    away = [lab[..., channel] - np.median(lab[..., channel]) for channel in (1, 2)]
    return SIGN.signal(float(np.quantile(np.hypot(*away), 0.99)))
