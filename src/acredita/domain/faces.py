"""How alike two faces are: from a distance of embeddings to a similarity and a verdict.

The distance is Euclidean, between two embeddings of 128 numbers. Its calibration to a similarity
is piecewise linear: the anchors from 0.555 to 0.603 were measured on pairs of public portraits, one
side degraded to a card's (0.583: one different pair in a thousand lies below, 0.603: one in two
hundred), the outer ones only keep it falling. It is no probability, and it was never fitted to the
people of Mexico.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from acredita.domain.reasons import FaceReason
from acredita.domain.tampering.copies import CopyEvidence

CALIBRATION: Final = "dlib-resnet-v1-views/2026-11"
# A face found by 48 pixels has the 150 that the network sees interpolated threefold.
SMALLEST_PORTRAIT: Final = 48.0
# Its repetition is compared at its own size, with the portrait made as coarse.
SMALLEST_REPETITION: Final = 36.0
SMALLEST_SELFIE: Final = 80.0
# Public portraits measure 20 to 100. Blurred down to 4 they are told apart with an error of half a
# percent, down to 3 of four percent.
LEAST_SHARPNESS: Final = 4.0
# A portrait's pale repetition is a poor picture of its face: only a distance at which hardly any
# pair of one person lies, however degraded, speaks of two people.
PORTRAITS_DIFFER: Final = 0.68
DEFAULT_ACCEPT: Final = 0.80
DEFAULT_REJECT: Final = 0.50
_ANCHORS: Final = (
    (0.0, 1.0),
    (0.37, 0.95),
    (0.47, 0.90),
    (0.555, 0.80),
    (0.583, 0.65),
    (0.603, 0.50),
    (0.68, 0.25),
    (0.78, 0.10),
    (1.0, 0.0),
)


class Band(StrEnum):
    MATCH = "match"
    UNCERTAIN = "uncertain"
    MISMATCH = "mismatch"


@dataclass(frozen=True, slots=True)
class FaceSeen:
    """The face that a picture was compared by.

    `side` is in pixels of the picture. `sharpness` is the variance of the Laplacian of the face at
    150 pixels, `certainty` from 0 to 1; `rivals` counts further faces at least half as large.
    """

    side: float
    sharpness: float
    certainty: float
    rivals: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """A portrait and a selfie, and the distance of their faces; None where a `fault` forbids one.

    `portrait_picture` is the portrait cut out of its document, as JPEG; empty without a portrait.
    `second_portrait` is the distance of the portrait to another one on the same document, which
    documents repeat, small and pale, against its being replaced; None where there is none.
    `selfie_embedding` describes the selfie's face, `copy` says how well the two faces lie on each
    other as one photograph would; None without two faces.
    """

    portrait: FaceSeen | None
    selfie: FaceSeen | None
    distance: float | None
    portrait_picture: bytes = b""
    second_portrait: float | None = None
    selfie_embedding: tuple[float, ...] | None = None
    copy: CopyEvidence | None = None

    @property
    def portraits_differ(self) -> bool:
        return self.second_portrait is not None and self.second_portrait > PORTRAITS_DIFFER

    @property
    def fault(self) -> FaceReason | None:
        return _portrait_fault(self.portrait) or _selfie_fault(self.selfie)


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


def _portrait_fault(portrait: FaceSeen | None) -> FaceReason | None:
    if portrait is None:
        return FaceReason.PORTRAIT_NOT_FOUND
    if portrait.side < SMALLEST_PORTRAIT:
        return FaceReason.PORTRAIT_TOO_SMALL
    if portrait.sharpness < LEAST_SHARPNESS:
        return FaceReason.PORTRAIT_BLURRED
    return None


def _selfie_fault(selfie: FaceSeen | None) -> FaceReason | None:
    if selfie is None:
        return FaceReason.FACE_NOT_FOUND
    if selfie.rivals:
        return FaceReason.SEVERAL_FACES
    if selfie.side < SMALLEST_SELFIE:
        return FaceReason.FACE_TOO_SMALL
    if selfie.sharpness < LEAST_SHARPNESS:
        return FaceReason.FACE_BLURRED
    return None
