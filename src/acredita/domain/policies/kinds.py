"""Variables of policies: their names, types and meanings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

Value = bool | int | float | str | list[str] | dict[str, str]
# Lists are cut, so that the work of a rule is bounded.
LONGEST_LIST: Final = 64


class Kind(StrEnum):
    BOOL = "bool"
    INT = "int"
    DOUBLE = "double"
    STRING = "string"
    STRINGS = "list(string)"
    TEXTS = "map(string, string)"


@dataclass(frozen=True, slots=True)
class Variable:
    name: str
    kind: Kind
    meaning: str
    # Whether its value is personal data: an evidence file has it only if a rule reads it.
    is_personal: bool = False
