"""The Mexican tax administration's list of article 69-B of the Código Fiscal de la Federación.

It comes as one file or as one file per status, in UTF-8 or Latin-1, with or without lines before
the header. Presumed (Presunto) and definitive (Definitivo) issuers of fictitious invoices are
adverse entries. Those who disproved it (Desvirtuado) or won in court (Sentencia Favorable) are
cleared: they stay in the list and cause no hits. A taxpayer with several rows is cleared only if
all rows say so.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from acredita.providers.watchlists.dates import moment
from acredita.providers.watchlists.protocol import Facts, ListedEntity, ListFile
from acredita.providers.watchlists.text import clean, encoding_of, named, rows

RFC = re.compile(r"[A-ZÑ&]{3,4}\d{6}[A-Z0-9]{3}")
# A court order hides a taxpayer: the row has only X.
HIDDEN = re.compile("X+")
ADVERSE = ("definitivo", "presunto")
CLEARED = ("desvirtuado", "sentencia favorable")
LATEST_HEADER = 10
TITLE = re.compile(r"actualizada al (\d+ de \w+ de \d{4})", re.IGNORECASE)


@dataclass(slots=True)
class _EntityBuilder:
    place: str
    names: dict[str, None] = field(default_factory=dict)
    statuses: dict[str, None] = field(default_factory=dict)


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    builders: dict[str, _EntityBuilder] = {}
    seen: dict[tuple[str, ...], str] = {}
    hidden = 0
    for file in files:
        for line, (_, written, name, situation, *rest) in _rows(file, facts):
            rfc = re.sub(r"[^A-ZÑ&0-9]", "", written.upper())
            if HIDDEN.fullmatch(rfc) or not rfc:
                hidden += 1
                continue
            status = situation.casefold()
            if not status.startswith(ADVERSE + CLEARED):
                raise file.fault("has an unknown status", line)
            place, key = file.place(line), (rfc, status, *rest)
            if key in seen:
                raise file.fault(f"repeats the row of {seen[key]}", line)
            seen[key] = place
            entry = builders.setdefault(rfc, _EntityBuilder(place))
            # The text after // in the name is a note about a court order.
            entry.names[name.partition("//")[0].strip()] = None
            entry.statuses[status] = None
    if hidden:
        facts.remarks.append(f"{hidden} rows without a name skipped")
    for rfc, entry in builders.items():
        yield _entity(rfc, entry)


def _rows(file: ListFile, facts: Facts) -> Iterator[tuple[int, list[str]]]:
    columns = 0
    encoding = encoding_of(file, otherwise="latin-1")
    for count, (line, row) in enumerate(rows(file, encoding=encoding)):
        if columns:
            if len(row) != columns:
                raise file.fault(f"has {len(row)} columns instead of {columns}", line)
            yield line, row
        elif found := TITLE.search(row[0]):
            published = moment(found[1])
            facts.as_of = max(filter(None, (facts.as_of, published)), default=None)
        elif len(row) > 3 and row[1].upper() == "RFC":
            columns = len(row)
        elif count >= LATEST_HEADER:
            break
    if not columns:
        raise file.fault("has no header with the column RFC")


def _entity(rfc: str, entry: _EntityBuilder) -> ListedEntity:
    first, *others = entry.names
    return ListedEntity(
        source_id=rfc,
        entity_type="person" if len(rfc) == 13 else "company",
        names=(named(clean(first), "primary"), *(named(clean(name)) for name in others)),
        countries=("MX",),
        identifiers=(("rfc", rfc),) if RFC.fullmatch(rfc) else (),
        programs=tuple(status.capitalize() for status in entry.statuses),
        cleared=all(status.startswith(CLEARED) for status in entry.statuses),
        place=entry.place,
    )
