"""What may go wrong, as classes; all of them are an `AcreditaError`."""

from typing import Any

import httpx


class AcreditaError(Exception):
    pass


class ApiError(AcreditaError):
    """An answer that is no success.

    `code` is stable and made for programs (`NOT_FOUND`, `VALIDATION_ERROR`, …), `details` names
    each fault of the request, `request_id` is what the operator finds the request by.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        details: tuple[str, ...] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.details = details
        self.request_id = request_id
        self.retry_after = retry_after


class ConnectionFailed(AcreditaError):
    """No answer came. Whether the request was acted upon is not known."""


class InvalidSignature(AcreditaError):
    """A webhook that the service did not send, or did not send just now."""


class WaitTimedOut(AcreditaError):
    """A verification was not decided in the time that was given; `status` is its last one."""

    def __init__(self, verification_id: str, status: str, seconds: float) -> None:
        super().__init__(f"verification {verification_id} is still {status} after {seconds:g} s")
        self.verification_id = verification_id
        self.status = status


def from_response(response: httpx.Response) -> ApiError:
    """The error of an answer; one that did not come from the service itself keeps its status."""
    error = _envelope(response)
    return ApiError(
        response.status_code,
        str(error.get("code", "UNEXPECTED_ANSWER")),
        str(error.get("message", response.reason_phrase)),
        details=tuple(error.get("details") or ()),
        request_id=error.get("requestId") or response.headers.get("x-request-id"),
        retry_after=retry_after(response),
    )


def retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait, where the answer says so in the form that the service uses."""
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None


def _envelope(response: httpx.Response) -> dict[str, Any]:
    try:
        error = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}
