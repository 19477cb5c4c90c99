"""Errors that services raise: classes with a code and a message, without HTTP.

`api/errors` gives each class its status. Specification, Errors; DECISIONS, Wire conventions.
"""

from typing import ClassVar


class CommandRefused(Exception):
    """An operator's command that cannot be done. The message gives the reason."""


class DomainError(Exception):
    """A request that is refused. `message` is safe to show to end users.

    `details` has one sentence per fault, which starts with the place of the fault. `retry_after` is
    in seconds.
    """

    code: ClassVar[str]
    default_message: ClassVar[str]

    def __init__(
        self,
        message: str | None = None,
        *,
        details: list[str] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(self.code)
        self.message = message or self.default_message
        self.details = details
        self.retry_after = retry_after


class ValidationFailed(DomainError):
    code = "VALIDATION_ERROR"
    default_message = "The request is not valid."


class FileTooComplex(ValidationFailed):
    code = "FILE_TOO_COMPLEX"
    default_message = "The file would take too much time to decode. Export or scan it again."


class Unauthorized(DomainError):
    code = "UNAUTHORIZED"
    default_message = "A valid access token or API key is required."


class SecondFactorWrong(Unauthorized):
    code = "SECOND_FACTOR_WRONG"
    default_message = "The code is wrong, or was used before."


class Forbidden(DomainError):
    code = "FORBIDDEN"
    default_message = "Your role does not permit this."


class SecondFactorRequired(Forbidden):
    code = "SECOND_FACTOR_REQUIRED"
    default_message = "A code of your authenticator app or a recovery code is required as well."


class SecondFactorSetupRequired(Forbidden):
    code = "SECOND_FACTOR_SETUP_REQUIRED"
    default_message = "Your organization requires a second factor. Set one up in a browser first."


class ProviderSignInRequired(Forbidden):
    code = "PROVIDER_SIGN_IN_REQUIRED"
    default_message = "Your organization signs in with its own identity provider only."


class SignInAgain(Forbidden):
    code = "SIGN_IN_AGAIN"
    default_message = "You signed in some time ago. Sign in again to change this."


class SecondReviewerNeeded(Forbidden):
    code = "SECOND_REVIEWER_NEEDED"
    default_message = (
        "Your organization decides with two reviewers: the proposer cannot confirm or decline, and"
        " only signed-in users propose and confirm, not API keys."
    )


class NotFound(DomainError):
    code = "NOT_FOUND"
    default_message = "There is no such resource."


class Conflict(DomainError):
    code = "CONFLICT"
    default_message = "The request conflicts with the current state of the resource."


class IdempotencyConflict(Conflict):
    code = "IDEMPOTENCY_CONFLICT"
    default_message = "The Idempotency-Key was used for another request."


class FeatureOff(Conflict):
    code = "FEATURE_OFF"
    default_message = "This installation does not offer this: its operator turned it off."


class WorkflowInactive(Conflict):
    code = "WORKFLOW_INACTIVE"
    default_message = "The workflow is no longer active."


class AliasTaken(Conflict):
    code = "ALIAS_TAKEN"
    default_message = "This alias already belongs to another workflow or organization."


class VerificationClosed(Conflict):
    code = "VERIFICATION_CLOSED"
    default_message = "The verification no longer accepts uploads."


class VerificationHeld(Conflict):
    code = "VERIFICATION_HELD"
    default_message = "The verification is on legal hold, so its data cannot be deleted."


class AlreadyPurged(Conflict):
    code = "VERIFICATION_PURGED"
    default_message = "The verification's data are deleted; nothing is left to hold."


class LivenessNotAsked(Conflict):
    code = "LIVENESS_NOT_ASKED"
    default_message = "The verification does not require a liveness challenge, or no longer does."


class StepNotWaiting(Conflict):
    code = "STEP_NOT_WAITING"
    default_message = "No step of the verification waits for this now."


class ChallengeClosed(Conflict):
    code = "CHALLENGE_CLOSED"
    default_message = (
        "The challenge has expired, was answered, or is not the current one. Start another one."
    )


class TooManyChallenges(Conflict):
    code = "TOO_MANY_CHALLENGES"
    default_message = "The verification has reached its limit of liveness challenges."


class TooManyUploads(Conflict):
    code = "TOO_MANY_UPLOADS"
    default_message = "The verification has reached its limit of files."


class LinkClosed(Conflict):
    code = "LINK_CLOSED"
    default_message = "The link has expired, was revoked, or was used. Ask for a new one."


class TooManyHandOvers(Conflict):
    code = "TOO_MANY_HAND_OVERS"
    default_message = "The verification has reached its limit of changes to another device."


class TooManyConsents(Conflict):
    code = "TOO_MANY_CONSENTS"
    default_message = "The verification has reached its limit of consents."


class ApiKeyInUse(Conflict):
    code = "API_KEY_IN_USE"
    default_message = "An API key cannot revoke itself."


class LastOwner(Conflict):
    code = "LAST_OWNER"
    default_message = "An organization must keep at least one owner who can sign in."


class NoSecondFactorNeeded(Conflict):
    code = "NO_SECOND_FACTOR_NEEDED"
    default_message = "The session does not wait for a second factor."


class LastSecondFactor(Conflict):
    code = "LAST_SECOND_FACTOR"
    default_message = "Your organization requires a second factor. Add another one first."


class UserNeeded(Conflict):
    code = "USER_NEEDED"
    default_message = "Only signed-in users have this, not API keys."


class NoVerification(Conflict):
    code = "NO_VERIFICATION"
    default_message = "A test needs at least one verification in the organization."


class NoProposal(Conflict):
    code = "NO_PROPOSAL"
    default_message = "This proposed decision does not wait for a second reviewer (any more)."


class ClaimedByAnother(Conflict):
    code = "CLAIMED_BY_ANOTHER"
    default_message = "Another reviewer works on this match."


class AlreadyClaimed(Conflict):
    code = "ALREADY_CLAIMED"
    default_message = "Another reviewer works on this verification."


class StatusChanged(Conflict):
    code = "STATUS_CHANGED"
    default_message = "The verification has another status by now."


class NotInReview(Conflict):
    code = "NOT_IN_REVIEW"
    default_message = "The verification does not wait for a reviewer (any more)."


class FilterExists(Conflict):
    code = "FILTER_EXISTS"
    default_message = "You have saved filters under this name already."


class TooManyFilters(Conflict):
    code = "TOO_MANY_FILTERS"
    default_message = "You have reached the limit of saved filters."


class MatchChanged(Conflict):
    code = "MATCH_CHANGED"
    default_message = "The match was opened again since you read it. Read it again."


class NoDraft(Conflict):
    code = "NO_DRAFT"
    default_message = "The policy has no such draft to publish. Read it again."


class PolicyNotPublished(Conflict):
    code = "POLICY_NOT_PUBLISHED"
    default_message = "A workflow can only name a policy with a published version."


class SimulationNotMeasured(Conflict):
    code = "SIMULATION_NOT_MEASURED"
    default_message = (
        "A threshold needs a simulation that is DONE, has a measure, and whose rules are unchanged."
    )


class NothingToReplay(Conflict):
    code = "NOTHING_TO_REPLAY"
    default_message = "Only a decided verification whose evidence is not purged can be replayed."


class NothingToRetake(Conflict):
    code = "NOTHING_TO_RETAKE"
    default_message = (
        "Only a verification in review asks for pictures again, and only for those that one of its"
        " steps judges."
    )


class NothingToRunAgain(Conflict):
    code = "NOTHING_TO_RUN_AGAIN"
    default_message = (
        "Only a verification in review runs again, and only if a step could not be checked because"
        " a service was unavailable."
    )


class DeliveryPending(Conflict):
    code = "DELIVERY_PENDING"
    default_message = "The delivery is still pending and has attempts left."


class EvidenceMissing(Conflict):
    code = "EVIDENCE_MISSING"
    default_message = (
        "The verification does not have the evidence that this signature tier requires."
    )


class SignatureNotReady(Conflict):
    code = "SIGNATURE_NOT_READY"
    default_message = "The signed PDF is still being made."


class SignatureFailed(Conflict):
    code = "SIGNATURE_FAILED"
    default_message = "The package could not be signed; there is no PDF."


class DocumentLeased(Conflict):
    code = "DOCUMENT_LEASED"
    default_message = "The document is leased to another reviewer."


class UnsupportedFileType(DomainError):
    code = "UNSUPPORTED_FILE_TYPE"
    default_message = "Only JPEG, PNG, WebP and PDF files are accepted."


class RateLimited(DomainError):
    code = "RATE_LIMITED"
    default_message = "Too many requests. Wait a moment and try again."


class ServiceUnavailable(DomainError):
    code = "SERVICE_UNAVAILABLE"
    default_message = "The service is not available right now. Try again in a moment."

    def __init__(self, message: str | None = None, *, retry_after: int = 2) -> None:
        super().__init__(message, retry_after=retry_after)


class QueueFull(RateLimited):
    code = "QUEUE_FULL"
    default_message = "Too many documents of the organization are waiting. Try again later."


class TooManyStreams(RateLimited):
    code = "TOO_MANY_STREAMS"
    default_message = "Too many event streams are open. Poll the status instead."
