"""The lists and labelled queries that screening is measured on."""

import csv
import hashlib
import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from acredita.engines.screening import EntityType, Entry, ListedName

_TYPES: dict[str, EntityType] = {
    "individual": "person",
    "vessel": "vessel",
    "aircraft": "aircraft",
    "-0-": "company",
}


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
        """Half of the entries (of the negatives, half of the queries) is not looked at when the
        engine is tuned."""
        return hashlib.sha256((self.entry or self.query).encode()).digest()[0] % 2 == 1


def data_folder() -> Path:
    return Path(os.environ.get("ACREDITA_TEST_DATA", "../shared/data")) / "watchlists"


def labelled(folder: Path) -> list[Labelled]:
    with (folder / "labelled_queries.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]
    return [Labelled(*(row[:3])) for row in rows]


def ofac(folder: Path) -> list[Entry]:
    aliases = defaultdict(list)
    for row in _rows(folder / "ofac" / "alt_2025-12.csv", 4):
        aliases[row[0]].append((row[3], row[2]))
    return [
        Entry(
            row[0],
            "ofac_sdn",
            _TYPES.get(row[2], "company"),
            (
                _named(row[1], person=row[2] == "individual"),
                *(
                    _named(name, person=row[2] == "individual", former=kind == "fka")
                    for name, kind in aliases[row[0]]
                ),
            ),
        )
        for row in _rows(folder / "ofac" / "sdn.csv", 4)
    ]


def _named(text: str, *, person: bool, former: bool = False) -> ListedName:
    family, comma, given = text.partition(",")
    alias = "former" if former else "primary"
    if person and comma:
        return ListedName(text, alias, family=family, given=given)
    return ListedName(text, alias)


def sat_persons(folder: Path) -> list[str]:
    path = folder / "sat69b" / "Listado_Completo_69-B_2023-07.csv"
    return [row[2].strip() for row in _rows(path, 4, "latin-1") if len(row[1].strip()) == 13]


def _rows(path: Path, least: int, encoding: str = "utf-8") -> Iterator[list[str]]:
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for row in csv.reader(file):
            if len(row) >= least:
                yield [cell.strip() for cell in row]
