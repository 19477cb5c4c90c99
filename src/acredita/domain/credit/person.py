"""The person of a credit check: compare the caller's data with each other and complete them.

Contradictory data are not sent to a bureau, because a consultation is billed and recorded in the
person's file. A missing value is derived only if there is exactly one possibility.
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

# Nobody older is alive. An RFC leaves two centuries open, and this usually excludes one.
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
    """The data as the caller wrote them. None: not stated."""

    full_name: str
    rfc: str | None = None
    curp: str | None = None
    date_of_birth: str | None = None
    names: PersonName | None = None
    address: PostalAddress | None = None
    consent_reference: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The known data of the person. If `rfc` is a company's, there is no name and no date."""

    full_name: str
    name: PersonName | None
    birth_date: date | None
    rfc: Rfc | None
    curp: Curp | None
    address: PostalAddress | None
    consent_reference: str | None


@dataclass(frozen=True, slots=True)
class Remark:
    """A message about a field, by its name in the API. Messages never quote the value."""

    field: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """The question to the bureau, or the faults for which no bureau is asked."""

    question: Question | None
    faults: tuple[Remark, ...] = ()
    warnings: tuple[Remark, ...] = ()


def prepare(stated: Stated, today: date) -> Prepared:
    """Compare the stated data with each other and complete the missing ones.

    A wrong check digit is a fault of a CURP and a warning of an RFC: about 1.5 % of the issued
    RFCs have one."""
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
        # `fromisoformat` also accepts the week form with ten characters: 2026-W01-1.
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
    """A CURP states the century; an RFC determines it only if one century is possible."""
    if curp is not None:
        return curp.birth_date
    if rfc is None or rfc.kind is not RfcKind.PERSON:
        return None
    possible = [born for born in rfc.dates if born <= today and today.year - born.year <= OLDEST]
    return possible[0] if len(possible) == 1 else None
