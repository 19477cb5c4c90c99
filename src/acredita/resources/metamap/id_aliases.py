"""Ids of 24 hex digits, as the compatible API has them.

An alias is an id without its last eight digits. It needs no row, because a range query on the
primary key finds its id. The alias of a random id has 90 random bits, so nobody can guess it. Both
forms are accepted everywhere. `acredita metamap alias` gives a workflow or an organization one more
alias. An identity has the alias of its first verification minus two (`to_identity_alias`).
"""

import re
from dataclasses import dataclass
from uuid import UUID

from acredita.kit import ids

ALIAS = re.compile("[0-9a-f]{24}")


@dataclass(frozen=True, slots=True)
class IdRange:
    """The ids that a text can mean: those from `first` to `last`, or the one with the alias
    `text`.
    """

    first: UUID
    last: UUID
    text: str


def to_alias(named: UUID) -> str:
    return named.hex[:24]


def parse(text: object) -> IdRange | None:
    """Return None if the text is neither an id nor an alias."""
    if not isinstance(text, str):
        return None
    if (whole := ids.parse(text)) is not None:
        return IdRange(whole, whole, text)
    if ALIAS.fullmatch(text):
        return IdRange(UUID(f"{text}00000000"), UUID(f"{text}ffffffff"), text)
    return None


def to_identity_alias(first_verification: UUID) -> str:
    """Return the id of an identity from the id of its first verification: the alias minus two.

    That API creates an identity two ids before its first verification. Clients that know one id
    compute the other.
    """
    return f"{(int(to_alias(first_verification), 16) - 2) % 16**24:024x}"


def parse_identity(text: str) -> IdRange | None:
    """Return the first verification that an identity's id means; None if it is no such id."""
    if not ALIAS.fullmatch(text):
        return parse(text)
    return parse(f"{(int(text, 16) + 2) % 16**24:024x}")


def is_id_of(text: str, named: UUID) -> bool:
    """Whether the text is this id or its alias."""
    return text in (str(named), to_alias(named))
