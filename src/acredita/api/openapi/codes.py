"""Describes the values that programs compare: error codes, reason codes, values of enumerations."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from pydantic.alias_generators import to_snake

from acredita.api import errors, metamap
from acredita.domain.errors import DomainError
from acredita.domain.reasons import REASONS

ERROR_CODE = "ErrorCode"


def describe_codes(schemas: dict[str, Any]) -> None:
    """Add the schema of error codes, the meaning of reason codes, and names of shared values."""
    schemas[ERROR_CODE] = _error_codes()
    body = schemas[errors.ErrorBody.__name__]["properties"]
    body["code"] = {"$ref": f"#/components/schemas/{ERROR_CODE}"}
    reasons = schemas["ReasonCode"]
    reasons["x-enum-descriptions"] = [REASONS[code].message.en for code in reasons["enum"]]
    _name_shared_values(schemas)


def _error_codes() -> dict[str, Any]:
    """Return a text with known values. It is no enumeration: clients made from one fail on a code
    of a newer release, and the specification's list is open."""
    rows = sorted({(kind.code, errors.status_of(kind)): kind for kind in _kinds()}.items())
    table = [f"| `{code}` | {status} | {kind.default_message} |" for (code, status), kind in rows]
    return {
        "type": "string",
        "title": ERROR_CODE,
        "description": "\n".join(
            [
                "A stable code, for programs. A later release may add codes.",
                "",
                "| code | status | usual message |",
                "|---|---|---|",
                *table,
            ]
        ),
        "examples": ["NOT_FOUND"],
        "x-extensible-enum": [code for (code, _), _ in rows],
    }


def _kinds(base: type[DomainError] = DomainError) -> Iterator[type[DomainError]]:
    """Yield all classes of errors that have a code, except those of the compatible API."""
    for kind in base.__subclasses__():
        is_ours = kind.__module__.startswith("acredita.") and kind.__module__ != metamap.__name__
        if is_ours and hasattr(kind, "code"):
            yield kind
        yield from _kinds(kind)


def _name_shared_values(schemas: dict[str, Any]) -> None:
    """Name the values of enumerations that share a value with another: DELIVERY_STATE_PENDING.

    Generated Go has one namespace for the values of all enumerations.
    """
    enumerations = {name: schema for name, schema in schemas.items() if "enum" in schema}
    uses = Counter(
        value.upper() for schema in enumerations.values() for value in set(schema["enum"])
    )
    for name, schema in enumerations.items():
        if any(uses[value.upper()] > 1 for value in schema["enum"]):
            prefix = to_snake(name).upper()
            schema["x-enum-varnames"] = [
                f"{prefix}_{value.upper().replace('-', '_')}" for value in schema["enum"]
            ]
