"""Clave de elector, the key of a voter on the INE card: 18 characters.

Six letters (initial and first inner consonant of each surname and the given name), the birth date
as YYMMDD, two digits of the state of birth, the sex, and three digits that INE assigns by an
unpublished rule, so there is no check digit to verify.
"""

import re
from dataclasses import dataclass
from datetime import date

from acredita.domain.identifiers import states
from acredita.domain.identifiers.formatting import Sex, compact, date_in_century, sex_of, yymmdd
from acredita.domain.identifiers.name_letters import (
    CONSONANTS,
    given_word,
    initial,
    inner,
    possible_words,
    surname_word,
)
from acredita.domain.identifiers.problems import Fault, FaultCode, Reading, Severity, mismatch
from acredita.domain.identifiers.states import BORN_ABROAD, State
from acredita.domain.names import PersonName

LENGTH = 18
_ABROAD = ("87", "88")


@dataclass(frozen=True, slots=True)
class ClaveElector:
    """A parsed clave. It has no century: `birth_dates` are the possible dates."""

    text: str
    birth_dates: tuple[date, ...]
    state: State
    sex: Sex

    @property
    def letters(self) -> str:
        return self.text[:6]

    @property
    def control(self) -> str:
        return self.text[15]

    @property
    def homonymy(self) -> str:
        return self.text[16:]

    def __str__(self) -> str:
        return self.text


def parse(text: str) -> Reading[ClaveElector]:
    """Parse a clave de elector of 18 characters. The value is None if the form is wrong."""
    clave = compact(text)
    if len(clave) != LENGTH:
        message = "A clave de elector has 18 characters."
        return Reading(None, (Fault(FaultCode.LENGTH, "clave", message),))
    faults = []
    if not re.fullmatch("[A-Z]{6}", clave[:6]):
        faults.append(Fault(FaultCode.FORMAT, "letters", "Characters 1 to 6 are not letters."))
    if not re.fullmatch("[0-9]{3}", clave[15:]):
        faults.append(Fault(FaultCode.FORMAT, "control", "Characters 16 to 18 are not digits."))
    birth_dates = tuple(
        day for century in (1900, 2000) if (day := date_in_century(clave[6:12], century))
    )
    if not birth_dates:
        faults.append(
            Fault(FaultCode.DATE, "birth_date", "Characters 7 to 12 are not a date (YYMMDD).")
        )
    state = _state(clave[12:14])
    if state is None:
        message = "Characters 13 and 14 are not the number of a state."
        faults.append(Fault(FaultCode.STATE, "state", message))
    sex = sex_of(clave[14])
    if sex is None:
        faults.append(Fault(FaultCode.SEX, "sex", "Character 15 is not H, M or X."))
    if not birth_dates or not state or not sex or len(faults) > 0:
        return Reading(None, tuple(faults))
    return Reading(ClaveElector(clave, birth_dates, state, sex))


def _state(digits: str) -> State | None:
    if digits in _ABROAD:
        return BORN_ABROAD
    return states.BY_NUMBER.get(int(digits)) if re.fullmatch("[0-9]{2}", digits) else None


def name_letters(name: PersonName) -> str:
    """Return characters 1 to 6 of the clave for a name."""
    words = (surname_word(name.paterno), surname_word(name.materno), given_word(name.given))
    return "".join(_pair(word) for word in words)


def _pair(word: str) -> str:
    return initial(word) + inner(word, CONSONANTS)


def compose(
    name: PersonName, birth_date: date, sex: Sex, state: State, *, assigned: str = "100"
) -> ClaveElector:
    """Return the clave of a person. `assigned`: the three digits that only INE can give.

    Raise ValueError without a given name and a first surname or with other than three digits.
    """
    if not (given_word(name.given) and surname_word(name.paterno)):
        raise ValueError("a clave de elector needs a given name and a first surname")
    number = _ABROAD[0] if state.number is None else f"{state.number:02}"
    reading = parse(f"{name_letters(name)}{yymmdd(birth_date)}{number}{sex.value}{assigned}")
    if reading.value is None:
        raise ValueError("the assigned part of a clave de elector is three digits")
    return reading.value


def contradictions(
    clave: ClaveElector,
    *,
    name: PersonName | None = None,
    birth_date: date | None = None,
    sex: Sex | None = None,
    state: State | None = None,
) -> tuple[Fault, ...]:
    """Compare the clave with other data of its holder. None is not compared.

    INE does not publish how it treats particles, María and José, and Ñ. So a name disagrees only if
    no usual reading of the rule gives its letters, and then as a warning.
    """
    faults = []
    if name is not None:
        for field, at, text in (
            ("paterno", 0, name.paterno),
            ("materno", 2, name.materno),
            ("given", 4, name.given),
        ):
            if clave.letters[at : at + 2] not in _possible_pairs(text):
                message = "The clave de elector has the letters of another name."
                faults.append(mismatch(field, message, Severity.WARNING))
    if birth_date is not None and birth_date not in clave.birth_dates:
        faults.append(mismatch("birth_date", "The clave de elector has another date of birth."))
    if sex is not None and sex is not clave.sex:
        faults.append(mismatch("sex", "The clave de elector has another sex."))
    if state is not None and state != clave.state:
        message = "The clave de elector has another state of birth."
        faults.append(mismatch("state", message))
    return tuple(faults)


def _possible_pairs(text: str) -> set[str]:
    words = possible_words(text)
    spellings = words | {word.replace("Ñ", "N") for word in words}
    return {_pair(spelling) for spelling in spellings}
