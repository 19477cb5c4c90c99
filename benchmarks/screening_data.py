"""The lists and labelled queries that screening is measured on."""

import csv
import hashlib
import os
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from acredita.engines.screening import Entry, ListedName
from acredita.providers.watchlists import ofac_csv, sat69b
from acredita.providers.watchlists.protocol import Facts, ListedEntity, ListFile

OFAC = "ofac_sdn"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A query, the entry that it means (empty: none), and how it was made."""

    query: str
    entry: str
    category: str

    @property
    def family(self) -> str:
        return self.category.partition("/")[0]

    @property
    def held_out(self) -> bool:
        """Half of the entries (of the negatives, half of the queries) was not looked at when the
        engine was tuned."""
        return hashlib.sha256((self.entry or self.query).encode()).digest()[0] % 2 == 1


def data_folder() -> Path:
    return Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data")) / "watchlists"


def labelled(folder: Path) -> list[Labelled]:
    with (folder / "labelled_queries.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [Labelled(*row) for row in rows]


def ofac(folder: Path) -> list[Entry]:
    """The list of November 2023 with the aliases of December 2025."""
    files = [ListFile(folder / "ofac" / name, name) for name in ("sdn.csv", "alt_2025-12.csv")]
    return [entry_of(entity, OFAC) for entity in ofac_csv.read(files, Facts())]


def sat_persons(folder: Path) -> list[str]:
    """Persons (an RFC of 13) of the list of July 2023, whatever their standing."""
    name = "Listado_Completo_69-B_2023-07.csv"
    entities = sat69b.read([ListFile(folder / "sat69b" / name, name)], Facts())
    return [entity.names[0].text for entity in entities if entity.entity_type == "person"]


def entry_of(entity: ListedEntity, list_id: str) -> Entry:
    names = tuple(
        ListedName(name.text, name.kind, name.family, name.given) for name in entity.names
    )
    return Entry(
        entity.source_id,
        list_id,
        entity.entity_type,
        names,
        dates_of_birth=entity.dates_of_birth,
        countries=entity.countries,
        identifiers=entity.identifiers,
    )


def enlarged(entries: Sequence[Entry], names: int, seed: int = 1) -> Iterator[Entry]:
    """Yield `entries`, then new persons from the words of their names, up to `names` names. One
    word in eight is misspelt, as in lists from many sources."""
    chance = random.Random(seed)
    persons = [entry.names[0] for entry in entries if entry.entity_type == "person"]
    families = [name.family for name in persons if name.family]
    given = [name.given for name in persons if name.given]
    yield from entries
    count = sum(len(entry.names) for entry in entries)
    for number in range(max(names - count, 0)):
        family = misspelt(chance, chance.choice(families).split())
        first = misspelt(chance, chance.choice(given).split())
        name = ListedName(f"{family}, {first}", "primary", family, first)
        yield Entry(f"more-{number}", "more", "person", (name,))


def mexicans(folder: Path, names: int, seed: int = 1) -> Iterator[Entry]:
    """Yield `names` persons with surnames and given names of the persons of SAT 69-B, drawn
    independently: each name is as frequent as among them.
    """
    chance = random.Random(seed)
    parts = [found for name in sat_persons(folder) if len(found := _parts(name)) > 2]
    for number in range(names):
        first, second, given = (chance.choice(parts) for _ in range(3))
        family, first_names = f"{first[0]} {second[1]}", " ".join(given[2:])
        name = ListedName(f"{family}, {first_names}", "primary", family, first_names)
        yield Entry(f"m-{number}", "mexicans", "person", (name,))


def _parts(name: str) -> list[str]:
    """The words of a name, each with the particles before it: DE LA CRUZ."""
    return re.findall(r"(?:(?:DE|DEL|LA|LAS|LOS|Y|SAN) )*\S+", name)


def misspelt(chance: random.Random, words: list[str]) -> str:
    for place, word in enumerate(words):
        if len(word) > 3 and chance.random() < 1 / 8:
            at = chance.randrange(1, len(word) - 1)
            letter = chance.choice("ABCDEFGHIJKLMNOPRSTUVYZ")
            words[place] = (
                word[:at] + chance.choice((letter, letter + word[at], "")) + word[at + 1 :]
            )
    return " ".join(words)
