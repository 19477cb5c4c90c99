"""How similar two faces are: from the cosine of their embeddings to a similarity and a band.

An embedding has the length 1. The distance of two is 1 minus their cosine: 0 for one picture, about
1 for two people. The similarity is a piecewise linear function of the cosine. Its points from 0.42
to 0.28 were measured on pairs of public portraits (docs/compliance/recognition.md); the outer ones
only keep it falling. The similarity is not a probability, and it was never fitted to the people of
Mexico.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from operator import mul
from typing import Final, Protocol

from acredita.domain.reasons import FaceReason
from acredita.domain.tampering.copied_selfies import CopyEvidence

Scale = tuple[tuple[float, float], ...]
"""Cosines and the similarities that they mean, both falling; in between they are on straight
lines."""

EMBEDDING_VERSION: Final = "sface-2021dec"
"""Embeddings of different versions cannot be compared."""
CALIBRATION: Final = "sface-2021dec/2026-11"
# The longer side of the face in pixels. The network sees 112 pixels, so 48 are enlarged twice.
SMALLEST_PORTRAIT: Final = 48.0
# The repeated portrait is compared at its own size; the portrait is reduced to it.
SMALLEST_REPETITION: Final = 36.0
SMALLEST_SELFIE: Final = 80.0
# Public portraits measure 20 to 100. Comparing portraits blurred to 4 gives an error of half a
# percent, and blurred to 3 of four percent.
LEAST_SHARPNESS: Final = 4.0
# The pale repetition of a portrait is a poor picture of its face, but of the same photograph: even
# of two photographs of one person, one of them pale, two in a hundred lie farther apart.
PORTRAITS_DIFFER: Final = 0.70
DEFAULT_ACCEPT: Final = 0.80
DEFAULT_REJECT: Final = 0.50
_SCALE: Final[Scale] = (
    (1.0, 1.0),
    (0.75, 0.95),
    (0.58, 0.90),
    (0.42, 0.80),
    (0.36, 0.65),
    (0.28, 0.50),
    (0.15, 0.25),
    (0.05, 0.10),
    (-0.2, 0.0),
)


class Band(StrEnum):
    MATCH = "match"
    UNCERTAIN = "uncertain"
    MISMATCH = "mismatch"


class Described(Protocol):
    """What has the embedding of a face: numbers of length 1, by a network and preparation that
    `version` names, and the `scale` of an operator's network (empty for the built-in one)."""

    @property
    def embedding(self) -> tuple[float, ...]: ...
    @property
    def version(self) -> str: ...
    @property
    def scale(self) -> Scale: ...


@dataclass(frozen=True, slots=True)
class FaceEmbedding:
    """See `Described`."""

    embedding: tuple[float, ...]
    version: str
    scale: Scale = ()


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
    protection; None without a repetition. `copy` measures how well the two faces match as prints of
    one photograph; None without two faces. `own_model` is the version of the operator's embedding;
    empty for the built-in one.
    """

    portrait: MeasuredFace | None
    selfie: MeasuredFace | None
    distance: float | None
    portrait_picture: bytes = b""
    second_portrait: float | None = None
    selfie_embedding: FaceEmbedding | None = None
    copy: CopyEvidence | None = None
    own_model: str = ""

    @property
    def embedding_version(self) -> str:
        return self.own_model or EMBEDDING_VERSION

    @property
    def calibration(self) -> str:
        return self.own_model or CALIBRATION

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


def distance(one: Described, other: Described) -> float:
    """Return the distance of two stored embeddings; infinity for different versions, which are not
    comparable."""
    if one.version != other.version:
        return math.inf
    return distance_at(sum(map(mul, one.embedding, other.embedding)), one.scale)


def distance_at(cosine: float, scale: Scale = ()) -> float:
    """Return the distance for the cosine of two embeddings. A cosine of an operator's network is
    first replaced by that at which the built-in one finds the same similarity, so that all limits
    of distances hold for both."""
    if scale:
        by_similarity = tuple((similarity, cosine) for cosine, similarity in _SCALE)
        cosine = _interpolate(by_similarity, _interpolate(scale, cosine))
    return max(0.0, 1.0 - cosine)


def similarity(distance: float) -> float:
    """Return the similarity, from 1 (the same picture) to 0. Raise ValueError if the distance is
    negative or not a number."""
    if not distance >= 0:
        raise ValueError("a distance must not be negative")
    return _interpolate(_SCALE, 1.0 - distance)


def _interpolate(points: Scale, value: float) -> float:
    """Return what the line through `points` has at `value`. Their first numbers fall."""
    for (high, above), (low, below) in pairwise(points):
        if value >= high:
            return above
        if value >= low:
            return below + (above - below) * (value - low) / (high - low)
    return points[-1][1]


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
