"""Judge the pages of a document: the step's result, and its reasons."""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Final

from acredita.domain.documents.birth_dates import iso_date
from acredita.domain.documents.calibration import Calibration
from acredita.domain.documents.findings import PRINT_ZONES, Decision, Finding, Reason, Zone
from acredita.domain.documents.gazetteer import Gazetteer
from acredita.domain.documents.grouping import (
    DOCUMENTS,
    DocumentPages,
    gather_documents,
    holder_of_front,
    tie_of_back,
)
from acredita.domain.documents.kind_interface import DocumentRules, Findings, Sides
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.documents.picture_problems import causes, may_be_glare, objections
from acredita.domain.documents.same_person import Tie, tie_of_holders, tie_of_portraits
from acredita.domain.identifiers.formatting import GENDERS, sex_of
from acredita.domain.reasons import DocumentReason

RULES_VERSION: Final = "documents-2026.7"
FAILING: Final = frozenset(code for code in DocumentReason if code.severity.may_fail)
_READ_OTHERWISE: Final = frozenset(
    (DocumentReason.DOCUMENT_UNREADABLE, DocumentReason.FIELDS_UNCERTAIN)
)
"""Codes that a better image may resolve. A contradiction is none of them: only a reflection that
covers it may explain it."""


class DocumentOutcome(StrEnum):
    PASSED = "PASSED"
    REVIEW = "REVIEW"
    FAILED = "FAILED"


@dataclass(frozen=True, slots=True)
class DocumentJudgement:
    """The judgement of a person's pages.

    `reasons` are codes, then "field: REASON" strings; they have no personal data. `result` has the
    step's keys name, curp, clave and dateOfBirth (None if not read), and those of the kind of
    document. `kinds` are the kinds of the judged pages.

    `judged` are the indices of the judged document's pages, the front first; empty if no document
    was recognized. `page_codes` has codes of further pages by their index.
    """

    outcome: DocumentOutcome
    code: DocumentReason | None
    reasons: tuple[str, ...]
    fields: tuple[Finding, ...]
    result: Mapping[str, str | float | None]
    kind: PageKind
    rules_version: str = RULES_VERSION
    kinds: tuple[PageKind, ...] = ()
    judged: tuple[int, ...] = ()
    page_codes: Mapping[int, DocumentReason] = field(default_factory=dict)

    def page_of(self, finding: Finding) -> PageKind:
        """Return the kind of the page that shows a field."""
        zone, last = finding.zone, self.kinds[-1] if self.kinds else self.kind
        if zone is Zone.MRZ:
            return last
        return next((kind for kind in self.kinds if PRINT_ZONES[kind] is zone), last)

    def place_of(self, finding: Finding) -> int | None:
        """Return the index of the page that shows a field; None if there is none."""
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
    required: Collection[str] = (),
    gazetteer: Gazetteer | None = None,
) -> DocumentJudgement:
    """Judge all pages that were uploaded for one person.

    One document is judged field by field: the one whose front has the index `chosen`, otherwise the
    first by `_rank`. Every other page must belong to it or to another document of the same person.
    A page that does not gets a code, and then the judgement does not pass. The content of a page
    decides its kind, not the role of its upload. `files` names the file of each page; None means
    that each page has a separate file.

    A calibration's thresholds take precedence over those of the rules. `against` has further codes.
    `required` names fields that must be accepted in addition to those that the rules require.
    A `gazetteer` confirms addresses and places of birth.
    The judgement's code is the first of all codes in the order of `DocumentReason`, so the same
    pages always give the same code.
    """
    files = range(len(pages)) if files is None else files
    documents = [
        _judged(document, pages, today, (calibration, gazetteer), against, required)
        for document in gather_documents(pages, files, today)
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
    references: tuple[Calibration | None, Gazetteer | None],
    against: Collection[DocumentReason],
    required: Collection[str],
) -> DocumentJudgement:
    rules = document.rules
    calibration, gazetteer = references
    back = None if document.back is None else pages[document.back]
    sides = Sides(pages[document.front], back, gazetteer)
    fields = rules.judge(sides, today)
    if calibration is not None:
        fields = [calibration.applied(finding) for finding in fields]
    judgement = _judge_document(
        rules, sides, fields, today, objections(pages) | {*against}, required
    )
    return replace(judgement, judged=document.places)


def _rank(
    judgement: DocumentJudgement, pages: Sequence[PageReading]
) -> tuple[bool, bool, bool, int]:
    """Prefer documents that are legible, have a portrait and pass, then the order of DOCUMENTS."""
    front = pages[judgement.judged[0]]
    kinds = [rules.front for rules in DOCUMENTS]
    return (
        front.code is not None,
        front.portrait is None,
        judgement.outcome is not DocumentOutcome.PASSED,
        kinds.index(judgement.kind),
    )


def _unrecognized(
    pages: Sequence[PageReading], against: Collection[DocumentReason]
) -> DocumentJudgement:
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
    return DocumentJudgement(DocumentOutcome.REVIEW, codes[0], reasons, (), _result({}), kind)


def _codes_of_others(
    main: DocumentJudgement,
    documents: Sequence[DocumentJudgement],
    pages: Sequence[PageReading],
    files: Sequence[Hashable],
    today: date,
) -> dict[int, DocumentReason]:
    """Return by index the codes of further pages that do not belong to the main document's
    person."""
    front = pages[main.judged[0]]
    holder = holder_of_front(front, today)
    codes: dict[int, DocumentReason] = {}
    part_of_a_document = set(main.judged)
    for place in main.judged[1:]:
        # For a back without a name, the rules of the document report the missing fields.
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
    front: PageReading, other: DocumentJudgement, pages: Sequence[PageReading], today: date
) -> Tie:
    """Return whether another document, with its back, belongs to the person of this front."""
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
        # One of its pages is altered or of another person, so the document confirms no one.
        ties.append(Tie.UNKNOWN)
    return _weakest(ties)


def _weakest(ties: Iterable[Tie]) -> Tie:
    return max(ties, key=(Tie.SAME, Tie.UNKNOWN, Tie.DIFFERENT).index)


def _goes_on(place: int, pages: Sequence[PageReading], files: Sequence[Hashable]) -> bool:
    """Whether a page continues a tax certificate that begins in the same file. SAT prints
    activities and obligations on further pages, which name no person.
    """
    return any(
        page.kind is PageKind.RFC_CERTIFICATE and files[before] == files[place]
        for before, page in enumerate(pages[:place])
    ) and pages[place].kind in (PageKind.UNKNOWN, PageKind.RFC_CERTIFICATE_ANNEX)


def _with_page_codes(
    judgement: DocumentJudgement, page_codes: Mapping[int, DocumentReason]
) -> DocumentJudgement:
    """Add the codes of further pages to a judgement."""
    if not page_codes:
        return judgement
    return replace(with_codes(judgement, page_codes.values()), page_codes=dict(page_codes))


def with_codes(
    judgement: DocumentJudgement, further: Iterable[DocumentReason]
) -> DocumentJudgement:
    """Add at least one code to a judgement. The gravest of all decides."""
    named = {reason for reason in judgement.reasons if ":" not in reason}
    found = {*named, *further}
    codes = [code for code in DocumentReason if code in found]
    outcome = DocumentOutcome.FAILED if codes[0] in FAILING else DocumentOutcome.REVIEW
    fields = tuple(reason for reason in judgement.reasons if reason not in named)
    reasons = (*(code.value for code in codes), *fields)
    return replace(judgement, outcome=outcome, code=codes[0], reasons=reasons)


def _judge_document(
    rules: DocumentRules,
    sides: Sides,
    fields: Sequence[Finding],
    today: date,
    against: Collection[DocumentReason],
    required: Collection[str],
) -> DocumentJudgement:
    by_name = {finding.field: finding for finding in fields}
    open_ones = _open_ones(rules, by_name, required, has_back=sides.back is not None)
    absent = [name for name in required if name not in by_name]
    grounds = {*rules.grounds(sides, by_name), *_grounds(by_name, open_ones, today), *against}
    if absent:
        grounds.add(DocumentReason.REQUIRED_FIELD_MISSING)
    pages = [page for page in (sides.front, sides.back) if page]
    grounds |= _causes_of(grounds, pages, fields)
    codes = [code for code in DocumentReason if code in grounds]
    reasons = _reasons_of_fields(open_ones, absent)
    outcome = DocumentOutcome.PASSED
    if codes:
        outcome = DocumentOutcome.FAILED if codes[0] in FAILING else DocumentOutcome.REVIEW
        reasons = (*(code.value for code in codes), *reasons)
    return DocumentJudgement(
        outcome,
        codes[0] if codes else None,
        reasons,
        tuple(fields),
        _result(by_name) | rules.details(sides, by_name, today),
        rules.front,
        kinds=tuple(page.kind for page in pages),
    )


def _reasons_of_fields(open_ones: Sequence[Finding], absent: Sequence[str]) -> tuple[str, ...]:
    return (
        *(f"{finding.field}: {reason}" for finding in open_ones for reason in finding.reasons),
        *(f"{name}: {Reason.NOT_FOUND}" for name in absent),
    )


def _open_ones(
    rules: DocumentRules, by_name: Findings, required: Collection[str], *, has_back: bool
) -> list[Finding]:
    """The findings that count for the outcome and are not accepted."""
    essential = rules.essential + (rules.essential_of_back if has_back else ())
    names = (*essential, *rules.optional, *required)
    counted = [by_name[name] for name in names if name in by_name]
    return [finding for finding in dict.fromkeys(counted) if not finding.accepted]


def _causes_of(
    grounds: Collection[DocumentReason], pages: Sequence[PageReading], fields: Sequence[Finding]
) -> set[DocumentReason]:
    """What in the pictures may be the cause of the grounds."""
    if DocumentReason.FIELDS_CONTRADICT in grounds:
        return {DocumentReason.IMAGE_GLARE} if may_be_glare(pages, fields) else set()
    return set() if _READ_OTHERWISE.isdisjoint(grounds) else causes(pages)


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
        # `sex` is as Mexican registries write it, where M is MUJER; abroad M is male.
        "gender": GENDERS.get(sex_of(values.get("sex") or "")),
    }
