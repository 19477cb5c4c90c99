"""What a reader saw on the pages of a document, as plain data."""

from dataclasses import dataclass
from enum import StrEnum


class PageKind(StrEnum):
    """The pages that the engine can read."""

    INE_FRONT = "INE_FRONT"
    INE_BACK = "INE_BACK"
    PASSPORT = "PASSPORT"
    DRIVER_LICENCE = "DRIVER_LICENCE"
    CURP_CERTIFICATE = "CURP_CERTIFICATE"
    RFC_CERTIFICATE = "RFC_CERTIFICATE"
    RFC_CERTIFICATE_ANNEX = "RFC_CERTIFICATE_ANNEX"
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


Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Sighting:
    """One field as printed in one place.

    `readings` are independent readings of the same print, the preferred one first; `confidence` is
    the probability of the weakest character over all of them. `box` is where it stands: left, top,
    right and bottom as shares of the page's width and height.
    """

    field: str
    readings: tuple[str, ...]
    confidence: float
    alternatives: tuple[str, ...] = ()
    box: Box | None = None

    @property
    def value(self) -> str:
        return self.readings[0]

    @property
    def agreed(self) -> bool:
        """Read at least twice, and every time the same."""
        return len(self.readings) > 1 and len(set(self.readings)) == 1


@dataclass(frozen=True, slots=True)
class Barcode:
    """A code on the page, decoded. `symbology` is QR_CODE, PDF_417 …; `text` what it says; `box`
    where it stands: left, top, right and bottom as shares of the page's width and height.
    """

    symbology: str
    text: str
    box: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Signal:
    """Something measured on the picture that speaks of how it was taken or of tampering.

    `measure` is the measurement and `limit` what it was held against; `detail` is a word of the
    engine's own, such as the field concerned, never personal data. `box` is where on the page,
    `version` of what measured it.
    """

    name: str
    raised: bool
    measure: float
    limit: float
    detail: str = ""
    box: Box | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Portrait:
    """The holder's photograph on a page.

    `box` is the face: left, top, right and bottom as shares of the page's width and height. `side`
    is the face's longer side in pixels of the flat page, `sharpness` the variance of the Laplacian
    of the face at 150 pixels, `certainty` the detector's, from 0 to 1. `embedding` describes the
    face; only embeddings of one `version` can be compared.
    """

    box: Box
    side: float
    sharpness: float
    certainty: float
    embedding: tuple[float, ...]
    version: str


@dataclass(frozen=True, slots=True)
class PageReading:
    """One page as the engine read it; nothing has been judged yet.

    `mrz` holds independent readings of the machine-readable lines, as raw text. `code` is None,
    DOCUMENT_NOT_RECOGNIZED or DOCUMENT_UNREADABLE. `picture` is the page laid flat and upright,
    as JPEG, empty where no page was recognized. `model` is which model or layout of its kind the
    page is (an INE's model letter, a licence's template), None where that was not told. `portrait`
    is None where the page shows no face in the place of its portrait.

    Readings are stored: a new field has a default, so that those of before still load.
    """

    kind: PageKind
    quality: Quality
    sightings: tuple[Sighting, ...] = ()
    mrz: tuple[tuple[str, ...], ...] = ()
    mrz_confidence: float = 0.0
    code: str | None = None
    picture: bytes = b""
    model: str | None = None
    codes: tuple[Barcode, ...] = ()
    signals: tuple[Signal, ...] = ()
    portrait: Portrait | None = None

    def sighting(self, field: str) -> Sighting | None:
        return next((s for s in self.sightings if s.field == field), None)
