"""Data types: watchlist entries, questions, matches."""

from dataclasses import dataclass
from typing import Literal

EntityType = Literal["person", "company", "vessel", "aircraft", "other"]
NameKind = Literal["primary", "alias", "weak", "former", "original_script"]
Gender = Literal["male", "female"]
Assessment = Literal["likely", "possible", "unlikely"]
Reason = Literal[
    "exact", "typo", "phonetic", "initial", "joined", "split", "nickname", "transliterated"
]

ENTITY_TYPES: tuple[EntityType, ...] = ("person", "company", "vessel", "aircraft", "other")
NAME_KINDS: tuple[NameKind, ...] = ("primary", "alias", "weak", "former", "original_script")


@dataclass(frozen=True, slots=True)
class ListedName:
    """One name of an entry. `family` and `given`: its parts, if the list has them.

    The parts distinguish a match of only the second surname from one of the first.
    """

    text: str
    kind: NameKind = "primary"
    family: str = ""
    given: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A person, company, vessel or aircraft on a list.

    `dates_of_birth` are ISO dates, months (1970-05) or years; `countries` ISO 3166-1 alpha-2, of
    which `nationalities` are those that the list calls so; `identifiers` pairs of kind (`rfc`,
    `curp`, `passport`, …) and value.
    """

    id: str
    list_id: str
    entity_type: EntityType
    names: tuple[ListedName, ...]
    dates_of_birth: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()
    genders: tuple[Gender, ...] = ()
    nationalities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenPair:
    """A query word, the listed word it matches, their similarity (0-1) and the reason."""

    query: str
    listed: str
    similarity: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence besides the name. `kind`: dateOfBirth, nationality, gender, rfc, curp, passport, …

    `weight`: natural logarithm of the likelihood ratio, above 0 for the entry. `text`: in words.
    """

    kind: str
    effect: Literal["confirms", "contradicts", "neutral"]
    weight: float
    text: str


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that matches the screened name, with the entry's best name.

    `score` is in 0-1. It is 1.0 only for the same words (in any order) or the same identifier.
    `rarity`: natural logarithm of how rare the matched words are together. `likelihood` (0-1) and
    `assessment` weigh both and the evidence, evidence.py.
    """

    entry_id: str
    list_id: str
    entity_type: EntityType
    score: float
    rarity: float
    likelihood: float
    assessment: Assessment
    matched_name: str
    matched_kind: NameKind
    tokens: tuple[TokenPair, ...]
    unmatched_query: tuple[str, ...]
    unmatched_listed: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    countries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Screening:
    """Matches, best first. `total`: the number of matches before the limit."""

    total: int
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """The name to screen and what else is known about its bearer.

    `date_of_birth`: as in `Entry`. `entity_type` and `country` exclude entries with another type or
    country. Entries of type `other` or without a country stay. `aliases`: further names, of which
    the one that matches best counts. `nationalities`: ISO 3166-1 alpha-2. `identifiers`: pairs of
    kind and value, as in `Entry`.
    """

    name: str
    date_of_birth: str | None = None
    rfc: str | None = None
    curp: str | None = None
    entity_type: EntityType | None = None
    country: str | None = None
    aliases: tuple[str, ...] = ()
    nationalities: tuple[str, ...] = ()
    gender: Gender | None = None
    identifiers: tuple[tuple[str, str], ...] = ()

    @property
    def every_identifier(self) -> tuple[tuple[str, str], ...]:
        """(kind, value) of the RFC, the CURP and the others."""
        named = (("rfc", self.rfc), ("curp", self.curp))
        return (*((kind, value) for kind, value in named if value), *self.identifiers)


class EmptyName(ValueError):
    """The name has no letters or digits to compare."""


class NameTooLong(ValueError):
    """The name exceeds the maximum length."""


class DamagedIndex(Exception):
    """The file is not an index, has another version, or is truncated or altered."""
