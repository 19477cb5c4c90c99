"""Parses OFAC's remarks: `DOB 15 Mar 1963; nationality Mexico; R.F.C. … (Mexico); a.k.a. 'X'.`"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from acredita.providers.watchlists.dates import dates_in
from acredita.providers.watchlists.protocol import NameKind

# Names in quotation marks are weak aliases: broad or generic (OFAC, FAQ 122).
ALIAS = re.compile(r"(?:alt\. )?([afn])\.k\.a\.? ['\"](.+)['\"]\.?")
BIRTH = re.compile(r"(?:alt\. )?DOB (.+)")
BIRTHPLACE = re.compile(r"(?:alt\. )?POB (.+?)\.?")
GENDER = re.compile(r"Gender (\w+)\.?")
NATION = re.compile(r"(?:alt\. )?(?:nationality|citizen) (.+?)\.?")
# The value may have blanks (`RL 123`, `SLA 010203 1A2`) and ends at the first other character:
# `Passport A-123 (Mexico) issued …`. Its first letters may be the end of the kind: `Registration
# ID 123`. Burmese ones have a letter in parentheses: `12/YAKANA(N)006981`.
VALUE = r"[\w./-]*\d[\w./-]*(?:\([A-Z]\)\d+|(?: [A-Z]?\d[A-Z\d]*(?= ?[(.]|$)))?"
IDENTIFIER = re.compile(
    r"(?:alt\. )?(?P<kind>[A-Z][\w .:&'/#-]*?)(?: \([A-Z]+\))?[.:]* #? ?"
    rf"(?P<letters>[A-Z]{{1,4}} )?(?P<value>{VALUE})"
)
# `Aircraft Construction Number (also called L/N or S/N or F/N) 586`: marks may have no digit.
AIRCRAFT = re.compile(
    r"(?:alt\. )?(?P<kind>(?:Previous )?Aircraft [A-Z][\w' ]+?)(?: \([^)]*\))?"
    r" (?P<value>[A-Z0-9-]+)\.?"
)
# An aircraft without a name is listed under its mark, EP-GOM or YV2954, or its number, MSN 391.
_MARK = re.compile(r"(?:[A-Z]{1,2}|[0-9][A-Z]|[A-Z][0-9])-?[A-Z0-9]{3,5}")
_SERIAL = re.compile(r"MSN ([A-Z0-9-]+)")
KINDS = {
    "rfc": "rfc",
    "curp": "curp",
    "passport": "passport",
    "diplomaticpassport": "passport",
    "traveldocumentnumber": "passport",
    "cedulano": "national_id",
    "nationalidno": "national_id",
    "nationalforeignidnumber": "national_id",
    "dni": "national_id",
    "ssn": "national_id",
    "identificationnumber": "national_id",
    "personalidcard": "national_id",
    "numerodeidentidad": "national_id",
    "cui": "national_id",
    "residencynumber": "national_id",
    "turkishidentificationnumber": "national_id",
    "citizenscardnumber": "national_id",
    "lenumber": "national_id",
    "cartilladeserviciomilitarnacional": "national_id",
    "driverslicenseno": "driver_license",
    "ife": "voter_id",
    "electoralregistryno": "voter_id",
    "credencialelectoral": "voter_id",
    "taxidno": "tax_id",
    "nit": "tax_id",
    "ruc": "tax_id",
    "rif": "tax_id",
    "cuit": "tax_id",
    "rtn": "tax_id",
    "usfein": "tax_id",
    "vatnumber": "tax_id",
    "fiscalcode": "tax_id",
    "registrationnumber": "registration",
    "registrationid": "registration",
    "commercialregistrynumber": "registration",
    "businessregistrationnumber": "registration",
    "businessregistrationdocument": "registration",
    "crno": "registration",
    "companynumber": "registration",
    "ukcompanynumber": "registration",
    "enterprisenumber": "registration",
    "businessnumber": "registration",
    "tradelicenseno": "registration",
    "registeredcharityno": "registration",
    "publicregistrationnumber": "registration",
    "economicregisternumber": "registration",
    "certificateofincorporationnumber": "registration",
    "centralregistrationsystemnumber": "registration",
    "chamberofcommercenumber": "registration",
    "istanbulchamberofcommno": "registration",
    "dubaichamberofcommercemembershipno": "registration",
    "unifiedsocialcreditcode": "registration",
    "unitedsocialcreditcodecertificate": "registration",
    "dunsnumber": "registration",
    "foliomercantilno": "registration",
    "matriculamercantilno": "registration",
    "vesselregistrationidentification": "imo",
    "swiftbic": "swift",
    "legalentitynumber": "lei",
    "mmsi": "mmsi",
    "digitalcurrencyaddress": "crypto_wallet",
    "aircrafttailnumber": "aircraft_registration",
    "previousaircrafttailnumber": "aircraft_registration",
    "aircraftconstructionnumber": "aircraft_serial",
    "aircraftmanufacturersserialnumber": "aircraft_serial",
    "aircraftserialidentification": "aircraft_serial",
    "aircraftmodestranspondercode": "aircraft_transponder",
}


@dataclass(frozen=True, slots=True)
class ParsedRemarks:
    names: tuple[tuple[str, NameKind], ...]
    dates_of_birth: tuple[str, ...]
    countries: tuple[str, ...]
    identifiers: tuple[tuple[str, str], ...]
    places_of_birth: tuple[str, ...]
    genders: tuple[str, ...]


def read(text: str) -> ParsedRemarks:
    names: list[tuple[str, NameKind]] = []
    births: list[str] = []
    countries: list[str] = []
    identifiers: list[tuple[str, str]] = []
    birthplaces: list[str] = []
    genders: list[str] = []
    for part in (piece.strip() for piece in text.split(";")):
        if found := ALIAS.fullmatch(part):
            names.append((found[2], "former" if found[1] == "f" else "weak"))
        elif found := BIRTH.fullmatch(part):
            births += dates_in(found[1])
        elif found := BIRTHPLACE.fullmatch(part):
            birthplaces.append(found[1])
        elif found := GENDER.fullmatch(part):
            genders.append(found[1])
        elif found := NATION.fullmatch(part):
            countries.append(found[1])
        elif identifier := _identifier_in(part):
            identifiers.append(identifier)
    return ParsedRemarks(
        tuple(dict.fromkeys(names)),
        tuple(dict.fromkeys(births)),
        tuple(dict.fromkeys(countries)),
        tuple(dict.fromkeys(identifiers)),
        tuple(birthplaces),
        tuple(genders),
    )


def _identifier_in(part: str) -> tuple[str, str] | None:
    """(kind, value) of an identifier that is compared."""
    if (found := AIRCRAFT.fullmatch(part)) and (kind := identifier_kind(found["kind"])):
        return kind, found["value"]
    match = IDENTIFIER.match(part)
    return _identifier(match) if match else None


def _identifier(found: re.Match[str]) -> tuple[str, str] | None:
    """(kind, value) of a match of IDENTIFIER. None if it is not compared."""
    letters, value = found["letters"] or "", found["value"].rstrip(".-")
    if kind := KINDS.get(_plain(found["kind"] + letters)):
        return kind, value
    kind = identifier_kind(found["kind"])
    if kind is None:
        return None
    if kind == "crypto_wallet":
        return kind, value  # the letters are the currency's
    return ("imo", value) if letters == "IMO " else (kind, f"{letters}{value}")


def aircraft_identifiers(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The identifiers in the names of an aircraft."""
    for name in names:
        if _MARK.fullmatch(name):
            yield "aircraft_registration", name
        elif found := _SERIAL.fullmatch(name):
            yield "aircraft_serial", found[1]


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.casefold())


def identifier_kind(name: str) -> str | None:
    """Our kind for OFAC's name of an identifier. None if it is not compared.

    OFAC may add words to the name: `Passport Booklet`, `National ID No. CNIC`.
    """
    words = name.split()
    for end in range(len(words), 0, -1):
        if kind := KINDS.get(_plain("".join(words[:end]))):
            return kind
    return None
