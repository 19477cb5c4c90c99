"""OFAC's lists as comma-separated files: SDN (sdn, alt, add, sdn_comments), consolidated (cons_*).

The files have no header; their number of columns identifies them. `-0-` means an empty value. The
last line is only an end-of-file mark. Long remarks continue in the comments file.
Source: OFAC, Specially Designated Nationals data specification (dat_spec.txt), 25 Sept 2023.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from acredita.providers.watchlists import remarks
from acredita.providers.watchlists.countries import codes
from acredita.providers.watchlists.details import details_of, joined
from acredita.providers.watchlists.protocol import (
    EntityType,
    Facts,
    ListedEntity,
    ListFile,
    Name,
    NameKind,
)
from acredita.providers.watchlists.text import END_OF_FILE, encoding_of, family_first, rows

ENTRIES, NAMES, ADDRESSES, COMMENTS = 12, 5, 6, 2
TYPES: dict[str, EntityType] = {
    "": "company",
    "entity": "company",
    "individual": "person",
    "vessel": "vessel",
    "aircraft": "aircraft",
}
KINDS: dict[str, NameKind] = {"aka": "alias", "nka": "alias", "fka": "former"}
NOTHING = "-0-"


@dataclass(slots=True)
class _Details:
    """The facts about an entry in the other files."""

    names: list[tuple[str, NameKind]] = field(default_factory=list)
    countries: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    comments: str = ""


def columns_of(file: ListFile) -> int:
    """The number of columns in the first row."""
    return next((len(row) for _, row in _rows(file)), 0)


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    by_columns: dict[int, list[ListFile]] = defaultdict(list)
    for file in files:
        by_columns[columns_of(file)].append(file)
    for columns, same in by_columns.items():
        if columns not in {ENTRIES, NAMES, ADDRESSES, COMMENTS}:
            raise same[0].fault(f"has {columns} columns, like none of OFAC's files", 1)
        if len(same) > 1:
            raise same[1].fault(f"is the same kind of file as {same[0].name}")
    if ENTRIES not in by_columns:
        raise files[0].fault("needs the main file (sdn.csv or cons_prim.csv)")
    further = _further(by_columns)
    known = set()
    (main,) = by_columns[ENTRIES]
    for line, row in _rows(main, ENTRIES):
        known.add(row[0])
        yield _entity(row, further.get(row[0], _Details()), main.place(line))
    if lost := sum(1 for number in further if number not in known):
        facts.remarks.append(f"{lost} entries of the other files are not in {main.name}: skipped")
    if NAMES not in by_columns:
        facts.remarks.append(f"{main.name} came without its aliases (alt.csv or cons_alt.csv)")


def _rows(file: ListFile, columns: int = 0) -> Iterator[tuple[int, list[str]]]:
    for line, row in rows(file, encoding=encoding_of(file)):
        # `clean` removed the end-of-file mark, so its row is already blank.
        fields = ["" if value == NOTHING else value.removesuffix(END_OF_FILE) for value in row]
        if columns and len(fields) != columns:
            raise file.fault(f"has {len(fields)} columns instead of {columns}", line)
        if columns and not fields[0].isdecimal():
            raise file.fault("does not begin with an entry number", line)
        yield line, fields


def _further(by_columns: dict[int, list[ListFile]]) -> dict[str, _Details]:
    found: dict[str, _Details] = defaultdict(_Details)
    for file in by_columns.get(NAMES, ()):
        for _, (number, _, kind, name, _) in _rows(file, NAMES):
            if name:
                found[number].names.append((name, KINDS.get(kind, "alias")))
    for file in by_columns.get(ADDRESSES, ()):
        for _, (number, _, street, city, country, _) in _rows(file, ADDRESSES):
            found[number].addresses.append(joined(street, city, country))
            if country:
                found[number].countries.append(country)
    for file in by_columns.get(COMMENTS, ()):
        for _, (number, text) in _rows(file, COMMENTS):
            found[number].comments += text
    return found


def _entity(row: list[str], further: _Details, place: str) -> ListedEntity:
    number, name, kind, programs, *_, remark = row
    entity_type = TYPES.get(kind.casefold(), "other")
    person = entity_type == "person"
    said = remarks.read(remark + further.comments)
    names: list[Name] = [family_first(name, "primary", person=person)]
    names += [family_first(text, kind, person=person) for text, kind in further.names]
    names += [family_first(text, kind, person=person) for text, kind in said.names]
    flag = row[9] if entity_type == "vessel" else ""
    identifiers = said.identifiers
    if entity_type == "aircraft":
        identifiers += tuple(remarks.aircraft_identifiers(each.text for each in names))
    return ListedEntity(
        source_id=number,
        entity_type=entity_type,
        names=tuple(names),
        countries=codes(*said.countries, flag, *further.countries),
        dates_of_birth=said.dates_of_birth,
        identifiers=tuple(dict.fromkeys(identifiers)),
        programs=tuple(re.split(r"\]\s*\[", programs)) if programs else (),
        details=details_of(
            places_of_birth=said.places_of_birth,
            nationalities=said.countries,
            genders=said.genders,
            addresses=further.addresses,
            positions=[row[4]],
            remarks=[remark + further.comments],
        ),
        place=place,
    )
