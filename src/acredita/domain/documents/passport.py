"""Judge a passport by its visual zone, its machine-readable zone and the printed CURP."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from acredita.domain.documents.birth_dates import (
    birth_date_by_curp,
    birth_date_by_zone,
    iso_date,
    passport_sex,
)
from acredita.domain.documents.findings import (
    Confirmation,
    Evidence,
    Finding,
    Reason,
    Zone,
    compare,
    decide,
    may_lack_diacritic,
    missing,
    of_spelling,
    printed,
)
from acredita.domain.documents.gazetteer import Gazetteer, plain
from acredita.domain.documents.kind_interface import DocumentRules, Findings, Sides
from acredita.domain.documents.misread_names import (
    enye_form,
    lacks_usual_accent,
    one_edit,
    unevenly_accented,
)
from acredita.domain.documents.mrz_evidence import ZoneEvidence, spells_out, zone_of
from acredita.domain.documents.name_parts import surname_partings
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.identifiers import curp
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.mrz import Mrz, same_name
from acredita.domain.identifiers.states import named
from acredita.domain.reasons import DocumentReason

ESSENTIAL: Final = (
    "documentNumber",
    "surnames",
    "givenNames",
    "dateOfBirth",
    "sex",
    "expiryDate",
    "mrz",
)


def judge_passport(sides: Sides, today: date) -> list[Finding]:
    """Return a finding for each field. A foreign passport is judged the same way, without CURP."""
    page = sides.front
    zone = zone_of(page)
    value = zone.value if zone else None
    sighted = printed(page, "curp")
    known = curp.parse(sighted.value).value if sighted else None
    findings = [
        *_names(page, value, known),
        *_of_holder(page, zone, known, today),
        *_place(page, known, sides.gazetteer),
        *_of_book(page, zone),
    ]
    if sighted:
        findings.append(_curp(sighted, known, findings))
    return findings


def _names(page: PageReading, zone: Mrz | None, known: Curp | None) -> Iterator[Finding]:
    for field in ("surnames", "givenNames"):
        evidence = printed(page, field)
        if evidence is None:
            yield missing(field, Zone.PASSPORT)
            continue
        finding = _name(field, evidence, zone)
        yield finding
        if field == "surnames":
            yield from _surnames(page, finding, known)


def _name(field: str, evidence: Evidence, zone: Mrz | None) -> Finding:
    confirmation, against, given = Confirmation.NONE, [], field == "givenNames"
    if zone is None:
        against.append(Reason.UNCONFIRMED)
    elif not same_name(
        evidence.value, zone.given if given else zone.surnames, truncated=zone.names_truncated
    ):
        against.append(Reason.CONTRADICTS_MRZ)
    elif spells_out(zone, evidence.value, given=given) and not lacks_usual_accent(evidence.value):
        confirmation = of_spelling(evidence)
    if unevenly_accented(evidence.value):
        against.append(Reason.UNUSUAL_SPELLING)
    if enye_form(evidence.value):
        against.append(Reason.POSSIBLE_ENYE)
    return decide(field, evidence, confirmation=confirmation, against=tuple(against))


def _surnames(page: PageReading, surnames: Finding, known: Curp | None) -> Iterator[Finding]:
    """Split the surnames, which a passport prints in one line, by the letters of the CURP."""
    given, text = printed(page, "givenNames"), surnames.value
    if known is None or given is None or text is None:
        return
    fitting = surname_partings(text.split(), given.value, known)
    if len(fitting) == 1:
        first, second = fitting[0]
        yield replace(surnames, field="paternalSurname", value=first, alternatives=())
        if second:
            yield replace(surnames, field="maternalSurname", value=second, alternatives=())


def _of_holder(
    page: PageReading, zone: ZoneEvidence | None, known: Curp | None, today: date
) -> Iterator[Finding]:
    value = zone.value if zone else None
    birth = printed(page, "dateOfBirth")
    if birth and iso_date(birth.value) is None:
        yield decide("dateOfBirth", birth, against=(Reason.INVALID,), impossible=True)
    else:
        said = birth.value if birth else None
        others = {
            Reason.CONTRADICTS_CURP: birth_date_by_curp(known),
            Reason.CONTRADICTS_MRZ: birth_date_by_zone(value, today, said),
        }
        yield (
            compare("dateOfBirth", birth, others)
            or _by_zone(
                "dateOfBirth",
                zone,
                birth_date_by_zone(value, today, None),
                birth_date_by_curp(known),
            )
        )
    sex = printed(page, "sex")
    letter = passport_sex(sex.value) if sex else None
    by_curp = known.sex.value if known else None
    in_zone = value.sex.value if value and value.sex else None
    spanish = replace(sex, value=letter.value, alternatives=()) if sex and letter else None
    said_by = {Reason.CONTRADICTS_CURP: by_curp, Reason.CONTRADICTS_MRZ: in_zone}
    yield compare("sex", spanish, said_by) or _by_zone("sex", zone, in_zone, by_curp)


def _place(page: PageReading, known: Curp | None, gazetteer: Gazetteer | None) -> Iterator[Finding]:
    """Judge the place of birth. The CURP confirms the state, and the gazetteer a town of the state.
    Another town must be sure by itself. Nothing confirms a place without a state, such as abroad,
    so it is never accepted.
    """
    place, town = printed(page, "placeOfBirth"), printed(page, "townOfBirth")
    if place is None:
        return
    state = named(place.value.rpartition(",")[2])
    if known is None or town is None or state is None:
        yield decide("placeOfBirth", place, against=(Reason.UNCONFIRMED,))
        return
    against = [] if state == known.state else [Reason.CONTRADICTS_CURP]
    if enye_form(town.value):
        against.append(Reason.POSSIBLE_ENYE)
    if may_lack_diacritic(town):
        against.append(Reason.LOW_CONFIDENCE)
    sure = replace(place, confidence=town.confidence, agreed=town.agreed)
    towns = gazetteer.towns.get(state, frozenset()) if gazetteer else frozenset()
    name = plain(town.value)
    # A town that is one misread character away from another one may be that one.
    is_listed = name in towns and not one_edit(name, towns)
    confirmation = Confirmation.RULE if is_listed else Confirmation.NONE
    yield decide("placeOfBirth", sure, confirmation=confirmation, against=tuple(against))


def _by_zone(
    field: str, zone: ZoneEvidence | None, in_zone: str | None, by_curp: str | None
) -> Finding:
    """Judge a field without print by the MRZ; the printed CURP must confirm it."""
    if zone is None or in_zone is None:
        return missing(field, Zone.PASSPORT)
    evidence = zone.evidence(lambda _: in_zone)
    if by_curp is None:
        return decide(field, evidence, against=(Reason.UNCONFIRMED,))
    finding = compare(field, evidence, {Reason.CONTRADICTS_CURP: by_curp})
    return finding or missing(field, Zone.PASSPORT)


def _of_book(page: PageReading, zone: ZoneEvidence | None) -> Iterator[Finding]:
    value = zone.value if zone else None
    number = printed(page, "documentNumber")
    others = {Reason.CONTRADICTS_MRZ: value.document_number if value else None}
    yield compare("documentNumber", number, others) or missing("documentNumber", Zone.PASSPORT)
    expiry = value.expiry_date if value else None
    said = {Reason.CONTRADICTS_MRZ: expiry.isoformat() if expiry else None}
    until = printed(page, "dateOfExpiry")
    yield compare("expiryDate", until, said) or missing("expiryDate", Zone.PASSPORT)
    if issued := printed(page, "dateOfIssue"):
        impossible = iso_date(issued.value) is None
        yield decide("issueDate", issued, against=(Reason.INVALID,) if impossible else ())
    if zone is None:
        yield missing("mrz", Zone.MRZ)
        return
    # The number's letter and the digit that it resembles have the same check digit. Only the print
    # distinguishes G from 6.
    against = []
    if number and number.value != zone.value.document_number:
        against.append(Reason.CONTRADICTS_PRINT)
    elif number is None:
        against.append(Reason.UNCONFIRMED)
    lines = zone.evidence(lambda z: "\n".join(z.lines))
    yield decide("mrz", lines, confirmation=Confirmation.RULE, against=tuple(against))
    country = zone.evidence(lambda z: z.issuer)
    yield decide("issuingState", country, confirmation=Confirmation.RULE)


def _curp(evidence: Evidence, known: Curp | None, findings: list[Finding]) -> Finding:
    if known is None:
        return decide("curp", evidence, against=(Reason.INVALID,), impossible=True)
    against = [
        Reason.CHECK_DIGIT_WRONG for fault in curp.parse(evidence.value).errors if fault.code
    ]
    values = {finding.field: finding.value for finding in findings}
    surnames, given = values.get("surnames"), values.get("givenNames")
    if not surnames or not given:
        against.append(Reason.UNCONFIRMED)
    elif not surname_partings(surnames.split(), given, known):
        against.append(Reason.CONTRADICTS_NAME)
    if values.get("dateOfBirth") not in (None, known.birth_date.isoformat()):
        against.append(Reason.CONTRADICTS_PRINT)
    if values.get("sex") not in (None, known.sex.value):
        against.append(Reason.CONTRADICTS_PRINT)
    # Nothing on the page repeats the state of birth or the last two characters.
    return decide(
        "curp", evidence, confirmation=Confirmation.LETTERS, against=tuple(dict.fromkeys(against))
    )


def _foreign(_sides: Sides, findings: Findings) -> tuple[DocumentReason, ...]:
    issuer = findings.get("issuingState")
    return (DocumentReason.DOCUMENT_NOT_SUPPORTED,) if issuer and issuer.value != "MEX" else ()


RULES: Final = DocumentRules(
    front=PageKind.PASSPORT, judge=judge_passport, essential=ESSENTIAL, grounds=_foreign
)
