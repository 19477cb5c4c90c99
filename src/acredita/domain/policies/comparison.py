"""Compare what a policy would decide with what was decided: counts, with ids as examples."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Self
from uuid import UUID

from acredita.domain.policies.rules import Act, PolicyDecision
from acredita.domain.reasons import PolicyReason
from acredita.domain.risk_control import PILOT_SHARE, Scores
from acredita.domain.verification import VerificationStatus

# Ids that are kept of each count.
MOST_EXAMPLES: Final = 10
# The outcomes of a policy: the statuses of a decision, or what comes before it.
OUTCOMES: Final = (
    VerificationStatus.APPROVED.value,
    VerificationStatus.REJECTED.value,
    VerificationStatus.MANUAL_REVIEW.value,
    Act.REQUIRE_STEP.value,
    Act.ASK_AGAIN.value,
)


DECISIONS_OF_REVIEWERS: Final = (VerificationStatus.APPROVED, VerificationStatus.REJECTED)


class NotEvaluated(StrEnum):
    """Why a policy is not evaluated on a past verification."""

    # The retention period is over: its evidence is deleted.
    PURGED = "PURGED"
    # Some of its steps run again at the moment.
    RUNNING_AGAIN = "RUNNING_AGAIN"
    # A reviewer ended it before the rules decided, so there is nothing to compare with.
    NO_DECISION = "NO_DECISION"
    # No encryption key opens its evidence, or its evidence has another form.
    UNREADABLE = "UNREADABLE"


def outcome_of(concluded: PolicyDecision) -> str:
    """Return one of OUTCOMES."""
    if concluded.step_type is not None:
        return Act.REQUIRE_STEP.value
    if concluded.pictures:
        return Act.ASK_AGAIN.value
    return concluded.decision.status.value


def has_no_result(concluded: PolicyDecision) -> bool:
    """Whether a condition had no result, so that the verification goes to review."""
    return f"POLICY: {PolicyReason.POLICY_NOT_EVALUATED.value}" in concluded.decision.reasons


@dataclass(slots=True)
class Counted:
    """A number of verifications, and the ids of the first ones."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, verification_id: str) -> None:
        self.count += 1
        if len(self.examples) < MOST_EXAMPLES:
            self.examples.append(verification_id)


@dataclass(slots=True)
class Tally:
    """The counts of a simulation. `document` is the form in which a checkpoint stores them."""

    # By (decided, simulated, the reviewer's decision or an empty text).
    pairs: dict[tuple[str, str, str], Counted] = field(default_factory=dict)
    not_evaluated: dict[str, Counted] = field(default_factory=dict)
    # Those of `pairs` in which a condition had no result.
    without_result: Counted = field(default_factory=Counted)
    # Of the measure, where the policy approves and a reviewer decided.
    scores: Scores = field(default_factory=Scores)

    def add(
        self, verification_id: str, decided: str, concluded: PolicyDecision, reviewed: str | None
    ) -> None:
        key = (decided, outcome_of(concluded), reviewed or "")
        self.pairs.setdefault(key, Counted()).add(verification_id)
        if has_no_result(concluded):
            self.without_result.add(verification_id)

    def measure(self, verification_id: str, outcome: str, score: float, reviewed: str) -> None:
        """Count the score of a verification that the policy approves and a reviewer decided.

        The id is random, so it chooses the pilot without regard to anything else.
        """
        if outcome == VerificationStatus.APPROVED and reviewed in DECISIONS_OF_REVIEWERS:
            self.scores.add(
                min(max(score, 0.0), 1.0),
                is_wrong=reviewed == VerificationStatus.REJECTED,
                is_pilot=UUID(verification_id).int % PILOT_SHARE == 0,
            )

    def skip(self, verification_id: str, reason: NotEvaluated) -> None:
        self.not_evaluated.setdefault(reason.value, Counted()).add(verification_id)

    @property
    def evaluated(self) -> int:
        return sum(counted.count for counted in self.pairs.values())

    @property
    def changed(self) -> int:
        """The number of verifications with another outcome."""
        return sum(found.count for key, found in self.pairs.items() if key[0] != key[1])

    def matrix(self) -> Iterator[tuple[str, str, Counted]]:
        """Yield (decided, simulated, count) in a fixed order, over all reviewers' decisions."""
        merged: dict[tuple[str, str], Counted] = {}
        for (decided, simulated, _), counted in sorted(self.pairs.items()):
            cell = merged.setdefault((decided, simulated), Counted())
            cell.count += counted.count
            cell.examples = (cell.examples + counted.examples)[:MOST_EXAMPLES]
        for (decided, simulated), cell in merged.items():
            yield decided, simulated, cell

    def reviewed(self) -> Iterator[tuple[str, str, str, Counted]]:
        """Yield (decided, simulated, the reviewer's decision, count) where a reviewer decided."""
        for (decided, simulated, reviewer), counted in sorted(self.pairs.items()):
            if reviewer:
                yield decided, simulated, reviewer, counted

    def document(self) -> dict[str, Any]:
        return {
            "pairs": [[*key, *_plain(found)] for key, found in sorted(self.pairs.items())],
            "notEvaluated": [[key, *_plain(v)] for key, v in sorted(self.not_evaluated.items())],
            "withoutResult": _plain(self.without_result),
            "scores": self.scores.document(),
        }

    @classmethod
    def from_document(cls, stored: Mapping[str, Any]) -> Self:
        """Read what `document` wrote; an empty mapping is a tally without counts."""
        if not stored:
            return cls()
        return cls(
            {(a, b, c): Counted(count, ids) for a, b, c, count, ids in stored["pairs"]},
            {reason: Counted(count, ids) for reason, count, ids in stored["notEvaluated"]},
            Counted(*stored["withoutResult"]),
            Scores.from_document(stored["scores"]) if "scores" in stored else Scores(),
        )


def _plain(counted: Counted) -> list[Any]:
    return [counted.count, counted.examples]
