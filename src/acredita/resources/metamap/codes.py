"""What our codes are called there.

The codes of its documentation where one means the same; else ours, written in its manner, so that
nothing is claimed that was not found.
"""

from pydantic.alias_generators import to_camel

from acredita.domain.reasons import Translation, find
from acredita.domain.verification import StepStatus, VerificationStatus

IDENTITY_STATUSES = {
    VerificationStatus.PENDING: "pending",
    VerificationStatus.IN_PROGRESS: "running",
    VerificationStatus.APPROVED: "verified",
    VerificationStatus.REJECTED: "rejected",
    VerificationStatus.MANUAL_REVIEW: "reviewNeeded",
    # `expired` says so; nobody has said anything of the person.
    VerificationStatus.EXPIRED: "pending",
}
DELETED = "deleted"
# What a reviewer may set.
MOVEMENTS = {
    "verified": VerificationStatus.APPROVED,
    "rejected": VerificationStatus.REJECTED,
    "reviewNeeded": VerificationStatus.MANUAL_REVIEW,
}

WAITING, RUNNING, COMPLETE = 0, 100, 200
# A step that was skipped never ran; one that failed has ended, with an error.
STEP_STATUSES = {
    StepStatus.PENDING: WAITING,
    StepStatus.WAITING_INPUT: WAITING,
    StepStatus.RUNNING: RUNNING,
    StepStatus.PASSED: COMPLETE,
    StepStatus.FAILED: COMPLETE,
    StepStatus.REVIEW: COMPLETE,
    StepStatus.SKIPPED: WAITING,
}

# What our codes begin with there, where that is not the step's own id.
PREFIXES = {
    "document-reading": "document",
    "template-matching": "templateMatching",
    "selfie": "selfiePhoto",
    "mexican-curp-validation": "curp",
    "mexican-ine-validation": "mexicanIne",
    "mexican-rfc-validation": "mexicanRfc",
}


def translation_of(code: str | None) -> Translation:
    """What the registry of reasons says of a stored code; a translation without words else."""
    reason = find(code)
    return Translation() if reason is None else reason.metamap


def error(
    code: str, message: str | None, step_id: str, registry: str | None = None
) -> dict[str, str | None]:
    """The error of a step: its own status stays that of one that is complete."""
    translation = translation_of(code)
    known = translation.by_registry.get(registry or "") or translation.code
    return {
        "type": "systemError" if translation.is_system else "StepError",
        "code": known or f"{PREFIXES.get(step_id, step_id)}.{to_camel(code.lower())}",
        "message": message,
    }
