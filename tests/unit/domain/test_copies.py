"""When the measures of two faces say that one is a copy of the other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acredita.domain.copies import CopyEvidence

shares = st.floats(-1, 1)
drifts = st.floats(0, 10)


@pytest.mark.parametrize(
    ("correlation", "drift", "copied"),
    [
        (0.99, 0.1, True),  # a crop of the page
        (0.96, 0.1, True),  # photographed again
        (0.959, 0.287, False),  # two photographs of one second, the likest of all
        (0.986, 0.551, False),  # a drawn face at rest, twice
        (0.6, 1.4, False),
    ],
)
def test_only_what_lies_closer_than_two_photographs_of_one_person_is_a_copy(
    correlation, drift, copied
):
    assert CopyEvidence(correlation, drift, 0.3).is_copy is copied


@given(shares, shares, drifts, drifts)
def test_likeness_rises_with_the_correlation_and_falls_with_the_drift(one, other, near, far):
    low, high = sorted((one, other))
    near, far = sorted((near, far))
    assert CopyEvidence(low, far, 0.3).likeness <= CopyEvidence(high, near, 0.3).likeness


@given(shares, drifts)
def test_any_measure_that_an_engine_may_give_has_a_likeness(correlation, drift):
    assert -10 < CopyEvidence(correlation, drift, 0.0).likeness < 10
