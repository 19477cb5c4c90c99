"""Base classes and field types of request bodies and responses."""

from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, get_args
from uuid import UUID

import orjson
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)
from pydantic.alias_generators import to_camel
from pydantic_core import core_schema
from starlette.responses import Response

from acredita.domain.errors import NotFound
from acredita.domain.reasons import REASONS
from acredita.kit import ids
from acredita.kit.clock import timestamp

LARGEST_FREE_FORM = 16 * 1024


class SeveralFaults(ValueError):
    """What a validator of a whole model finds. The response has one detail per fault."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = faults


class Body(BaseModel):
    """A request body: camelCase, no coercion ("1" is not 1), no unknown keys."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        extra="forbid",
        strict=True,
        frozen=True,
        hide_input_in_errors=True,
    )

    @model_validator(mode="before")
    @classmethod
    def take_whole_numbers_for_integers(cls, given: Any) -> Any:
        """Accept 3.0 for the integer 3, as JSON Schema does: JSON has one type of number."""
        if not isinstance(given, dict) or not any(type(each) is float for each in given.values()):
            return given
        integers = _integer_fields(cls)
        return {
            name: int(value)
            if name in integers and isinstance(value, float) and value.is_integer()
            else value
            for name, value in given.items()
        }


@cache
def _integer_fields(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(
        field.alias or name
        for name, field in model.model_fields.items()
        if int in (field.annotation, *get_args(field.annotation))
    )


class Shape(BaseModel):
    """A response: camelCase, every field always present, `null` for no value."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        frozen=True,
        json_schema_serialization_defaults_required=True,
    )


class JsonAnswer(Response):
    """A response of plain data; the endpoint's `response_model` describes it."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content)


Timestamp = Annotated[
    datetime,
    PlainSerializer(timestamp, return_type=str, when_used="json"),
    WithJsonSchema(
        {"type": "string", "format": "date-time", "examples": ["2026-01-31T18:05:09.120Z"]}
    ),
]


def _parse_time(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        parsed = datetime.fromisoformat(value.upper())
        if parsed.tzinfo is None:
            raise ValueError
        return parsed.astimezone(UTC)
    except OverflowError:  # on the first or last day that datetime supports
        return parsed.replace(tzinfo=UTC)
    except ValueError:
        raise ValueError("is not a timestamp such as 2026-01-31T18:05:09.120Z") from None


ClientTime = Annotated[
    datetime,
    BeforeValidator(_parse_time),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]


class _ReasonSchema:
    """Describes a text as one of the registry's codes, by one schema that all fields share.

    The text is not validated: a code that an older version stored stays readable.
    """

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return core_schema.str_schema(ref="ReasonCode")

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        reference: dict[str, Any] = handler(schema)
        handler.resolve_ref_schema(reference).update(
            enum=sorted(REASONS),
            description="Why a step did not pass: see docs/reference/reasons.md.",
        )
        return reference


ReasonCodeField = Annotated[str, _ReasonSchema]


class _StepResultSchema:
    """Describes the keys that results of all steps have in common."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return {**handler(source), "ref": "StepResult"}

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: Any) -> dict[str, Any]:
        reference: dict[str, Any] = handler(schema)
        code = core_schema.nullable_schema(_ReasonSchema.__get_pydantic_core_schema__(str, None))
        handler.resolve_ref_schema(reference).update(
            description="A step that did not pass has `code` and `message` besides its own keys.",
            properties={
                "code": handler(code),
                "message": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "examples": ["The document has expired."],
                },
            },
        )
        return reference


StepResult = Annotated[dict[str, Any], _StepResultSchema]


def _id_or_not_found(value: object) -> UUID:
    parsed = ids.parse(value) if isinstance(value, str) else None
    if parsed is None:
        raise NotFound
    return parsed


# DECISIONS, unknown ids: a malformed id in a path is a 404.
IdInPath = Annotated[
    UUID,
    BeforeValidator(_id_or_not_found),
    WithJsonSchema({"type": "string", "format": "uuid"}),
]


def _bounded(value: dict[str, Any]) -> dict[str, Any]:
    if len(orjson.dumps(value)) > LARGEST_FREE_FORM:
        raise ValueError(f"is larger than {LARGEST_FREE_FORM // 1024} KiB")
    return value


FreeForm = Annotated[
    dict[str, Any],
    AfterValidator(_bounded),
    Field(description="Free-form key-value pairs, at most 16 KiB as JSON."),
]
