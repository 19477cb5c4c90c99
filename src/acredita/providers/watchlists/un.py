"""The United Nations Security Council's consolidated list (XML)."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from acredita.providers.watchlists.countries import codes
from acredita.providers.watchlists.dates import WIDEST_RANGE, dates_in, moment
from acredita.providers.watchlists.details import details_of, joined
from acredita.providers.watchlists.protocol import (
    Details,
    Facts,
    ListedEntity,
    ListFile,
    Name,
    NameKind,
)
from acredita.providers.watchlists.text import document_number, named, only
from acredita.providers.watchlists.xml import Records, text_of, texts_of

PARTS = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
PLACE_PARTS = ("CITY", "STATE_PROVINCE", "COUNTRY", "NOTE")
ADDRESS_PARTS = ("STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY", "NOTE")
PASSPORTS = ("passport", "pasaporte", "passeport")
# QUALITY gives the strength or the kind of an alias.
QUALITIES: dict[str, NameKind] = {"low": "weak", "f.k.a.": "former"}


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    file = only(files)
    records = Records(file, {"INDIVIDUAL", "ENTITY"})
    for line, record in records:
        yield _entity(record, file, line)
    facts.as_of = moment(records.root.get("dateGenerated", ""))


def _entity(record: Element, file: ListFile, line: int) -> ListedEntity:
    number = text_of(record, "DATAID")
    name = " ".join(part for tag in PARTS if (part := text_of(record, tag)))
    if not number or not name:
        raise file.fault("has an entry without DATAID or name", line)
    names = [named(name, "primary"), *_aliases(record)]
    if original := text_of(record, "NAME_ORIGINAL_SCRIPT"):
        names.append(named(original, "original_script"))
    births = [day for each in record.iterfind("INDIVIDUAL_DATE_OF_BIRTH") for day in _birth(each)]
    return ListedEntity(
        source_id=number,
        entity_type="person" if record.tag == "INDIVIDUAL" else "company",
        names=tuple(dict.fromkeys(names)),
        countries=codes(
            *texts_of(record, "NATIONALITY/VALUE"),
            *texts_of(record, "INDIVIDUAL_ADDRESS/COUNTRY"),
            *texts_of(record, "ENTITY_ADDRESS/COUNTRY"),
        ),
        dates_of_birth=tuple(dict.fromkeys(births)),
        identifiers=tuple(_documents(record)),
        programs=tuple(texts_of(record, "UN_LIST_TYPE")),
        details=_details(record),
        place=file.place(line),
    )


def _details(record: Element) -> Details:
    addresses = [
        each for tag in ("INDIVIDUAL_ADDRESS", "ENTITY_ADDRESS") for each in record.iterfind(tag)
    ]
    return details_of(
        places_of_birth=[
            joined(*(text_of(each, part) for part in PLACE_PARTS))
            for each in record.iterfind("INDIVIDUAL_PLACE_OF_BIRTH")
        ],
        nationalities=texts_of(record, "NATIONALITY/VALUE"),
        genders=[text_of(record, "GENDER")],
        addresses=[joined(*(text_of(each, part) for part in ADDRESS_PARTS)) for each in addresses],
        positions=[*texts_of(record, "TITLE/VALUE"), *texts_of(record, "DESIGNATION/VALUE")],
        remarks=[
            text_of(record, "REFERENCE_NUMBER"),
            text_of(record, "COMMENTS1"),
            *(
                text
                for text in texts_of(record, "INDIVIDUAL_DOCUMENT/NUMBER")
                if text != document_number(text)
            ),
        ],
        listed_on=text_of(record, "LISTED_ON"),
        # The last of the days on which the entry was amended.
        updated_on=max(texts_of(record, "LAST_DAY_UPDATED/VALUE"), default=""),
    )


def _aliases(record: Element) -> Iterator[Name]:
    for tag in ("INDIVIDUAL_ALIAS", "ENTITY_ALIAS"):
        for alias in record.iterfind(tag):
            if text := text_of(alias, "ALIAS_NAME"):
                yield named(text, QUALITIES.get(text_of(alias, "QUALITY").casefold(), "alias"))


def _birth(element: Element) -> tuple[str, ...]:
    first, last = text_of(element, "FROM_YEAR"), text_of(element, "TO_YEAR")
    if first.isdecimal() and last.isdecimal():
        years = range(int(first), int(last) + 1)
        return tuple(map(str, years)) if len(years) <= WIDEST_RANGE else ()
    for tag in ("DATE", "YEAR", "NOTE"):
        if found := dates_in(text_of(element, tag)):
            return found
    return ()


def _documents(record: Element) -> Iterator[tuple[str, str]]:
    for document in record.iterfind("INDIVIDUAL_DOCUMENT"):
        kind = text_of(document, "TYPE_OF_DOCUMENT").casefold()
        if number := document_number(text_of(document, "NUMBER")):
            is_passport = any(word in kind for word in PASSPORTS)
            yield ("passport" if is_passport else "national_id"), number
