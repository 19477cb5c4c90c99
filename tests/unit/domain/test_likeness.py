import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.faces import (
    Band,
    Comparison,
    FaceEmbedding,
    MeasuredFace,
    distance,
    distance_at,
    judge,
    similarity,
)
from acredita.domain.reasons import FaceReason

distances = st.floats(0, 2, allow_nan=False)
cosines = st.floats(-1, 1)
# An operator's network that finds people alike less readily.
OWN = ((1.0, 1.0), (0.3, 0.8), (0.2, 0.5), (-0.1, 0.0))
SEEN = MeasuredFace(side=200, sharpness=50, certainty=0.99)


@given(distances, distances)
def test_a_smaller_distance_is_never_less_similar(one, other):
    near, far = sorted((one, other))
    assert 0 <= similarity(far) <= similarity(near) <= 1


@pytest.mark.parametrize(
    ("distance", "expected"), [(0, 1), (0.58, 0.8), (0.64, 0.65), (0.72, 0.5), (1.3, 0), (2, 0)]
)
def test_the_measured_anchors_are_met(distance, expected):
    assert similarity(distance) == pytest.approx(expected)


@given(cosines, cosines)
def test_the_same_similarity_of_another_network_is_the_same_distance(one, other):
    near, far = sorted((distance_at(one, OWN), distance_at(other, OWN)))
    assert (one > other) >= (distance_at(one, OWN) < distance_at(other, OWN))
    assert 0 <= near <= far <= 1.2
    for cosine, found in OWN:
        assert similarity(distance_at(cosine, OWN)) == pytest.approx(found)


def test_embeddings_are_compared_by_their_own_scale_and_never_across_versions():
    one = FaceEmbedding((1.0, 0.0), "own/1", OWN)
    other = FaceEmbedding((0.3, 0.954), "own/1", OWN)
    assert distance(one, other) == pytest.approx(distance_at(0.42), abs=1e-6)
    assert distance(one, FaceEmbedding((1.0, 0.0), "own/2", OWN)) == math.inf
    assert judge(math.inf).band is Band.MISMATCH


@pytest.mark.parametrize("distance", [-0.1, float("nan")])
def test_what_is_no_distance_is_refused(distance):
    with pytest.raises(ValueError, match="distance"):
        similarity(distance)


@given(distances, st.floats(0, 1), st.floats(0, 1))
def test_bands_follow_the_thresholds(distance, one, other):
    reject, accept = sorted((one, other))
    likeness = judge(distance, accept=accept, reject=reject)
    assert (likeness.band is Band.MATCH) == (likeness.similarity >= accept)
    assert (likeness.band is Band.MISMATCH) == (likeness.similarity < reject)


def test_thresholds_the_wrong_way_round_are_refused():
    with pytest.raises(ValueError, match="reject"):
        judge(0.5, accept=0.4, reject=0.6)


@pytest.mark.parametrize(
    ("portrait", "selfie", "code"),
    [
        (SEEN, SEEN, None),
        (None, SEEN, FaceReason.PORTRAIT_NOT_FOUND),
        (MeasuredFace(40, 50, 0.9), SEEN, FaceReason.PORTRAIT_TOO_SMALL),
        (MeasuredFace(90, 2, 0.9), SEEN, FaceReason.PORTRAIT_BLURRED),
        (SEEN, None, FaceReason.FACE_NOT_FOUND),
        (SEEN, MeasuredFace(200, 50, 0.9, rivals=1), FaceReason.SEVERAL_FACES),
        (SEEN, MeasuredFace(70, 50, 0.9), FaceReason.FACE_TOO_SMALL),
        (SEEN, MeasuredFace(200, 2, 0.9), FaceReason.FACE_BLURRED),
        # A card may show its holder twice: what counts is the larger one.
        (MeasuredFace(90, 50, 0.9, rivals=1), SEEN, None),
    ],
)
def test_what_cannot_be_compared_is_named(portrait, selfie, code):
    assert Comparison(portrait, selfie, 0.4).fault is code
