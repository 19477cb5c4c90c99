"""What is screened against, and what a screening answers."""

from dataclasses import dataclass
from typing import Literal

EntityType = Literal["person", "company", "vessel", "aircraft", "other"]
NameKind = Literal["primary", "alias", "weak", "former", "original_script"]
Reason = Literal["exact", "typo", "phonetic", "initial", "joined", "split"]

ENTITY_TYPES: tuple[EntityType, ...] = ("person", "company", "vessel", "aircraft", "other")
NAME_KINDS: tuple[NameKind, ...] = ("primary", "alias", "weak", "former", "original_script")


@dataclass(frozen=True, slots=True)
class ListedName:
    """One name of an entry. `family` and `given` repeat its parts where the list tells them apart;
    they let a match by the second surname alone be told from one by the first."""

    text: str
    kind: NameKind = "primary"
    family: str = ""
    given: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A person, company, vessel or aircraft on a list.

    `dates_of_birth` are ISO dates, months (1970-05) or years; `countries` ISO 3166-1 alpha-2;
    `identifiers` pairs of kind (`rfc`, `curp`, `passport`, …) and value.
    """

    id: str
    list_id: str
    entity_type: EntityType
    names: tuple[ListedName, ...]
    dates_of_birth: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TokenPair:
    """A word of the query, the listed word it stands for, how alike (0–1) and why."""

    query: str
    listed: str
    similarity: float
    reason: Reason


@dataclass(frozen=True, slots=True)
class Evidence:
    """What something other than the name says: `effect` is confirms, contradicts or neutral."""

    kind: str
    effect: Literal["confirms", "contradicts", "neutral"]


@dataclass(frozen=True, slots=True)
class Match:
    """An entry that the screened name may mean, by the best of its names.

    `score` is 0–1; 1.0 only for the same words (in any order) or the same identifier.
    """

    entry_id: str
    list_id: str
    entity_type: EntityType
    score: float
    matched_name: str
    matched_kind: NameKind
    tokens: tuple[TokenPair, ...]
    unmatched_query: tuple[str, ...]
    unmatched_listed: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    countries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Screening:
    """Matches, best first; `total` counts them before the limit."""

    total: int
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Who is asked about: the name, and what else is known of its bearer.

    `date_of_birth` as in `Entry`. `entity_type` and `country` leave out the entries that say
    otherwise; an entry that says nothing stays.
    """

    name: str
    date_of_birth: str | None = None
    rfc: str | None = None
    curp: str | None = None
    entity_type: EntityType | None = None
    country: str | None = None


class EmptyName(ValueError):
    """Nothing of the name remains to be compared."""


class NameTooLong(ValueError):
    """The name is longer than any name."""


class DamagedIndex(Exception):
    """The index file is not one, is of another version, or has been cut short or changed."""
