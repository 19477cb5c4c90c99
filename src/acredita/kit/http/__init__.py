"""An HTTP client that is safe to point at addresses which strangers choose."""

from acredita.kit.http.client import HttpClient, Response
from acredita.kit.http.errors import (
    ConnectionFailed,
    ForbiddenAddress,
    HttpError,
    InvalidTarget,
    TimedOut,
)

__all__ = [
    "ConnectionFailed",
    "ForbiddenAddress",
    "HttpClient",
    "HttpError",
    "InvalidTarget",
    "Response",
    "TimedOut",
]
