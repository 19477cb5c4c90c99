"""What a provider of conservation does."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class ConservationUnavailable(Exception):
    """No certificate now: ask again later. `word` is fit for a log."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class Constancia:
    # As the provider issued it, DER.
    token: bytes
    issued_at: datetime
    # The subject of the certificate that it is signed with.
    issuer: str


class ConservationProvider(Protocol):
    async def conserve(self, digest: bytes) -> Constancia:
        """A certificate over this SHA-256 digest; raise ConservationUnavailable, nothing else."""
        ...
