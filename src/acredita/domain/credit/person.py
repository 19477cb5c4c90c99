"""Whom a credit bureau is asked about: what the caller states, held together and completed.

Nothing is sent to a bureau that contradicts itself, because a consultation is paid for and leaves a
trace in somebody's file. What is missing is derived only where there is one possibility.
"""

import re
from dataclasses import dataclass
from datetime import date

from acredita.domain.credit import full_names
from acredita.domain.government import name_comparison
from acredita.domain.government.name_comparison import Likeness
from acredita.domain.identifiers import curp as curps
from acredita.domain.identifiers import rfc as rfcs
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.problems import Fault, Severity
from acredita.domain.identifiers.rfc import Rfc, RfcKind
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName

# Nobody older is alive: of the two centuries that an RFC leaves open, one usually falls away.
OLDEST = 110
EARLIEST_BIRTH = date(1900, 1, 1)


@dataclass(frozen=True, slots=True)
class PostalAddress:
    """`street` with its number; `neighborhood` is the colonia."""

    street: str
    neighborhood: str
    municipality: str
    city: str
    state: State
    postal_code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """As the caller wrote it; None for what it left out."""

    full_name: str
    rfc: str | None = None
    curp: str | None = None
    date_of_birth: str | None = None
    names: PersonName | None = None
    address: PostalAddress | None = None
    consent_reference: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is known of the person. `rfc` may be a company's; then there is no name and no date."""

    full_name: str
    name: PersonName | None
    birth_date: date | None
    rfc: Rfc | None
    curp: Curp | None
    address: PostalAddress | None
    consent_reference: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """What is to be said of a field, by its name on the wire. Messages never quote the value."""

    field: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question, unless there are faults, for which nobody is asked."""

    question: Question | None
    faults: tuple[Remark, ...] = ()
    warnings: tuple[Remark, ...] = ()


def prepare(stated: Stated, today: date) -> Prepared:
    """Hold together what is stated, complete what is left out. Wrong check digit: CURP a fault,
    RFC a warning, because about 1.5 % of those issued have one."""
    faults: list[Remark] = []
    warnings: list[Remark] = []
    rfc = _rfc(stated.rfc, faults, warnings)
    curp = _curp(stated.curp, faults)
    birth_date = _birth_date(stated.date_of_birth, today, faults)
    if not faults:
        contradictions = _contradictions(rfc, curp, birth_date, stated.names)
        faults += [remark for remark, is_fault in contradictions if is_fault]
        warnings += [remark for remark, is_fault in contradictions if not is_fault]
    if stated.names is not None and _is_another(stated.full_name, stated.names):
        faults.append(Remark("names", "MISMATCH", "It is another name than fullName."))
    if faults:
        return Prepared(None, tuple(faults), tuple(warnings))
    question = Question(
        full_name=stated.full_name,
        name=stated.names or full_names.cut(stated.full_name, curp=curp, rfc=rfc),
        birth_date=birth_date or _told_birth_date(curp, rfc, today),
        rfc=rfc,
        curp=curp,
        address=stated.address,
        consent_reference=stated.consent_reference,
    )
    return Prepared(question, (), tuple(warnings))


def _rfc(text: str | None, faults: list[Remark], warnings: list[Remark]) -> Rfc | None:
    if text is None:
        return None
    reading = rfcs.parse(text)
    faults += [_remark("rfc", fault) for fault in reading.errors]
    warnings += [_remark("rfc", fault) for fault in reading.warnings]
    if reading.value is not None and reading.value.kind is RfcKind.GENERIC:
        faults.append(Remark("rfc", "GENERIC", "It is a generic RFC, which is nobody's."))
    return reading.value


def _curp(text: str | None, faults: list[Remark]) -> Curp | None:
    if text is None:
        return None
    reading = curps.parse(text)
    faults += [_remark("curp", fault) for fault in reading.faults]
    return reading.value


def _birth_date(text: str | None, today: date, faults: list[Remark]) -> date | None:
    if text is None:
        return None
    try:
        # `fromisoformat` alone takes the week form as well: 2026-W01-1 has ten characters, too.
        born = date.fromisoformat(text) if re.fullmatch("[0-9]{4}(-[0-9]{2}){2}", text) else None
    except ValueError:
        born = None
    if born is None:
        faults.append(Remark("dateOfBirth", "DATE", "It is not a date, written YYYY-MM-DD."))
    elif not EARLIEST_BIRTH <= born <= today:
        faults.append(Remark("dateOfBirth", "DATE", "Nobody alive was born on that date."))
    return born


def _contradictions(
    rfc: Rfc | None, curp: Curp | None, birth_date: date | None, names: PersonName | None
) -> list[tuple[Remark, bool]]:
    """Each with whether it is a fault. Dates that differ are; letters of a name are a warning,
    since registries have read names in many ways."""
    found: list[tuple[Remark, bool]] = []
    if rfc is not None and (curp or birth_date or names):
        found += [
            (_remark("rfc", fault), fault.severity is Severity.ERROR)
            for fault in rfcs.contradictions(rfc, curp=curp, name=names, birth_date=birth_date)
        ]
    if curp is not None:
        found += [
            (_remark("curp", fault), fault.field == "birth_date")
            for fault in curps.contradictions(curp, name=names, birth_date=birth_date)
        ]
    return found


def _remark(field: str, fault: Fault) -> Remark:
    return Remark(field, fault.code.value, fault.message)


def _is_another(full_name: str, names: PersonName) -> bool:
    whole = PersonName(given=full_name, paterno="")
    return name_comparison.of_names(whole, names) is Likeness.DIFFERENT


def _told_birth_date(curp: Curp | None, rfc: Rfc | None, today: date) -> date | None:
    """A CURP tells the century, an RFC only where a single one is possible."""
    if curp is not None:
        return curp.birth_date
    if rfc is None or rfc.kind is not RfcKind.PERSON:
        return None
    possible = [born for born in rfc.dates if born <= today and today.year - born.year <= OLDEST]
    return possible[0] if len(possible) == 1 else None
