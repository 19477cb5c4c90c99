"""Our statuses and codes in the compatible API.

A code of its documentation is used only if it means exactly the same. Otherwise our code is used,
in that API's notation, so that no error claims more than was found.
"""

from pydantic.alias_generators import to_camel

from acredita.domain.reasons import ReasonCode, RegistryReason, Translation, find
from acredita.domain.verification import StepStatus, VerificationStatus

IDENTITY_STATUSES = {
    VerificationStatus.PENDING: "pending",
    VerificationStatus.IN_PROGRESS: "running",
    VerificationStatus.APPROVED: "verified",
    VerificationStatus.REJECTED: "rejected",
    VerificationStatus.MANUAL_REVIEW: "reviewNeeded",
    # A separate property `expired` is true; there is no result about the person.
    VerificationStatus.EXPIRED: "pending",
}
_DELETED = "deleted"
# It waits for a registry that is away.
POSTPONED = "postponed"
# The statuses that a reviewer may set.
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

# The prefix of our codes by step id, if it is not the id itself.
PREFIXES = {
    "document-reading": "document",
    "template-matching": "templateMatching",
    "alteration-detection": "alterationDetection",
    "age-check": "underage",
    "phone-ownership-validation": "phoneOwnership",
    "email-ownership-validation": "emailOwnership",
    "ip-validation": "ipValidation",
    "premium-aml-watchlists-search-validation": "premiumAmlWatchlists",
    "selfie": "selfiePhoto",
    "mexican-curp-validation": "curp",
    "mexican-ine-validation": "mexicanIne",
    "mexican-rfc-validation": "mexicanRfc",
}


def identity_status(
    status: VerificationStatus, *, is_purged: bool, is_postponed: bool = False
) -> str:
    """`is_postponed`: of a verification in progress; see `is_postponed`."""
    if is_purged:
        return _DELETED
    if is_postponed and status is VerificationStatus.IN_PROGRESS:
        return POSTPONED
    return IDENTITY_STATUSES[status]


def is_postponed(status: StepStatus, code: str | None) -> bool:
    """Whether a step waits for a registry."""
    return status is StepStatus.RUNNING and code == RegistryReason.REGISTRY_UNAVAILABLE


def find_translation(code: str | None) -> Translation:
    """Return the translation of a stored code; an empty one for an unknown code."""
    reason = find(code)
    return Translation() if reason is None else reason.metamap


def step_error(
    code: str,
    message: str | None,
    step_id: str,
    registry: str | None = None,
    *,
    kind: str = "StepError",
) -> dict[str, str | None]:
    """Return the error of a step. The step's status stays "complete". `kind`: its type, if the
    person is at fault.
    """
    translation = find_translation(code)
    known = translation.by_registry.get(registry or "") or translation.code
    return {
        "type": "SystemError" if translation.is_system else kind,
        "code": known or f"{PREFIXES.get(step_id, step_id)}.{to_camel(code.lower())}",
        "message": message,
    }


def system_error(reason: ReasonCode) -> dict[str, str | None]:
    """Return the error of a check outside of any verification that could not be made.

    That API writes its type in camel case there, and in Pascal case in a verification.
    """
    return {
        "type": "systemError",
        "code": reason.metamap.code,
        "message": reason.message.en,
    }
