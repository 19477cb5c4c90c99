"""The answers of a bridge on the wire (docs/operators/government-bridge.md), one class each.

Every key is required, other keys are rejected and nothing is coerced. So a bridge that misspells a
key or sends a number instead of a string fails at its first answer, before it approves anyone.
"""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from acredita.domain.government.responses import (
    CurpAnswer,
    CurpRecord,
    IneAnswer,
    Outcome,
    Receipt,
    RfcAnswer,
)
from acredita.domain.identifiers import clave_elector, curp, states
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.names import PersonName


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("control characters")
    return text


def _curp(text: str) -> str:
    if (value := curp.parse(text).value) is None:
        raise ValueError("not a CURP")
    return value.text


def _clave(text: str) -> str:
    if (value := clave_elector.parse(text).value) is None:
        raise ValueError("not a clave de elector")
    return value.text


def _state(code: str) -> str:
    if code not in states.BY_CODE:
        raise ValueError("not a state code")
    return code


def _plausible_time(moment: datetime) -> datetime:
    # Converting a datetime of the first or last supported year to UTC can overflow.
    if not 2000 <= moment.year < 2200:
        raise ValueError("not a time between 2000 and 2200")
    return moment


NamePart = Annotated[str, Field(max_length=100), AfterValidator(_printable)]
Words = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(_printable)]
Year = Annotated[str, Field(pattern="^(19|20)[0-9]{2}$")]


class _Wire(BaseModel):
    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        alias_generator=to_camel,
        hide_input_in_errors=True,
    )


class BridgeResponse(_Wire):
    response_id: Words
    checked_at: Annotated[AwareDatetime, AfterValidator(_plausible_time)]
    sandbox: bool

    @property
    def receipt(self) -> Receipt:
        return Receipt(self.response_id, self.checked_at, self.sandbox)


class NotFoundResponse(BridgeResponse):
    outcome: Literal["not_found"]


class Name(_Wire):
    given: NamePart
    paterno: NamePart
    materno: NamePart

    @model_validator(mode="after")
    def not_empty(self) -> "Name":
        if not (self.given or self.paterno):
            raise ValueError("an empty name")
        return self


class Record(_Wire):
    curp: Annotated[str, AfterValidator(_curp)]
    status: Words
    name: Name | None
    birth_date: date | None
    sex: Sex | None
    state: Annotated[str, AfterValidator(_state)] | None
    # Bridges of former releases do not send it.
    nationality: Annotated[str, Field(pattern="^[A-Z]{3}$")] | None = None


class CurpResponse(BridgeResponse):
    outcome: Literal["found"]
    record: Record

    def answer(self) -> CurpAnswer:
        record, name = self.record, self.record.name
        return CurpAnswer(
            self.receipt,
            CurpRecord(
                curp=record.curp,
                source_status=record.status,
                name=PersonName(name.given, name.paterno, name.materno) if name else None,
                birth_date=record.birth_date,
                sex=record.sex,
                state=states.BY_CODE[record.state] if record.state else None,
                nationality=record.nationality,
            ),
        )


class MatchResponse(BridgeResponse):
    outcome: Literal["match", "mismatch", "annulled", "unknown_status"]
    status: Words | None


class IneResponse(MatchResponse):
    clave: Annotated[str, AfterValidator(_clave)] | None
    # Bridges of former releases do not send them.
    registration_year: Year | None = None
    emission_year: Year | None = None

    def answer(self) -> IneAnswer:
        return IneAnswer(
            self.receipt,
            Outcome(self.outcome),
            self.status,
            self.clave,
            self.registration_year,
            self.emission_year,
        )


class RfcResponse(MatchResponse):
    def answer(self) -> RfcAnswer:
        return RfcAnswer(self.receipt, Outcome(self.outcome), self.status)
