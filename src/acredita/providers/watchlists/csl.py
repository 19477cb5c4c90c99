"""The United States' Consolidated Screening List (trade.gov), CSV with a header."""

import re
from collections.abc import Iterator, Sequence

from acredita.providers.watchlists.countries import codes
from acredita.providers.watchlists.dates import dates_in
from acredita.providers.watchlists.details import details_of
from acredita.providers.watchlists.ofac_csv import TYPES
from acredita.providers.watchlists.protocol import Facts, ListedEntity, ListFile
from acredita.providers.watchlists.remarks import identifier_kind
from acredita.providers.watchlists.text import Table, encoding_of, family_first, only, rows, several

HEADER = ("_id", "source", "name", "alt_names")
ABBREVIATION = re.compile(r"\(([A-Z]+)[^)]*\)")


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    file = only(files)
    table: Table | None = None
    repeated = 0
    for line, row in rows(file, encoding=encoding_of(file)):
        if table is None:
            table = Table(file, row, HEADER)
        elif row[0] == "_id":
            repeated += 1
        elif len(row) != table.width:
            raise file.fault(f"has {len(row)} columns instead of {table.width}", line)
        else:
            yield _entity(table, row, file.place(line))
    if repeated:
        facts.remarks.append(f"{file.name} repeats its header: {repeated} rows skipped")


def _entity(table: Table, row: list[str], place: str) -> ListedEntity:
    source = table.get(row, "source")
    found = ABBREVIATION.search(source)
    abbreviation = found[1] if found else "OTHER"
    kind = table.get(row, "type").casefold()
    # Most of the combined lists do not say whether an entry is a person.
    entity_type = TYPES.get(kind, "other") if kind else "other"
    person = entity_type in {"person", "other"}
    addresses = [part.rpartition(",")[2].strip() for part in table.get(row, "addresses").split(";")]
    births = [day for text in several(table.get(row, "dates_of_birth")) for day in dates_in(text)]
    return ListedEntity(
        source_id=f"{abbreviation}-{table.get(row, '_id')}",
        entity_type=entity_type,
        names=(
            family_first(table.get(row, "name"), "primary", person=person),
            *(
                family_first(name, "alias", person=person)
                for name in several(table.get(row, "alt_names"), "; ")
            ),
        ),
        countries=codes(
            *several(table.get(row, "nationalities")),
            *several(table.get(row, "citizenships")),
            *addresses,
        ),
        dates_of_birth=tuple(dict.fromkeys(births)),
        identifiers=tuple(_identifiers(table.get(row, "ids"))),
        programs=tuple(several(table.get(row, "programs"))) or (abbreviation,),
        details=details_of(
            places_of_birth=several(table.get(row, "places_of_birth")),
            nationalities=[
                *several(table.get(row, "nationalities")),
                *several(table.get(row, "citizenships")),
            ],
            addresses=several(table.get(row, "addresses")),
            positions=[table.get(row, "title")],
            remarks=[table.get(row, "remarks")],
            listed_on=table.get(row, "start_date"),
            url=table.get(row, "source_information_url"),
        ),
        place=place,
    )


def _identifiers(text: str) -> Iterator[tuple[str, str]]:
    """`Passport, A1234567, MX; Tax ID No., 123, RU`"""
    for each in several(text):
        kind, _, rest = each.partition(", ")
        known, value = identifier_kind(kind), rest.partition(", ")[0]
        if known and value:
            yield known, value
