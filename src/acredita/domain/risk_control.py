"""Choose a threshold with a bound on the share of wrong approvals.

Of the approvals with a score of at least t, a share R(t) is wrong. It is tested for one threshold
after another whether R(t) is above the limit, from the strictest threshold on, and the tests end at
the first one that does not refute it. The chosen threshold is the last one that was refuted.

Each test is exact: of n approvals, the number of wrong ones is binomial, so its p-value is
P(Bin(n, limit) <= wrong). It is at most 1 - confidence exactly if the upper bound of Clopper and
Pearson (1934) is at most the limit. In a fixed sequence, each test may use all of 1 - confidence:
only the first threshold with R(t) above the limit can end in a false choice (fixed-sequence testing
in Angelopoulos, Bates, Candes, Jordan and Lei, "Learn then Test", 2021, arXiv:2110.01052). So with
the stated confidence the chosen threshold keeps the limit, despite the search, if the thresholds
and their order do not depend on the tested verifications. The grid is therefore fixed, and its
first threshold is chosen by the scores of other verifications, the pilot.
"""

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

# 0, 0.005 ... 1: scores are from 0 to 1, and a higher one is safer.
THRESHOLDS: Final = tuple(number / 200 for number in range(201))
# One verification of so many is in the pilot.
PILOT_SHARE: Final = 5
# The first threshold is expected to have so many times the approvals that a test needs at least.
ROOM: Final = 2.0
# Halvings of the interval that contains an upper bound: below 1e-12.
HALVINGS: Final = 40

# What the bound does not say: every proposal shows it.
NOT_COVERED: Final = (
    "Verifications that no reviewer decided. Their share of wrong approvals can differ.",
    "Mistakes of reviewers. Their decisions count as the truth.",
    "Later changes of people, documents, attacks, engines and rules, and other workflows.",
    "Verifications that depend on each other, such as many attempts of one person.",
    "The best of several proposals. Each keeps its bound, but not one chosen by its result.",
)


def probability_of_at_most(wrong: int, total: int, rate: float) -> float:
    """Return P(Bin(total, rate) <= wrong), for a rate above 0 and below 1."""
    if wrong >= total:
        return 1.0
    log_rate, log_rest = math.log(rate), math.log1p(-rate)
    ways = math.lgamma(total + 1)
    return min(
        1.0,
        math.fsum(
            math.exp(
                ways
                - math.lgamma(count + 1)
                - math.lgamma(total - count + 1)
                + count * log_rate
                + (total - count) * log_rest
            )
            for count in range(wrong + 1)
        ),
    )


def upper_bound(wrong: int, total: int, confidence: float) -> float:
    """Return the one-sided upper bound of Clopper and Pearson for the share of wrong ones."""
    if wrong >= total:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if probability_of_at_most(wrong, total, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def fewest(limit: float, confidence: float) -> int:
    """Return the number of approvals, all right, that show the limit."""
    return math.ceil(math.log(1 - confidence) / math.log1p(-limit))


@dataclass(frozen=True, slots=True)
class Test:
    """The test of one threshold: approvals with that score or more, and the wrong ones of them."""

    threshold: float
    approvals: int
    wrong: int
    p_value: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The last test that kept the limit; None if the first one did not. `tests` has all of them."""

    chosen: Test | None
    tests: tuple[Test, ...]


@dataclass(slots=True)
class Scores:
    """Counts by the place of the score in THRESHOLDS. `document` is the form that is stored."""

    right: dict[int, int] = field(default_factory=dict)
    wrong: dict[int, int] = field(default_factory=dict)
    # All of the pilot: its reviewers' decisions are not used.
    pilot: dict[int, int] = field(default_factory=dict)

    def add(self, score: float, *, is_wrong: bool, is_pilot: bool) -> None:
        """Count an approval. The score is from 0 to 1."""
        counts = self.pilot if is_pilot else self.wrong if is_wrong else self.right
        place = bisect_right(THRESHOLDS, score) - 1
        counts[place] = counts.get(place, 0) + 1

    @property
    def tested(self) -> int:
        return sum(self.right.values()) + sum(self.wrong.values())

    def choose(self, limit: float, confidence: float) -> Choice:
        """Return the loosest threshold whose share of wrong approvals is at most `limit`."""
        first = self._first(fewest(limit, confidence) * ROOM)
        tests: list[Test] = []
        chosen = None
        for place in range(first, -1, -1):
            right, wrong = _from(self.right, place), _from(self.wrong, place)
            last = tests[-1] if tests else None
            if last is not None and (last.approvals, last.wrong) == (right + wrong, wrong):
                # No score between the two thresholds.
                p_value = last.p_value
            else:
                p_value = probability_of_at_most(wrong, right + wrong, limit)
            tests.append(Test(THRESHOLDS[place], right + wrong, wrong, p_value))
            if p_value > 1 - confidence:
                break
            chosen = tests[-1]
        return Choice(chosen, tuple(tests))

    def _first(self, needed: float) -> int:
        """The strictest place at which the pilot lets one expect the needed approvals."""
        pilot = sum(self.pilot.values())
        for place in range(len(THRESHOLDS) - 1, 0, -1):
            if pilot and _from(self.pilot, place) / pilot * self.tested >= needed:
                return place
        return 0

    def document(self) -> dict[str, Any]:
        return {
            name: sorted(counts.items())
            for name, counts in (
                ("right", self.right),
                ("wrong", self.wrong),
                ("pilot", self.pilot),
            )
        }

    @classmethod
    def from_document(cls, stored: Mapping[str, Any]) -> Self:
        return cls(*(dict(stored[name]) for name in ("right", "wrong", "pilot")))


def _from(counts: Mapping[int, int], place: int) -> int:
    return sum(count for at, count in counts.items() if at >= place)
