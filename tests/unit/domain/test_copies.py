"""When the measures of two faces say that one is a copy of the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.tampering.copied_selfies import CopyEvidence

shares = st.floats(-1, 1)
drifts = st.floats(0, 10)


@pytest.mark.parametrize(
    ("correlation", "shading", "drift", "copied"),
    [
        (0.99, 0.99, 0.1, True),  # a crop of the page
        (0.96, 0.98, 0.1, True),  # printed, and photographed
        (0.811, 0.904, 0.128, True),  # cut out and photographed again, blurred
        (0.959, 0.916, 0.289, False),  # two photographs of one moment, the most alike of all
        (0.941, 0.922, 0.267, False),  # a drawn face at rest, in another light
        (0.6, 0.4, 1.4, False),
    ],
)
def test_only_what_lies_closer_than_two_photographs_of_one_person_is_a_copy(
    correlation, shading, drift, copied
):
    assert CopyEvidence(correlation, shading, drift).is_copy is copied


@given(shares, shares, shares, drifts, drifts)
def test_likeness_rises_with_the_correlation_and_falls_with_the_drift(
    one, other, shading, near, far
):
    low, high = sorted((one, other))
    near, far = sorted((near, far))
    less, more = CopyEvidence(low, shading, far), CopyEvidence(high, shading, near)
    assert less.likeness <= more.likeness


@given(shares, shares, drifts)
def test_any_measure_that_an_engine_may_give_has_a_likeness(correlation, shading, drift):
    assert -16 < CopyEvidence(correlation, shading, drift).likeness < 19
