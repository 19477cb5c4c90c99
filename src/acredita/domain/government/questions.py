"""Which registry to ask what, given what is known of a person.

| registry | question | asked by default when |
|---|---|---|
| renapo | the record of a CURP | a CURP is at hand |
| ine | is this voter card in force | the card's numbers are at hand (see `IneQuestion`) |
| sat | is this RFC known, under this name | an RFC is at hand and nothing else can be asked |

A step's `registries` names them instead; one that is named and cannot be asked for want of data
ends in review, so that leaving a number off a card never spares its holder a check.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from acredita.domain.identifiers import clave_elector, curp
from acredita.domain.identifiers.faults import FaultCode
from acredita.domain.identifiers.notation import Sex, compact
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName, fold


class Registry(StrEnum):
    RENAPO = "renapo"
    INE = "ine"
    SAT = "sat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """What the documents, or else the caller, say of the person; None for what they do not.

    `accepted` names the fields whose reading is sure. Only those can turn a registry's answer into
    a rejection: what may have been misread never does.
    """

    curp: str | None = None
    name: PersonName | None = None
    birth_date: date | None = None
    sex: Sex | None = None
    state: State | None = None
    rfc: str | None = None
    clave: str | None = None
    cic: str | None = None
    ocr: str | None = None
    citizen_id: str | None = None
    emission: str | None = None
    ine_model: str | None = None
    accepted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CurpQuestion:
    curp: str


@dataclass(frozen=True, slots=True)
class IneModelC:
    """Cards of 2008 to 2013: they have no CIC."""

    clave: str
    emission: str
    ocr: str


@dataclass(frozen=True, slots=True)
class IneModelD:
    """Cards of 2013 and 2014."""

    cic: str
    ocr: str


@dataclass(frozen=True, slots=True)
class IneModelEToH:
    """Cards since July 2014; the citizen's id is the last nine digits of the OCR number."""

    cic: str
    citizen_id: str


IneQuestion = IneModelC | IneModelD | IneModelEToH


@dataclass(frozen=True, slots=True)
class RfcQuestion:
    rfc: str
    name: str | None


Question = CurpQuestion | IneQuestion | RfcQuestion

# Not `\d`, which admits the digits of every script.
_DIGITS = {
    "cic": re.compile(r"[0-9]{9}"),
    "ocr": re.compile(r"[0-9]{13}"),
    "citizen_id": re.compile(r"[0-9]{9}"),
    "emission": re.compile(r"[0-9]{2}"),
}
# What each model of card is asked by, the best first; None: the model is not known.
_BY_CITIZEN, _BY_OCR, _BY_EMISSION = (
    ("cic", "citizen_id"),
    ("cic", "ocr"),
    ("clave", "emission", "ocr"),
)
_INE_FIELDS: dict[str | None, tuple[tuple[str, ...], ...]] = {
    "C": (_BY_EMISSION,),
    "D": (_BY_OCR,),
    **dict.fromkeys("EFGH", (_BY_CITIZEN, _BY_OCR)),
    None: (_BY_CITIZEN, _BY_OCR, _BY_EMISSION),
}
_RFC = re.compile(r"[A-ZÑ&]{3,4}[0-9]{6}[A-Z0-9]{3}")


def plan(
    claimed: Claimed, registries: Sequence[Registry] | None = None
) -> dict[Registry, Question | None]:
    """The question for each registry; None where the data at hand do not suffice for one.

    `registries` None asks by default, as the table above says.
    """
    possible: dict[Registry, Question | None] = {
        Registry.RENAPO: _curp_question(claimed),
        Registry.INE: ine_question(claimed),
        Registry.SAT: _rfc_question(claimed),
    }
    if registries is not None:
        return {registry: possible[registry] for registry in registries}
    at_hand = {registry: question for registry, question in possible.items() if question}
    if len(at_hand) > 1:
        at_hand.pop(Registry.SAT, None)
    return dict(at_hand)


def _curp_question(claimed: Claimed) -> CurpQuestion | None:
    reading = curp.parse(claimed.curp or "")
    if reading.value is None or any(
        fault.code is FaultCode.CHECK_DIGIT for fault in reading.faults
    ):
        return None
    return CurpQuestion(reading.value.text)


def ine_fields(claimed: Claimed) -> frozenset[str]:
    """The fields that make up the question about the voter card; none when it cannot be asked."""
    choices = _INE_FIELDS.get(claimed.ine_model, ())
    complete = (fields for fields in choices if all(_well_formed(claimed, it) for it in fields))
    return frozenset(next(complete, ()))


def ine_question(claimed: Claimed) -> IneQuestion | None:
    fields = ine_fields(claimed)
    if not fields:
        return None
    if "clave" in fields:
        return IneModelC(compact(claimed.clave or ""), claimed.emission or "", claimed.ocr or "")
    if claimed.ine_model == "D":
        return IneModelD(claimed.cic or "", claimed.ocr or "")
    by_citizen = "citizen_id" in fields
    citizen_id = claimed.citizen_id if by_citizen else (claimed.ocr or "")[4:]
    return IneModelEToH(claimed.cic or "", citizen_id or "")


def _well_formed(claimed: Claimed, field: str) -> bool:
    value: str = getattr(claimed, field) or ""
    if field == "clave":
        return clave_elector.parse(value).value is not None
    return _DIGITS[field].fullmatch(value) is not None


def _rfc_question(claimed: Claimed) -> RfcQuestion | None:
    rfc = compact(claimed.rfc or "")
    if not _RFC.fullmatch(rfc):
        return None
    # SAT keeps names in capitals without accents, but with their Ñ.
    return RfcQuestion(rfc, fold(claimed.name.full, enye="Ñ") if claimed.name else None)
