"""The interface of a timestamp authority and its errors.

TimestampError
├── TimestampUnavailable   no token now: retry later
└── TimestampRefused       retries are useless until the operator fixes something

Messages are codes that are safe to log.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from acredita.kit.dependencies import DependencyUnavailable


class TimestampError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class TimestampUnavailable(TimestampError, DependencyUnavailable):
    pass


class TimestampRefused(TimestampError):
    pass


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A verified token: it covers the requested digest and its signature is valid."""

    # CMS SignedData over a TSTInfo, DER.
    token: bytes
    moment: datetime
    # The subject of the authority's certificate.
    authority: str


class TimestampAuthority(Protocol):
    @property
    def is_sandbox(self) -> bool:
        """Whether its timestamps have no value as evidence."""
        ...

    async def stamp(self, digest: bytes) -> Timestamp:
        """Return a token for this SHA-256 digest (32 bytes). Raise only TimestampError."""
        ...
