"""What every way of sending text messages keeps to.

SmsError
├── SmsUnavailable   it did not leave this way now: another way, or the same one later, may work
└── SmsRefused       this way will never take this message to this number

Words of an error are our own and name nobody: gateways quote numbers in theirs.
"""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Sms:
    # In E.164 form.
    to: str
    text: str
    # Seconds after which nobody needs the message any more.
    valid_for: int


class SmsError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class SmsUnavailable(SmsError):
    """`retry_after`: the seconds that the other side asks to be left alone, if it named any."""

    def __init__(self, word: str, *, retry_after: float | None = None) -> None:
        super().__init__(word)
        self.retry_after = retry_after


class SmsRefused(SmsError):
    pass


class SmsProvider(Protocol):
    @property
    def name(self) -> str:
        """Which provider this is, for logs."""
        ...

    async def send(self, sms: Sms, *, key: str, may_have_left: bool = False) -> None:
        """Return when the message is taken. Raise SmsUnavailable or SmsRefused.

        `key` names the message over all attempts. `may_have_left`: an earlier attempt ended without
        an answer; who can find out whether the message left then does, before sending it twice.
        """
        ...
