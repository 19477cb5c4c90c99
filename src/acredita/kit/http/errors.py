"""Why an exchange came to nothing. Its word is fit for a log, a database row and a customer.

HttpError
├── InvalidTarget      the address is not one that this client would ever dial
├── ForbiddenAddress   it leads, or one of its answers leads, to an address that is not public
├── TimedOut           the whole exchange took longer than it may
└── ConnectionFailed   name, connection, TLS or protocol failed; `word` says which

Messages never repeat the URL (callers put tokens into it) nor anything that the other side sent.
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
