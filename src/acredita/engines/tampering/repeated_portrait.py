"""Compare the portrait of a card or passport with its small, pale repetition beside the data.

Both are printed from one photograph. If a forger replaces only the large one, the two show
different people.
"""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Signal
from acredita.domain.faces import PORTRAITS_DIFFER, SMALLEST_REPETITION
from acredita.domain.tampering.signs import Sign
from acredita.engines.face.embedding import aligned, distance
from acredita.engines.face.find import SURE_PRESENCE, Face, Image, find_face, find_faces
from acredita.engines.face.network import network
from acredita.engines.text import share_of_page

SIGN: Final = Sign("tampering.portrait", "portrait-3", limit=PORTRAITS_DIFFER)
"""Measure: distance of embeddings; `docs/compliance/capture-quality.md` says what passes the
limit. A genuine specimen, the only real one whose second print is found, measures 0.66 at most."""
_PORTRAIT_SHARE, _REPETITION_SHARE = 0.45, 0.42
"""Of the page's width, from its left side and from its right one: where each is looked for."""
_STEP: Final = 0.6
_LEAST_SCORE: Final = 0.7
"""Of the detector, which finds faces in a guilloche as well."""
_LARGEST: Final = 0.7
"""Of the portrait's size: a face beyond is no repetition."""
_BLACK, _WHITE = 1, 99
_NOISE_SIGMA: Final = 1.0
_PAPER_SIGMA, _PORTRAIT_SIGMA = 1.1, 0.75
"""Pixels of an aligned face: the guilloche under a pale face is smoothed away, and so the other
alike."""


def repeated_portrait(page: Image) -> Signal | None:
    """Return the signal of a page; None if either face is not detected with certainty.

    `page` is flattened and upright, of shape (height, width, 3), uint8, BGR. The signal's box is
    that of the repetition, as shares of the page.
    """
    width = page.shape[1]
    left_part = np.ascontiguousarray(page[:, : int(_PORTRAIT_SHARE * width)])
    portrait = next(iter(find_faces(left_part)), None)
    if portrait is None or portrait.presence < SURE_PRESENCE:
        return None
    found = _surest(page, portrait.side)
    if found is None:
        return None
    part, face, (left, top) = found
    corners = np.array(face.box, np.float32).reshape(2, 2) + np.array((left, top), np.float32)
    measure = _distance(left_part, portrait, part, face)
    return SIGN.signal(measure, box=share_of_page(corners, page))


def _surest(page: Image, largest: float) -> tuple[Image, Face, tuple[int, int]] | None:
    """The part of the page, its contrast stretched, with its surest small face, and where that
    part begins.
    """
    seen = []
    for part, corner in _parts(page):
        face = find_face(part, _LEAST_SCORE)
        if (
            face is not None
            and face.presence >= SURE_PRESENCE
            and SMALLEST_REPETITION <= face.side <= _LARGEST * largest
        ):
            seen.append((part, face, corner))
    return max(seen, key=lambda each: each[1].score, default=None)


def _parts(page: Image) -> Iterator[tuple[Image, tuple[int, int]]]:
    """Squares along the right side: of the whole page a small face takes too little to be found."""
    height, width = page.shape[:2]
    side = min(int(_REPETITION_SHARE * width), height)
    count = int(np.ceil((height - side) / (side * _STEP))) + 1
    for top in np.linspace(0, height - side, count).astype(int):
        yield _stretched(page[top : top + side, width - side :]), (width - side, int(top))


def _stretched(part: Image) -> Image:
    lab = cv2.cvtColor(part, cv2.COLOR_BGR2LAB)
    black, white = np.percentile(lab[::4, ::4, 0], (_BLACK, _WHITE))
    levels = np.clip((np.arange(256) - black) * 255 / max(white - black, 1.0), 0, 255)
    lab[..., 0] = cv2.LUT(np.ascontiguousarray(lab[..., 0]), levels.astype(np.uint8))
    stretched = cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)
    return np.asarray(cv2.GaussianBlur(stretched, (0, 0), _NOISE_SIGMA), np.uint8)


def _distance(left_part: Image, portrait: Face, part: Image, repeated: Face) -> float:
    """Of the embeddings, once the portrait is as coarse, and the repetition as dark and light."""
    large, small = aligned(left_part, portrait), aligned(part, repeated)
    pale = cv2.GaussianBlur(_toned(small, large), (0, 0), _PAPER_SIGMA)
    coarse = max(8, round(large.shape[0] * min(1.0, repeated.side / portrait.side)))
    shrunk = cv2.resize(large, (coarse, coarse), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(shrunk, (0, 0), _PORTRAIT_SIGMA)
    same_size = cv2.resize(soft, large.shape[:2], interpolation=cv2.INTER_CUBIC)
    first, second = (np.asarray(each, np.uint8) for each in (same_size, pale))
    return distance(network().embed(first), network().embed(second))


def _toned(picture: Image, like: Image) -> Image:
    """With the mean and the spread of lightness and colours of the other (Lab)."""
    lab, other = (
        cv2.cvtColor(each, cv2.COLOR_RGB2LAB).astype(np.float32) for each in (picture, like)
    )
    mean, spread = lab.mean(axis=(0, 1)), np.maximum(lab.std(axis=(0, 1)), 1.0)
    lab = (lab - mean) * (other.std(axis=(0, 1)) / spread) + other.mean(axis=(0, 1))
    toned = np.clip(lab, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(toned, cv2.COLOR_LAB2RGB), np.uint8)
