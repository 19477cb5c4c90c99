"""Judge a CURP certificate (constancia de la CURP) by its print, its code and the CURP's rules.

It prints the CURP, the name in one line and the registration of the birth. Date of birth, sex and
state of birth come from the CURP itself and from the code.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from acredita.domain.documents.barcodes import (
    CurpCode,
    agreement,
    code_contradictions,
    codes_disagree,
    curp_code,
    decide_with_code,
    has_foreign_address,
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
    missing,
    printed,
    printed_in_lines,
)
from acredita.domain.documents.kind_interface import DocumentRules, Findings, Sides
from acredita.domain.documents.misread_names import enye_form, nearly_common
from acredita.domain.documents.name_parts import read_name
from acredita.domain.documents.pages import PageKind, PageReading
from acredita.domain.identifiers import curp, states
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName, fold

ESSENTIAL: Final = ("curp", "givenNames", "paternalSurname", "dateOfBirth", "sex")
_PARTS: Final = {
    "givenNames": "given",
    "paternalSurname": "paterno",
    "maternalSurname": "materno",
}


@dataclass(frozen=True, slots=True)
class _Paper:
    """The parsed readings of one certificate. `name` is the printed name, split into its parts;
    `fits` states whether its letters match the CURP.
    """

    page: PageReading
    curp: Curp | None
    digit_holds: bool
    said: CurpCode | None
    name: PersonName | None
    ambiguous: bool
    today: date

    @property
    def name_faults(self) -> set[str]:
        if self.curp is None or self.name is None:
            return set()
        return {fault.field for fault in curp.contradictions(self.curp, name=self.name)}


def judge_curp_certificate(sides: Sides, today: date) -> list[Finding]:
    """Return a finding for each field."""
    paper = _paper(sides.front, today)
    sighted = printed(sides.front, "curp")
    findings = [*_name(paper)]
    if sighted is None:
        findings += [missing(field, Zone.CERTIFICATE) for field in ("curp", "dateOfBirth", "sex")]
    else:
        whole = _curp(paper, sighted)
        findings += [whole, *_of_the_curp(paper, whole)]
    return [*findings, *_birth_record(paper), *_issue(paper)]


def _paper(page: PageReading, today: date) -> _Paper:
    sighted = page.sighting("curp")
    reading = curp.parse(sighted.value if sighted else "")
    said = curp_code(page.codes)
    whole = printed_in_lines(page, "fullName")
    name, ambiguous = _parted(whole.value if whole else "", said, reading.value)
    return _Paper(
        page,
        reading.value,
        reading.value is not None and reading.valid,
        said,
        name,
        ambiguous,
        today,
    )


def _parted(text: str, said: CurpCode | None, known: Curp | None) -> tuple[PersonName | None, bool]:
    """Split the printed name as in the code, otherwise by the CURP's letters."""
    words = text.split()
    if said and said.name and (parted := _like(words, said.name)):
        return parted, False
    read = read_name({"fullName": text}, known) if text else None
    return (read.person, read.ambiguous) if read and read.parts else (None, False)


def _like(words: list[str], name: PersonName) -> PersonName | None:
    """Split the words like `name`, given names first or last; None if the words differ."""
    given, paterno, materno = (
        len(part.split()) for part in (name.given, name.paterno, name.materno)
    )
    for order in ("given first", "surnames first"):
        if order == "given first":
            cuts = given, given + paterno, given + paterno + materno
            parts = words[: cuts[0]], words[cuts[0] : cuts[1]], words[cuts[1] :]
        else:
            surnames = paterno + materno
            parts = words[surnames:], words[:paterno], words[paterno:surnames]
        parted = PersonName(*(" ".join(part) for part in parts))
        if parted.same_as(name):
            return parted
    return None


def _name(paper: _Paper) -> Iterator[Finding]:
    whole = printed_in_lines(paper.page, "fullName")
    if whole is None:
        yield from (missing(field, Zone.CERTIFICATE) for field in ("givenNames", "paternalSurname"))
        return
    if paper.name is None:
        yield decide("fullName", whole, against=_against_whole(paper, whole))
        return
    for field, part in _PARTS.items():
        if value := getattr(paper.name, part):
            evidence = replace(whole, value=value, alternatives=())
            yield _part(paper, field, part, evidence)


def _against_whole(paper: _Paper, whole: Evidence) -> tuple[Reason, ...]:
    said = paper.said
    if said and (said.name or said.full_name):
        coded = said.name.full if said.name else said.full_name or ""
        if fold(coded) != fold(whole.value):
            return (Reason.CONTRADICTS_CODE,)
    return (Reason.CONTRADICTS_CURP if paper.curp else Reason.UNCONFIRMED,)


def _part(paper: _Paper, field: str, part: str, evidence: Evidence) -> Finding:
    against = [Reason.CONTRADICTS_CURP] if part in paper.name_faults else []
    coded = _coded_part(paper, part, evidence.value)
    if coded is not None:
        return decide_with_code(field, evidence, coded, against=against)
    if paper.said and (paper.said.name or paper.said.full_name):
        against.append(Reason.CONTRADICTS_CODE)
    if paper.curp is None or paper.ambiguous:
        against.append(Reason.UNCONFIRMED)
    if nearly_common(evidence.value):
        against.append(Reason.UNUSUAL_SPELLING)
    if enye_form(evidence.value):
        against.append(Reason.POSSIBLE_ENYE)
    return decide(field, evidence, against=tuple(against))


def _coded_part(paper: _Paper, part: str, value: str) -> str | None:
    """Return the code's value of the part, in the print's spelling if only accents differ; None if
    there is none, or if the whole print contradicts it.
    """
    said = paper.said
    if said is None:
        return None
    if said.name is not None:
        coded = str(getattr(said.name, part))
        return value if fold(coded, enye="Ñ") == fold(value, enye="Ñ") else coded
    whole = printed_in_lines(paper.page, "fullName")
    same = (
        whole and said.full_name and fold(said.full_name, enye="Ñ") == fold(whole.value, enye="Ñ")
    )
    return value if same else None


def _curp(paper: _Paper, evidence: Evidence) -> Finding:
    said = paper.said.curp if paper.said else None
    against: list[Reason] = []
    if paper.curp is None:
        return decide("curp", evidence, against=(Reason.INVALID,), impossible=True)
    if not paper.digit_holds:
        against.append(Reason.CHECK_DIGIT_WRONG)
    if paper.name is None or paper.name_faults:
        against.append(Reason.UNCONFIRMED if paper.name is None else Reason.CONTRADICTS_NAME)
    codes = paper.page.codes
    if codes_disagree(codes) or (said is None and has_foreign_address(codes)):
        against.append(Reason.CONTRADICTS_CODE)
    confirmation = Confirmation.NONE if against else Confirmation.RULE
    return decide_with_code(
        "curp",
        evidence,
        said,
        confirmation=confirmation,
        against=against,
        impossible=not paper.digit_holds,
    )


def _of_the_curp(paper: _Paper, whole: Finding) -> Iterator[Finding]:
    """Yield the fields that the CURP contains, confirmed or contradicted by the code."""
    if paper.curp is None:
        yield from (missing(field, Zone.CERTIFICATE) for field in ("dateOfBirth", "sex"))
        return
    said = paper.said
    for field, value, coded in (
        ("dateOfBirth", paper.curp.birth_date.isoformat(), said.birth_date if said else None),
        ("sex", paper.curp.sex.value, said.sex.value if said and said.sex else None),
        ("stateOfBirth", paper.curp.state.name, said.state.name if said and said.state else None),
    ):
        part = replace(whole, field=field, value=value, alternatives=())
        yield part if coded in (None, value) else _contradicted(part, coded)


def _contradicted(finding: Finding, coded: str | None) -> Finding:
    evidence = Evidence(finding.value or "", finding.confidence, True, finding.source, finding.zone)
    return decide_with_code(finding.field, evidence, coded, against=finding.reasons)


def _birth_record(paper: _Paper) -> Iterator[Finding]:
    """Yield the fields of the birth's registration; the record's key repeats the state."""
    state = printed(paper.page, "birthRecordState")
    key = printed(paper.page, "birthRecord")
    named = states.named(state.value) if state else None
    differ = bool(named and key and named.number != int(key.value[1:3]))
    if state:
        yield _birth_record_state(state, named, key, differ=differ)
    if key is None:
        return
    born = paper.curp.birth_date.year if paper.curp else paper.today.year
    year = int(key.value[6:10])
    possible = born <= year <= paper.today.year
    reasons = () if possible and not differ else (Reason.CONTRADICTS_PRINT,)
    for field, start, end in (
        ("birthRecordMunicipality", 3, 6),
        ("birthRecordYear", 6, 10),
        ("birthRecordNumber", 10, 15),
    ):
        yield decide(field, replace(key, value=key.value[start:end]), against=reasons)


def _birth_record_state(
    state: Evidence, named: State | None, key: Evidence | None, *, differ: bool
) -> Finding:
    """The printed state by its usual name; the same state in the key of the record confirms it."""
    against = [] if named else [Reason.INVALID]
    if differ:
        against.append(Reason.CONTRADICTS_PRINT)
    confirmation = Confirmation.SAME if named and key and not differ else Confirmation.NONE
    value = replace(state, value=named.name if named else state.value)
    return decide("birthRecordState", value, confirmation=confirmation, against=tuple(against))


def _issue(paper: _Paper) -> Iterator[Finding]:
    if folio := printed(paper.page, "folio"):
        yield decide("folio", folio)
    for field in ("enrolmentDate", "issueDate"):
        evidence = printed(paper.page, field)
        if evidence is None:
            continue
        day = iso_date(evidence.value)
        valid = day is not None and day <= paper.today
        yield decide(field, evidence, against=() if valid else (Reason.INVALID,))


def _details(sides: Sides, findings: Findings, today: date) -> dict[str, str | None]:
    barcode = agreement(sides.front.codes, findings.values())
    details = {"barcode": barcode.value, "warning": age_warning(findings, today)}
    whole = findings.get("fullName")
    return details | ({"name": whole.value} if whole else {})


RULES: Final = DocumentRules(
    front=PageKind.CURP_CERTIFICATE,
    judge=judge_curp_certificate,
    essential=ESSENTIAL,
    optional=("fullName", "maternalSurname", "stateOfBirth"),
    grounds=code_contradictions,
    details=_details,
)
