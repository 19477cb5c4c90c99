"""The verdict over a document's pages: what the step concludes, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final

from acredita.domain.documents import passport, voter_card
from acredita.domain.documents.birth import iso_date
from acredita.domain.documents.findings import Decision, Finding
from acredita.domain.documents.pages import PageKind, PageReading

RULES_VERSION: Final = "documents-2026.1"


class Outcome(StrEnum):
    PASSED = "PASSED"
    REVIEW = "REVIEW"
    FAILED = "FAILED"


class Code(StrEnum):
    """Why a document did not pass. Only DOCUMENT_EXPIRED fails it, the others ask for a review."""

    BLACK_AND_WHITE_COPY = "BLACK_AND_WHITE_COPY"
    DOCUMENT_CUT_OFF = "DOCUMENT_CUT_OFF"
    DOCUMENT_EXPIRED = "DOCUMENT_EXPIRED"
    DOCUMENT_NOT_RECOGNIZED = "DOCUMENT_NOT_RECOGNIZED"
    DOCUMENT_NOT_SUPPORTED = "DOCUMENT_NOT_SUPPORTED"
    DOCUMENT_UNREADABLE = "DOCUMENT_UNREADABLE"
    FIELDS_CONTRADICT = "FIELDS_CONTRADICT"
    FIELDS_UNCERTAIN = "FIELDS_UNCERTAIN"
    IMAGE_BLURRED = "IMAGE_BLURRED"
    IMAGE_GLARE = "IMAGE_GLARE"
    IMAGE_OVEREXPOSED = "IMAGE_OVEREXPOSED"
    IMAGE_TOO_DARK = "IMAGE_TOO_DARK"
    IMAGE_TOO_SMALL = "IMAGE_TOO_SMALL"
    SCREEN_PHOTOGRAPHED = "SCREEN_PHOTOGRAPHED"
    SEVERAL_DOCUMENTS = "SEVERAL_DOCUMENTS"
    TAMPERING_SUSPECTED = "TAMPERING_SUSPECTED"
    WRONG_DOCUMENT = "WRONG_DOCUMENT"
    WRONG_SIDE = "WRONG_SIDE"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The step's conclusion. `reasons` are "field: REASON" strings and hold no personal data;
    `result` holds the step's keys name, curp, clave and dateOfBirth (None where not read).
    """

    outcome: Outcome
    code: Code | None
    reasons: tuple[str, ...]
    fields: tuple[Finding, ...]
    result: dict[str, str | None]
    kind: PageKind
    rules_version: str = RULES_VERSION


def judge(pages: Sequence[PageReading], today: date) -> Verdict:
    """Judge what was uploaded for one document.

    The pages say themselves what they are, whatever role they were sent in. A passport goes before
    a voter card's front; of several pages of a kind the first that could be read counts.
    """
    book = _page(pages, PageKind.PASSPORT)
    front, back = _page(pages, PageKind.INE_FRONT), _page(pages, PageKind.INE_BACK)
    if front is not None and (book is None or book.code):
        fields = voter_card.judge_card(front, back, today)
        essential = voter_card.ESSENTIAL + (voter_card.ESSENTIAL_BACK if back else ())
        return _verdict(PageKind.INE_FRONT, fields, essential, today)
    if book is not None:
        fields = passport.judge_passport(book, today)
        return _verdict(PageKind.PASSPORT, fields, passport.ESSENTIAL, today)
    unreadable = any(page.code == Code.DOCUMENT_UNREADABLE for page in pages)
    code = Code.DOCUMENT_UNREADABLE if unreadable else Code.DOCUMENT_NOT_RECOGNIZED
    kind = PageKind.INE_BACK if back else PageKind.UNKNOWN
    return Verdict(Outcome.REVIEW, code, (code.value,), (), _result({}), kind)


def _page(pages: Sequence[PageReading], kind: PageKind) -> PageReading | None:
    of_kind = [page for page in pages if page.kind is kind]
    return next((page for page in of_kind if page.code is None), of_kind[0] if of_kind else None)


def _verdict(
    kind: PageKind, fields: list[Finding], essential: Sequence[str], today: date
) -> Verdict:
    by_name = {finding.field: finding for finding in fields}
    counted = [by_name[name] for name in essential if name in by_name]
    counted += [by_name[name] for name in ("maternalSurname", "curp") if name in by_name]
    open_ones = [finding for finding in dict.fromkeys(counted) if not finding.accepted]
    codes = [code for code, applies in _grounds(kind, by_name, open_ones, today) if applies]
    reasons = tuple(f"{f.field}: {reason.value}" for f in open_ones for reason in f.reasons)
    outcome = Outcome.PASSED
    if codes:
        outcome = Outcome.FAILED if codes[0] is Code.DOCUMENT_EXPIRED else Outcome.REVIEW
        reasons = (*(code.value for code in codes), *reasons)
    code = codes[0] if codes else None
    return Verdict(outcome, code, reasons, tuple(fields), _result(by_name), kind)


def _grounds(
    kind: PageKind, by_name: dict[str, Finding], open_ones: list[Finding], today: date
) -> list[tuple[Code, bool]]:
    expiry, issuer = by_name.get("expiryDate"), by_name.get("issuingState")
    until = iso_date(expiry.value) if expiry and expiry.accepted else None
    contradict = any(
        finding.decision is Decision.REJECTED or any(r.contradiction for r in finding.reasons)
        for finding in open_ones
    )
    foreign = kind is PageKind.PASSPORT and issuer is not None and issuer.value != "MEX"
    return [
        (Code.DOCUMENT_NOT_SUPPORTED, foreign),
        (Code.DOCUMENT_EXPIRED, until is not None and until < today),
        (Code.DOCUMENT_UNREADABLE, any(finding.value is None for finding in open_ones)),
        (Code.FIELDS_CONTRADICT, contradict),
        (Code.FIELDS_UNCERTAIN, bool(open_ones)),
    ]


def _result(by_name: dict[str, Finding]) -> dict[str, str | None]:
    values = {name: finding.value for name, finding in by_name.items()}
    surnames = values.get("surnames") or " ".join(
        part for field in ("paternalSurname", "maternalSurname") if (part := values.get(field))
    )
    name = " ".join(part for part in (values.get("givenNames"), surnames) if part)
    return {
        "name": name or None,
        "curp": values.get("curp"),
        "clave": values.get("clave"),
        "dateOfBirth": values.get("dateOfBirth"),
    }
