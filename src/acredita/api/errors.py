"""Every error that the API answers with, as a class: raised anywhere, rendered in one place.

Specification, Errors; DECISIONS, Wire conventions.
"""

from typing import Any, ClassVar

from pydantic import BaseModel, Field

EXAMPLE_REQUEST_ID = "1f8b2c6a90e14d3fb7c4a5d6e7f80912"


class ApiError(Exception):
    """An answer other than success. `message` is safe to show to end users."""

    status: ClassVar[int] = 500
    code: ClassVar[str] = "INTERNAL_ERROR"
    default_message: ClassVar[str] = "Something went wrong on our side."

    def __init__(
        self,
        message: str | None = None,
        *,
        details: list[str] | None = None,
        retry_after: int | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(self.code)
        self.message = message or self.default_message
        self.details = details
        self.retry_after = retry_after
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(retry_after)


class InternalError(ApiError):
    pass


class ValidationFailed(ApiError):
    status = 422
    code = "VALIDATION_ERROR"
    default_message = "The request is not valid."


class Unauthorized(ApiError):
    status = 401
    code = "UNAUTHORIZED"
    default_message = "A valid access token or API key is required."

    def __init__(self, message: str | None = None, *, scheme: str = "Bearer") -> None:
        super().__init__(message, headers={"WWW-Authenticate": scheme})


class Forbidden(ApiError):
    status = 403
    code = "FORBIDDEN"
    default_message = "Your role does not permit this."


class OriginNotAllowed(Forbidden):
    code = "ORIGIN_NOT_ALLOWED"
    default_message = "Pages of this origin may not call the organization's browser flow."


class RegistrationClosed(Forbidden):
    code = "REGISTRATION_CLOSED"
    default_message = "Registration is closed. Only the operator creates organizations."


class NotFound(ApiError):
    status = 404
    code = "NOT_FOUND"
    default_message = "There is no such resource."


class MethodNotAllowed(ApiError):
    status = 405
    code = "METHOD_NOT_ALLOWED"
    default_message = "This address does not support that method."


class Conflict(ApiError):
    status = 409
    code = "CONFLICT"
    default_message = "The request conflicts with the current state of the resource."


class IdempotencyConflict(Conflict):
    code = "IDEMPOTENCY_CONFLICT"
    default_message = "The Idempotency-Key was used for another request."


class WorkflowInactive(Conflict):
    code = "WORKFLOW_INACTIVE"
    default_message = "The workflow is no longer active."


class VerificationClosed(Conflict):
    code = "VERIFICATION_CLOSED"
    default_message = "The verification no longer accepts uploads."


class VerificationHeld(Conflict):
    code = "VERIFICATION_HELD"
    default_message = "The verification is on legal hold, so its data cannot be deleted."


class LivenessNotAsked(Conflict):
    code = "LIVENESS_NOT_ASKED"
    default_message = "The verification does not require a liveness challenge, or no longer does."


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


class TooManyConsents(Conflict):
    code = "TOO_MANY_CONSENTS"
    default_message = "The verification has reached its limit of consents."


class ApiKeyInUse(Conflict):
    code = "API_KEY_IN_USE"
    default_message = "An API key cannot revoke itself."


class LastOwner(Conflict):
    code = "LAST_OWNER"
    default_message = "An organization must keep at least one owner who can sign in."


class NoVerification(Conflict):
    code = "NO_VERIFICATION"
    default_message = "A test needs at least one verification in the organization."


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


class RangeNotSatisfiable(ApiError):
    status = 416
    code = "RANGE_NOT_SATISFIABLE"
    default_message = "The requested bytes do not exist, or the request has more than one range."


class RequestTimeout(ApiError):
    status = 408
    code = "REQUEST_TIMEOUT"
    default_message = "The request's body arrived too slowly."


class PayloadTooLarge(ApiError):
    status = 413
    code = "PAYLOAD_TOO_LARGE"
    default_message = "The request's body is too large."


class FileTooLarge(ApiError):
    status = 413
    code = "FILE_TOO_LARGE"
    default_message = "A file is larger than 10 MB."


class UnsupportedMediaType(ApiError):
    status = 415
    code = "UNSUPPORTED_MEDIA_TYPE"
    default_message = "The request's content type is not supported here."


class UnsupportedFileType(ApiError):
    status = 415
    code = "UNSUPPORTED_FILE_TYPE"
    default_message = "Only JPEG, PNG, WebP and PDF files are accepted."


class RateLimited(ApiError):
    status = 429
    code = "RATE_LIMITED"
    default_message = "Too many requests. Wait a moment and try again."


class ServiceUnavailable(ApiError):
    status = 503
    code = "SERVICE_UNAVAILABLE"
    default_message = "The service is not available right now. Try again in a moment."

    def __init__(self, message: str | None = None, *, retry_after: int = 2) -> None:
        super().__init__(message, retry_after=retry_after)


class TooManyStreams(RateLimited):
    code = "TOO_MANY_STREAMS"
    default_message = "Too many event streams are open. Poll the status instead."


class ErrorBody(BaseModel):
    code: str = Field(description="A stable code, for programs.", examples=["NOT_FOUND"])
    message: str = Field(
        description="A message for people. It is safe to show to end users.",
        examples=["There is no such resource."],
    )
    # Left out where there is nothing to say: neither required nor null.
    details: list[str] = Field(
        default_factory=list,
        description="One sentence per fault. Each sentence starts with the place of the fault.",
        examples=[["body.steps.0.type: Input should be 'DOCUMENT_OCR' or 'FACE_MATCH'"]],
    )
    requestId: str = Field(  # noqa: N815
        description="The X-Request-Id of this response.", examples=[EXAMPLE_REQUEST_ID]
    )
    retryAfter: int = Field(  # noqa: N815
        default_factory=int, ge=1, description="Seconds to wait. Present with 429 and 503."
    )


class ErrorEnvelope(BaseModel):
    error: ErrorBody


def envelope(fault: ApiError, request_id: str) -> dict[str, Any]:
    error: dict[str, Any] = {"code": fault.code, "message": fault.message}
    if fault.details:
        error["details"] = fault.details
    error["requestId"] = request_id
    if fault.retry_after is not None:
        error["retryAfter"] = fault.retry_after
    return {"error": error}


def responses(*faults: type[ApiError]) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI entries of an endpoint's errors: a status may stand for several codes."""
    by_status: dict[int | str, list[type[ApiError]]] = {}
    for fault in faults:
        by_status.setdefault(fault.status, []).append(fault)
    return {
        status: {
            "model": ErrorEnvelope,
            "description": " ".join(f"{fault.code}: {fault.default_message}" for fault in classes),
            "content": {
                "application/json": {
                    "examples": {fault.code: {"value": _example(fault)} for fault in classes}
                }
            },
        }
        for status, classes in by_status.items()
    }


def _example(kind: type[ApiError]) -> dict[str, Any]:
    fault = kind()
    if kind.status == ValidationFailed.status:
        fault.details = ["body.name: Field required"]
    if kind.status == RateLimited.status:
        fault.retry_after = 1
    return envelope(fault, EXAMPLE_REQUEST_ID)
