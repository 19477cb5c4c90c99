"""The interface of an SMS provider and its errors.

SmsError
├── SmsUnavailable   not sent: another provider, or a retry, may work
└── SmsRefused       this provider will never send this message to this number

The error codes are ours and contain no personal data. Gateways' messages contain phone numbers.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sms:
    # In E.164 form.
    to: str
    text: str
    # Seconds after which the message is useless.
    valid_for: int


class SmsError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class SmsUnavailable(SmsError):
    """`retry_after`: seconds until a retry, if the provider named them."""

    def __init__(self, word: str, *, retry_after: float | None = None) -> None:
        super().__init__(word)
        self.retry_after = retry_after


class SmsRefused(SmsError):
    pass


class SmsProvider(Protocol):
    @property
    def name(self) -> str:
        """The provider's name for logs."""
        ...

    async def send(self, sms: Sms, *, key: str, may_have_left: bool = False) -> None:
        """Return when the provider accepted the message. Raise SmsUnavailable or SmsRefused.

        `key` identifies the message across attempts. `may_have_left`: an earlier attempt ended
        without an answer. A provider that can check whether that one was sent does so first.
        """
        ...
