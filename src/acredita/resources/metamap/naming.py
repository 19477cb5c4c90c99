"""Ids of 24 hex digits, as the compatible API has them.

An alias is an id without its last eight digits: it needs no row to be there, and is found through
the primary key. Of a random id it keeps 90 random bits, so it is as unguessable as a capability has
to be, and as good as one. Both forms are accepted everywhere. A workflow, or the organization, can
be given an alias of the operator's choice besides (`acredita metamap alias`).
"""

import re
from dataclasses import dataclass
from uuid import UUID

from acredita.kit import ids

ALIAS = re.compile("[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class Name:
    """What a text names: any id between these two, or whatever has it as a chosen alias."""

    first: UUID
    last: UUID
    text: str


def alias_of(named: UUID) -> str:
    return named.hex[:24]


def parse(text: object) -> Name | None:
    """None for a text that is the id of nothing."""
    if not isinstance(text, str):
        return None
    if (whole := ids.parse(text)) is not None:
        return Name(whole, whole, text)
    if ALIAS.fullmatch(text):
        return Name(UUID(f"{text}00000000"), UUID(f"{text}ffffffff"), text)
    return None


def names(text: str, named: UUID) -> bool:
    """Whether the text is one of the two forms of this id."""
    return text in (str(named), alias_of(named))
