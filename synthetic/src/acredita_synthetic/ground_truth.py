"""The ground truth of a specimen, with the field names of the document reader, as plain JSON."""

from datetime import date
from enum import StrEnum
from typing import Any

from acredita.domain.identifiers.formatting import Sex
from acredita_synthetic.driver_licences import values_on_licence
from acredita_synthetic.people import REFERENCE_DATE, CardModel, Person


class SpecimenKind(StrEnum):
    INE_FRONT = "ine_front"
    INE_BACK = "ine_back"
    PASSPORT = "passport"
    DRIVER_LICENCE = "driver_licence"


ICAO_SEX = {Sex.MALE: "M", Sex.FEMALE: "F", Sex.UNSPECIFIED: "X"}


def values_on(kind: SpecimenKind, person: Person, on: date = REFERENCE_DATE) -> dict[str, str]:
    """Return the expected reading of a document: one spelling per field, dates as ISO 8601."""
    if kind is SpecimenKind.DRIVER_LICENCE:
        return values_on_licence(person, on=on)
    every = {
        SpecimenKind.INE_FRONT: _ine_front,
        SpecimenKind.INE_BACK: _ine_back,
        SpecimenKind.PASSPORT: _passport,
    }[kind](person)
    return {name: value for name, value in every.items() if value}


def _ine_front(person: Person) -> dict[str, str]:
    card = person.voter_card
    return {
        "paternalSurname": person.name.paterno,
        "maternalSurname": person.name.materno,
        "givenNames": person.name.given,
        **{f"address{number}": line for number, line in enumerate(card.address, start=1)},
        "clave": str(person.clave_elector),
        "curp": str(person.curp),
        "dateOfBirth": "" if card.model is CardModel.C else person.birth_date.isoformat(),
        "sex": person.sex.value,
        "section": f"{card.section:04}",
        "registrationYear": str(card.registration_year),
        "emission": f"{card.emission_number:02}",
        "emissionYear": str(card.issued_year),
        "expiryYear": str(card.expires_year),
    }


def _ine_back(person: Person) -> dict[str, str]:
    card = person.voter_card
    if not card.model.has_zone:
        return {"ocr": card.ocr}
    return {
        "cic": card.cic,
        **{f"mrz{number}": line for number, line in enumerate(card.mrz, start=1)},
    }


def _passport(person: Person) -> dict[str, str]:
    book = person.passport
    return {
        "documentNumber": book.number,
        "surnames": person.name.surnames,
        "givenNames": person.name.given,
        "curp": str(person.curp),
        "dateOfBirth": person.birth_date.isoformat(),
        "sex": ICAO_SEX[person.sex],
        "placeOfBirth": book.birth_place,
        "dateOfIssue": book.issued.isoformat(),
        "dateOfExpiry": book.expires.isoformat(),
        **{f"mrz{number}": line for number, line in enumerate(book.mrz, start=1)},
    }


def person_truth(person: Person) -> dict[str, Any]:
    """Return the person's data, in one spelling for all documents."""
    card, book = person.voter_card, person.passport
    return {
        "given": person.name.given,
        "paterno": person.name.paterno,
        "materno": person.name.materno,
        "sex": person.sex.value,
        "birth_date": person.birth_date.isoformat(),
        "birth_state": person.birth_state.code,
        "curp": str(person.curp),
        "rfc": str(person.rfc),
        "clave_elector": str(person.clave_elector),
        "voter_card": {
            "model": card.model.value,
            "address": list(card.address),
            "state": card.state,
            "municipality": card.municipality,
            "locality": card.locality,
            "section": f"{card.section:04}",
            "registration_year": card.registration_year,
            "emission_number": f"{card.emission_number:02}",
            "issued_year": card.issued_year,
            "expires_year": card.expires_year,
            "cic": card.cic,
            "citizen_id": card.citizen_id,
            "ocr": card.ocr,
            "mrz": list(card.mrz),
        },
        "passport": {
            "number": book.number,
            "issued": book.issued.isoformat(),
            "expires": book.expires.isoformat(),
            "birth_place": book.birth_place,
            "authority": book.authority,
            "mrz": list(book.mrz),
        },
    }
