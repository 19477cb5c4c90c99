"""An HTTP client that is safe for untrusted URLs."""

from acredita.kit.http.client import Conversation, HttpClient, Response
from acredita.kit.http.errors import (
    ConnectionFailed,
    Fault,
    ForbiddenAddress,
    HttpError,
    InvalidTarget,
    TimedOut,
)
