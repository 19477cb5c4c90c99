"""Turn the signals of a document's picture into codes, and detect misplaced uploads."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from acredita.domain.documents.findings import PRINT_ZONES, SURE, Decision, Finding, Reason
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.reasons import DocumentReason
from acredita.domain.verification import DocumentRole

_COLOURLESS: Final = "colourless"
_OBJECTIONS: Final[Mapping[str, DocumentReason]] = {
    "several_documents": DocumentReason.SEVERAL_DOCUMENTS,
    "screen_colours": DocumentReason.SCREEN_PHOTOGRAPHED,
    _COLOURLESS: DocumentReason.BLACK_AND_WHITE_COPY,
}
"""Signals with which a document does not pass, however legible it is. Of 48 official specimens none
in colour raises them (docs/compliance/recognition.md)."""
_GREY_BY_DESIGN: Final = frozenset((PageKind.INE_BACK,))
"""Genuine pages with so little colour that its absence is only a hint."""
_TAMPERING: Final = "tampering."
_LETTERS: Final = frozenset(("tampering.typeface", "tampering.proportions"))
"""Signs that are only hints to a reviewer: their limits are those of drawn documents. Of 44
pictures of four official specimens the first measures none, and the second five of one specimen."""
_CAUSES: Final[Mapping[str, DocumentReason]] = {
    "cut_off": DocumentReason.DOCUMENT_CUT_OFF,
    "too_small": DocumentReason.IMAGE_TOO_SMALL,
    "too_dark": DocumentReason.IMAGE_TOO_DARK,
    "overexposed": DocumentReason.IMAGE_OVEREXPOSED,
    "glare": DocumentReason.IMAGE_GLARE,
    "blurred": DocumentReason.IMAGE_BLURRED,
    _COLOURLESS: DocumentReason.BLACK_AND_WHITE_COPY,
    "screen_grid": DocumentReason.SCREEN_PHOTOGRAPHED,
}
"""Signals that explain why something could not be read; a legible document passes in spite of
them. A printed halftone is a grid, too, so that a grid proves no screen."""
_GLARE: Final = "glare"
_PRINT: Final = 0.5
DOCUMENTS: Final[Mapping[str, PageKind]] = {
    "ine": PageKind.INE_FRONT,
    "passport": PageKind.PASSPORT,
    "driverLicence": PageKind.DRIVER_LICENCE,
    "curp": PageKind.CURP_CERTIFICATE,
    "rfc": PageKind.RFC_CERTIFICATE,
}
"""The documents that a workflow may request, by their names in its config."""
_SIDES: Final[Mapping[DocumentRole, tuple[PageKind, PageKind]]] = {
    DocumentRole.FRONT: (PageKind.INE_FRONT, PageKind.INE_BACK),
    DocumentRole.BACK: (PageKind.INE_BACK, PageKind.INE_FRONT),
}
"""By role, the expected side of a voter card, and the other side."""


def objections(pages: Iterable[PageReading]) -> set[DocumentReason]:
    """Return the codes with which the pages do not pass, however legible they are."""
    return {code for page in pages for code in _objections_to(page)}


def _objections_to(page: PageReading) -> Iterable[DocumentReason]:
    for signal in page.signals:
        if not signal.raised:
            continue
        if signal.name.startswith(_TAMPERING) and signal.name not in _LETTERS:
            yield DocumentReason.TAMPERING_SUSPECTED
        is_hint = signal.name == _COLOURLESS and page.kind in _GREY_BY_DESIGN
        if signal.name in _OBJECTIONS and not is_hint:
            yield _OBJECTIONS[signal.name]


def causes(pages: Iterable[PageReading]) -> set[DocumentReason]:
    """Return the codes that explain why something on these pages was unreadable. Pictures without
    print are ignored: they show no document.
    """
    printed = [p for p in pages if p.kind is not PageKind.UNKNOWN or p.quality.text_score >= _PRINT]
    raised = {signal.name for page in printed for signal in page.signals if signal.raised}
    return {code for name, code in _CAUSES.items() if name in raised}


def may_be_glare(pages: Sequence[PageReading], findings: Collection[Finding]) -> bool:
    """Whether reflections cover all contradicted fields, and at least one was not read surely.

    Then a retake is requested. Until it comes, a reviewer sees this picture with its
    contradictions, so a forger gains nothing from a lamp.
    """
    contradicted = [f for f in findings if any(r.contradiction for r in f.reasons)]
    if any(f.decision is Decision.REJECTED for f in findings) or all(map(_sure, contradicted)):
        return False
    return all(
        any(_under_glare(page, f.field) for page in pages if PRINT_ZONES.get(page.kind) is f.zone)
        for f in contradicted
    )


def _sure(finding: Finding) -> bool:
    return finding.confidence >= SURE and Reason.READINGS_DIFFER not in finding.reasons


def _under_glare(page: PageReading, field: str) -> bool:
    seen = page.sighting(field)
    glare = next((s for s in page.signals if s.name == _GLARE and s.raised), None)
    if seen is None or seen.box is None or glare is None or glare.box is None:
        return False
    (left, top, right, bottom), (x0, y0, x1, y1) = seen.box, glare.box
    return left < x1 and x0 < right and top < y1 and y0 < bottom


def misplaced(
    sent: Sequence[tuple[DocumentRole, PageReading]], asked: Collection[str] | None = None
) -> set[DocumentReason]:
    """Return the codes of pages that were uploaded in place of others. `asked` names the documents
    that the workflow accepts (keys of DOCUMENTS); None means any.

    Swapped sides are no error, because both are there. A side that was sent twice, or alone in the
    other's role, leaves the expected side missing.
    """
    kinds = {page.kind for _, page in sent}
    found = set()
    for role, page in sent:
        meant, other = _SIDES.get(role, (PageKind.UNKNOWN, PageKind.UNKNOWN))
        # With two documents in the picture, the other one may be the expected side.
        alone = DocumentReason.SEVERAL_DOCUMENTS not in objections([page])
        if page.kind is other is not PageKind.UNKNOWN and meant not in kinds and alone:
            found.add(DocumentReason.WRONG_SIDE)
        if role is DocumentRole.PASSPORT and page.kind not in (PageKind.PASSPORT, PageKind.UNKNOWN):
            found.add(DocumentReason.WRONG_DOCUMENT)
    if asked is not None:
        taken = {DOCUMENTS[name] for name in asked}
        if PageKind.INE_FRONT in taken:
            taken.add(PageKind.INE_BACK)
        if PageKind.RFC_CERTIFICATE in taken:
            taken.add(PageKind.RFC_CERTIFICATE_ANNEX)
        if kinds - taken - {PageKind.UNKNOWN}:
            found.add(DocumentReason.WRONG_DOCUMENT)
    return found
