"""Thresholds with a bound on wrong approvals: the bound holds at the stated rate."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acredita.domain import risk_control
from acredita.domain.risk_control import (
    THRESHOLDS,
    Scores,
    fewest,
    probability_of_at_most,
    upper_bound,
)

LIMIT, CONFIDENCE = 0.05, 0.9


def test_the_bound_is_that_of_clopper_and_pearson():
    # The rule of three, and figures of published tables of the beta distribution.
    assert fewest(0.005, 0.95) == 598
    assert upper_bound(0, 598, 0.95) == pytest.approx(1 - 0.05 ** (1 / 598), abs=1e-9)
    assert upper_bound(0, 10, 0.975) == pytest.approx(0.3085, abs=1e-4)
    assert upper_bound(5, 10, 0.975) == pytest.approx(0.8129, abs=1e-4)
    assert upper_bound(10, 10, 0.95) == 1.0
    assert probability_of_at_most(2, 10, 0.5) == pytest.approx(56 / 1024)


@given(
    total=st.integers(1, 800),
    share=st.floats(0, 1),
    limit=st.floats(0.001, 0.5),
    confidence=st.sampled_from((0.8, 0.9, 0.95, 0.99)),
)
@settings(max_examples=25, deadline=None)
def test_a_p_value_is_small_exactly_if_the_bound_keeps_the_limit(total, share, limit, confidence):
    wrong = int(share * total)
    bound, p_value = (
        upper_bound(wrong, total, confidence),
        probability_of_at_most(wrong, total, limit),
    )
    if abs(bound - limit) > 1e-9:
        assert (p_value <= 1 - confidence) == (bound < limit)


def sample(chance, total, risk):
    """Counts of approvals whose scores are uniform, of which risk(score) are wrong."""
    scores = Scores()
    for _ in range(total):
        score = chance.random()
        scores.add(score, is_wrong=chance.random() < risk(score), is_pilot=chance.random() < 0.2)
    return scores


def share_of_wrong(risk, threshold):
    """R(threshold), by the same uniform scores."""
    places = [threshold + (1 - threshold) * (n + 0.5) / 400 for n in range(400)]
    return sum(map(risk, places)) / len(places)


def naive(scores):
    """A search without the correction: any threshold whose own test keeps the limit."""
    right = wrong = 0
    for place in range(len(THRESHOLDS) - 1, -1, -1):
        right += scores.right.get(place, 0)
        wrong += scores.wrong.get(place, 0)
        if probability_of_at_most(wrong, wrong + right, LIMIT) <= 1 - CONFIDENCE:
            return True
    return False


@pytest.mark.parametrize(
    "risk",
    [
        # Just above the limit everywhere: the worst case of a search.
        lambda _: LIMIT + 0.002,
        # It falls with the score, and crosses the limit.
        lambda score: 0.15 * (1 - score) ** 1.5,
        # It is not monotonic: worse again at high scores.
        lambda score: 0.02 if 0.3 < score < 0.7 else 0.09,
    ],
    ids=["plateau", "falling", "uneven"],
)
def test_the_chosen_threshold_exceeds_the_limit_at_most_at_the_stated_rate(risk):
    chance, runs, broken = random.Random(7), 200, 0
    for _ in range(runs):
        chosen = sample(chance, 700, risk).choose(LIMIT, CONFIDENCE).chosen
        broken += chosen is not None and share_of_wrong(risk, chosen.threshold) > LIMIT
    # The stated rate is 20 of 200; 31 or more happen in one of a hundred such tests.
    assert broken <= 31


def test_a_search_without_the_correction_breaks_the_bound():
    chance, runs = random.Random(7), 100
    broken = sum(naive(sample(chance, 700, lambda _: LIMIT + 0.002)) for _ in range(runs))
    # The stated rate is 10 of 100; 19 or more happen in one of a hundred such tests.
    assert broken >= 19


def test_a_threshold_is_found_where_the_data_allow_it_and_else_none():
    chance = random.Random(3)
    choice = sample(chance, 6000, lambda score: 0 if score > 0.6 else 0.3).choose(0.01, 0.95)
    assert choice.chosen is not None
    assert 0.5 < choice.chosen.threshold <= 0.62
    assert choice.chosen.p_value <= 0.05 < choice.tests[-1].p_value
    assert sample(chance, 200, lambda _: 0).choose(0.005, 0.95).chosen is None
    assert Scores().choose(0.005, 0.95).chosen is None


def test_thresholds_without_a_score_between_them_share_a_p_value(monkeypatch):
    asked = []

    def counted(*arguments):
        asked.append(arguments)
        return probability_of_at_most(*arguments)

    monkeypatch.setattr(risk_control, "probability_of_at_most", counted)
    choice = Scores(right={100: 500, 200: 500}, pilot={200: 100}).choose(LIMIT, CONFIDENCE)
    assert len(choice.tests) == len(THRESHOLDS)
    assert asked == [(0, 500, LIMIT), (0, 1000, LIMIT)]


def test_counts_are_read_as_they_were_stored():
    scores = sample(random.Random(1), 50, lambda _: 0.5)
    assert Scores.from_document(scores.document()) == scores
    exact = Scores()
    exact.add(0.935, is_wrong=False, is_pilot=False)
    exact.add(1.0, is_wrong=True, is_pilot=False)
    assert [THRESHOLDS[at] for at in (*exact.right, *exact.wrong)] == [0.935, 1.0]
