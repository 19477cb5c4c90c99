"""The verdict over a document's pages: what the step concludes, and why."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from acredita.domain.documents import (
    curp_certificate,
    licence,
    passport,
    rfc_certificate,
    voter_card,
)
from acredita.domain.documents.birth import iso_date
from acredita.domain.documents.calibration import Calibration
from acredita.domain.documents.findings import PRINT_OF, Decision, Finding, Zone
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.documents.pictures import causes, may_be_glare, objections
from acredita.domain.documents.rules import Code, DocumentRules, Findings, Sides

RULES_VERSION: Final = "documents-2026.4"
DOCUMENTS: Final = (
    passport.RULES,
    voter_card.RULES,
    licence.RULES,
    curp_certificate.RULES,
    rfc_certificate.RULES,
)
"""Every kind of document, the one that is judged first where several were sent before the rest."""
FAILING: Final = frozenset((Code.DOCUMENT_EXPIRED,))
_READ_OTHERWISE: Final = frozenset((Code.DOCUMENT_UNREADABLE, Code.FIELDS_UNCERTAIN))
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
    """

    outcome: Outcome
    code: Code | None
    reasons: tuple[str, ...]
    fields: tuple[Finding, ...]
    result: dict[str, str | None]
    kind: PageKind
    rules_version: str = RULES_VERSION
    kinds: tuple[PageKind, ...] = ()

    def page_of(self, finding: Finding) -> PageKind:
        """The page that shows a field, by the zone that it was read in."""
        zone, last = finding.zone, self.kinds[-1] if self.kinds else self.kind
        if zone is Zone.MRZ:
            return last
        return next((kind for kind in self.kinds if PRINT_OF[kind] is zone), last)


def judge(
    pages: Sequence[PageReading],
    today: date,
    calibration: Calibration | None = None,
    against: Collection[Code] = (),
) -> Verdict:
    """Judge what was uploaded for one document; a calibration's thresholds go before the rules'.

    `against` is what else speaks against it. Of several codes the first by the order of `Code` is
    the verdict's, so that the same pages always end the same way.

    The pages say themselves what they are, whatever role they were sent in. What could be read
    goes before what could not, then the order of DOCUMENTS decides.
    """
    sent = [(rules, page) for rules in DOCUMENTS if (page := _page(pages, rules.front))]
    readable = [(rules, page) for rules, page in sent if page.code is None]
    for rules, front in (*readable, *sent):
        back = _page(pages, rules.back) if rules.back else None
        fields = rules.judge(Sides(front, back), today)
        if calibration is not None:
            fields = [calibration.applied(finding) for finding in fields]
        return _verdict(rules, Sides(front, back), fields, today, objections(pages) | {*against})
    unreadable = any(page.code == Code.DOCUMENT_UNREADABLE for page in pages)
    code = Code.DOCUMENT_UNREADABLE if unreadable else Code.DOCUMENT_NOT_RECOGNIZED
    known = (page.kind for page in pages if page.kind is not PageKind.UNKNOWN)
    kind = next(known, PageKind.UNKNOWN)
    grounds = {code, *objections(pages), *causes(pages), *against}
    grounds |= {Code(page.code) for page in pages if page.code}
    codes = [code for code in Code if code in grounds and code not in FAILING]
    reasons = tuple(code.value for code in codes)
    return Verdict(Outcome.REVIEW, codes[0], reasons, (), _result({}), kind)


def _page(pages: Sequence[PageReading], kind: PageKind) -> PageReading | None:
    of_kind = [page for page in pages if page.kind is kind]
    return next((page for page in of_kind if page.code is None), of_kind[0] if of_kind else None)


def _verdict(
    rules: DocumentRules,
    sides: Sides,
    fields: Sequence[Finding],
    today: date,
    against: Collection[Code],
) -> Verdict:
    by_name = {finding.field: finding for finding in fields}
    essential = rules.essential + (rules.essential_of_back if sides.back else ())
    counted = [by_name[name] for name in (*essential, *rules.optional) if name in by_name]
    open_ones = [finding for finding in dict.fromkeys(counted) if not finding.accepted]
    grounds = {*rules.grounds(sides, by_name), *_grounds(by_name, open_ones, today), *against}
    pages = [page for page in (sides.front, sides.back) if page]
    if Code.FIELDS_CONTRADICT in grounds:
        if may_be_glare(pages, fields):
            grounds.add(Code.IMAGE_GLARE)
    elif not _READ_OTHERWISE.isdisjoint(grounds):
        grounds |= causes(pages)
    codes = [code for code in Code if code in grounds]
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


def _grounds(by_name: Findings, open_ones: list[Finding], today: date) -> Iterable[Code]:
    expiry = by_name.get("expiryDate")
    until = iso_date(expiry.value) if expiry and expiry.accepted else None
    if until is not None and until < today:
        yield Code.DOCUMENT_EXPIRED
    if any(finding.value is None for finding in open_ones):
        yield Code.DOCUMENT_UNREADABLE
    if any(
        finding.decision is Decision.REJECTED or any(r.contradiction for r in finding.reasons)
        for finding in open_ones
    ):
        yield Code.FIELDS_CONTRADICT
    if open_ones:
        yield Code.FIELDS_UNCERTAIN


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
