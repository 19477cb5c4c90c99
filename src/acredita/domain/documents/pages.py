"""What a reader saw on the pages of a document, as plain data."""

from dataclasses import dataclass
from enum import StrEnum


class PageKind(StrEnum):
    """The sides of documents that can be read."""

    INE_FRONT = "INE_FRONT"
    INE_BACK = "INE_BACK"
    PASSPORT = "PASSPORT"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Quality:
    """Measures of a page's picture; `engines.documents.quality` says how each is taken."""

    width: int
    height: int
    sharpness: float
    glare: float
    brightness: float
    text_score: float


@dataclass(frozen=True, slots=True)
class Sighting:
    """One field as printed in one place.

    `readings` are independent readings of the same print, the preferred one first; `confidence` is
    the probability of the weakest character over all of them.
    """

    field: str
    readings: tuple[str, ...]
    confidence: float
    alternatives: tuple[str, ...] = ()

    @property
    def value(self) -> str:
        return self.readings[0]

    @property
    def agreed(self) -> bool:
        """Read at least twice, and every time the same."""
        return len(self.readings) > 1 and len(set(self.readings)) == 1


@dataclass(frozen=True, slots=True)
class PageReading:
    """One page as the engine read it; nothing has been judged yet.

    `mrz` holds independent readings of the machine-readable lines, as raw text. `code` is None,
    DOCUMENT_NOT_RECOGNIZED or DOCUMENT_UNREADABLE. `picture` is the page laid flat and upright,
    as JPEG, empty where no page was recognized.
    """

    kind: PageKind
    quality: Quality
    sightings: tuple[Sighting, ...] = ()
    mrz: tuple[tuple[str, ...], ...] = ()
    mrz_confidence: float = 0.0
    code: str | None = None
    picture: bytes = b""

    def sighting(self, field: str) -> Sighting | None:
        return next((s for s in self.sightings if s.field == field), None)
