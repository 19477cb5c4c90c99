"""The type of a step in requests and responses: an enum of the types in the table.

Imported modules add types to the table, so it is read to validate a value and to write the OpenAPI
document, not to define a model.
"""

from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, GetPydanticSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticKnownError, core_schema

from acredita.domain import steps
from acredita.domain.verification import StepType


class _StepType(str):
    """The schema of the field: accepts the types in the table; OpenAPI has one enum."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(_known, ref=StepType.__name__)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        return {"enum": steps.types(), "title": StepType.__name__, "type": "string"}


def _known(value: object) -> StepType:
    types = steps.types()
    if not isinstance(value, str) or value not in types:
        *names, last = (f"'{name}'" for name in types)
        raise PydanticKnownError("enum", {"expected": f"{', '.join(names)} or {last}"})
    return StepType(value)


KnownStepType = Annotated[
    StepType, GetPydanticSchema(lambda _source, handler: handler.generate_schema(_StepType))
]
