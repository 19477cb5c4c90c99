"""What any time-stamping authority does here, and how it fails.

TimestampError
├── TimestampUnavailable   no token now: ask again later
└── TimestampRefused       asking again is of no use until the operator mends something

Messages are words fit for a log.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class TimestampError(Exception):
    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


class TimestampUnavailable(TimestampError):
    pass


class TimestampRefused(TimestampError):
    pass


@dataclass(frozen=True, slots=True)
class Timestamp:
    """A token that was checked: it is of the digest that was asked for, and properly signed."""

    # CMS SignedData over a TSTInfo, DER.
    token: bytes
    moment: datetime
    # The subject of the authority's certificate.
    authority: str


class TimestampAuthority(Protocol):
    @property
    def is_sandbox(self) -> bool:
        """Whether its stamps prove nothing to anybody."""
        ...

    async def stamp(self, digest: bytes) -> Timestamp:
        """A token of this SHA-256 digest; raise TimestampError and nothing else."""
        ...
