"""Judge a voter card by its front, its back and the rules of its identifiers."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from acredita.domain.documents.addresses import judge_address
from acredita.domain.documents.birth_dates import (
    birth_date_by_clave,
    birth_date_by_curp,
    birth_date_by_zone,
    iso_date,
)
from acredita.domain.documents.findings import (
    Confirmation,
    Decision,
    Evidence,
    Finding,
    Reason,
    Zone,
    compare,
    decide,
    missing,
    of_spelling,
    printed,
)
from acredita.domain.documents.kind_interface import DocumentRules, Findings, Sides
from acredita.domain.documents.misread_names import (
    enye_form,
    lacks_usual_accent,
    nearly_common,
    unevenly_accented,
)
from acredita.domain.documents.mrz_evidence import spells_out
from acredita.domain.documents.name_parts import NAME_PARTS
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.documents.voter_models import judge_model, model_on
from acredita.domain.documents.voter_readings import VoterCard, voter_card
from acredita.domain.identifiers import clave_elector, curp
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.formatting import sex_of
from acredita.domain.identifiers.ine import OUTDATED, IneModel
from acredita.domain.identifiers.mrz import Mrz, same_name
from acredita.domain.identifiers.problems import Fault
from acredita.domain.names import PersonName
from acredita.domain.reasons import DocumentReason

ESSENTIAL: Final = (
    "paternalSurname",
    "givenNames",
    "curp",
    "clave",
    "dateOfBirth",
    "sex",
    "expiryYear",
)
ESSENTIAL_BACK: Final = ("cic", "ocr", "mrz")
_FIRST_YEAR: Final = 1990
"""The year in which the register of voters was rebuilt."""


def judge_card(sides: Sides, today: date) -> list[Finding]:
    """Return a finding for each field of the front, and of the back if there is one."""
    back = sides.back
    card = voter_card(sides.front, back, today)
    model = judge_model(sides.front, back, card.zone)
    return [
        *_names(card),
        _curp(card),
        _clave(card),
        _birth(card),
        _sex(card),
        judge_address(card.front, sides.gazetteer),
        *_register(card),
        *_validity(card),
        *(_back(card, back) if back else ()),
        *((model,) if model else ()),
    ]


def _names(card: VoterCard) -> Iterator[Finding]:
    for field, part in NAME_PARTS.items():
        evidence = printed(card.front, field)
        if evidence is not None:
            yield _name_part(card, field, part, evidence)
        elif field != "maternalSurname":
            yield missing(field, Zone.FRONT)


def _name_part(card: VoterCard, field: str, part: str, evidence: Evidence) -> Finding:
    against: list[Reason] = []
    if card.curp is None:
        against.append(Reason.UNCONFIRMED)
    elif part in _curp_faults(card.curp, card.name):
        against.append(Reason.CONTRADICTS_CURP)
    confirmation = Confirmation.NONE
    if card.mrz:
        given = part == "given"
        ours = card.name.given if given else card.name.surnames
        zones = card.mrz.given if given else card.mrz.surnames
        if not same_name(ours, zones, truncated=card.mrz.names_truncated):
            against.append(Reason.CONTRADICTS_MRZ)
        elif spells_out(card.mrz, ours, given=given) and not lacks_usual_accent(evidence.value):
            confirmation = of_spelling(evidence)
    if unevenly_accented(evidence.value) or (not card.mrz and nearly_common(evidence.value)):
        against.append(Reason.UNUSUAL_SPELLING)
    if _enye_lost(card, part, evidence.value):
        against.append(Reason.POSSIBLE_ENYE)
    return decide(field, evidence, confirmation=confirmation, against=tuple(against))


def _enye_lost(card: VoterCard, part: str, value: str) -> bool:
    """Whether the name usually has a Ñ and the CURP, which has X for it, allows that."""
    usual = enye_form(value)
    if usual is None:
        return False
    if card.curp is None:
        return True
    with_enye = replace(card.name, **{part: usual})
    return part not in _curp_faults(card.curp, with_enye)


def _curp_faults(known: Curp, name: PersonName) -> set[str]:
    return {fault.field for fault in curp.contradictions(known, name=name)}


def _curp(card: VoterCard) -> Finding:
    evidence = printed(card.front, "curp")
    if evidence is None:
        return missing("curp", Zone.FRONT)
    if card.curp is None:
        return decide("curp", evidence, against=(Reason.INVALID,), impossible=True)
    birth, sex = iso_date(card.value("dateOfBirth")), sex_of(card.value("sex") or "")
    faults = curp.contradictions(
        card.curp,
        name=card.name if card.name.given and card.name.paterno else None,
        birth_date=birth,
        sex=sex,
        state=card.clave.state if card.clave else None,
    )
    wrong_digit = () if card.curp_digit_holds else (Reason.CHECK_DIGIT_WRONG,)
    whole = birth and sex and card.clave and card.name.given and card.name.paterno
    confirmation = Confirmation.RULE if whole else Confirmation.NONE
    return decide(
        "curp",
        evidence,
        confirmation=confirmation,
        against=(*wrong_digit, *_against(faults, of_state=Reason.CONTRADICTS_CLAVE)),
        impossible=not card.curp_digit_holds,
    )


def _clave(card: VoterCard) -> Finding:
    """Judge the clave. Two equal readings confirm the last three digits: no check digit is
    public."""
    evidence = printed(card.front, "clave")
    if evidence is None:
        return missing("clave", Zone.FRONT)
    if card.clave is None:
        return decide("clave", evidence, against=(Reason.INVALID,), impossible=True)
    birth, sex = iso_date(card.value("dateOfBirth")), sex_of(card.value("sex") or "")
    faults = clave_elector.contradictions(
        card.clave,
        name=card.name,
        birth_date=birth,
        sex=sex,
        state=card.curp.state if card.curp else None,
    )
    against = _against(faults, of_state=Reason.CONTRADICTS_CURP)
    confirmation = Confirmation.LETTERS if card.curp else Confirmation.NONE
    if card.curp and birth and sex and card.name.given and card.name.paterno:
        confirmation = _of_end(card, confirmation)
    return decide("clave", evidence, confirmation=confirmation, against=against)


def _of_end(card: VoterCard, usual: Confirmation) -> Confirmation:
    """Return how far a card that shows all else confirms its clave: by rules, if the end that has
    no rule is sure by itself."""
    end = printed(card.front, "claveEnd")
    sure = end is not None and end.agreed and end.confidence >= usual.least_confidence
    return Confirmation.RULE if sure else usual


def _against(faults: Iterable[Fault], *, of_state: Reason) -> tuple[Reason, ...]:
    """What each fault of an identifier contradicts; `of_state` where the fault is in the state."""
    reasons = dict.fromkeys(NAME_PARTS.values(), Reason.CONTRADICTS_NAME) | {"state": of_state}
    return tuple(reasons.get(fault.field, Reason.CONTRADICTS_PRINT) for fault in faults)


def _birth(card: VoterCard) -> Finding:
    evidence = printed(card.front, "dateOfBirth")
    if evidence is None and card.shows_age:
        return _birth_by_curp(card)
    said = card.value("dateOfBirth")
    others = {
        Reason.CONTRADICTS_CURP: birth_date_by_curp(card.curp),
        Reason.CONTRADICTS_CLAVE: birth_date_by_clave(card.clave, said),
        Reason.CONTRADICTS_MRZ: birth_date_by_zone(card.mrz, card.today, said),
    }
    if evidence and iso_date(said) is None:
        return decide("dateOfBirth", evidence, against=(Reason.INVALID,), impossible=True)
    return compare("dateOfBirth", evidence, others) or missing("dateOfBirth", Zone.FRONT)


def _birth_by_curp(card: VoterCard) -> Finding:
    code, born = printed(card.front, "curp"), birth_date_by_curp(card.curp)
    if code is None or born is None:
        return missing("dateOfBirth", Zone.FRONT)
    derived = replace(code, value=born, alternatives=())
    by_clave = {Reason.CONTRADICTS_CLAVE: birth_date_by_clave(card.clave, born)}
    return compare("dateOfBirth", derived, by_clave) or missing("dateOfBirth", Zone.FRONT)


def _sex(card: VoterCard) -> Finding:
    others = {
        Reason.CONTRADICTS_CURP: card.curp.sex.value if card.curp else None,
        Reason.CONTRADICTS_CLAVE: card.clave.sex.value if card.clave else None,
        Reason.CONTRADICTS_MRZ: card.mrz.sex.value if card.mrz and card.mrz.sex else None,
    }
    return compare("sex", printed(card.front, "sex"), others) or missing("sex", Zone.FRONT)


def _register(card: VoterCard) -> Iterator[Finding]:
    section = {Reason.CONTRADICTS_MRZ: card.ine.section if card.ine else None}
    yield compare("section", printed(card.front, "section"), section) or missing(
        "section", Zone.FRONT
    )
    registered = printed(card.front, "registrationYear")
    latest = card.value("emissionYear") or str(card.today.year)
    possible = registered is not None and str(_FIRST_YEAR) <= registered.value <= latest
    yield _emission(card, year_is_possible=possible)
    if registered is None:
        yield missing("registrationYear", Zone.FRONT)
        return
    against = () if possible else (Reason.INVALID,)
    yield decide("registrationYear", registered, against=against)


def _emission(card: VoterCard, *, year_is_possible: bool) -> Finding:
    """Judge the number of the emission, printed after the year of registration. If that is no year,
    the number was taken from another place."""
    on_back = {Reason.CONTRADICTS_MRZ: card.ine.emission if card.ine else None}
    finding = compare("emission", printed(card.front, "emission"), on_back)
    if finding is None:
        return missing("emission", Zone.FRONT)
    if year_is_possible or finding.confirmation is Confirmation.SAME:
        return finding
    return replace(
        finding, decision=Decision.REVIEW, reasons=(*finding.reasons, Reason.UNCONFIRMED)
    )


def _validity(card: VoterCard) -> Iterator[Finding]:
    """Judge the term: a card is valid for ten years, through 31 December of its last year.

    A year alone may be that of the issue, so the expiry is not accepted on its own.
    """
    issued, expires = card.value("emissionYear"), card.value("expiryYear")
    expiry = card.mrz.expiry_date if card.mrz else None
    on_back = str(expiry.year) if expiry else None
    finding = compare(
        "expiryYear",
        printed(card.front, "expiryYear"),
        {Reason.CONTRADICTS_MRZ: on_back, Reason.CONTRADICTS_PRINT: _years_from(issued, 10)},
    ) or missing("expiryYear", Zone.FRONT)
    if finding.accepted and not (issued or on_back):
        finding = replace(finding, decision=Decision.REVIEW, reasons=(Reason.UNCONFIRMED,))
    yield finding
    if finding.value:
        yield replace(
            finding,
            field="expiryDate",
            value=f"{finding.value}-12-31",
            alternatives=tuple(f"{year}-12-31" for year in finding.alternatives),
        )
    yield compare(
        "emissionYear",
        printed(card.front, "emissionYear"),
        {Reason.CONTRADICTS_PRINT: _years_from(expires, -10)},
    ) or missing("emissionYear", Zone.FRONT)


def _years_from(year: str | None, years: int) -> str | None:
    return str(int(year) + years) if year and year.isdecimal() else None


def _back(card: VoterCard, back: PageReading) -> Iterator[Finding]:
    if model_on(back) is IneModel.C:
        yield _printed_ocr(card, back)
        return
    zone = card.zone
    if zone is None or zone.value.ine is None:
        yield from (missing(field, Zone.MRZ) for field in (*ESSENTIAL_BACK, "citizenId"))
        return
    against = _whose_card(card, zone.value)
    print_of_cic = printed(back, "cic")
    rule = Confirmation.RULE
    cic = zone.evidence(lambda z: z.ine.cic if z.ine else "")
    if print_of_cic and print_of_cic.value != cic.value:
        yield decide("cic", cic, confirmation=rule, against=(*against, Reason.CONTRADICTS_PRINT))
    else:
        yield decide("cic", cic, confirmation=rule, against=against)
    ocr = zone.evidence(lambda z: z.ine.ocr if z.ine else "")
    yield decide("ocr", ocr, confirmation=rule, against=against)
    citizen = zone.evidence(lambda z: z.ine.citizen_id if z.ine else "")
    yield decide("citizenId", citizen, confirmation=rule, against=against)
    lines = zone.evidence(lambda z: "\n".join(z.lines))
    yield decide("mrz", lines, confirmation=rule, against=against)


def _printed_ocr(card: VoterCard, back: PageReading) -> Finding:
    """Judge the OCR number of a back without a zone; it begins with the section."""
    evidence, section = printed(back, "ocr"), card.value("section")
    if evidence is None:
        return missing("ocr", Zone.BACK)
    other = section is not None and not evidence.value.startswith(section)
    return decide("ocr", evidence, against=(Reason.CONTRADICTS_PRINT,) if other else ())


def _whose_card(card: VoterCard, zone: Mrz) -> tuple[Reason, ...]:
    """Whether the back belongs to the front: name, birth date, sex and section must match."""
    birth, section = iso_date(card.value("dateOfBirth")), card.value("section")
    disagree = (
        not same_name(card.name.surnames, zone.surnames, truncated=zone.names_truncated),
        not same_name(card.name.given, zone.given, truncated=zone.names_truncated),
        birth is not None and f"{birth:%y%m%d}" != zone.birth,
        bool(section and zone.ine and section != zone.ine.section),
    )
    return (Reason.CONTRADICTS_PRINT,) if any(disagree) else ()


def _model_grounds(sides: Sides, findings: Findings) -> tuple[DocumentReason, ...]:
    """Return the codes of the model. An outdated model has expired, even with a later year."""
    finding = findings.get("ineModel")
    if finding is None:
        return ()
    if any(reason.contradiction for reason in finding.reasons):
        return (DocumentReason.FIELDS_CONTRADICT,)
    if model_on(sides.front) not in OUTDATED:
        return ()
    if finding.accepted:
        return (DocumentReason.DOCUMENT_EXPIRED,)
    return (DocumentReason.DOCUMENT_NOT_SUPPORTED,)


def _details(_sides: Sides, findings: Findings, _today: date) -> dict[str, str | None]:
    finding = findings.get("ineModel")
    return {"model": finding.value if finding else None}


RULES: Final = DocumentRules(
    front=PageKind.INE_FRONT,
    back=PageKind.INE_BACK,
    judge=judge_card,
    essential=ESSENTIAL,
    essential_of_back=ESSENTIAL_BACK,
    grounds=_model_grounds,
    details=_details,
)
