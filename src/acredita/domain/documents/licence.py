"""Judge a driver's licence by its print, its dates and the CURP or RFC that it shows.

No licence has a check digit, and some states print no CURP. Then nothing on the card confirms the
name, so the name needs a review.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from acredita.domain.documents.birth_dates import birth_date_by_curp, iso_date
from acredita.domain.documents.findings import (
    Confirmation,
    Decision,
    Evidence,
    Finding,
    Reason,
    Zone,
    compare,
    decide,
    decide_curp,
    joined,
    missing,
    printed,
    printed_address,
)
from acredita.domain.documents.kind_interface import DocumentRules, Findings, Sides
from acredita.domain.documents.misread_names import enye_form, nearly_common, unevenly_accented
from acredita.domain.documents.name_parts import NAME_PARTS, ReadName, read_name
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.identifiers import curp, rfc
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.problems import FaultCode
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason

ESSENTIAL: Final = (
    "fullName",
    "paternalSurname",
    "givenNames",
    "documentNumber",
    "licenceClass",
    "dateOfBirth",
    "issueDate",
    "expiryDate",
    "validity",
    "state",
)
OPTIONAL: Final = ("maternalSurname", "curp", "rfc")
# The fields of a name, by the field that is printed in one piece: without a CURP it stays whole.
_NEEDED: Final = {
    None: ("paternalSurname", "givenNames"),
    "surnames": ("givenNames",),
    "fullName": (),
}
_PLAIN: Final = ("documentNumber", "licenceClass")
_YOUNGEST, _LONGEST_YEARS = 15, 15
"""The youngest age of a permit for minors, and the longest term of a licence, in years."""


@dataclass(frozen=True, slots=True)
class _Card:
    """The parsed readings of one licence."""

    page: PageReading
    name: ReadName
    curp: Curp | None
    curp_digit_holds: bool
    rfc_dates: tuple[date, ...]
    today: date

    def value(self, field: str) -> str | None:
        evidence = printed(self.page, field)
        return evidence.value if evidence else None

    @property
    def born_by_rfc(self) -> str | None:
        """The birth date of the RFC, YYYY-MM-DD. It has no century, so the printed date is returned
        if it is one of the two possible dates."""
        dates = [day.isoformat() for day in self.rfc_dates]
        said = self.value("dateOfBirth")
        return said if said in dates else next(iter(dates), None)


def judge_licence(sides: Sides, today: date) -> list[Finding]:
    """Return a finding for each field. No field of an unknown layout is accepted."""
    card = _card(sides.front, today)
    findings = [
        *_names(card),
        *_plain(card),
        *_state(card),
        _birth(card),
        *_term(card),
        *_codes(card),
        *_address(card),
    ]
    if card.page.model is None:
        return [_unconfirmed(finding) if finding.accepted else finding for finding in findings]
    return findings


def _card(page: PageReading, today: date) -> _Card:
    values = {s.field: s.value for s in page.sightings}
    reading = curp.parse(values.get("curp", ""))
    tax_id = rfc.parse(values.get("rfc", "")).value
    return _Card(
        page,
        read_name(values, reading.value),
        reading.value,
        not any(fault.code is FaultCode.CHECK_DIGIT for fault in reading.faults),
        tax_id.dates if tax_id else (),
        today,
    )


def _unconfirmed(finding: Finding) -> Finding:
    return replace(finding, decision=Decision.REVIEW, reasons=(Reason.UNCONFIRMED,))


def _names(card: _Card) -> Iterator[Finding]:
    """Yield the name's parts, printed separately or split from one piece, and the piece."""
    whole = printed(card.page, card.name.piece) if card.name.piece else None
    if whole and card.name.piece:
        yield _name(card.name.piece, whole, card, None)
    for field, part in NAME_PARTS.items():
        evidence = printed(card.page, field)
        if whole and (value := card.name.parts.get(field)):
            evidence = replace(whole, value=value, alternatives=())
        if evidence is not None:
            yield _name(field, evidence, card, part)
        elif field in _NEEDED[card.name.piece if whole else None]:
            yield missing(field, Zone.FRONT)


def _name(field: str, evidence: Evidence, card: _Card, part: str | None) -> Finding:
    """Judge one part of the name. With `part` None, `field` is a piece of several parts, which is
    accepted if the CURP splits it."""
    against: list[Reason] = []
    if card.curp is None or card.name.ambiguous:
        against.append(Reason.UNCONFIRMED)
    elif part in _faults(card.curp, card.name.person) if part else not card.name.parts:
        against.append(Reason.CONTRADICTS_CURP)
    if nearly_common(evidence.value) or unevenly_accented(evidence.value):
        against.append(Reason.UNUSUAL_SPELLING)
    if enye_form(evidence.value):
        against.append(Reason.POSSIBLE_ENYE)
    return decide(field, evidence, against=tuple(against))


def _faults(known: Curp, name: PersonName) -> set[str]:
    return {fault.field for fault in curp.contradictions(known, name=name)}


def _plain(card: _Card) -> Iterator[Finding]:
    for field in _PLAIN:
        evidence = printed(card.page, field)
        if evidence:
            yield decide(field, evidence)
        elif field == "documentNumber":
            yield missing(field, Zone.FRONT)
    if blood := printed(card.page, "bloodGroup"):
        yield decide("bloodGroup", blood, against=(Reason.UNCONFIRMED,))


def _state(card: _Card) -> Iterator[Finding]:
    """Yield the state. A whole phrase identifies it, so a doubtful letter does not matter."""
    if evidence := printed(card.page, "state"):
        yield decide("state", evidence, confirmation=Confirmation.RULE)


def _birth(card: _Card) -> Finding:
    """Judge the printed birth date; without one, use the CURP's."""
    evidence = printed(card.page, "dateOfBirth")
    by_curp = birth_date_by_curp(card.curp)
    if evidence is None:
        code = printed(card.page, "curp")
        if code is None or by_curp is None:
            return missing("dateOfBirth", Zone.FRONT)
        by_digit = Confirmation.RULE if card.curp_digit_holds else Confirmation.NONE
        against = () if card.curp_digit_holds else (Reason.CHECK_DIGIT_WRONG,)
        derived = replace(code, value=by_curp, alternatives=())
        return decide("dateOfBirth", derived, confirmation=by_digit, against=against)
    if iso_date(evidence.value) is None:
        return decide("dateOfBirth", evidence, against=(Reason.INVALID,), impossible=True)
    others = {
        Reason.CONTRADICTS_CURP: by_curp,
        Reason.CONTRADICTS_PRINT: None if by_curp else card.born_by_rfc,
    }
    return compare("dateOfBirth", evidence, others) or missing("dateOfBirth", Zone.FRONT)


def _term(card: _Card) -> Iterator[Finding]:
    """Yield the dates of issue and expiry; a term of whole years confirms both."""
    issued, expires = printed(card.page, "issueDate"), printed(card.page, "expiryDate")
    permanent = printed(card.page, "validity")
    start = iso_date(issued.value) if issued else None
    end = iso_date(expires.value) if expires else None
    whole_years = start is not None and end is not None and is_term_of_years(start, end)
    confirmation = Confirmation.RULE if whole_years else Confirmation.NONE
    if issued:
        against = _issue_faults(card, start, end)
        yield decide("issueDate", issued, confirmation=confirmation, against=against)
    if permanent:
        both = (Reason.CONTRADICTS_PRINT,) if expires else ()
        yield decide("validity", permanent, confirmation=Confirmation.RULE, against=both)
    if expires:
        against = ()
        if end is None:
            against = (Reason.INVALID,)
        elif permanent or (start and not start < end <= _later(start, _LONGEST_YEARS)):
            against = (Reason.CONTRADICTS_PRINT,)
        yield decide("expiryDate", expires, confirmation=confirmation, against=against)
    elif not permanent:
        yield missing("expiryDate", Zone.FRONT)


def _issue_faults(card: _Card, start: date | None, end: date | None) -> tuple[Reason, ...]:
    if start is None:
        return (Reason.INVALID,)
    born = iso_date(card.value("dateOfBirth") or birth_date_by_curp(card.curp))
    too_young = born is not None and start < _later(born, _YOUNGEST)
    if start > card.today or too_young or (end is not None and end <= start):
        return (Reason.CONTRADICTS_PRINT,)
    return ()


def is_term_of_years(start: date, end: date) -> bool:
    """Return whether the term is a number of whole years, up to one day more or less."""
    years = end.year - start.year
    return 1 <= years <= _LONGEST_YEARS and abs(_later(start, years) - end) <= timedelta(days=1)


def _later(day: date, years: int) -> date:
    leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year + years, day=28 if leap_day else day.day)


def _codes(card: _Card) -> Iterator[Finding]:
    if evidence := printed(card.page, "curp"):
        yield _curp(card, evidence)
    if tax_id := printed(card.page, "rfc"):
        value = rfc.parse(tax_id.value).value
        against: list[Reason] = []
        if value is None:
            against.append(Reason.INVALID)
        elif card.value("dateOfBirth") not in (None, card.born_by_rfc):
            against.append(Reason.CONTRADICTS_PRINT)
        # Nothing confirms the homoclave, even if the digits are certain.
        yield decide("rfc", tax_id, against=tuple(against))


def _curp(card: _Card, evidence: Evidence) -> Finding:
    if card.curp is None:
        return decide("curp", evidence, against=(Reason.INVALID,), impossible=True)
    against: list[Reason] = []
    if card.name.contradicts(card.curp):
        against.append(Reason.CONTRADICTS_NAME)
    if card.value("dateOfBirth") not in (None, card.curp.birth_date.isoformat()):
        against.append(Reason.CONTRADICTS_PRINT)
    # Nothing on the card repeats the state of birth or the last two characters.
    return decide_curp(evidence, against, digit_holds=card.curp_digit_holds)


def _address(card: _Card) -> Iterator[Finding]:
    """Yield the address. Nothing confirms it, so it is never accepted."""
    if lines := printed_address(card.page):
        yield decide("address", joined(lines), against=(Reason.UNCONFIRMED,))


def _layout_unknown(sides: Sides, _findings: Findings) -> tuple[DocumentReason, ...]:
    return () if sides.front.model else (DocumentReason.DOCUMENT_LAYOUT_UNKNOWN,)


def _details(sides: Sides, _findings: Findings, _today: date) -> dict[str, str | None]:
    state = sides.front.sighting("state")
    return {"model": sides.front.model, "state": state.value if state else None}


RULES: Final = DocumentRules(
    front=PageKind.DRIVER_LICENCE,
    judge=judge_licence,
    essential=ESSENTIAL,
    optional=OPTIONAL,
    grounds=_layout_unknown,
    details=_details,
)
