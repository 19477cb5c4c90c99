"""The answers of a bridge as they must be on the wire: docs/government-bridge.md, one class each.

Every key is required and no other is admitted, nothing is coerced: a bridge that misspells a key or
sends a number for a text is found out at its first answer, not by the people it lets through.
"""

from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from acredita.domain.government.answers import (
    CurpAnswer,
    CurpRecord,
    IneAnswer,
    Outcome,
    Receipt,
    RfcAnswer,
)
from acredita.domain.identifiers import clave_elector, curp, states
from acredita.domain.identifiers.notation import Sex
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
        raise ValueError("not the code of a state")
    return code


def _of_this_age(moment: datetime) -> datetime:
    # The first and last years that a datetime can hold have no equal in UTC: converting them fails.
    if not 2000 <= moment.year < 2200:
        raise ValueError("not a moment of this age")
    return moment


NamePart = Annotated[str, Field(max_length=100), AfterValidator(_printable)]
Words = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(_printable)]


class _Wire(BaseModel):
    model_config = ConfigDict(
        strict=True,
        extra="forbid",
        frozen=True,
        alias_generator=to_camel,
        hide_input_in_errors=True,
    )


class Attested(_Wire):
    response_id: Words
    checked_at: Annotated[AwareDatetime, AfterValidator(_of_this_age)]
    sandbox: bool

    @property
    def receipt(self) -> Receipt:
        return Receipt(self.response_id, self.checked_at, self.sandbox)


class NotFound(Attested):
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


class CurpFound(Attested):
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
            ),
        )


class Verdict(Attested):
    outcome: Literal["match", "mismatch", "annulled", "unknown_status"]
    status: Words | None


class IneVerdict(Verdict):
    clave: Annotated[str, AfterValidator(_clave)] | None

    def answer(self) -> IneAnswer:
        return IneAnswer(self.receipt, Outcome(self.outcome), self.status, self.clave)


class RfcVerdict(Verdict):
    def answer(self) -> RfcAnswer:
        return RfcAnswer(self.receipt, Outcome(self.outcome), self.status)
