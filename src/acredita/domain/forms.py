"""Custom forms of customers: the allowed fields of a form, and the allowed values of an answer.

A pattern is an untrusted program. RE2 runs it. RE2 has no back-references and no look-around, and
its time is proportional to pattern and text: `^(a+)+$` costs no more than `a+`. A pattern that RE2
does not support is refused when the form is created, never when a person fills it in.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Any, Self

import re2

from acredita.domain.languages import Language

LONGEST_PATTERN = 500
LONGEST_VALUE = 10_000
# Limit of a compiled pattern, in bytes: two thousand instructions; 500 characters rarely need more.
PATTERN_MEMORY = 1 << 17
# Limit of instructions times characters, summed over a form's patterns. The slowest pattern within
# it takes 0.1 s (measured: `[ab]*a[ab]{999}` on 10,000 characters).
MOST_STEPS = 20_000_000
# An error names at most this many unknown fields, and at most this many characters of each name.
MOST_UNKNOWN = 20
LONGEST_ID = 100
_ISO_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OPTIONS = re2.Options()
_OPTIONS.max_mem = PATTERN_MEMORY
# RE2 would write what it refuses to standard error.
_OPTIONS.log_errors = False


class FieldType(StrEnum):
    TEXT = "text"
    DATE = "date"
    CHECKBOX = "checkbox"
    SELECT = "select"


class FieldFault(StrEnum):
    """What is wrong with an answer."""

    REQUIRED = "required"
    UNCHECKED = "unchecked"
    NOT_TEXT = "not_text"
    NOT_A_CHECKBOX = "not_a_checkbox"
    NOT_AN_OPTION = "not_an_option"
    NOT_A_DATE = "not_a_date"
    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NO_MATCH = "no_match"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Field:
    """One question. `options` are the values that a select admits; lengths are in characters."""

    id: str
    type: FieldType
    required: bool
    options: tuple[str, ...] = ()
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None

    @classmethod
    def from_wire(cls, written: Mapping[str, Any]) -> Self:
        """Return the field of a checked dict with the names on the wire."""
        rules = written.get("validation") or {}
        return cls(
            id=written["id"],
            type=FieldType(written["type"]),
            required=written["required"],
            options=tuple(option["value"] for option in written.get("options") or ()),
            min_length=rules.get("minLength"),
            max_length=rules.get("maxLength"),
            pattern=rules.get("pattern"),
        )

    @property
    def longest(self) -> int:
        return min(self.max_length or LONGEST_VALUE, LONGEST_VALUE)


@dataclass(frozen=True, slots=True)
class FieldError:
    """`limit`: the length that `too_short` and `too_long` name; 0 for other codes."""

    field_id: str
    message: str
    code: FieldFault
    limit: int = 0


def faults(fields: Sequence[Field]) -> list[str]:
    """What is wrong with a form whose fields are each of the right shape: `0.id: why`.

    Compiling the costliest patterns takes milliseconds each.
    """
    found = list(_faults(fields))
    if not found and sum(_steps(field) for field in fields) > MOST_STEPS:
        found.append("the patterns may take too long together: let maxLength bound the texts")
    return found


def _faults(fields: Sequence[Field]) -> Iterator[str]:
    seen: set[str] = set()
    for place, field in enumerate(fields):
        if field.id in seen:
            yield f"{place}.id: another field has the same id"
        seen.add(field.id)
        if field.pattern and (why := _pattern_fault(field.pattern)):
            yield f"{place}.validation.pattern: {why}"
        if field.type is FieldType.SELECT and not field.options:
            yield f"{place}.options: a select needs at least one"
        if len(set(field.options)) < len(field.options):
            yield f"{place}.options: two have the same value"
        if (field.min_length or 0) > field.longest:
            yield f"{place}.validation.minLength: no value can be that long"


def _pattern_fault(pattern: str) -> str | None:
    try:
        _compiled(pattern)
    except re2.error as fault:
        why = fault.args[0]
        said = why.decode(errors="replace") if isinstance(why, bytes) else str(why)
        return f"is not a pattern of RE2: {said}"
    return None


def _steps(field: Field) -> int:
    """At most so many steps, about 5 ns each, takes the field's pattern on its longest answer."""
    if not field.pattern or field.type is FieldType.CHECKBOX:
        return 0
    size: int = _compiled(field.pattern).programsize
    return size * field.longest


def check(
    fields: Sequence[Field], values: Mapping[str, Any], language: Language
) -> list[FieldError]:
    """What is wrong with an answered form, in the fields' order; nothing when it is valid.

    `null` and a text without a letter are no answer. At most one error a field.
    """
    say = _MESSAGES[language]
    errors = []
    for field in fields:
        fault = _fault(field, values.get(field.id))
        if fault is not None:
            message = say[fault.word].format(fault.number)
            errors.append(FieldError(field.id, message, fault.word, fault.number))
    known = {field.id for field in fields}
    unknown = [name for name in values if name not in known]
    errors += [
        FieldError(name[:LONGEST_ID], say[FieldFault.UNKNOWN], FieldFault.UNKNOWN)
        for name in unknown[:MOST_UNKNOWN]
    ]
    return errors


def answers(fields: Sequence[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept of a valid form: what was answered, in the fields' order."""
    return {f.id: values[f.id] for f in fields if not _is_empty(values.get(f.id))}


@dataclass(frozen=True, slots=True)
class _Fault:
    word: FieldFault
    number: int = 0


def _fault(field: Field, value: Any) -> _Fault | None:
    if _is_empty(value):
        return _Fault(FieldFault.REQUIRED) if field.required else None
    if field.type is FieldType.CHECKBOX:
        return _checkbox_fault(field, value)
    if not isinstance(value, str):
        return _Fault(FieldFault.NOT_TEXT)
    # Before anything else looks at it.
    if len(value) > LONGEST_VALUE:
        return _Fault(FieldFault.TOO_LONG, field.longest)
    return _kind_fault(field, value) or _text_fault(field, value)


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _checkbox_fault(field: Field, value: Any) -> _Fault | None:
    if not isinstance(value, bool):
        return _Fault(FieldFault.NOT_A_CHECKBOX)
    return _Fault(FieldFault.UNCHECKED) if field.required and not value else None


def _kind_fault(field: Field, value: str) -> _Fault | None:
    if field.type is FieldType.SELECT and value not in field.options:
        return _Fault(FieldFault.NOT_AN_OPTION)
    if field.type is FieldType.DATE and not _is_date(value):
        return _Fault(FieldFault.NOT_A_DATE)
    return None


def _is_date(value: str) -> bool:
    if not _ISO_DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True


def _text_fault(field: Field, value: str) -> _Fault | None:
    if field.min_length is not None and len(value) < field.min_length:
        return _Fault(FieldFault.TOO_SHORT, field.min_length)
    if len(value) > field.longest:
        return _Fault(FieldFault.TOO_LONG, field.longest)
    if field.pattern and _compiled(field.pattern).fullmatch(value) is None:
        return _Fault(FieldFault.NO_MATCH)
    return None


def _compiled(pattern: str) -> Any:
    """RE2's own module keeps the patterns compiled last."""
    return re2.compile(pattern, _OPTIONS)


_MESSAGES = {
    Language.SPANISH: {
        FieldFault.REQUIRED: "Este campo es obligatorio.",
        FieldFault.UNCHECKED: "Debes marcar esta casilla.",
        FieldFault.NOT_TEXT: "La respuesta debe ser un texto.",
        FieldFault.NOT_A_CHECKBOX: "La respuesta debe ser verdadero o falso.",
        FieldFault.NOT_AN_OPTION: "Elige una de las opciones.",
        FieldFault.NOT_A_DATE: "Escribe una fecha que exista, como 2026-01-31.",
        FieldFault.TOO_SHORT: "Escribe al menos {} caracteres.",
        FieldFault.TOO_LONG: "Escribe como máximo {} caracteres.",
        FieldFault.NO_MATCH: "La respuesta no tiene el formato esperado.",
        FieldFault.UNKNOWN: "El formulario no tiene este campo.",
    },
    Language.ENGLISH: {
        FieldFault.REQUIRED: "This field is required.",
        FieldFault.UNCHECKED: "This box must be checked.",
        FieldFault.NOT_TEXT: "The answer must be a text.",
        FieldFault.NOT_A_CHECKBOX: "The answer must be true or false.",
        FieldFault.NOT_AN_OPTION: "Choose one of the options.",
        FieldFault.NOT_A_DATE: "Write a date that exists, such as 2026-01-31.",
        FieldFault.TOO_SHORT: "Write at least {} characters.",
        FieldFault.TOO_LONG: "Write at most {} characters.",
        FieldFault.NO_MATCH: "The answer is not of the expected form.",
        FieldFault.UNKNOWN: "The form has no such field.",
    },
}
