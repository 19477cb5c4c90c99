"""The European Union's consolidated financial sanctions: CSV (both versions) and XML 1.1."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

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
from acredita.providers.watchlists.text import Table, encoding_of, named, only, rows
from acredita.providers.watchlists.xml import Records, attribute, text_of, texts_of

BIRTHPLACE = ("place", "city", "region", "countryDescription")
ADDRESS = ("street", "poBox", "zipCode", "city", "region", "countryDescription")
NEEDED = ("Entity_LogicalId", "NameAlias_WholeName")
# Part of the code or the description of a document → kind of the identifier.
IDENTIFIERS = {
    "passport": "passport",
    "travel": "passport",
    "fiscal": "tax_id",
    "tax": "tax_id",
    "reg": "registration",
    "trade": "registration",
    "swift": "swift",
    "elect": "voter_id",
    "driv": "driver_license",
    "imo": "imo",
    "national": "national_id",
}


def _new_entity(place: str) -> EntityBuilder:
    return EntityBuilder(place, "company")


def read_csv(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    """Read the CSV. An entity has several rows, and texts may contain unescaped quotation marks."""
    file = only(files)
    table: Table | None = None
    builders: dict[str, EntityBuilder] = {}
    encoding = encoding_of(file)
    for line, row in rows(file, encoding=encoding, delimiter=";", lazy_quotes=True):
        if table is None:
            table = Table(file, row, NEEDED)
            continue
        number = table.get(row, "Entity_LogicalId")
        if not number:
            continue
        if not number.isdecimal():
            raise file.fault("has no number as Entity_LogicalId", line)
        if len(row) < table.width - 1:
            raise file.fault(f"has {len(row)} columns instead of {table.width}", line)
        facts.as_of = facts.as_of or moment(table.get(row, "fileGenerationDate"))
        _add_row(builders.setdefault(number, _new_entity(file.place(line))), table, row)
    for number, each in builders.items():
        yield each.entity(number)


def _add_row(entity: EntityBuilder, table: Table, row: list[str]) -> None:
    entity.entity_type = _type(
        table.get(row, "Entity_SubjectType_ClassificationCode", "Entity_SubjectType")
    )
    first, middle, last = (
        table.get(row, f"NameAlias_{part}Name") for part in ("First", "Middle", "Last")
    )
    strong = table.get(row, "NameAlias_Strong").casefold() != "false"
    whole = table.get(row, "NameAlias_WholeName")
    _add_name(entity, whole, (first, middle, last), strong=strong)
    if country := table.get(row, "Citizenship_CountryIso2Code", "Citizenship_CountryDescription"):
        entity.nationalities.append(country)
    if country := table.get(row, "Address_CountryIso2Code", "Address_CountryDescription"):
        entity.address_countries.append(country)
    birth = table.get(row, "BirthDate_BirthDate", "Birthdate_BirthDate", "BirthDate_Year")
    entity.births += dates_in(birth)
    if number := table.get(row, "Identification_Number"):
        kind = table.get(row, "Identification_TypeCode", "Identification_TypeDescription")
        entity.identifiers.append((_identifier(kind), number))
    if program := table.get(row, "Entity_Regulation_Programme"):
        entity.programs.append(program)
    _add_details(entity, table, row)


def _add_name(
    entity: EntityBuilder, whole: str, parts: tuple[str, str, str], *, strong: bool
) -> None:
    first, middle, last = parts
    given = " ".join(filter(None, (first, middle)))
    text = whole or " ".join(filter(None, (given, last)))
    if text and not entity.has_name(text):
        kind: NameKind = "primary" if not entity.names else "alias" if strong else "weak"
        entity.names.append(named(text, kind, family=last, given=given))


def _add_details(entity: EntityBuilder, table: Table, row: list[str]) -> None:
    def place(prefix: str, *parts: str) -> str:
        return joined(*(table.get(row, f"{prefix}_{part}") for part in parts))

    entity.genders.append(table.get(row, "NameAlias_Gender"))
    entity.positions += [table.get(row, "NameAlias_Title"), table.get(row, "NameAlias_Function")]
    entity.places_of_birth.append(
        place("BirthDate", "Place", "City", "Region", "CountryDescription")
    )
    entity.addresses.append(
        place("Address", "Street", "PoBox", "ZipCode", "City", "Region", "CountryDescription")
    )
    entity.remarks.append(table.get(row, "Entity_Remark"))
    entity.listed_on = entity.listed_on or table.get(row, "Entity_DesignationDate")
    entity.url = entity.url or table.get(row, "Entity_Regulation_PublicationUrl")


def read_xml(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    file = only(files)
    records = Records(file, {"sanctionEntity"})
    for line, record in records:
        number = attribute(record, "logicalId")
        if not number:
            raise file.fault("has an entity without logicalId", line)
        yield _gather(record, file.place(line)).entity(number)
    facts.as_of = moment(records.root.get("generationDate", ""))


def _gather(record: Element, place: str) -> EntityBuilder:
    entity = _new_entity(place)
    for kind in record.iterfind("subjectType"):
        entity.entity_type = _type(attribute(kind, "classificationCode") or attribute(kind, "code"))
    for name in record.iterfind("nameAlias"):
        first, middle, last = (
            attribute(name, part) for part in ("firstName", "middleName", "lastName")
        )
        strong = attribute(name, "strong").casefold() != "false"
        whole = attribute(name, "wholeName")
        _add_name(entity, whole, (first, middle, last), strong=strong)
    for tag, countries in (
        ("citizenship", entity.nationalities),
        ("address", entity.address_countries),
    ):
        countries += [attribute(each, "countryIso2Code") for each in record.iterfind(tag)]
    for birth in record.iterfind("birthdate"):
        entity.births += dates_in(attribute(birth, "birthdate") or attribute(birth, "year"))
    for each in record.iterfind("identification"):
        if number := attribute(each, "number"):
            code = attribute(each, "identificationTypeCode")
            entity.identifiers.append((_identifier(code), number))
    entity.programs += [attribute(each, "programme") for each in record.iterfind("regulation")]
    _gather_details(entity, record)
    return entity


def _gather_details(entity: EntityBuilder, record: Element) -> None:
    for name in record.iterfind("nameAlias"):
        entity.genders.append(attribute(name, "gender"))
        entity.positions += [attribute(name, "title"), attribute(name, "function")]
    for texts, tag, parts in (
        (entity.places_of_birth, "birthdate", BIRTHPLACE),
        (entity.addresses, "address", ADDRESS),
    ):
        texts += [
            joined(*(attribute(each, part) for part in parts)) for each in record.iterfind(tag)
        ]
    entity.remarks += texts_of(record, "remark")
    entity.listed_on = attribute(record, "designationDate")
    for regulation in record.iterfind("regulation"):
        entity.url = entity.url or text_of(regulation, "publicationUrl")


def _type(word: str) -> EntityType:
    return "person" if word.casefold() in {"p", "person"} else "company"


def _identifier(word: str) -> str:
    lowered = word.casefold()
    if lowered in {"id", "ssn"}:
        return "national_id"
    return next((kind for part, kind in IDENTIFIERS.items() if part in lowered), "other")
