"""The decision on a verification: a pure function of how its steps ended.

DECISIONS, Verifications: any FAILED, REJECTED; else any REVIEW, MANUAL_REVIEW; else APPROVED.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from acredita.domain.verification import StepStatus, StepType, VerificationStatus

RULES = "decision/1"


@dataclass(frozen=True, slots=True)
class FinishedStep:
    type: StepType
    status: StepStatus
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    status: VerificationStatus
    # One a step that did not pass: `FACE_MATCH: FACE_MISMATCH`. Codes only, no personal data.
    reasons: tuple[str, ...]
    rules: str = RULES


def decide(steps: Sequence[FinishedStep]) -> Decision:
    """Return the decision on finished steps. Raise ValueError for an unfinished step."""
    if any(not step.status.is_final for step in steps):
        raise ValueError("a decision needs finished steps")
    statuses = {step.status for step in steps}
    if StepStatus.FAILED in statuses:
        status = VerificationStatus.REJECTED
    elif StepStatus.REVIEW in statuses or statuses == {StepStatus.SKIPPED}:
        # Nothing but skipped steps proves nothing.
        status = VerificationStatus.MANUAL_REVIEW
    else:
        status = VerificationStatus.APPROVED
    reasons = tuple(
        f"{step.type}: {step.code or step.status}"
        for step in steps
        if step.status in {StepStatus.FAILED, StepStatus.REVIEW}
    )
    return Decision(status, reasons)
