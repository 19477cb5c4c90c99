"""The kinds of events (specification, Events)."""

from enum import StrEnum


class EventKind(StrEnum):
    VERIFICATION_CREATED = "verification.created"
    VERIFICATION_UPDATED = "verification.updated"
    VERIFICATION_COMPLETED = "verification.completed"
    VERIFICATION_APPROVED = "verification.approved"
    VERIFICATION_REJECTED = "verification.rejected"
    VERIFICATION_MANUAL_REVIEW = "verification.manual_review"
    STEP_COMPLETED = "step.completed"
    STEP_FAILED = "step.failed"
    # Monitoring found new matches (DECISIONS, Webhooks).
    AML_MATCH = "aml.match"


# Their names in MetaMap's API, which has no others.
METAMAP_NAMES = {
    EventKind.VERIFICATION_CREATED: "verification_started",
    EventKind.STEP_COMPLETED: "step_completed",
    EventKind.STEP_FAILED: "step_completed",
    EventKind.VERIFICATION_COMPLETED: "verification_completed",
}
