"""The states of a verification and of its steps, and the one table of transitions.

Specification, States and transitions; DECISIONS, Verifications.
"""

from enum import StrEnum
from typing import Final, NewType


class VerificationStatus(StrEnum):
    PENDING = "PENDING"
    IN_PROGRESS = "IN_PROGRESS"
    APPROVED = "APPROVED"
    REJECTED = "REJECTED"
    EXPIRED = "EXPIRED"
    MANUAL_REVIEW = "MANUAL_REVIEW"


# The type of a step, as on the wire. `domain.steps` has the table of all types.
StepType = NewType("StepType", str)


class StepStatus(StrEnum):
    PENDING = "PENDING"
    WAITING_INPUT = "WAITING_INPUT"
    RUNNING = "RUNNING"
    PASSED = "PASSED"
    FAILED = "FAILED"
    REVIEW = "REVIEW"
    SKIPPED = "SKIPPED"

    @property
    def is_final(self) -> bool:
        return self in FINISHED


class DocumentRole(StrEnum):
    """The multipart field in which a file is uploaded."""

    FRONT = "front"
    BACK = "back"
    SELFIE = "selfie"
    PASSPORT = "passport"
    LIVENESS = "liveness"
    PROOF_OF_ADDRESS = "proofOfAddress"


class CaptureSource(StrEnum):
    """Where a browser says that a picture comes from."""

    CAMERA = "camera"
    FILE = "file"


DOCUMENT_ROLES: Final = frozenset({DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT})
FINISHED = frozenset({StepStatus.PASSED, StepStatus.FAILED, StepStatus.REVIEW, StepStatus.SKIPPED})
OPEN = frozenset({VerificationStatus.PENDING, VerificationStatus.IN_PROGRESS})
DECIDED = frozenset(
    {
        VerificationStatus.APPROVED,
        VerificationStatus.REJECTED,
        VerificationStatus.MANUAL_REVIEW,
    }
)

# What the automation may do; a reviewer may set any decided status from any status.
AUTOMATED_TRANSITIONS: dict[VerificationStatus, frozenset[VerificationStatus]] = {
    VerificationStatus.PENDING: frozenset(
        {VerificationStatus.IN_PROGRESS, VerificationStatus.EXPIRED}
    ),
    VerificationStatus.IN_PROGRESS: DECIDED | {VerificationStatus.EXPIRED},
}


def may_move(current: VerificationStatus, to: VerificationStatus) -> bool:
    """Whether the automation may take a verification from `current` to `to`."""
    return to in AUTOMATED_TRANSITIONS.get(current, frozenset())


class PersonalData(StrEnum):
    """What is masked of a verification, and revealed."""

    FIELDS = "FIELDS"
    PICTURES = "PICTURES"
    NOTES = "NOTES"
