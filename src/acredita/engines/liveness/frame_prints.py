"""Prints and codes of frames, which recognize a frame that is sent again.

A *print* is the aligned face in grey, normalized for light: 64 × 64 levels around 0. A frame that
is encoded, cropped, scaled, lightened, blurred, turned or mirrored again keeps nearly the same
print. A face that makes the same move again has another print. *Codes* are sign bits of projections
of the embedding. They find candidates: a transformed copy of a frame shares some of its codes.
"""

import math
from collections.abc import Sequence
from functools import cache
from hashlib import shake_256
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.liveness.challenge import PRINT_BYTES
from acredita.engines.face.embedding import chip
from acredita.engines.face.find import Face, Image
from acredita.engines.face.network import Embedding, network

SIDE: Final = math.isqrt(PRINT_BYTES)
BANDS: Final = 5
BAND_BITS: Final = 24
_DOUBTED_BITS: Final = 6
"""The number of least certain bits of a band; codes with one or two of them inverted are searched,
too."""
_PADDING: Final = 0.2
_SMOOTH, _DETAIL, _CONTRAST = 1.5, 6.0, 9.0
"""Standard deviations of blurs, in pixels of a print. The first removes noise, the second removes
coarser structures, and the third is the neighbourhood whose contrast is normalized to 1."""
_FLAT: Final = 5.0
_LEVELS: Final = 36.0
_FARTHEST: Final = 127
# The face without hair and background, as shares of the side from the middle. The margin around it
# allows for misaligned prints, such as mirrored ones.
_HALF_WIDTH, _HALF_HEIGHT, _LOWER = 0.34, 0.40, 0.02
_STEPS: Final = 8
_LEAST_STEP: Final = 0.1
"""The smallest determinant of a step; a smaller one collapses the picture."""
_LEAST_LIKE: Final = 0.8
_COARSE: Final = 4
_TRIED: Final = 8
# Parts are a quarter of the side wide and overlap by half; at least _INSIDE of a part is in the
# face. The share _UNTEXTURED of the parts has too little texture; of the others, _MOST_PARTS must
# be near.
_PART: Final = SIDE // 4
_INSIDE: Final = 0.75
_UNTEXTURED, _MOST_PARTS = 0.3, 0.8
Values = NDArray[np.float32]


def compute_print(image: Image, face: Face) -> bytes:
    """Return the print: SIDE × SIDE int8 levels, row by row. `image` is BGR."""
    grey = cv2.cvtColor(chip(image, face, _PADDING), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (SIDE, SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    smooth = cv2.GaussianBlur(small, (0, 0), _SMOOTH)
    detail = smooth - cv2.GaussianBlur(smooth, (0, 0), _DETAIL)
    contrast = np.sqrt(cv2.GaussianBlur(detail * detail, (0, 0), _CONTRAST)) + _FLAT
    levels = np.clip(np.rint(detail / contrast * _LEVELS), -_FARTHEST, _FARTHEST)
    return levels.astype(np.int8).tobytes()


def compute_codes(embedding: Embedding) -> tuple[tuple[int, ...], ...]:
    """Return the codes to search for each of BANDS bands: first the frame's own, then the nearest.

    `embedding` is float64 of length 1. Each code is an integer of BAND_BITS bits.
    """
    sides = _directions(network().version, len(embedding)) @ embedding
    return tuple(_nearest(band) for band in sides.reshape(BANDS, BAND_BITS))


def _nearest(sides: NDArray[np.float64]) -> tuple[int, ...]:
    weights = [1 << place for place in range(BAND_BITS)]
    own = sum(weight for weight, side in zip(weights, sides, strict=True) if side > 0)
    doubted = [weights[int(place)] for place in np.argsort(np.abs(sides))[:_DOUBTED_BITS]]
    two = (one ^ other for one, other in combinations(doubted, 2))
    return (own, *(own ^ turned for turned in (*doubted, *two)))


@cache
def _directions(version: str, length: int) -> NDArray[np.float64]:
    """Return the directions of projection. They must never change, because codes are stored; an
    embedding of another version has others, since its codes lead to other frames."""
    seed = f"directions of the codes of {version}, 2".encode()
    count = BANDS * BAND_BITS * length
    signs = np.unpackbits(np.frombuffer(shake_256(seed).digest(count // 8), np.uint8))
    return np.asarray(signs.reshape(-1, length) * 2.0 - 1.0)


def differences(own: Sequence[bytes], others: Sequence[bytes]) -> list[float]:
    """Return the distance of each print of `own` to the nearest of `others`, mirrored or not.

    A print is 64 × 64 values, int8, in rows. Two prints are aligned, then the remaining
    displacement of their parts is measured. The distance is the displacement, in hundredths of the
    side, that four fifths of the parts do not exceed. Noise, blur and light displace no part;
    another pose or expression does. The distance is infinite if no other print is similar.
    """
    if not others:
        return [math.inf] * len(own)
    faces = [_values(each) for each in others]
    sides = [side for face in faces for side in (face, np.ascontiguousarray(face[:, ::-1]))]
    coarse = np.stack([_coarse(each) for each in sides])
    least = []
    for each in own:
        template = _Template(_values(each))
        likely = np.argsort(-(coarse @ _coarse(template.values)))[:_TRIED]
        least.append(min(template.difference(sides[int(place)]) for place in likely))
    return least


def _values(levels: bytes) -> Values:
    return np.frombuffer(levels, np.int8).reshape(SIDE, SIDE).astype(np.float32)


def _coarse(values: Values) -> Values:
    soft = cv2.GaussianBlur(values, (0, 0), 1.5)
    small = cv2.resize(soft, (SIDE // _COARSE, SIDE // _COARSE), interpolation=cv2.INTER_AREA)
    flat = small.reshape(-1) - small.mean()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


@cache
def _places() -> tuple[NDArray[np.bool_], Values, Values]:
    """Return the mask of the face, and the x and y of all pixels relative to the middle."""
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype(np.float32) - (SIDE / 2)
    across, down = x / SIDE / _HALF_WIDTH, (y / SIDE - _LOWER) / _HALF_HEIGHT
    return across**2 + down**2 < 1, x, y


@cache
def _parts() -> NDArray[np.intp]:
    """Return the centres of the parts in the face, intp of shape (2, n): rows and columns."""
    inside = cv2.boxFilter(_places()[0].astype(np.float32), -1, (_PART, _PART))
    steps = np.arange(_PART // 2, SIDE, _PART // 2)
    rows, columns = np.meshgrid(steps, steps, indexing="ij")
    kept = inside[rows, columns] >= _INSIDE
    return np.stack([rows[kept], columns[kept]])


class _Template:
    """A print to which others are aligned by shift, rotation, width and height (Gauss-Newton on
    these five numbers, after Baker and Matthews 2004)."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self._mask, x, y = _places()
        right, down = _slopes(values)
        ways = (right * x, down * y, down * x - right * y, right, down)
        self._inverse = np.linalg.pinv(np.stack([way[self._mask] for way in ways], axis=1))
        inner = values[self._mask]
        self._deviation = float(inner.std()) + 1e-6
        self._own = (inner - inner.mean()) / self._deviation

    def difference(self, other: Values) -> float:
        placed, best = np.eye(3), _LEAST_LIKE
        nearest: Values | None = None
        for _ in range(_STEPS):
            aligned = _aligned(other, placed)
            inner = aligned[self._mask]
            inner = (inner - inner.mean()) / (float(inner.std()) + 1e-6)
            likeness = float((self._own * inner).mean())
            if likeness > best:
                best, nearest = likeness, aligned
            wide, high, turn, right, down = self._inverse @ ((inner - self._own) * self._deviation)
            step = np.array([[1 + wide, -turn, right], [turn, 1 + high, down], [0, 0, 1]])
            if abs(np.linalg.det(step)) < _LEAST_STEP:
                break
            placed = placed @ np.linalg.inv(step)
        return math.inf if nearest is None else self._displacement(nearest)

    def _displacement(self, aligned: Values) -> float:
        """Return the displacement of textured parts (after Lucas and Kanade 1981)."""
        other = aligned * (self._deviation / (float(aligned[self._mask].std()) + 1e-6))
        right, down = _slopes(np.asarray((self.values + other) / 2, np.float32))
        lack = self.values - other
        rows, columns = _parts()
        xx, xy, yy, xd, yd = (
            cv2.boxFilter(each, -1, (_PART, _PART))[rows, columns]
            for each in (right * right, right * down, down * down, right * lack, down * lack)
        )
        texture = (xx + yy) / 2 - np.sqrt(((xx - yy) / 2) ** 2 + xy**2)
        xx, yy = xx + 1, yy + 1
        whole = xx * yy - xy * xy
        moved = np.hypot(yy * xd - xy * yd, xx * yd - xy * xd) / whole
        textured = texture >= np.quantile(texture, _UNTEXTURED)
        return float(np.quantile(moved[textured], _MOST_PARTS)) * 100 / SIDE


def _slopes(values: Values) -> tuple[Values, Values]:
    return (
        np.asarray(cv2.Sobel(values, cv2.CV_32F, 1, 0, scale=1 / 8), np.float32),
        np.asarray(cv2.Sobel(values, cv2.CV_32F, 0, 1, scale=1 / 8), np.float32),
    )


def _aligned(values: Values, placed: NDArray[np.float64]) -> Values:
    middle = np.full(2, SIDE / 2)
    transform = placed[:2].copy()
    transform[:, 2] += middle - transform[:, :2] @ middle
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(
        values, transform, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.float32)
