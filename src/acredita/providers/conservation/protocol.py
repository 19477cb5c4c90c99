"""The interface of a conservation provider."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from acredita.kit.dependencies import DependencyUnavailable


class ConservationUnavailable(DependencyUnavailable):
    """No certificate now: retry later. `word` is a code that is safe to log."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass(frozen=True, slots=True)
class Constancia:
    # The provider's token, DER.
    token: bytes
    issued_at: datetime
    # The subject of the signing certificate.
    issuer: str


class ConservationProvider(Protocol):
    async def conserve(self, digest: bytes) -> Constancia:
        """Return a certificate for this SHA-256 digest. Raise only ConservationUnavailable."""
        ...
