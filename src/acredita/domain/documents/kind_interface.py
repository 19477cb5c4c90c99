"""The interface of a kind of document: each kind has one `DocumentRules`."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date

from acredita.domain.documents.findings import Finding
from acredita.domain.documents.gazetteer import Gazetteer
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.reasons import DocumentReason


@dataclass(frozen=True, slots=True)
class Sides:
    """The pages of one document, and the catalogue that confirms places on them (None: there is
    none)."""

    front: PageReading
    back: PageReading | None = None
    gazetteer: Gazetteer | None = None


Findings = Mapping[str, Finding]


def _no_grounds(_sides: Sides, _findings: Findings) -> tuple[DocumentReason, ...]:
    return ()


def _no_details(_sides: Sides, _findings: Findings, _today: date) -> dict[str, str | None]:
    return {}


@dataclass(frozen=True, slots=True)
class DocumentRules:
    """How one kind of document is judged.

    `front` is the page that makes the document, `back` an optional second page. `judge` returns a
    finding for each field. The `essential` fields must be found and accepted; the `optional` ones
    must be accepted if they are found. `grounds` returns further codes with which the document does
    not pass, `details` further keys of the step's result.
    """

    front: PageKind
    judge: Callable[[Sides, date], list[Finding]]
    essential: tuple[str, ...]
    essential_of_back: tuple[str, ...] = ()
    optional: tuple[str, ...] = ("maternalSurname", "curp")
    back: PageKind | None = None
    grounds: Callable[[Sides, Findings], tuple[DocumentReason, ...]] = _no_grounds
    details: Callable[[Sides, Findings, date], dict[str, str | None]] = _no_details
