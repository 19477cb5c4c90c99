"""The readings of pages, as plain data."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class PageKind(StrEnum):
    """The pages that the engine can read."""

    INE_FRONT = "INE_FRONT"
    INE_BACK = "INE_BACK"
    PASSPORT = "PASSPORT"
    DRIVER_LICENCE = "DRIVER_LICENCE"
    CURP_CERTIFICATE = "CURP_CERTIFICATE"
    RFC_CERTIFICATE = "RFC_CERTIFICATE"
    RFC_CERTIFICATE_ANNEX = "RFC_CERTIFICATE_ANNEX"
    PROOF_OF_ADDRESS = "PROOF_OF_ADDRESS"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Quality:
    """Measures of a page's picture; `engines.documents.quality` defines them."""

    width: int
    height: int
    sharpness: float
    glare: float
    brightness: float
    text_score: float


Box = tuple[float, float, float, float]
"""Left, top, right and bottom, as shares (0 to 1) of the page's width and height."""


MOST_ALTERNATIVES: Final = 4
"""Other values of a field that the engine names."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """The print of one field in one place.

    `readings` are independent readings of it, the preferred one first. `confidence` is the
    probability of the weakest character over all of them. `alternatives` are other values that may
    be printed, at most MOST_ALTERNATIVES. `box` is its place on the page.
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
        """Whether there are at least two readings and all are equal."""
        return len(self.readings) > 1 and len(set(self.readings)) == 1


@dataclass(frozen=True, slots=True)
class Barcode:
    """A decoded code: `symbology` is QR_CODE, PDF_417 and so on, `text` its content, `box` its
    place on the page."""

    symbology: str
    text: str
    box: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True)
class Signal:
    """A measurement of the picture that suggests a poor capture or tampering.

    `measure` is compared with `limit`. `detail` is a word of the engine, such as the field
    concerned, never personal data. `box` is the place on the page. `version` names the measuring
    code.
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

    `box` encloses the face. `side` is the face's longer side in pixels of the flat page,
    `sharpness` the variance of the Laplacian of the face at 150 pixels, `certainty` the detector's,
    from 0 to 1. `embedding`, `version` and `scale` are as in `faces.Described`.
    """

    box: Box
    side: float
    sharpness: float
    certainty: float
    embedding: tuple[float, ...]
    version: str
    scale: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class PageReading:
    """What the engine read on one page, before any judgement.

    `mrz` has independent readings of the machine-readable lines, as raw text. `code` is None,
    DOCUMENT_NOT_RECOGNIZED or DOCUMENT_UNREADABLE. `picture` is the flattened, upright page as
    JPEG; empty if no page was recognized. `model` is the model or layout within the kind (an INE's
    model letter, a licence's template); None if unknown. `portrait` is None if the page shows no
    face in the place of its portrait.

    Readings are stored, so a new field needs a default with which older readings load.
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
