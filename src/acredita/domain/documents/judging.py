"""The verdict over a document's pages: what the step concludes, and why."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final

from acredita.domain.documents.birth import iso_date
from acredita.domain.documents.calibration import Calibration
from acredita.domain.documents.findings import PRINT_OF, Decision, Finding, Zone
from acredita.domain.documents.gathering import (
    DOCUMENTS,
    DocumentPages,
    gathered,
    holder_of_front,
    tie_of_back,
)
from acredita.domain.documents.holders import Tie, tie_of_holders, tie_of_portraits
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.documents.pictures import causes, may_be_glare, objections
from acredita.domain.documents.rules import DocumentRules, Findings, Sides
from acredita.domain.reasons import DocumentReason

RULES_VERSION: Final = "documents-2026.5"
FAILING: Final = frozenset(code for code in DocumentReason if code.severity.may_fail)
_READ_OTHERWISE: Final = frozenset(
    (DocumentReason.DOCUMENT_UNREADABLE, DocumentReason.FIELDS_UNCERTAIN)
)
"""What another picture may change; a contradiction is a doubt, put down to no light but a
reflection that lies over it.
"""


class Outcome(StrEnum):
    PASSED = "PASSED"
    REVIEW = "REVIEW"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The step's conclusion. `reasons` are "field: REASON" strings and hold no personal data;
    `result` holds the step's keys name, curp, clave and dateOfBirth (None where not read), and
    those of the kind of document. `kinds` are the pages that were judged.

    `judged` are the places of the judged document's pages in the sequence that was judged, the
    front first; empty where no document was recognized. `page_codes` says by place what is wrong
    with further pages.
    """

    outcome: Outcome
    code: DocumentReason | None
    reasons: tuple[str, ...]
    fields: tuple[Finding, ...]
    result: dict[str, str | None]
    kind: PageKind
    rules_version: str = RULES_VERSION
    kinds: tuple[PageKind, ...] = ()
    judged: tuple[int, ...] = ()
    page_codes: Mapping[int, DocumentReason] = field(default_factory=dict)

    def page_of(self, finding: Finding) -> PageKind:
        """The page that shows a field, by the zone that it was read in."""
        zone, last = finding.zone, self.kinds[-1] if self.kinds else self.kind
        if zone is Zone.MRZ:
            return last
        return next((kind for kind in self.kinds if PRINT_OF[kind] is zone), last)

    def place_of(self, finding: Finding) -> int | None:
        """The place of the page that shows a field."""
        kind = self.page_of(finding)
        places = zip(self.kinds, self.judged, strict=False)
        return next((place for each, place in places if each is kind), None)


def judge(
    pages: Sequence[PageReading],
    today: date,
    calibration: Calibration | None = None,
    against: Collection[DocumentReason] = (),
    *,
    files: Sequence[Hashable] | None = None,
    chosen: int | None = None,
) -> Verdict:
    """Judge all pages that were uploaded for one person.

    One document is judged field by field: the one whose front is at `chosen`, else the first, by
    the order of `_rank`. Every other page must belong to it, or to another document of the same
    person; a page that does not has a code, which keeps the verdict from passing. The pages say
    themselves what they are, whatever role they were sent in. `files` names the file of each page,
    None where each page is a file of its own.

    A calibration's thresholds take precedence over those of the rules. `against` holds further
    codes. The verdict's code is the first of all by the order of `DocumentReason`, so that the
    same pages always end the same way.
    """
    files = range(len(pages)) if files is None else files
    documents = [
        _judged(document, pages, today, calibration, against)
        for document in gathered(pages, files, today)
    ]
    if not documents:
        return _unrecognized(pages, against)
    of_chosen = [each for each in documents if chosen is not None and each.judged[0] == chosen]
    main = of_chosen[0] if of_chosen else min(documents, key=lambda each: _rank(each, pages))
    codes = _codes_of_others(main, documents, pages, files, today)
    return _with_page_codes(main, codes)


def _judged(
    document: DocumentPages,
    pages: Sequence[PageReading],
    today: date,
    calibration: Calibration | None,
    against: Collection[DocumentReason],
) -> Verdict:
    rules = document.rules
    back = None if document.back is None else pages[document.back]
    sides = Sides(pages[document.front], back)
    fields = rules.judge(sides, today)
    if calibration is not None:
        fields = [calibration.applied(finding) for finding in fields]
    verdict = _verdict(rules, sides, fields, today, objections(pages) | {*against})
    return replace(verdict, judged=document.places)


def _rank(verdict: Verdict, pages: Sequence[PageReading]) -> tuple[bool, bool, bool, int]:
    """What could be read, what has a portrait and what passes goes first; then the order of
    DOCUMENTS decides.
    """
    front = pages[verdict.judged[0]]
    kinds = [rules.front for rules in DOCUMENTS]
    return (
        front.code is not None,
        front.portrait is None,
        verdict.outcome is not Outcome.PASSED,
        kinds.index(verdict.kind),
    )


def _unrecognized(pages: Sequence[PageReading], against: Collection[DocumentReason]) -> Verdict:
    unreadable = any(page.code == DocumentReason.DOCUMENT_UNREADABLE for page in pages)
    code = (
        DocumentReason.DOCUMENT_UNREADABLE if unreadable else DocumentReason.DOCUMENT_NOT_RECOGNIZED
    )
    known = (page.kind for page in pages if page.kind is not PageKind.UNKNOWN)
    kind = next(known, PageKind.UNKNOWN)
    grounds: set[str] = {code, *objections(pages), *causes(pages), *against}
    grounds |= {page.code for page in pages if page.code}
    codes = [code for code in DocumentReason if code in grounds and code not in FAILING]
    reasons = tuple(code.value for code in codes)
    return Verdict(Outcome.REVIEW, codes[0], reasons, (), _result({}), kind)


def _codes_of_others(
    main: Verdict,
    documents: Sequence[Verdict],
    pages: Sequence[PageReading],
    files: Sequence[Hashable],
    today: date,
) -> dict[int, DocumentReason]:
    """What keeps each further page from counting for the person of the main document."""
    front = pages[main.judged[0]]
    holder = holder_of_front(front, today)
    codes: dict[int, DocumentReason] = {}
    part_of_a_document = set(main.judged)
    for place in main.judged[1:]:
        # Of a back that names nobody the document's own rules say what is missing.
        if tie_of_back(holder, pages[place], today) is Tie.DIFFERENT:
            codes[place] = DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE
    for other in documents:
        if other is main:
            continue
        part_of_a_document.update(other.judged)
        if code := _CODES[_tie_of_document(pages[main.judged[0]], other, pages, today)]:
            codes |= dict.fromkeys(other.judged, code)
    for place, page in enumerate(pages):
        if place in part_of_a_document or _goes_on(place, pages, files):
            continue
        if page.kind is PageKind.UNKNOWN:
            codes[place] = DocumentReason.PAGE_NOT_RECOGNIZED
        elif code := _CODES[tie_of_back(holder, page, today)]:
            codes[place] = code
    return codes


_CODES: Final[Mapping[Tie, DocumentReason | None]] = {
    Tie.SAME: None,
    Tie.UNKNOWN: DocumentReason.PAGE_NOT_CONFIRMED,
    Tie.DIFFERENT: DocumentReason.DOCUMENTS_OF_DIFFERENT_PEOPLE,
}


def _tie_of_document(
    front: PageReading, other: Verdict, pages: Sequence[PageReading], today: date
) -> Tie:
    """Whether another document, with its back, is of the person whom this front names."""
    holder = holder_of_front(front, today)
    theirs, *backs = (pages[place] for place in other.judged)
    ties = [
        tie_of_holders(holder, holder_of_front(theirs, today)),
        tie_of_portraits(front.portrait, theirs.portrait),
    ]
    ties += [
        tie_of_back(holder, back, today)
        for back in backs
        if back.kind is not PageKind.RFC_CERTIFICATE_ANNEX  # names no person
    ]
    if DocumentReason.FIELDS_CONTRADICT in other.reasons:
        # One of its pages is of somebody else, or altered: it confirms nobody.
        ties.append(Tie.UNKNOWN)
    return _weakest(ties)


def _weakest(ties: Iterable[Tie]) -> Tie:
    return max(ties, key=(Tie.SAME, Tie.UNKNOWN, Tie.DIFFERENT).index)


def _goes_on(place: int, pages: Sequence[PageReading], files: Sequence[Hashable]) -> bool:
    """Whether a page continues the tax certificate that begins in the same file: SAT prints
    activities and obligations over as many pages as they take, and they show no person.
    """
    return any(
        page.kind is PageKind.RFC_CERTIFICATE and files[before] == files[place]
        for before, page in enumerate(pages[:place])
    ) and pages[place].kind in (PageKind.UNKNOWN, PageKind.RFC_CERTIFICATE_ANNEX)


def _with_page_codes(verdict: Verdict, page_codes: Mapping[int, DocumentReason]) -> Verdict:
    """The verdict with what speaks against further pages."""
    if not page_codes:
        return verdict
    named = {reason for reason in verdict.reasons if ":" not in reason}
    found = {*named, *page_codes.values()}
    codes = [code for code in DocumentReason if code in found]
    outcome = Outcome.FAILED if codes[0] in FAILING else Outcome.REVIEW
    fields = tuple(reason for reason in verdict.reasons if reason not in named)
    reasons = (*(code.value for code in codes), *fields)
    return replace(
        verdict, outcome=outcome, code=codes[0], reasons=reasons, page_codes=dict(page_codes)
    )


def _verdict(
    rules: DocumentRules,
    sides: Sides,
    fields: Sequence[Finding],
    today: date,
    against: Collection[DocumentReason],
) -> Verdict:
    by_name = {finding.field: finding for finding in fields}
    essential = rules.essential + (rules.essential_of_back if sides.back else ())
    counted = [by_name[name] for name in (*essential, *rules.optional) if name in by_name]
    open_ones = [finding for finding in dict.fromkeys(counted) if not finding.accepted]
    grounds = {*rules.grounds(sides, by_name), *_grounds(by_name, open_ones, today), *against}
    pages = [page for page in (sides.front, sides.back) if page]
    if DocumentReason.FIELDS_CONTRADICT in grounds:
        if may_be_glare(pages, fields):
            grounds.add(DocumentReason.IMAGE_GLARE)
    elif not _READ_OTHERWISE.isdisjoint(grounds):
        grounds |= causes(pages)
    codes = [code for code in DocumentReason if code in grounds]
    reasons = tuple(f"{f.field}: {reason.value}" for f in open_ones for reason in f.reasons)
    outcome = Outcome.PASSED
    if codes:
        outcome = Outcome.FAILED if codes[0] in FAILING else Outcome.REVIEW
        reasons = (*(code.value for code in codes), *reasons)
    return Verdict(
        outcome,
        codes[0] if codes else None,
        reasons,
        tuple(fields),
        _result(by_name) | rules.details(sides, by_name, today),
        rules.front,
        kinds=tuple(page.kind for page in pages),
    )


def _grounds(by_name: Findings, open_ones: list[Finding], today: date) -> Iterable[DocumentReason]:
    expiry = by_name.get("expiryDate")
    until = iso_date(expiry.value) if expiry and expiry.accepted else None
    if until is not None and until < today:
        yield DocumentReason.DOCUMENT_EXPIRED
    if any(finding.value is None for finding in open_ones):
        yield DocumentReason.DOCUMENT_UNREADABLE
    if any(
        finding.decision is Decision.REJECTED or any(r.contradiction for r in finding.reasons)
        for finding in open_ones
    ):
        yield DocumentReason.FIELDS_CONTRADICT
    if open_ones:
        yield DocumentReason.FIELDS_UNCERTAIN


def _result(by_name: Findings) -> dict[str, str | None]:
    values = {name: finding.value for name, finding in by_name.items()}
    surnames = values.get("surnames") or " ".join(
        part for field in ("paternalSurname", "maternalSurname") if (part := values.get(field))
    )
    name = " ".join(part for part in (values.get("givenNames"), surnames) if part)
    name = name or values.get("fullName") or ""
    return {
        "name": name or None,
        "curp": values.get("curp"),
        "clave": values.get("clave"),
        "dateOfBirth": values.get("dateOfBirth"),
    }
