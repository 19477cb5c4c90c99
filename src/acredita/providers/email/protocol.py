"""The interface of an e-mail provider and its errors."""

from dataclasses import dataclass
from typing import Protocol

from acredita.kit.dependencies import DependencyUnavailable


@dataclass(frozen=True, slots=True)
class Email:
    to: str
    subject: str
    text: str
    html: str


class EmailError(Exception):
    """The message was not sent. The text is ours, because servers quote e-mail addresses."""


class EmailUnavailable(EmailError, DependencyUnavailable):
    """The server is unreachable, busy or misconfigured: a retry may work."""


class EmailRefused(EmailError):
    """Permanent: the server refused the address or the message."""


class EmailProvider(Protocol):
    async def check(self) -> None:
        """Connect as `send` does, without a message. Raise EmailUnavailable or EmailRefused."""
        ...

    async def send(self, email: Email, *, key: str) -> None:
        """Return when the server accepted the message. Raise EmailUnavailable or EmailRefused.

        `key` identifies the message across attempts. It is in the Message-ID, so that duplicates
        can be recognized.
        """
        ...
