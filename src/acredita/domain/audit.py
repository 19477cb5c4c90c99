"""The audit log's chain: what is hashed, and how each entry is tied to the one before it."""

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from uuid import UUID

START = b""


class ActorType(StrEnum):
    CLIENT = "client"
    USER = "user"
    # The service itself: decisions of its rules, its jobs, its operator's commands.
    SERVICE = "service"
    # Anyone who holds a link that the service signed.
    LINK = "link"
    # Anyone who knows the id of a verification, which is a capability.
    HOLDER = "holder"


class ResourceType(StrEnum):
    ORGANIZATION = "organization"
    USER = "user"
    API_KEY = "api_key"
    WORKFLOW = "workflow"
    POLICY = "policy"
    WEBHOOK = "webhook"
    VERIFICATION = "verification"
    DOCUMENT = "document"
    SIGNATURE = "esignature"
    FORM = "form"
    AML_MONITOR = "aml_monitor"
    AML_MATCH = "aml_match"
    AML_SCREENING = "aml_screening"
    CREDIT_CHECK = "credit_check"
    LOCATION_CHECK = "location_check"
    TRAINING_BATCH = "training_batch"
    GOVERNMENT_CHECK = "government_check"
    OWNERSHIP_CHECK = "ownership_check"
    LICENCE_TRUTH = "licence_truth"
    SELFIE_TRUTH = "selfie_truth"
    LICENCE_TEMPLATE = "licence_template"


class Action(StrEnum):
    ORGANIZATION_REGISTERED = "organization.registered"
    ORGANIZATION_UPDATED = "organization.updated"
    IDENTITY_PROVIDER_SET = "organization.identity_provider_set"
    IDENTITY_PROVIDER_REMOVED = "organization.identity_provider_removed"
    PROVIDER_SIGN_IN_REFUSED = "organization.provider_sign_in_refused"
    USER_JOINED = "user.joined"
    USER_LINKED = "user.linked"
    USER_SIGNED_IN = "user.signed_in"
    # The password or the identity provider is right, and a second factor is missing.
    SIGN_IN_BEGUN = "user.sign_in_begun"
    SIGN_IN_FAILED = "user.sign_in_failed"
    USER_SIGNED_OUT = "user.signed_out"
    USER_SESSION_ENDED = "user.session_ended"
    SECOND_FACTOR_ADDED = "user.second_factor_added"
    SECOND_FACTOR_REMOVED = "user.second_factor_removed"
    SECOND_FACTOR_FAILED = "user.second_factor_failed"
    RECOVERY_CODES_MADE = "user.recovery_codes_made"
    PASSWORD_LINK_SENT = "user.password_link_sent"  # noqa: S105 (an act's name)
    USER_PASSWORD_RESET = "user.password_reset"  # noqa: S105 (an act's name)
    USER_INVITED = "user.invited"
    USER_UPDATED = "user.updated"
    USER_REMOVED = "user.removed"
    API_KEY_CREATED = "api_key.created"
    API_KEY_REVOKED = "api_key.revoked"
    WORKFLOW_CREATED = "workflow.created"
    WORKFLOW_UPDATED = "workflow.updated"
    WORKFLOW_DELETED = "workflow.deleted"
    POLICY_CREATED = "policy.created"
    POLICY_SAVED = "policy.saved"
    POLICY_PUBLISHED = "policy.published"
    POLICY_SIMULATED = "policy.simulated"
    POLICY_SIMULATION_CANCELLED = "policy.simulation_cancelled"
    WEBHOOK_CREATED = "webhook.created"
    WEBHOOK_DELETED = "webhook.deleted"
    WEBHOOK_PAYLOAD_VIEWED = "webhook.payload_viewed"
    WEBHOOK_REDELIVERED = "webhook.redelivered"
    VERIFICATION_STATUS_CHANGED = "verification.status_changed"
    VERIFICATION_UPDATED = "verification.updated"
    DECISION_PROPOSED = "verification.decision_proposed"
    DECISION_DECLINED = "verification.decision_declined"
    NOTE_ADDED = "verification.note_added"
    PERSONAL_DATA_REVEALED = "verification.revealed"
    EVIDENCE_EXPORTED = "verification.evidence_exported"
    READING_REQUESTED = "verification.reading_requested"
    READ_AGAIN = "verification.read_again"
    VERIFICATION_RUN_AGAIN = "verification.run_again"
    VERIFICATION_HELD = "verification.held"
    VERIFICATION_RELEASED = "verification.released"
    VERIFICATION_CLAIMED = "verification.claimed"
    VERIFICATION_UNCLAIMED = "verification.unclaimed"
    VERIFICATION_HANDED_OVER = "verification.handed_over"
    VERIFICATION_PURGED = "verification.purged"
    CODE_SENT = "verification.code_sent"
    CODE_NOT_SENT = "verification.code_not_sent"
    CODE_CONFIRMED = "verification.code_confirmed"
    CODE_MISTAKEN = "verification.code_mistaken"
    FORM_CREATED = "form.created"
    FORM_SUBMITTED = "verification.form_submitted"
    SESSION_OPENED = "verification.session_opened"
    LINK_CREATED = "verification.link_created"
    LINK_SENT = "verification.link_sent"
    LINK_REVOKED = "verification.link_revoked"
    CONSENT_GIVEN = "verification.consent_given"
    RETAKE_ASKED = "verification.retake_asked"
    CHALLENGE_STARTED = "verification.challenge_started"
    CHALLENGE_ANSWERED = "verification.challenge_answered"
    DOCUMENTS_UPLOADED = "verification.documents_uploaded"
    BACK_SKIPPED = "verification.back_skipped"
    DOCUMENT_VIEWED = "document.viewed"
    DOCUMENT_LABELLED = "document.labelled"
    DOCUMENT_SKIPPED = "document.skipped"
    TRAINING_BATCH_CREATED = "training_batch.created"
    SIGNATURE_REQUESTED = "esignature.requested"
    SIGNATURE_MADE = "esignature.signed"
    SIGNATURE_FAILED = "esignature.failed"
    SIGNATURE_VIEWED = "esignature.viewed"
    SIGNATURE_PURGED = "esignature.purged"
    AML_MONITOR_ENABLED = "aml_monitor.enabled"
    AML_MONITOR_DISABLED = "aml_monitor.disabled"
    AML_MONITOR_ENDED = "aml_monitor.ended"
    AML_MATCH_DISMISSED = "aml_match.dismissed"
    AML_MATCH_RESTORED = "aml_match.restored"
    AML_MATCH_REVIEWED = "aml_match.reviewed"
    AML_MATCH_PROPOSED = "aml_match.decision_proposed"
    AML_MATCH_DECLINED = "aml_match.decision_declined"
    AML_MATCH_CLAIMED = "aml_match.claimed"
    AML_MATCH_RELEASED = "aml_match.released"
    AML_MATCH_HANDED_OVER = "aml_match.handed_over"
    AML_MATCH_VIEWED = "aml_match.viewed"
    AML_SCREENING_MADE = "aml_screening.made"
    AML_SCREENING_VIEWED = "aml_screening.viewed"
    AML_SCREENING_CERTIFIED = "aml_screening.certified"
    AML_SCREENING_PURGED = "aml_screening.purged"
    CREDIT_CHECK_REQUESTED = "credit_check.requested"
    CREDIT_CHECK_FINISHED = "credit_check.finished"
    CREDIT_CHECK_VIEWED = "credit_check.viewed"
    CREDIT_CHECK_HELD = "credit_check.held"
    CREDIT_CHECK_RELEASED = "credit_check.released"
    CREDIT_CHECK_PURGED = "credit_check.purged"
    LOCATION_CHECKED = "location_check.made"
    GOVERNMENT_CHECKED = "government_check.made"
    OWNERSHIP_CODE_SENT = "ownership_check.made"
    LICENCE_TRUTH_ADDED = "licence_truth.added"
    LICENCE_TRUTH_CHANGED = "licence_truth.changed"
    LICENCE_TRUTH_REMOVED = "licence_truth.removed"
    LICENCE_TRUTH_READ_AGAIN = "licence_truth.read_again"
    LICENCE_TRUTH_VIEWED = "licence_truth.viewed"
    LICENCE_TRUTH_EXPORTED = "licence_truth.exported"
    LICENCE_TRUTH_PURGED = "licence_truth.purged"
    LICENCE_TEMPLATE_SET = "licence_template.set"
    LICENCE_TEMPLATE_REMOVED = "licence_template.removed"
    SELFIE_TRUTH_ADDED = "selfie_truth.added"
    SELFIE_TRUTH_CHANGED = "selfie_truth.changed"
    SELFIE_TRUTH_REMOVED = "selfie_truth.removed"
    SELFIE_TRUTH_MATCHED_AGAIN = "selfie_truth.matched_again"
    SELFIE_TRUTH_VIEWED = "selfie_truth.viewed"
    SELFIE_TRUTH_EXPORTED = "selfie_truth.exported"
    SELFIE_TRUTH_PURGED = "selfie_truth.purged"

    @property
    def resource_type(self) -> ResourceType:
        return ResourceType(self.value.partition(".")[0])


@dataclass(frozen=True, slots=True)
class Entry:
    id: UUID
    organization_id: UUID
    actor_type: str
    actor_id: UUID | None
    action: str
    resource_type: str
    resource_id: UUID
    # Canonical JSON already: kept and hashed character by character.
    details: str
    created_at: datetime


_CANONICAL = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def canonical(value: object) -> str:
    """JSON with its keys in order, no blanks, and no escapes but those that JSON demands."""
    return _CANONICAL.encode(value)


def chained_content(previous: bytes, entry: Entry) -> bytes:
    """What is hashed: the previous entry's hash (START for the first) and the canonical JSON."""
    return previous + _text(entry).encode()


def hash_of(previous: bytes, entry: Entry) -> bytes:
    """SHA-256 without a key, as former releases chained their entries."""
    return hashlib.sha256(chained_content(previous, entry)).digest()


def _text(entry: Entry) -> str:
    moment = entry.created_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    before = {
        "action": entry.action,
        "actorId": None if entry.actor_id is None else str(entry.actor_id),
        "actorType": entry.actor_type,
        "createdAt": moment,
    }
    after = {
        "id": str(entry.id),
        "organizationId": str(entry.organization_id),
        "resourceId": str(entry.resource_id),
        "resourceType": entry.resource_type,
    }
    return f'{canonical(before)[:-1]},"details":{entry.details},{canonical(after)[1:]}'
