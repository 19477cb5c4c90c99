"""Politically exposed persons of Mexico, as an operator compiles them from public registers.

CSV in UTF-8 with a header in Spanish, separated by commas or semicolons; see
docs/integrators/aml.md. One row per public office: rows with the same `id`, or else the same CURP,
or else the same name and date of birth, are one entry with several positions. Relatives and
associates, whom the rules treat alike, have `parentesco` and `pep_relacionada`.
"""

from collections.abc import Iterator, Sequence

from acredita.providers.watchlists.dates import dates_in
from acredita.providers.watchlists.details import joined
from acredita.providers.watchlists.entity_builder import EntityBuilder
from acredita.providers.watchlists.own_csv import delimiter_of
from acredita.providers.watchlists.protocol import Facts, ListedEntity, ListFile, NameKind
from acredita.providers.watchlists.text import Table, known_rows, named, several

COLUMNS = (
    "id",
    "nombres",
    "primer_apellido",
    "segundo_apellido",
    "otros_nombres",
    "curp",
    "rfc",
    "fecha_nacimiento",
    "lugar_nacimiento",
    "sexo",
    "cargo",
    "institucion",
    "entidad",
    "nivel",
    "fecha_inicio",
    "fecha_fin",
    "parentesco",
    "pep_relacionada",
    "nota",
    "fuente",
)
NEEDED = ("nombres", "primer_apellido")
# As in a CURP: M is a woman.
SEXES = {"h": "male", "hombre": "male", "m": "female", "mujer": "female"}
PEP, RELATED = "PEP", "PEP-RELACIONADA"


def is_header(head: bytes) -> bool:
    first = head.decode("utf-8-sig", "replace").partition("\n")[0]
    names = {name.strip().strip('"').casefold() for name in first.replace(";", ",").split(",")}
    return set(NEEDED) <= names


def read(files: Sequence[ListFile], _facts: Facts) -> Iterator[ListedEntity]:
    people: dict[str, EntityBuilder] = {}
    for file in files:
        for line, table, row in known_rows(file, COLUMNS, NEEDED, delimiter=delimiter_of(file)):
            _add(people, table, row, file, line)
    for source_id, person in people.items():
        yield person.entity(source_id)


def _add(
    people: dict[str, EntityBuilder], table: Table, row: list[str], file: ListFile, line: int
) -> None:
    def get(name: str) -> str:
        return table.get(row, name)

    given = get("nombres")
    family = " ".join(filter(None, (get("primer_apellido"), get("segundo_apellido"))))
    if not given or not family:
        raise file.fault("has no given names or no surname", line)
    births, gender = _births(get("fecha_nacimiento"), file, line), _gender(get("sexo"), file, line)
    name = f"{given} {family}"
    source_id = get("id") or get("curp") or " ".join((name.casefold(), *births))
    person = people.setdefault(
        source_id, EntityBuilder(file.place(line), "person", address_countries=["MX"])
    )
    if not person.has_name(name):
        kind: NameKind = "alias" if person.names else "primary"
        person.names.append(named(name, kind, family=family, given=given))
    person.names += [named(text) for text in several(get("otros_nombres"), "|")]
    person.births += births
    for column in ("curp", "rfc"):
        if value := get(column):
            person.identifiers.append((column, value))
    person.places_of_birth.append(get("lugar_nacimiento"))
    person.genders.append(gender)
    person.positions.append(_position(table, row))
    person.programs.append(RELATED if get("parentesco") else PEP)
    if get("parentesco"):
        person.remarks.append(f"{get('parentesco')}: {get('pep_relacionada')}".rstrip(": "))
    person.remarks.append(get("nota"))
    person.url = person.url or get("fuente")


def _births(text: str, file: ListFile, line: int) -> tuple[str, ...]:
    births = dates_in(text)
    if text and not births:
        raise file.fault("has an invalid date of birth", line)
    return births


def _gender(text: str, file: ListFile, line: int) -> str:
    if text and text.casefold() not in SEXES:
        raise file.fault("has an unknown sex: H and M are expected", line)
    return SEXES.get(text.casefold(), "")


def _position(table: Table, row: list[str]) -> str:
    """`Diputada federal, Cámara de Diputados, Sonora (2021-09-01 – 2024-08-31)`"""
    parts = (table.get(row, part) for part in ("cargo", "institucion", "entidad", "nivel"))
    since, until = (
        next(iter(dates_in(table.get(row, part))), "") for part in ("fecha_inicio", "fecha_fin")
    )
    office = joined(*parts)
    return f"{office} ({since or '…'} – {until or '…'})" if office and (since or until) else office
