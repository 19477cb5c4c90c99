"""What our codes are called there.

The codes of its documentation where one means the same; else ours, written in its manner, so that
nothing is claimed that was not found.
"""

from pydantic.alias_generators import to_camel

from acredita.domain.verification import StepStatus, StepType, VerificationStatus

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

READING, TEMPLATE, FACEMATCH = "document-reading", "template-matching", "facematch"
SELFIE, LIVENESS = "selfie", "liveness"
# By the names of our registries, in the order in which they are shown.
REGISTRY_STEPS = {
    "renapo": "mexican-curp-validation",
    "ine": "mexican-ine-validation",
    "sat": "mexican-rfc-validation",
}
# The step that a code is shown at, where that is not the first of its type's.
PLACES = {
    "DOCUMENT_NOT_RECOGNIZED": TEMPLATE,
    "DOCUMENT_NOT_SUPPORTED": TEMPLATE,
    "PAGE_NOT_RECOGNIZED": TEMPLATE,
    "FACE_NOT_FOUND": SELFIE,
    "SELFIE_COPIES_PORTRAIT": SELFIE,
    "SELFIE_SHOWS_DOCUMENT": SELFIE,
    "SEVERAL_FACES": SELFIE,
    "FACE_TOO_SMALL": SELFIE,
    "FACE_BLURRED": SELFIE,
}
FIRST_STEPS = {
    StepType.DOCUMENT_OCR: READING,
    StepType.FACE_MATCH: FACEMATCH,
    StepType.LIVENESS: LIVENESS,
}
CODES = {
    "DOCUMENT_NOT_RECOGNIZED": "templateMatching.noMatchFound",
    "DOCUMENT_NOT_SUPPORTED": "templateMatching.noMatchFound",
    "DOCUMENT_UNREADABLE": "document.noRequiredFields",
    "FACE_NOT_FOUND": "selfiePhoto.noFace",
    "CHECK_UNAVAILABLE": "legacy.error",
    "CURP_STATUS_ANNULLED": "curp.invalid",
    "CURP_NOT_FOUND": "curp.invalid",
    "INE_NOT_FOUND": "mexicanIne.notValidParams",
    "INE_MISMATCH": "mexicanIne.notValidParams",
    "RFC_NOT_FOUND": "mexicanRfcStatus.noResults",
    "RFC_NOT_CURRENT": "mexicanRfcStatus.inactive",
}
REGISTRY_CODES = {
    ("INSUFFICIENT_DATA", "renapo"): "curp.invalid",
    ("INSUFFICIENT_DATA", "ine"): "ine.notEnoughParams",
    ("REGISTRY_UNAVAILABLE", None): "legacy.error",
    ("REGISTRY_REFUSED", None): "legacy.error",
}
# Nothing of the person, but of the service that was asked.
SYSTEM = frozenset(("CHECK_UNAVAILABLE", "REGISTRY_UNAVAILABLE", "REGISTRY_REFUSED"))
PREFIXES = {
    READING: "document",
    TEMPLATE: "templateMatching",
    FACEMATCH: "facematch",
    SELFIE: "selfiePhoto",
    LIVENESS: "liveness",
    "mexican-curp-validation": "curp",
    "mexican-ine-validation": "mexicanIne",
    "mexican-rfc-validation": "mexicanRfc",
}


def error(
    code: str, message: str | None, step_id: str, registry: str | None = None
) -> dict[str, str | None]:
    """The error of a step: its own status stays that of one that is complete."""
    known = REGISTRY_CODES.get((code, registry)) or REGISTRY_CODES.get((code, None))
    known = known or CODES.get(code)
    return {
        "type": "systemError" if code in SYSTEM else "StepError",
        "code": known or f"{PREFIXES[step_id]}.{to_camel(code.lower())}",
        "message": message,
    }
