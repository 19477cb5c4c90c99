"""Follow-the-Money entities as JSON lines, the format of OpenSanctions.

OpenSanctions data need a licence for commercial use. The product contains none of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from acredita.providers.watchlists.countries import codes
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
from acredita.providers.watchlists.text import clean, encoding_of, named, open_bytes

# The graph's other entities (addresses, sanctions, ownerships) are not screened.
SCHEMATA: dict[str, EntityType] = {
    "Person": "person",
    "Company": "company",
    "Organization": "company",
    "PublicBody": "company",
    "LegalEntity": "other",
    "Vessel": "vessel",
    "Airplane": "aircraft",
}
NAMES: dict[str, NameKind] = {
    "name": "primary",
    "alias": "alias",
    "previousName": "former",
    "weakAlias": "weak",
}
IDENTIFIERS = {
    "passportNumber": "passport",
    "idNumber": "national_id",
    "socialSecurityNumber": "national_id",
    "taxNumber": "tax_id",
    "vatCode": "tax_id",
    "innCode": "tax_id",
    "registrationNumber": "registration",
    "ogrnCode": "registration",
    "uscCode": "registration",
    "dunsCode": "registration",
    "imoNumber": "imo",
    "mmsi": "mmsi",
    "leiCode": "lei",
    "swiftBic": "swift",
}
OF_AIRCRAFT = IDENTIFIERS | {
    "registrationNumber": "aircraft_registration",
    "serialNumber": "aircraft_serial",
}
COUNTRIES = ("nationality", "citizenship", "country", "jurisdiction", "flag")
NATIONALITIES = COUNTRIES[:2]
LONGEST_LINE = 16 << 20


def read(files: Sequence[ListFile], facts: Facts) -> Iterator[ListedEntity]:
    others = 0
    for file in files:
        encoding_of(file)
        for line, entity in lines(file):
            if found := entity_of(entity, file, line):
                yield found
            else:
                others += 1
    if others:
        facts.remarks.append(f"{others} lines are not a listed person, company or vessel")


def lines(file: ListFile) -> Iterator[tuple[int, dict[str, Any]]]:
    with open_bytes(file) as raw:
        number = 0
        while text := raw.readline(LONGEST_LINE):
            number += 1
            if not text.strip(b"\xef\xbb\xbf \t\r\n"):
                continue
            try:
                value = orjson.loads(text.removeprefix(b"\xef\xbb\xbf"))
            except orjson.JSONDecodeError:
                raise file.fault("is not JSON, or truncated", number) from None
            if not isinstance(value, dict):
                raise file.fault("is not a JSON object", number)
            yield number, value


def entity_of(value: Mapping[str, Any], file: ListFile, line: int) -> ListedEntity | None:
    entity_id, properties = value.get("id"), value.get("properties")
    if not isinstance(entity_id, str) or not entity_id or not isinstance(properties, dict):
        raise file.fault("has no id or no properties", line)
    kind = SCHEMATA.get(str(value.get("schema")))
    # `target` is false for entities that are not listed themselves but related to a listed one.
    if kind is None or value.get("target") is False:
        return None
    texts = {name: _texts(properties.get(name)) for name in properties}
    names = _names(texts, str(value.get("caption") or ""))
    if not names:
        raise file.fault("has no name", line)
    countries = (code.upper() for name in COUNTRIES for code in texts.get(name, ()))
    births = [day for text in texts.get("birthDate", ()) for day in dates_in(text)]
    return ListedEntity(
        source_id=entity_id,
        entity_type=kind,
        names=names,
        countries=codes(*countries),
        dates_of_birth=tuple(dict.fromkeys(births)),
        identifiers=tuple(_identifiers(kind, texts)),
        programs=tuple(texts.get("topics", ())),
        details=_details(texts),
        place=file.place(line),
    )


def _identifiers(kind: EntityType, texts: Mapping[str, list[str]]) -> Iterator[tuple[str, str]]:
    for name, known in (OF_AIRCRAFT if kind == "aircraft" else IDENTIFIERS).items():
        yield from ((known, text) for text in texts.get(name, ()))


def _details(texts: Mapping[str, list[str]]) -> Details:
    return details_of(
        places_of_birth=texts.get("birthPlace", ()),
        nationalities=[code.upper() for name in NATIONALITIES for code in texts.get(name, ())],
        genders=texts.get("gender", ()),
        addresses=texts.get("address", ()),
        positions=texts.get("position", ()),
        remarks=texts.get("notes", ()),
        updated_on=max(texts.get("modifiedAt", ()), default=""),
        url=next(iter(texts.get("sourceUrl", ())), ""),
    )


def _texts(values: object) -> list[str]:
    if not isinstance(values, list):
        return []
    return [text for value in values if isinstance(value, str) and (text := clean(value))]


def _names(texts: Mapping[str, list[str]], caption: str) -> tuple[Name, ...]:
    """The caption is the publisher's preferred name. Names are unordered."""
    found: dict[str, Name] = {}
    family, given = (" ".join(texts.get(part, ())[:1]) for part in ("lastName", "firstName"))
    for prop, kind in NAMES.items():
        for text in sorted(texts.get(prop, ()), key=lambda text: text != caption):
            first = not found
            known = given if given in text else "", family if family in text else ""
            found.setdefault(
                text,
                named(text, "primary" if first else kind, given=known[0], family=known[1])
                if kind == "primary" and first
                else named(text, "alias" if kind == "primary" else kind),
            )
    return tuple(found.values())
