"""What every way of sending e-mail keeps to."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Email:
    to: str
    subject: str
    text: str
    html: str


class EmailError(Exception):
    """The message did not leave. Says why in words of our own: a server's own quote addresses."""


class EmailUnavailable(EmailError):
    """The server is away, busy or misconfigured: the same message may leave later."""


class EmailRefused(EmailError):
    """This message will never be taken: its address, or the message itself, was refused."""


class EmailProvider(Protocol):
    async def send(self, email: Email, *, key: str) -> None:
        """Return when the message is taken.

        `key` names the message over all attempts: should it leave twice, its Message-ID tells.
        Raise EmailUnavailable or EmailRefused.
        """
        ...
