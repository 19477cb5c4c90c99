"""What a kind of document must bring along to be judged: one `DocumentRules` a kind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from acredita.domain.documents.findings import Finding
from acredita.domain.documents.pages import PageKind, PageReading


class Code(StrEnum):
    """Why a document did not pass, the gravest first. Only those of FAILING fail it, the others
    ask for a review.
    """

    # What speaks of the document, whatever the picture is like.
    DOCUMENT_NOT_SUPPORTED = "DOCUMENT_NOT_SUPPORTED"
    DOCUMENT_LAYOUT_UNKNOWN = "DOCUMENT_LAYOUT_UNKNOWN"
    WRONG_DOCUMENT = "WRONG_DOCUMENT"
    WRONG_SIDE = "WRONG_SIDE"
    DOCUMENT_EXPIRED = "DOCUMENT_EXPIRED"
    DOCUMENTS_OF_DIFFERENT_PEOPLE = "DOCUMENTS_OF_DIFFERENT_PEOPLE"
    TAMPERING_SUSPECTED = "TAMPERING_SUSPECTED"
    # What was pictured instead of one document.
    SEVERAL_DOCUMENTS = "SEVERAL_DOCUMENTS"
    SCREEN_PHOTOGRAPHED = "SCREEN_PHOTOGRAPHED"
    BLACK_AND_WHITE_COPY = "BLACK_AND_WHITE_COPY"
    # How it was pictured: the cause goes before what it leaves unread.
    DOCUMENT_CUT_OFF = "DOCUMENT_CUT_OFF"
    IMAGE_TOO_SMALL = "IMAGE_TOO_SMALL"
    IMAGE_TOO_DARK = "IMAGE_TOO_DARK"
    IMAGE_OVEREXPOSED = "IMAGE_OVEREXPOSED"
    IMAGE_GLARE = "IMAGE_GLARE"
    IMAGE_BLURRED = "IMAGE_BLURRED"
    # What was read.
    DOCUMENT_UNREADABLE = "DOCUMENT_UNREADABLE"
    DOCUMENT_NOT_RECOGNIZED = "DOCUMENT_NOT_RECOGNIZED"
    # What another page shows beside the document.
    PAGE_NOT_RECOGNIZED = "PAGE_NOT_RECOGNIZED"
    PAGE_NOT_CONFIRMED = "PAGE_NOT_CONFIRMED"
    FIELDS_CONTRADICT = "FIELDS_CONTRADICT"
    FIELDS_UNCERTAIN = "FIELDS_UNCERTAIN"


@dataclass(frozen=True, slots=True)
class Sides:
    """The pages of one document."""

    front: PageReading
    back: PageReading | None = None


Findings = Mapping[str, Finding]


def _no_grounds(_sides: Sides, _findings: Findings) -> tuple[Code, ...]:
    return ()


def _no_details(_sides: Sides, _findings: Findings, _today: date) -> dict[str, str | None]:
    return {}


@dataclass(frozen=True, slots=True)
class DocumentRules:
    """How one kind of document is judged.

    `front` is the page that makes the document, `back` one that may come with it. `judge` gives a
    finding for each field; the `essential` ones must be found and accepted, the `optional` ones
    accepted where they are found. `grounds` are further reasons against passing, `details` further
    keys of the step's result.
    """

    front: PageKind
    judge: Callable[[Sides, date], list[Finding]]
    essential: tuple[str, ...]
    essential_of_back: tuple[str, ...] = ()
    optional: tuple[str, ...] = ("maternalSurname", "curp")
    back: PageKind | None = None
    grounds: Callable[[Sides, Findings], tuple[Code, ...]] = _no_grounds
    details: Callable[[Sides, Findings, date], dict[str, str | None]] = _no_details
