"""How errors are answered: the status of each class, and one envelope for all of them.

The errors here belong to HTTP. Those that services raise are in `domain/errors`.
Specification, Errors; DECISIONS, Wire conventions.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from acredita.domain.errors import (
    Conflict,
    DomainError,
    Forbidden,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
    UnsupportedFileType,
    ValidationFailed,
)

BASIC = 'Basic realm="clients"'
EXAMPLE_REQUEST_ID = "1f8b2c6a90e14d3fb7c4a5d6e7f80912"
# A key of a request's scope: the connection closes after an error, since its body is unread.
MUST_CLOSE = "acredita.must_close"
# A subclass without an entry has the status of its base.
STATUS: Mapping[type[DomainError], int] = {
    Unauthorized: 401,
    Forbidden: 403,
    NotFound: 404,
    Conflict: 409,
    UnsupportedFileType: 415,
    ValidationFailed: 422,
    RateLimited: 429,
    ServiceUnavailable: 503,
}


class ApiError(DomainError):
    """An error that only the HTTP layer raises."""

    status: ClassVar[int]

    def __init__(
        self,
        message: str | None = None,
        *,
        details: list[str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message, details=details)
        self.headers = dict(headers or {})


class InternalError(ApiError):
    status = 500
    code = "INTERNAL_ERROR"
    default_message = "Something went wrong on our side."


class OriginNotAllowed(Forbidden):
    code = "ORIGIN_NOT_ALLOWED"
    default_message = "Pages of this origin may not call the organization's browser flow."


class CsrfTokenMissing(Forbidden):
    code = "CSRF_TOKEN_MISSING"
    default_message = (
        "A request that changes something by a session's cookie needs the session's X-CSRF-Token."
    )


class RegistrationClosed(Forbidden):
    code = "REGISTRATION_CLOSED"
    default_message = "Registration is closed. Only the operator creates organizations."


class InvalidCursor(ApiError):
    status = 400
    code = "INVALID_CURSOR"
    default_message = "The cursor is not valid."


class UnknownAddress(NotFound):
    """There is no operation at this path."""


class MethodNotAllowed(ApiError):
    status = 405
    code = "METHOD_NOT_ALLOWED"
    default_message = "This address does not support that method."


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


class BasicUnauthorized(Unauthorized):
    """Asks for an id and a secret of a client by the Basic scheme."""


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


def envelope(fault: DomainError, request_id: str) -> dict[str, Any]:
    error: dict[str, Any] = {"code": fault.code, "message": fault.message}
    if fault.details:
        error["details"] = fault.details
    error["requestId"] = request_id
    if fault.retry_after is not None:
        error["retryAfter"] = fault.retry_after
    return {"error": error}


def status_of(fault: type[DomainError] | DomainError) -> int:
    """The HTTP status of an error. Raise LookupError for a class that has none."""
    kind = fault if isinstance(fault, type) else type(fault)
    if issubclass(kind, ApiError):
        return kind.status
    for base in kind.__mro__:
        if base in STATUS:
            return STATUS[base]
    raise LookupError(f"api/errors.STATUS has no status for {kind.__qualname__}")


def headers_of(fault: DomainError) -> dict[str, str]:
    """The headers of an error's response."""
    headers = dict(fault.headers) if isinstance(fault, ApiError) else {}
    if isinstance(fault, Unauthorized):
        headers["WWW-Authenticate"] = BASIC if isinstance(fault, BasicUnauthorized) else "Bearer"
    if fault.retry_after is not None:
        headers["Retry-After"] = str(fault.retry_after)
    return headers


def responses(*faults: type[DomainError]) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI entries of an endpoint's errors: a status may stand for several codes.

    Only of those that its route does not imply: `api/openapi/document` adds the others.

    They have no `model`, because FastAPI would build its own field of each, a tenth of the time
    that the API takes to load. The document adds the schema.
    """
    by_status: dict[int | str, list[type[DomainError]]] = {}
    for fault in faults:
        by_status.setdefault(status_of(fault), []).append(fault)
    return {
        status: {
            "description": " ".join(f"{fault.code}: {fault.default_message}" for fault in classes),
            "content": {
                "application/json": {
                    "examples": {fault.code: {"value": _example(fault)} for fault in classes}
                }
            },
        }
        for status, classes in by_status.items()
    }


def _example(kind: type[DomainError]) -> dict[str, Any]:
    fault = kind()
    if issubclass(kind, ValidationFailed):
        fault.details = ["body.name: Field required"]
    if issubclass(kind, RateLimited):
        fault.retry_after = 1
    return envelope(fault, EXAMPLE_REQUEST_ID)
