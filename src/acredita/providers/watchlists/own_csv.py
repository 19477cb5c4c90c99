"""The operator's own lists, for example politically exposed persons or blocked customers.

CSV in UTF-8 with a header, separated by commas or semicolons; see docs/integrators/aml.md. Multiple
values in a column are separated by `;`, or by `|` if semicolons separate the columns.
"""

import hashlib
from collections.abc import Iterator, Sequence

from acredita.providers.watchlists.countries import alpha2, codes
from acredita.providers.watchlists.dates import dates_in
from acredita.providers.watchlists.details import details_of
from acredita.providers.watchlists.protocol import (
    Details,
    EntityType,
    Facts,
    ListedEntity,
    ListFile,
    Name,
    NameKind,
)
from acredita.providers.watchlists.text import CHUNK, Table, known_rows, named

COLUMNS = (
    "id",
    "type",
    "name",
    "given_names",
    "family_names",
    "aliases",
    "weak_aliases",
    "former_names",
    "original_script",
    "dates_of_birth",
    "countries",
    "rfc",
    "curp",
    "passport",
    "national_id",
    "tax_id",
    "programs",
    "places_of_birth",
    "nationalities",
    "gender",
    "addresses",
    "positions",
    "remarks",
    "listed_on",
    "updated_on",
    "url",
)
TYPES: dict[str, EntityType] = {
    "": "person",
    "person": "person",
    "company": "company",
    "vessel": "vessel",
    "aircraft": "aircraft",
    "other": "other",
}
NAMES: dict[str, NameKind] = {
    "aliases": "alias",
    "weak_aliases": "weak",
    "former_names": "former",
    "original_script": "original_script",
}
IDENTIFIERS = ("rfc", "curp", "passport", "national_id", "tax_id")


def header_of(head: bytes) -> list[str]:
    """The column names, or an empty list if the bytes do not begin such a file."""
    first = head.decode("utf-8-sig", "replace").partition("\n")[0]
    names = [name.strip().strip('"').casefold() for name in first.replace(";", ",").split(",")]
    has_name = "name" in names or {"given_names", "family_names"} <= set(names)
    return names if has_name and set(names) <= set(COLUMNS) else []


def delimiter_of(file: ListFile) -> str:
    """A semicolon if the first line has one, else a comma."""
    with file.path.open("rb") as raw:
        return ";" if b";" in raw.read(CHUNK).partition(b"\n")[0] else ","


def read(files: Sequence[ListFile], _facts: Facts) -> Iterator[ListedEntity]:
    for file in files:
        delimiter = delimiter_of(file)
        separator = "|" if delimiter == ";" else ";"
        for line, table, row in known_rows(file, COLUMNS, delimiter=delimiter):
            yield _Row(table, row, file, line, separator).entity()


class _Row:
    def __init__(
        self, table: Table, row: list[str], file: ListFile, line: int, separator: str
    ) -> None:
        self._table, self._row, self._separator = table, row, separator
        self._file, self._line = file, line

    def _one(self, column: str) -> str:
        # Most lists have few of the columns.
        return self._table.get(self._row, column) if self._table.has(column) else ""

    def _several(self, column: str) -> list[str]:
        text = self._one(column)
        # Most columns of most lists are empty.
        if not text:
            return []
        parts = (part.strip() for part in text.split(self._separator))
        return [part for part in parts if part]

    def entity(self) -> ListedEntity:
        kind = TYPES.get(self._one("type").casefold())
        if kind is None:
            raise self._file.fault("has an unknown type", self._line)
        names = [self._name()]
        for column, name_kind in NAMES.items():
            names += [named(text, name_kind) for text in self._several(column)]
        return ListedEntity(
            source_id=self._one("id") or self._digest(),
            entity_type=kind,
            names=tuple(names),
            countries=self._countries(),
            dates_of_birth=self._births(),
            identifiers=tuple(
                (column, value) for column in IDENTIFIERS for value in self._several(column)
            ),
            programs=tuple(self._several("programs")),
            details=self._details(),
            place=self._file.place(self._line),
        )

    def _name(self) -> Name:
        given, family = self._one("given_names"), self._one("family_names")
        text = self._one("name") or " ".join(filter(None, (given, family)))
        if not text:
            raise self._file.fault("has no name", self._line)
        return named(text, "primary", family=family, given=given)

    def _countries(self) -> tuple[str, ...]:
        texts = self._several("countries")
        if not all(alpha2(text) for text in texts):
            raise self._file.fault("has an unknown country", self._line)
        return codes(*texts)

    def _births(self) -> tuple[str, ...]:
        found: list[str] = []
        for text in self._several("dates_of_birth"):
            dates = dates_in(text)
            if not dates:
                raise self._file.fault("has an invalid date of birth", self._line)
            found += dates
        return tuple(dict.fromkeys(found))

    def _details(self) -> Details:
        return details_of(
            places_of_birth=self._several("places_of_birth"),
            nationalities=self._several("nationalities"),
            genders=[self._one("gender")],
            addresses=self._several("addresses"),
            positions=self._several("positions"),
            remarks=[self._one("remarks")],
            listed_on=self._one("listed_on"),
            updated_on=self._one("updated_on"),
            url=self._one("url"),
        )

    def _digest(self) -> str:
        """The id of a row without one: a hash, so that it stays the same while the row does."""
        return hashlib.sha256("\x1f".join(self._row).encode()).hexdigest()[:32]
