"""Plan the questions to the registries from the known data of a person.

| registry | question | asked by default when |
|---|---|---|
| renapo | the record of a CURP | the CURP is known |
| ine | is this voter card in force | the numbers that its model requires are known |
| sat | is this RFC registered with this name | the RFC is known and no other question is possible |

A step's `registries` replaces the default. If data for a named registry are missing, the step ends
in review, so that nobody avoids a check by covering a number on a card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from acredita.domain.identifiers import curp, rfc
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.identifiers.ine import (
    CardInputs,
    CitizenInputs,
    IneModel,
    RegistryInputs,
    VoterKeyInputs,
    registry_inputs,
)
from acredita.domain.identifiers.problems import FaultCode
from acredita.domain.identifiers.rfc import RfcKind
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName, fold


class Registry(StrEnum):
    RENAPO = "renapo"
    INE = "ine"
    SAT = "sat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claimed:
    """The person's data from the documents, or else from the caller. None: not stated.

    `accepted` has the names of the fields with a sure reading. Only these can lead to a rejection,
    because other fields may be misread.
    """

    curp: str | None = None
    name: PersonName | None = None
    legal_name: str | None = None
    birth_date: date | None = None
    sex: Sex | None = None
    state: State | None = None
    rfc: str | None = None
    clave: str | None = None
    cic: str | None = None
    ocr: str | None = None
    citizen_id: str | None = None
    emission: str | None = None
    ine_model: IneModel | None = None
    accepted: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CurpQuestion:
    curp: str


@dataclass(frozen=True, slots=True)
class RfcQuestion:
    rfc: str
    name: str | None


# Clave, emission and OCR; CIC and OCR; or CIC and citizen id: the card's model decides.
IneQuestion = RegistryInputs
Question = CurpQuestion | IneQuestion | RfcQuestion


def plan(
    claimed: Claimed, registries: Sequence[Registry] | None = None
) -> dict[Registry, Question | None]:
    """Return the question for each registry; None if the known data are not sufficient.

    `registries`: the registries to ask. None: the default of the table above.
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


def ine_question(claimed: Claimed) -> IneQuestion | None:
    """Without a known model, try a current card first, then one without a CIC."""
    models = (claimed.ine_model,) if claimed.ine_model else (IneModel.H, IneModel.C)
    for model in models:
        inputs = registry_inputs(
            model,
            clave=claimed.clave or "",
            emission=claimed.emission or "",
            ocr=claimed.ocr or "",
            cic=claimed.cic or "",
            citizen_id=claimed.citizen_id or "",
        )
        if inputs.value:
            return inputs.value
    return None


def ine_fields(claimed: Claimed) -> frozenset[str]:
    """The fields of the claim that the question about the voter card uses."""
    match ine_question(claimed):
        case VoterKeyInputs():
            return frozenset(("clave", "emission", "ocr"))
        case CardInputs():
            return frozenset(("cic", "ocr"))
        case CitizenInputs():
            return frozenset(("cic", "citizen_id" if claimed.citizen_id else "ocr"))
        case None:
            return frozenset()


def _rfc_question(claimed: Claimed) -> RfcQuestion | None:
    reading = rfc.parse(claimed.rfc or "")
    if reading.value is None or reading.value.kind is RfcKind.GENERIC:
        return None
    # SAT keeps names in capitals without accents, but with their Ñ.
    name = claimed.name.full if claimed.name else claimed.legal_name
    return RfcQuestion(reading.value.text, fold(name, enye="Ñ") if name else None)
