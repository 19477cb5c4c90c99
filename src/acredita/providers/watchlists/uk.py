"""The United Kingdom's lists: OFSI's ConList.csv and the UK Sanctions List, which has replaced it.

Both have one or two lines before the header, several rows per entry, and names in parts: 1 to 5 are
given names, 6 is the family name or the whole name.
"""

import re
from collections.abc import Iterator, Sequence

from acredita.providers.watchlists.dates import dates_in, moment
from acredita.providers.watchlists.details import joined
from acredita.providers.watchlists.entity_builder import EntityBuilder
from acredita.providers.watchlists.protocol import (
    EntityType,
    Facts,
    ListedEntity,
    ListFile,
    NameKind,
)
from acredita.providers.watchlists.text import (
    Table,
    document_number,
    encoding_of,
    named,
    only,
    rows,
)

GIVEN = tuple(f"Name {number}" for number in range(1, 6))
NUMBERS = ("Unique ID", "Group ID", "OFSI Group ID")
TYPES: dict[str, EntityType] = {
    "individual": "person",
    "entity": "company",
    "ship": "vessel",
    "aircraft": "aircraft",
}
# Maximum number of lines before the header.
LATEST_HEADER = 10
LINES = range(1, 7)
ADDRESS_COUNTRY = ("Country", "Address Country")
REMARKS = ("Other Information", "UK Statement of Reasons")
# The primary name comes first.
KINDS = ("primary", "alias", "former", "weak", "original_script")
NUMBERED = re.compile(r"\(\d+\)")


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    file = only(files)
    table: Table | None = None
    builders: dict[str, EntityBuilder] = {}
    # OFSI's file used the Windows code page for years.
    for count, (line, row) in enumerate(rows(file, encoding=encoding_of(file, otherwise="cp1252"))):
        if table is None:
            facts.as_of = facts.as_of or moment(" ".join(row))
            if "name 6" in (field.casefold() for field in row):
                table = Table(file, row, ("Name 6", "Name 1"))
            elif count >= LATEST_HEADER:
                break
            continue
        number = table.get(row, *NUMBERS)
        if not number:
            raise file.fault("has a row without the entry's id", line)
        kind = table.get(row, "Group Type", "Designation Type", "Individual, Entity, Ship")
        entity_type = TYPES.get(kind.casefold(), "other")
        _add(builders.setdefault(number, EntityBuilder(file.place(line), entity_type)), table, row)
    if table is None:
        raise file.fault("has no header with the columns 'Name 6' and 'Name 1'")
    for number, each in builders.items():
        each.names.sort(key=lambda name: KINDS.index(name.kind))
        yield each.entity(number)


def _add(entity: EntityBuilder, table: Table, row: list[str]) -> None:
    family = table.get(row, "Name 6")
    given = " ".join(part for name in GIVEN if (part := table.get(row, name)))
    if text := " ".join(filter(None, (given, family))):
        entity.names.append(named(text, _kind(table, row), family=family, given=given))
    if original := table.get(row, "Name Non-Latin Script"):
        entity.names.append(named(original, "original_script"))
    entity.nationalities += _several(table.get(row, "Nationality", "Nationality(/ies)"))
    entity.address_countries += _several(table.get(row, *ADDRESS_COUNTRY))
    for text in _several(table.get(row, "DOB", "D.O.B")):
        entity.births += dates_in(text)
    for kind, columns in (
        ("passport", ("Passport Number", "Passport Details")),
        ("national_id", ("National Identification Number", "National Identifier number")),
        ("registration", ("Business registration number (s)",)),
        ("imo", ("IMO number",)),
    ):
        for text in _several(table.get(row, *columns)):
            number = document_number(text)
            entity.identifiers.append((kind, number))
            entity.remarks += [text] if text != number else []
    if program := table.get(row, "Regime", "Regime Name"):
        entity.programs.append(program)
    _add_details(entity, table, row)


def _add_details(entity: EntityBuilder, table: Table, row: list[str]) -> None:
    entity.places_of_birth.append(
        joined(
            _plain(table.get(row, "Town of Birth", "Town of birth")),
            _plain(table.get(row, "Country of Birth", "Country of birth")),
        )
    )
    lines = (table.get(row, f"Address {number}", f"Address Line {number}") for number in LINES)
    code = table.get(row, "Post/Zip Code", "Address Postal Code")
    entity.addresses.append(joined(*lines, code, table.get(row, *ADDRESS_COUNTRY)))
    entity.genders.append(table.get(row, "Gender"))
    entity.positions += _several(table.get(row, "Position"))
    entity.remarks += [table.get(row, name) for name in REMARKS]
    entity.listed_on = entity.listed_on or table.get(row, "Date Designated", "Listed On")
    entity.updated_on = entity.updated_on or table.get(row, "Last Updated")


def _plain(text: str) -> str:
    """`(1) Minsk (2) Grodno` as `Minsk / Grodno`."""
    return " / ".join(_several(text))


def _several(text: str) -> list[str]:
    """Split `(1) Iran. (2) Iraq.`"""
    return [part.strip(" .") for part in NUMBERED.split(text) if part.strip(" .")]


def _kind(table: Table, row: list[str]) -> NameKind:
    kind = table.get(row, "Alias Type", "Name type").casefold()
    if kind.startswith("primary"):
        return "primary"
    if kind.startswith("f"):
        return "former"
    quality = table.get(row, "Alias Quality", "Alias strength").casefold()
    return "weak" if quality.startswith("low") else "alias"
