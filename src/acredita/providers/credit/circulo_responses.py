"""Parses Círculo's JSON answers into the bureau-independent Report.

The bureau adds keys without notice, so unknown keys are ignored. Known keys must have the right
type: a balance misread as zero would be a false statement about a person.
"""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from acredita.domain.credit.person import Question
from acredita.domain.credit.report import (
    Account,
    Alert,
    AlertCode,
    Report,
    Score,
    alerts_of_accounts,
)
from acredita.domain.identifiers.formatting import compact

# Message types: a blocked file, the status of other bureaus, a match on lists.
BLOCKED, OTHER_BUREAUS, LISTS = 1, 2, 3
# The text of a list message: six characters for the list, padded with zeros, then two digits each
# for kinship, type of list and type of match. All zeros mean no match.
LIST_NAME = slice(0, 6)
LIST_DETAILS = slice(6, 12)
NO_MATCH = "000000"
# The value if no score can be computed.
NO_SCORE = 0

Shape = TypeVar("Shape", bound=BaseModel)


class InvalidAnswer(Exception):
    """The message is the location and type of an error, without values."""


def _date_or_none(value: Any) -> Any:
    """Dates come with or without a time. An empty string means none."""
    if isinstance(value, str):
        return value.strip()[:10] or None
    return value


def _text_or_none(value: Any) -> Any:
    return (value.strip() or None) if isinstance(value, str) else value


Day = Annotated[date | None, BeforeValidator(_date_or_none)]
Text = Annotated[str | None, BeforeValidator(_text_or_none)]
Amount = Annotated[Decimal | None, Field(allow_inf_nan=False, max_digits=20)]
Count = Annotated[int | None, Field(ge=0)]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)


class _Persona(_Wire):
    fechaNacimiento: Day = None  # noqa: N815 (the bureau's names throughout)
    RFC: Text = None
    CURP: Text = None
    fechaDefuncion: Day = None  # noqa: N815


class _Credito(_Wire):
    registroImpugnado: Count = None  # noqa: N815
    claveUnidadMonetaria: Text = None  # noqa: N815
    fechaAperturaCuenta: Day = None  # noqa: N815
    fechaCierreCuenta: Day = None  # noqa: N815
    saldoActual: Amount = None  # noqa: N815
    saldoVencido: Amount = None  # noqa: N815
    limiteCredito: Amount = None  # noqa: N815
    numeroPagosVencidos: Count = None  # noqa: N815
    clavePrevencion: Text = None  # noqa: N815


class _Consulta(_Wire):
    fechaConsulta: Day = None  # noqa: N815


class _Score(_Wire):
    nombreScore: Annotated[str, Field(min_length=1, max_length=100)]  # noqa: N815
    valor: Annotated[int, Field(ge=0, le=1000)] | None = None
    razones: tuple[Annotated[str, Field(max_length=100)], ...] | None = None


class _Mensaje(_Wire):
    tipoMensaje: int  # noqa: N815
    leyenda: Annotated[str, Field(max_length=1000)] = ""


class _Respuesta(_Wire):
    folioConsulta: Annotated[str, Field(min_length=1, max_length=100)]  # noqa: N815
    persona: _Persona | None = None
    creditos: tuple[_Credito, ...] | None = None
    consultas: tuple[_Consulta, ...] | None = None
    scores: tuple[_Score, ...] | None = None
    mensajes: tuple[_Mensaje, ...] | None = None


class _Error(_Wire):
    codigo: str
    mensaje: str = ""


class _Errores(_Wire):
    errores: tuple[_Error, ...] = Field(min_length=1)


def read_report(body: bytes, question: Question) -> Report:
    """Parse a report. Raise InvalidAnswer."""
    answer = _read(_Respuesta, body)
    accounts = tuple(_account(credit) for credit in answer.creditos or ())
    return Report(
        folio=answer.folioConsulta,
        scores=tuple(
            Score(each.nombreScore, each.valor or None, tuple(each.razones or ()))
            for each in answer.scores or ()
        ),
        accounts=accounts,
        inquiries=tuple(each.fechaConsulta for each in answer.consultas or ()),
        alerts=(
            *_alerts_of_person(answer.persona, question),
            *(alert for each in answer.mensajes or () if (alert := _alert(each))),
            *alerts_of_accounts(accounts),
        ),
    )


def is_no_file_answer(body: bytes) -> bool:
    """Whether the bureau itself sent this 404. Raise InvalidAnswer."""
    return any(error.codigo.startswith("404") for error in _read(_Errores, body).errores)


def _account(credit: _Credito) -> Account:
    return Account(
        currency=credit.claveUnidadMonetaria or "MX",
        opened=credit.fechaAperturaCuenta,
        closed=credit.fechaCierreCuenta,
        balance=credit.saldoActual or Decimal(0),
        past_due=credit.saldoVencido or Decimal(0),
        credit_limit=credit.limiteCredito or Decimal(0),
        payments_missed=credit.numeroPagosVencidos or 0,
        disputed=bool(credit.registroImpugnado),
        prevention_key=credit.clavePrevencion,
    )


def _alerts_of_person(person: _Persona | None, question: Question) -> list[Alert]:
    """A bureau searches by similarity, so the file found may be another person's."""
    if person is None:
        return []
    alerts = []
    if person.fechaDefuncion is not None:
        alerts.append(Alert(AlertCode.DECEASED, "The file says that its holder has died."))
    # Files often have an RFC without homoclave, so compare only the first ten characters.
    rfc = question.rfc.text if question.rfc else None
    curp = question.curp.text if question.curp else None
    for name, theirs, asked in (
        ("rfc", person.RFC and compact(person.RFC)[:10], rfc and rfc[:10]),
        ("curp", person.CURP and compact(person.CURP), curp),
        ("dateOfBirth", person.fechaNacimiento, question.birth_date),
    ):
        if theirs and asked and theirs != asked:
            message = "The file found has a different value than the request."
            alerts.append(Alert(AlertCode.ANOTHER_PERSON, message, name))
    return alerts


def _alert(message: _Mensaje) -> Alert | None:
    match message.tipoMensaje:
        case 1:
            return Alert(AlertCode.FILE_BLOCKED, "The file is blocked.")
        case 2:
            return None  # the status of other bureaus says nothing about the person
        case 3:
            return _list_match(message.leyenda.strip())
        case _:
            return Alert(AlertCode.MESSAGE, message.leyenda[:200])


def _list_match(legend: str) -> Alert | None:
    if not legend or legend[LIST_DETAILS] == NO_MATCH:
        return None
    name = legend[LIST_NAME].rstrip("0") or None
    return Alert(AlertCode.LIST_MATCH, "The person was found on a list.", name)


def _read(shape: type[Shape], body: bytes) -> Shape:
    try:
        return shape.model_validate_json(body)
    except ValidationError as faults:
        first = faults.errors(include_input=False, include_url=False, include_context=False)[0]
    raise InvalidAnswer(f"{'.'.join(map(str, first['loc'])) or 'body'} {first['type']}")
