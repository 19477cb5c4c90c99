"""The entries of a watchlist, independent of its published format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

EntityType = Literal["person", "company", "vessel", "aircraft", "other"]
NameKind = Literal["primary", "alias", "weak", "former", "original_script"]

LONGEST_NAME = 1000
MOST_NAMES = 1000


class ListFault(Exception):
    """A list is unreadable or must not be loaded. The message has the file, the line and the
    problem, but no names of people."""


@dataclass(frozen=True, slots=True)
class Name:
    """`family` and `given` are parts of `text`, if the list separates them."""

    text: str
    kind: NameKind = "primary"
    family: str = ""
    given: str = ""


@dataclass(frozen=True, slots=True)
class Details:
    """What a list says about an entry besides what screening compares.

    `nationalities`: ISO 3166-1 alpha-2 codes. `genders`: `male`, `female`. `listed_on` and
    `updated_on`: ISO dates, months or years of the publisher, or empty. `url`: the publisher's page
    of this entry, or empty. The others are texts of the publisher.
    """

    places_of_birth: tuple[str, ...] = ()
    nationalities: tuple[str, ...] = ()
    genders: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    positions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    listed_on: str = ""
    updated_on: str = ""
    url: str = ""


NO_DETAILS = Details()


@dataclass(frozen=True, slots=True)
class ListedEntity:
    """One entry of a list. The primary name comes first.

    `countries`: ISO 3166-1 alpha-2 codes, nationality before address. `dates_of_birth`: ISO dates,
    months (1970-05) or years. `identifiers`: (kind, value) pairs, kinds are `rfc`, `curp`,
    `passport`, `national_id`, `tax_id`, `imo` and others.
    """

    source_id: str
    entity_type: EntityType
    names: tuple[Name, ...]
    countries: tuple[str, ...] = ()
    dates_of_birth: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()
    programs: tuple[str, ...] = ()
    details: Details = NO_DETAILS
    # The list itself says that the entry is no longer suspected.
    cleared: bool = False
    # The file and line, for messages.
    place: str = field(default="", compare=False)


@dataclass(slots=True)
class Facts:
    """Facts about the whole list. Complete after the reader's iterator is exhausted."""

    as_of: datetime | None = None
    # Sentences for the operator: what was skipped, and why.
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ListFile:
    """A file of a list. `name`: for messages. `on_read` gets the size of each chunk in bytes."""

    path: Path
    name: str
    on_read: Callable[[int], None] = lambda _count: None

    def fault(self, what: str, line: int | None = None) -> ListFault:
        return ListFault(f"{self.place(line)}: {what}")

    def place(self, line: int | None) -> str:
        return self.name if line is None else f"{self.name}, line {line}"


Reader = Callable[[Sequence[ListFile], Facts], Iterator[ListedEntity]]
