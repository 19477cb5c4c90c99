"""How alike two faces are: from a distance of embeddings to a similarity and a verdict.

The distance is Euclidean, between two embeddings of 128 numbers. Its calibration to a similarity
is piecewise linear: the anchors from 0.575 to 0.621 were measured on labelled pairs of public
portraits (0.575: one different pair in a thousand lies below, 0.621: one in a hundred), the outer
ones only keep it falling. It is no probability, and it was never fitted to the people of Mexico.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

CALIBRATION: Final = "dlib-resnet-v1/2026-11"
DEFAULT_ACCEPT: Final = 0.80
DEFAULT_REJECT: Final = 0.50
_ANCHORS: Final = (
    (0.0, 1.0),
    (0.40, 0.95),
    (0.50, 0.90),
    (0.575, 0.80),
    (0.60, 0.65),
    (0.62, 0.50),
    (0.70, 0.25),
    (0.80, 0.10),
    (1.0, 0.0),
)


class Band(StrEnum):
    MATCH = "match"
    UNCERTAIN = "uncertain"
    MISMATCH = "mismatch"


@dataclass(frozen=True, slots=True)
class Likeness:
    """A comparison's outcome; `similarity` from 0 to 1."""

    distance: float
    similarity: float
    band: Band


def similarity(distance: float) -> float:
    """From 1 (the same picture) down to 0 (distances of 1 and more). Raise ValueError below 0."""
    if not distance >= 0:
        raise ValueError("a distance is not negative")
    place = bisect_right(_ANCHORS, distance, key=lambda anchor: anchor[0])
    if place == len(_ANCHORS):
        return 0.0
    (near, high), (far, low) = _ANCHORS[place - 1], _ANCHORS[place]
    return high - (high - low) * (distance - near) / (far - near)


def judge(
    distance: float, *, accept: float = DEFAULT_ACCEPT, reject: float = DEFAULT_REJECT
) -> Likeness:
    """A match from `accept` on, a mismatch under `reject`, in between a matter for a person."""
    if not 0 <= reject <= accept <= 1:
        raise ValueError("reject and accept are similarities, the former not above the latter")
    found = similarity(distance)
    if found >= accept:
        band = Band.MATCH
    elif found < reject:
        band = Band.MISMATCH
    else:
        band = Band.UNCERTAIN
    return Likeness(distance, found, band)
