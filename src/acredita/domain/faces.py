"""How similar two faces are: from the distance of their embeddings to a similarity and a band.

The distance is Euclidean, between two embeddings of 128 numbers. The similarity is a piecewise
linear function of it. The anchors from 0.555 to 0.603 were measured on pairs of public portraits,
one of each pair degraded to a card's quality: one different pair in a thousand is below 0.583, one
in two hundred below 0.603. The outer anchors only keep the function falling. The similarity is not
a probability, and it was never fitted to the people of Mexico.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from acredita.domain.reasons import FaceReason
from acredita.domain.tampering.copied_selfies import CopyEvidence

CALIBRATION: Final = "dlib-resnet-v1-views/2026-11"
# The longer side of the face in pixels. The network sees 150 pixels, so 48 are enlarged threefold.
SMALLEST_PORTRAIT: Final = 48.0
# The repeated portrait is compared at its own size; the portrait is reduced to it.
SMALLEST_REPETITION: Final = 36.0
SMALLEST_SELFIE: Final = 80.0
# Public portraits measure 20 to 100. Comparing portraits blurred to 4 gives an error of half a
# percent, and blurred to 3 of four percent.
LEAST_SHARPNESS: Final = 4.0
# The pale repetition of a portrait is a poor picture of its face. Hardly any pair of one person
# reaches this distance, however degraded.
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
class MeasuredFace:
    """The measurements of the face that represents a picture in a comparison.

    `side` is the longer side in pixels of the picture. `sharpness` is the variance of the Laplacian
    of the face at 150 pixels. `certainty` is from 0 to 1. `rivals` counts further faces that are at
    least half as large.
    """

    side: float
    sharpness: float
    certainty: float
    rivals: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of a portrait with a selfie.

    `distance` is that of their embeddings; None unless both show a face. `portrait_picture` is the
    portrait cut out of its document, as JPEG; empty without a portrait. `second_portrait` is the
    distance of the portrait to its repetition, which documents print small and pale as a
    protection; None without a repetition. `selfie_embedding` has 128 numbers. `copy` measures how
    well the two faces match as prints of one photograph; None without two faces.
    """

    portrait: MeasuredFace | None
    selfie: MeasuredFace | None
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
    """The judgement of a distance; `similarity` is from 0 to 1."""

    distance: float
    similarity: float
    band: Band


def similarity(distance: float) -> float:
    """Return the similarity, from 1 (the same picture) to 0 (distances of 1 and more). Raise
    ValueError if the distance is negative or not a number."""
    if not distance >= 0:
        raise ValueError("a distance must not be negative")
    place = bisect_right(_ANCHORS, distance, key=lambda anchor: anchor[0])
    if place == len(_ANCHORS):
        return 0.0
    (near, high), (far, low) = _ANCHORS[place - 1], _ANCHORS[place]
    return high - (high - low) * (distance - near) / (far - near)


def judge(
    distance: float, *, accept: float = DEFAULT_ACCEPT, reject: float = DEFAULT_REJECT
) -> Likeness:
    """Judge a distance: MATCH from the similarity `accept` on, MISMATCH below `reject`, otherwise
    UNCERTAIN, which a reviewer decides. Raise ValueError unless 0 <= reject <= accept <= 1."""
    if not 0 <= reject <= accept <= 1:
        raise ValueError("similarities must satisfy 0 <= reject <= accept <= 1")
    found = similarity(distance)
    if found >= accept:
        band = Band.MATCH
    elif found < reject:
        band = Band.MISMATCH
    else:
        band = Band.UNCERTAIN
    return Likeness(distance, found, band)


def _portrait_fault(portrait: MeasuredFace | None) -> FaceReason | None:
    if portrait is None:
        return FaceReason.PORTRAIT_NOT_FOUND
    if portrait.side < SMALLEST_PORTRAIT:
        return FaceReason.PORTRAIT_TOO_SMALL
    if portrait.sharpness < LEAST_SHARPNESS:
        return FaceReason.PORTRAIT_BLURRED
    return None


def _selfie_fault(selfie: MeasuredFace | None) -> FaceReason | None:
    if selfie is None:
        return FaceReason.FACE_NOT_FOUND
    if selfie.rivals:
        return FaceReason.SEVERAL_FACES
    if selfie.side < SMALLEST_SELFIE:
        return FaceReason.FACE_TOO_SMALL
    if selfie.sharpness < LEAST_SHARPNESS:
        return FaceReason.FACE_BLURRED
    return None
