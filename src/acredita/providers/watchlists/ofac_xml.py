"""OFAC's lists as XML (SDN.XML, CONSOLIDATED.XML): a <sdnList> of <sdnEntry>."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from acredita.providers.watchlists.countries import codes
from acredita.providers.watchlists.dates import dates_in, month_first
from acredita.providers.watchlists.details import details_of, joined
from acredita.providers.watchlists.ofac_csv import TYPES
from acredita.providers.watchlists.protocol import Facts, ListedEntity, ListFile, Name, NameKind
from acredita.providers.watchlists.remarks import aircraft_identifiers, identifier_kind
from acredita.providers.watchlists.text import named, only
from acredita.providers.watchlists.xml import Records, text_of, texts_of

ADDRESS_PARTS = (
    "address1",
    "address2",
    "address3",
    "city",
    "stateOrProvince",
    "postalCode",
    "country",
)


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    file = only(files)
    expected, count = "", 0
    for line, record in Records(file, {"publshInformation", "publishInformation", "sdnEntry"}):
        if record.tag == "sdnEntry":
            count += 1
            yield _entity(record, file, line)
        else:
            facts.as_of = month_first(text_of(record, "Publish_Date"))
            expected = text_of(record, "Record_Count")
    if expected.isdecimal() and int(expected) != count:
        raise file.fault(f"announces {expected} entries but has {count}")


def _entity(record: Element, file: ListFile, line: int) -> ListedEntity:
    number = text_of(record, "uid")
    if not number:
        raise file.fault("has an entry without uid", line)
    entity_type = TYPES.get(text_of(record, "sdnType").casefold(), "other")
    births = [day for text in texts_of(record, ".//dateOfBirth") for day in dates_in(text)]
    names = (
        _name(record, "primary"),
        *(_name(aka, _kind(aka)) for aka in record.iterfind("akaList/aka")),
    )
    identifiers = list(_identifiers(record))
    if entity_type == "aircraft":
        identifiers += aircraft_identifiers(each.text for each in names)
    return ListedEntity(
        source_id=number,
        entity_type=entity_type,
        names=names,
        countries=codes(
            *texts_of(record, "nationalityList/nationality/country"),
            *texts_of(record, "citizenshipList/citizenship/country"),
            *texts_of(record, "vesselInfo/vesselFlag"),
            *texts_of(record, "addressList/address/country"),
        ),
        dates_of_birth=tuple(dict.fromkeys(births)),
        identifiers=tuple(dict.fromkeys(identifiers)),
        programs=tuple(texts_of(record, "programList/program")),
        details=details_of(
            places_of_birth=texts_of(record, "placeOfBirthList/placeOfBirthItem/placeOfBirth"),
            nationalities=[
                *texts_of(record, "nationalityList/nationality/country"),
                *texts_of(record, "citizenshipList/citizenship/country"),
            ],
            genders=[
                text_of(each, "idNumber")
                for each in record.iterfind("idList/id")
                if text_of(each, "idType") == "Gender"
            ],
            addresses=[
                joined(*(text_of(each, part) for part in ADDRESS_PARTS))
                for each in record.iterfind("addressList/address")
            ],
            positions=[text_of(record, "title")],
            remarks=[text_of(record, "remarks")],
        ),
        place=file.place(line),
    )


def _name(element: Element, kind: NameKind) -> Name:
    family, given = text_of(element, "lastName"), text_of(element, "firstName")
    if not given:
        return named(family, kind)
    return named(f"{family}, {given}", kind, family=family, given=given)


def _kind(aka: Element) -> NameKind:
    if text_of(aka, "category") == "weak":
        return "weak"
    return "former" if text_of(aka, "type").startswith("f") else "alias"


def _identifiers(record: Element) -> Iterator[tuple[str, str]]:
    for each in record.iterfind("idList/id"):
        kind, value = identifier_kind(text_of(each, "idType")), text_of(each, "idNumber")
        if kind and value:
            yield kind, value.removeprefix("IMO ")
