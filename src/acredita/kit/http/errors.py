"""Why an exchange came to nothing. The word of an error is fit for a log and a database row.

HttpError
├── InvalidTarget      the address is not one that this client would ever dial
├── ForbiddenAddress   it leads, or one of its answers leads, to an address that is not public
├── TimedOut           the whole exchange took longer than it may
└── ConnectionFailed   name, connection, TLS or protocol failed; `word` says which

Messages never repeat the URL (callers put tokens into it) nor anything that the other side sent.
"""


class HttpError(Exception):
    word = "failed"


class InvalidTarget(HttpError):
    word = "invalid_target"


class ForbiddenAddress(HttpError):
    word = "forbidden_address"


class TimedOut(HttpError):
    word = "timeout"


class ConnectionFailed(HttpError):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word
