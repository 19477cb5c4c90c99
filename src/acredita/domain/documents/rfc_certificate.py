"""The RFC certificate (SAT's Constancia de Situación Fiscal) of a person or a company."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from acredita.domain.documents.barcodes import (
    TaxCode,
    agreement,
    code_contradictions,
    codes_disagree,
    decide_with_code,
    has_foreign_address,
    tax_code,
)
from acredita.domain.documents.birth_dates import iso_date
from acredita.domain.documents.certificate_age import age_warning
from acredita.domain.documents.findings import (
    Confirmation,
    Evidence,
    Finding,
    Reason,
    Zone,
    decide,
    decide_curp,
    missing,
    printed,
    printed_in_lines,
)
from acredita.domain.documents.kind_interface import DocumentRules, Findings, Sides
from acredita.domain.documents.misread_names import enye_form, nearly_common, unevenly_accented
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.identifiers import curp, rfc
from acredita.domain.identifiers.company_letters import letters_in_use
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.problems import Fault
from acredita.domain.identifiers.rfc import Rfc, RfcKind
from acredita.domain.identifiers.tax_regimes import TAX_REGIMES
from acredita.domain.names import PersonName, fold, same_words

ESSENTIAL: Final = ("rfc", "idCif", "givenNames", "paternalSurname", "companyName")
ACTIVE: Final = frozenset(("ACTIVO", "REACTIVADO"))
STATUSES: Final = ACTIVE | {"SUSPENDIDO", "CANCELADO", "SIN OBLIGACIONES", "SUSPENSION PROVISIONAL"}
NOT_ACTIVE: Final = "TAXPAYER_NOT_ACTIVE"
_PARTS: Final = {
    "givenNames": "given",
    "paternalSurname": "paterno",
    "maternalSurname": "materno",
}
_STREET: Final = ("streetKind", "street", "outerNumber", "innerNumber")


@dataclass(frozen=True, slots=True)
class _Paper:
    page: PageReading
    annex: PageReading | None
    rfc: Rfc | None
    rfc_digit_holds: bool
    curp: Curp | None
    name: PersonName | None
    company: str
    said: TaxCode | None
    today: date

    @property
    def whole_name(self) -> str:
        return self.company or (self.name.full if self.name else "")

    @property
    def name_told(self) -> bool:
        """Whether the code has the same name, word for word."""
        return bool(self.said and self.said.name and same_words(self.said.name, self.whole_name))


def judge_rfc_certificate(sides: Sides, today: date) -> list[Finding]:
    """Return a finding for each field: for a company its name, for a person also the CURP."""
    paper = _paper(sides, today)
    return [
        *_rfc(paper),
        *_holder(paper),
        *_id_cif(paper),
        *_standing(paper),
        *_domicile(paper),
    ]


def _paper(sides: Sides, today: date) -> _Paper:
    page = sides.front
    values = {s.field: s.value for s in page.sightings}
    reading = rfc.parse(values.get("rfc", ""))
    given, paterno = values.get("givenNames", ""), values.get("paternalSurname", "")
    name = PersonName(given, paterno, values.get("maternalSurname", ""))
    company = printed_in_lines(page, "companyName")
    codes = (*page.codes, *(sides.back.codes if sides.back else ()))
    return _Paper(
        page,
        sides.back,
        reading.value,
        reading.value is not None and not reading.faults,
        curp.parse(values.get("curp", "")).value,
        name if given and paterno else None,
        company.value if company else "",
        tax_code(codes),
        today,
    )


def _rfc(paper: _Paper) -> Iterator[Finding]:
    evidence = printed(paper.page, "rfc")
    if evidence is None:
        yield missing("rfc", Zone.CERTIFICATE)
        return
    if paper.rfc is None or paper.rfc.kind is RfcKind.GENERIC:
        yield decide("rfc", evidence, against=(Reason.INVALID,))
        return
    above = paper.page.sighting("rfcAbove")
    against = [*_against_rfc(paper, paper.rfc)]
    if above and above.value != evidence.value:
        against.insert(0, Reason.CONTRADICTS_PRINT)
    confirmation = Confirmation.NONE
    if above and above.value == evidence.value:
        confirmation = Confirmation.SAME
    elif paper.rfc_digit_holds and _letters_fit(paper, paper.rfc):
        confirmation = Confirmation.RULE
    elif not paper.rfc_digit_holds and paper.said is None:
        against.append(Reason.CHECK_DIGIT_WRONG)
    said = paper.said.rfc if paper.said else None
    yield decide_with_code("rfc", evidence, said, confirmation=confirmation, against=against)


def _against_rfc(paper: _Paper, known: Rfc) -> Iterator[Reason]:
    """What else on the pages contradicts the RFC."""
    is_person = known.kind is RfcKind.PERSON
    if is_person and any(fault.field == "birth_date" for fault in _faults(paper, known)):
        yield Reason.CONTRADICTS_CURP
    if paper.company if is_person else paper.name:
        yield Reason.CONTRADICTS_NAME
    codes = (*paper.page.codes, *(paper.annex.codes if paper.annex else ()))
    if codes_disagree(codes) or (paper.said is None and has_foreign_address(codes)):
        yield Reason.CONTRADICTS_CODE


def _faults(paper: _Paper, known: Rfc) -> tuple[Fault, ...]:
    return rfc.contradictions(known, curp=paper.curp, name=paper.name)


def _letters_fit(paper: _Paper, known: Rfc) -> bool:
    if known.kind is RfcKind.PERSON:
        return paper.name is not None and not _faults(paper, known)
    try:
        return bool(paper.company) and known.letters in letters_in_use(paper.company)
    except ValueError:
        return False


def _holder(paper: _Paper) -> Iterator[Finding]:
    if paper.company or (paper.rfc and paper.rfc.kind is RfcKind.COMPANY):
        yield from _company(paper)
        return
    for field, part in _PARTS.items():
        evidence = printed(paper.page, field)
        if evidence is not None:
            yield _name_part(paper, field, part, evidence)
        elif field != "maternalSurname":
            yield missing(field, Zone.CERTIFICATE)
    if evidence := printed(paper.page, "curp"):
        yield _curp(paper, evidence)


def _company(paper: _Paper) -> Iterator[Finding]:
    evidence = printed_in_lines(paper.page, "companyName")
    if evidence is None:
        yield missing("companyName", Zone.CERTIFICATE)
        return
    against = _against_code(paper)
    fits = paper.rfc is not None and _letters_fit(paper, paper.rfc)
    confirmation = Confirmation.LETTERS if fits else Confirmation.NONE
    coded = evidence.value if paper.name_told else None
    yield decide_with_code(
        "companyName", evidence, coded, confirmation=confirmation, against=against
    )
    if capital := printed_in_lines(paper.page, "capitalRegime"):
        yield decide("capitalRegime", capital)


def _against_code(paper: _Paper) -> list[Reason]:
    told_otherwise = paper.said and paper.said.name and not paper.name_told
    return [Reason.CONTRADICTS_CODE] if told_otherwise else []


def _name_part(paper: _Paper, field: str, part: str, evidence: Evidence) -> Finding:
    against = _against_code(paper)
    if paper.curp is None:
        against.append(Reason.UNCONFIRMED)
    elif paper.name and part in {
        fault.field for fault in curp.contradictions(paper.curp, name=paper.name)
    }:
        against.append(Reason.CONTRADICTS_CURP)
    if paper.name_told and _same_enye(paper):
        return decide_with_code(field, evidence, evidence.value, against=against)
    if nearly_common(evidence.value) or unevenly_accented(evidence.value):
        against.append(Reason.UNUSUAL_SPELLING)
    if enye_form(evidence.value):
        against.append(Reason.POSSIBLE_ENYE)
    return decide(field, evidence, against=tuple(against))


def _same_enye(paper: _Paper) -> bool:
    coded = paper.said.name if paper.said else None
    return coded is not None and fold(coded, enye="Ñ").count("Ñ") == paper.whole_name.count("Ñ")


def _curp(paper: _Paper, evidence: Evidence) -> Finding:
    reading = curp.parse(evidence.value)
    if reading.value is None:
        return decide("curp", evidence, against=(Reason.INVALID,), impossible=True)
    against: list[Reason] = []
    if paper.name is None:
        against.append(Reason.UNCONFIRMED)
    elif curp.contradictions(reading.value, name=paper.name):
        against.append(Reason.CONTRADICTS_NAME)
    if paper.rfc and reading.value.birth_date not in paper.rfc.dates:
        against.append(Reason.CONTRADICTS_PRINT)
    # Nothing on the page repeats the sex, the state of birth or the last two characters, of which
    # the very last checks the others.
    return decide_curp(evidence, against, digit_holds=reading.valid)


def _id_cif(paper: _Paper) -> Iterator[Finding]:
    evidence = printed(paper.page, "idCif")
    if evidence is None:
        yield missing("idCif", Zone.CERTIFICATE)
        return
    yield decide_with_code("idCif", evidence, paper.said.id_cif if paper.said else None)


def _standing(paper: _Paper) -> Iterator[Finding]:
    if status := printed(paper.page, "taxpayerStatus"):
        known = fold(status.value) in STATUSES
        confirmation = Confirmation.RULE if known else Confirmation.NONE
        against = () if known else (Reason.INVALID,)
        yield decide("taxpayerStatus", status, confirmation=confirmation, against=against)
    for field in ("operationsStart", "issueDate"):
        evidence = printed(paper.page, field)
        if evidence is None:
            continue
        day = iso_date(evidence.value)
        invalid = () if day is not None and day <= paper.today else (Reason.INVALID,)
        said = paper.said.issued if paper.said and field == "issueDate" else None
        yield decide_with_code(field, evidence, said, against=invalid)
    yield from _regimes(paper)


def _regimes(paper: _Paper) -> Iterator[Finding]:
    """Yield the tax regimes, as codes of SAT's catalogue; their long names are easy to identify."""
    named = [
        evidence
        for number in range(1, 9)
        if (evidence := printed(paper.annex, f"taxRegime{number}"))
    ]
    if not named:
        return
    codes = sorted({evidence.value for evidence in named})
    known = all(code in TAX_REGIMES for code in codes)
    whole = replace(
        named[0],
        value=", ".join(codes),
        confidence=min(evidence.confidence for evidence in named),
        agreed=all(evidence.agreed for evidence in named),
        alternatives=(),
    )
    yield decide(
        "taxRegimes",
        whole,
        confirmation=Confirmation.RULE if known else Confirmation.NONE,
        against=() if known else (Reason.INVALID,),
    )


def _domicile(paper: _Paper) -> Iterator[Finding]:
    """Yield the address. Nothing confirms it, so it is never accepted."""
    seen = {
        field: evidence
        for field in (*_STREET, "neighbourhood", "postalCode", "municipality", "state")
        if (evidence := printed_in_lines(paper.page, field)) and evidence.value
    }
    if postal := seen.get("postalCode"):
        yield decide("postalCode", postal)
    if not seen:
        return
    street = [seen[field].value for field in _STREET[:3] if field in seen]
    if inner := seen.get("innerNumber"):
        street += ["INT", inner.value]
    rest = [
        seen[f].value for f in ("neighbourhood", "postalCode", "municipality", "state") if f in seen
    ]
    first = next(iter(seen.values()))
    whole = replace(
        first,
        value=", ".join(part for part in (" ".join(street), *rest) if part),
        confidence=min(evidence.confidence for evidence in seen.values()),
        agreed=all(evidence.agreed for evidence in seen.values()),
        alternatives=(),
    )
    yield decide("address", whole, against=(Reason.UNCONFIRMED,))


def _details(sides: Sides, findings: Findings, today: date) -> dict[str, str | None]:
    codes = (*sides.front.codes, *(sides.back.codes if sides.back else ()))
    status, company = findings.get("taxpayerStatus"), findings.get("companyName")
    warning = age_warning(findings, today)
    if status and status.accepted and fold(status.value or "") not in ACTIVE:
        warning = NOT_ACTIVE
    tax_id = findings.get("rfc")
    details = {
        "rfc": tax_id.value if tax_id else None,
        "barcode": agreement(codes, findings.values()).value,
        "warning": warning,
    }
    return details | ({"name": company.value} if company else {})


RULES: Final = DocumentRules(
    front=PageKind.RFC_CERTIFICATE,
    back=PageKind.RFC_CERTIFICATE_ANNEX,
    judge=judge_rfc_certificate,
    essential=ESSENTIAL,
    grounds=code_contradictions,
    details=_details,
)
