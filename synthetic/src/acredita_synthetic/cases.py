"""People by whom a rule of a policy shows its effect: a child, and somebody on a watchlist."""

from dataclasses import replace
from datetime import date
from enum import StrEnum
from typing import Final

from acredita.domain.identifiers import clave_elector, curp, rfc
from acredita.domain.identifiers.formatting import Sex
from acredita.domain.names import PersonName
from acredita_synthetic import mrz_zones
from acredita_synthetic.people import REFERENCE_DATE, Person

# On the sandbox watchlist of the service, as the politically exposed person S-03.
LISTED_NAME: Final = PersonName("HERMENEGILDO", "XOCHITIOTZIN", "BARRAGAN")
LISTED_BIRTH: Final = date(1958, 11, 2)
CHILD_AGE: Final = 10


class Case(StrEnum):
    ADULT = "adult"
    # Ten years old. A child has no voter card.
    CHILD = "child"
    LISTED = "listed"


def person_of(person: Person, case: Case, on: date = REFERENCE_DATE) -> Person:
    """Return the person with the age, or the name and date of birth, of the case."""
    match case:
        case Case.CHILD:
            return _with(person, person.name, person.sex, _years_before(on, CHILD_AGE))
        case Case.LISTED:
            return _with(person, LISTED_NAME, Sex.MALE, LISTED_BIRTH)
    return person


def _years_before(day: date, years: int) -> date:
    leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - years, day=28 if leap_day else day.day)


def _with(person: Person, name: PersonName, sex: Sex, born: date) -> Person:
    """Return the person with this identity in all numbers and documents."""
    card, book = person.voter_card, person.passport
    return replace(
        person,
        name=name,
        sex=sex,
        birth_date=born,
        curp=curp.compose(name, born, sex, person.birth_state),
        rfc=rfc.compose_person(name, born),
        clave_elector=clave_elector.compose(name, born, sex, person.birth_state, assigned="000"),
        voter_card=replace(
            card,
            mrz=mrz_zones.compose_ine(
                name,
                born,
                sex,
                cic=card.cic,
                ocr=card.ocr,
                expiry=card.expires,
                emission=f"{card.emission_number:02}",
            ),
        ),
        passport=replace(
            book,
            mrz=mrz_zones.compose_td3(name, born, sex, number=book.number, expiry=book.expires),
        ),
    )
