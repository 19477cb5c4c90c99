"""A client of Acredita's API: tokens, retries and waiting are taken care of."""

from acredita_client import webhooks
from acredita_client.client import Client
from acredita_client.errors import (
    AcreditaError,
    ApiError,
    ConnectionFailed,
    InvalidSignature,
    WaitTimedOut,
)

__all__ = [
    "AcreditaError",
    "ApiError",
    "Client",
    "ConnectionFailed",
    "InvalidSignature",
    "WaitTimedOut",
    "webhooks",
]
