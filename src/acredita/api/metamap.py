"""Errors under /v1/metamap, in the format of the compatible API.

It renders all errors there, including unknown paths and an unreachable database. Errors of tokens
have the body and the names of MetaMap's OAuth server, all others those of its gateway. `data` lists
the faults of an invalid request.
"""

from typing import Any

from pydantic import BaseModel, Field

from acredita.api import errors
from acredita.api.errors import (
    ApiError,
    FileTooLarge,
    InternalError,
    MethodNotAllowed,
    PayloadTooLarge,
    RangeNotSatisfiable,
    RequestTimeout,
    UnknownAddress,
    UnsupportedMediaType,
)
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

PREFIX = "/v1/metamap"
INVALID = "Parameters validation error!"
STRUCTURE = "Invalid structure of request body"


def is_compatible_path(path: str) -> bool:
    """Return whether errors at this path have the compatible API's format."""
    return path.startswith(PREFIX) and path[len(PREFIX) : len(PREFIX) + 1] in ("", "/")


class BadRequest(ApiError):
    """An error that the compatible API answers with 400 and a sentence."""

    status = 400
    code = "BAD_REQUEST"
    default_message = STRUCTURE


class Gone(ApiError):
    """An address of that API's first version; the message names the successor."""

    status = 410
    code = "GONE"
    default_message = "Version 1 is retired."


class OauthError(ApiError):
    """An error of the compatible API's OAuth server; the error's code is the `name`."""

    status = 400
    code = "invalid_request"
    default_message = "Missing parameter: `grant_type`"


class NoClient(OauthError):
    code = "invalid_client"
    default_message = "Invalid client: cannot retrieve client credentials"


class InvalidClient(OauthError):
    status = 401
    code = "invalid_client"
    default_message = "Invalid client: client is invalid"


class UnsupportedGrant(OauthError):
    code = "unsupported_grant_type"
    default_message = "Unsupported grant type: `grant_type` is invalid"


class MetamapError(BaseModel):
    """An error of the compatible API."""

    code: int = Field(description="The HTTP status.", examples=[404])
    message: str = Field(description="Notes for people.", examples=["Entity not found"])
    name: str = Field(description="The kind of error.", examples=["EntityNotFoundError"])
    # Absent if empty.
    type: str = Field(default_factory=str, examples=["NOT_FOUND"])
    status: int = Field(default_factory=int, description="The HTTP status.", examples=[404])
    statusCode: int = Field(  # noqa: N815
        default_factory=int, description="The HTTP status.", examples=[404]
    )
    data: list[dict[str, Any]] = Field(
        default_factory=list,
        description="The faults of an invalid request.",
        examples=[[{"keyword": "required", "dataPath": ".flowId"}]],
    )


# For each class of error: status, name, type, and the message if it is constant.
_WORDS: dict[type[DomainError], tuple[int, str, str, str | None]] = {
    ValidationFailed: (422, "ValidationError", "VALIDATION_ERROR", INVALID),
    Forbidden: (403, "ForbiddenError", "FORBIDDEN", "Forbidden"),
    # Clients compare the name: without a verification, they look for one two ids after it.
    NotFound: (404, "EntityNotFoundError", "NOT_FOUND", "Entity not found"),
    UnknownAddress: (404, "NotFoundError", "NOT_FOUND", "Not found"),
    MethodNotAllowed: (405, "MethodNotAllowedError", "METHOD_NOT_ALLOWED", "Method not allowed"),
    Gone: (410, "GoneError", "GONE", None),
    Conflict: (400, "MoleculerError", "BAD_REQUEST", None),
    BadRequest: (400, "MoleculerError", "BAD_REQUEST", None),
    UnsupportedMediaType: (400, "MoleculerError", "BAD_REQUEST", STRUCTURE),
    UnsupportedFileType: (400, "MoleculerError", "BAD_REQUEST", None),
    RequestTimeout: (408, "RequestTimeoutError", "REQUEST_TIMEOUT", None),
    PayloadTooLarge: (413, "PayloadTooLargeError", "PAYLOAD_TOO_LARGE", "Payload too large"),
    FileTooLarge: (413, "PayloadTooLargeError", "PAYLOAD_TOO_LARGE", "Payload too large"),
    RangeNotSatisfiable: (416, "RangeError", "RANGE_NOT_SATISFIABLE", None),
    RateLimited: (429, "RateLimitExceededError", "RATE_LIMIT_EXCEEDED", "Rate limit exceeded"),
    ServiceUnavailable: (503, "ServiceUnavailableError", "SERVICE_UNAVAILABLE", None),
    InternalError: (500, "InternalServerError", "INTERNAL_SERVER_ERROR", "Internal server error"),
}


def status_of(fault: type[DomainError] | DomainError) -> int:
    kind = fault if isinstance(fault, type) else type(fault)
    if issubclass(kind, OauthError | Unauthorized):
        return errors.status_of(kind)
    return _words(kind)[0]


def body_of(fault: DomainError) -> dict[str, Any]:
    if isinstance(fault, OauthError):
        return _oauth(fault.status, fault.code, fault.message)
    if isinstance(fault, Unauthorized):
        return _oauth(401, "invalid_token", "Invalid token: access token is invalid")
    status, name, kind, message = _words(type(fault))
    body: dict[str, Any] = {
        "name": name,
        "message": message or fault.message,
        "code": status,
        "type": kind,
    }
    if isinstance(fault, ValidationFailed):
        body["data"] = [_entry(detail) for detail in fault.details or []]
    return body


def _oauth(status: int, name: str, message: str) -> dict[str, Any]:
    return {"code": status, "message": message, "name": name, "status": status} | {
        "statusCode": status
    }


def _words(kind: type[DomainError]) -> tuple[int, str, str, str | None]:
    return next(_WORDS[base] for base in (*kind.__mro__, InternalError) if base in _WORDS)


def _entry(detail: str) -> dict[str, Any]:
    """Convert a fault ("place: sentence") to the format of the compatible API's validator."""
    place, _, sentence = detail.partition(": ")
    path = place.removeprefix("body").removeprefix(".")
    keyword = "required" if sentence == "Field required" else "format"
    return {
        "keyword": keyword,
        "dataPath": f".{path}" if path else "",
        "schemaPath": f"#/{keyword}",
        "params": {},
        "message": sentence or detail,
        "action": None,
    }


def responses(*faults: type[DomainError]) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI entries of an endpoint's errors."""
    by_status: dict[int | str, list[type[DomainError]]] = {}
    for fault in faults:
        by_status.setdefault(status_of(fault), []).append(fault)
    return {
        status: {
            "description": " ".join(
                dict.fromkeys(str(body_of(kind())["message"]) for kind in kinds)
            ),
            "content": {
                "application/json": {
                    "examples": {
                        f"metamap-{kind.code}": {"value": body_of(kind())} for kind in kinds
                    }
                }
            },
        }
        for status, kinds in by_status.items()
    }
