"""Why an HTTP exchange failed. `word` is safe for logs, database rows and customers.

HttpError
├── InvalidTarget      the URL has a form that this client never requests
├── ForbiddenAddress   the host is, or resolves to, an address that is not public
├── TimedOut           the whole exchange exceeded its time limit
└── ConnectionFailed   DNS, connection, TLS or protocol failed; `word` says which

Messages never contain the URL (it may hold tokens) or anything that the server sent.
"""

from enum import StrEnum


class Fault(StrEnum):
    INVALID_TARGET = "invalid_target"
    BLOCKED_ADDRESS = "blocked_address"
    TIMEOUT = "timeout"
    DNS = "dns"
    REFUSED = "refused"
    TLS = "tls"
    DISCONNECTED = "disconnected"
    INVALID_RESPONSE = "invalid_response"
    TOO_LARGE = "too_large"


class HttpError(Exception):
    word: Fault


class InvalidTarget(HttpError):
    word = Fault.INVALID_TARGET


class ForbiddenAddress(HttpError):
    word = Fault.BLOCKED_ADDRESS


class TimedOut(HttpError):
    word = Fault.TIMEOUT


class ConnectionFailed(HttpError):
    def __init__(self, word: Fault) -> None:
        super().__init__(word.value)
        self.word = word
