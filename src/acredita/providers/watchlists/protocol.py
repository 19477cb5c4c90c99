"""What a list is made of once it was read, whatever it was published as."""

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
    """A list cannot be read or must not be taken. The message names file, line and what is wrong;
    it quotes nobody's name."""


@dataclass(frozen=True, slots=True)
class Name:
    """`family` and `given` repeat parts of `text`, where the list tells them apart."""

    text: str
    kind: NameKind = "primary"
    family: str = ""
    given: str = ""


@dataclass(frozen=True, slots=True)
class ListedEntity:
    """One entry of a list; its primary name comes first.

    `countries` are ISO 3166-1 alpha-2, the most telling first (nationality before address);
    `dates_of_birth` ISO dates, months (1970-05) or years; `identifiers` pairs of kind (`rfc`,
    `curp`, `passport`, `national_id`, `tax_id`, `imo` …) and value.
    """

    source_id: str
    entity_type: EntityType
    names: tuple[Name, ...]
    countries: tuple[str, ...] = ()
    dates_of_birth: tuple[str, ...] = ()
    identifiers: tuple[tuple[str, str], ...] = ()
    programs: tuple[str, ...] = ()
    # The list itself says that the suspicion is gone.
    cleared: bool = False
    # Where it stands in its file, for messages.
    place: str = field(default="", compare=False)


@dataclass(slots=True)
class Facts:
    """What reading the files tells of the list as a whole; complete once the last entry is out."""

    as_of: datetime | None = None
    # Sentences for whoever imports: what was left out, and why.
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ListFile:
    """A file of a list. `name` is what messages call it; `on_read` hears of each piece's bytes."""

    path: Path
    name: str
    on_read: Callable[[int], None] = lambda _count: None

    def fault(self, what: str, line: int | None = None) -> ListFault:
        return ListFault(f"{self.place(line)}: {what}")

    def place(self, line: int | None) -> str:
        return self.name if line is None else f"{self.name}, line {line}"


Reader = Callable[[Sequence[ListFile], Facts], Iterator[ListedEntity]]
