"""CURP, the population registry's key of every person in Mexico: 18 characters.

Rules: RENAPO's Instructivo Normativo (DOF 18-10-2021), annex 2. Sex X exists since 2023.
"""

import re
from dataclasses import dataclass
from datetime import date

from acredita.domain.identifiers import states
from acredita.domain.identifiers.formatting import Sex, compact, date_in_century, sex_of, yymmdd
from acredita.domain.identifiers.name_letters import (
    CONSONANTS,
    VOWELS,
    given_word,
    initial,
    inner,
    possible_words,
    surname_word,
)
from acredita.domain.identifiers.problems import Fault, FaultCode, Reading, mismatch
from acredita.domain.identifiers.states import State
from acredita.domain.names import PersonName

LENGTH = 18
# A CURP has no Ñ, but the alphabet of its check digit does.
_CHECK_ALPHABET = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"

# X replaces their second letter.
_INCONVENIENT = """
    BACA BAKA BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COGI COJA COJE COJI COJO COLA CULO
    FALO FETO GETA GUEI GUEY JETA JOTO KACA KACO KAGA KAGO KAKA KAKO KOGE KOGI KOJA KOJE KOJI
    KOJO KOLA KULO LILO LOCA LOCO LOKA LOKO MAME MAMO MEAR MEAS MEON MIAR MION MOCO MOKO MULA
    MULO NACA NACO PEDA PEDO PENE PIPI PITO POPO PUTA PUTO QULO RATA ROBA ROBE ROBO RUIN SENO
    TETA VACA VAGA VAGO VAKA VUEI VUEY WUEI WUEY
"""
INCONVENIENT_WORDS = frozenset(_INCONVENIENT.split())


@dataclass(frozen=True, slots=True)
class Curp:
    """A parsed CURP. `text`: all 18 characters."""

    text: str
    birth_date: date
    sex: Sex
    state: State

    @property
    def letters(self) -> str:
        """Initials and inner vowel of the name."""
        return self.text[:4]

    @property
    def consonants(self) -> str:
        """First inner consonants of surnames and given name."""
        return self.text[13:16]

    @property
    def differentiator(self) -> str:
        """Distinguishes equal CURPs: a digit for births before 2000, a letter since."""
        return self.text[16]

    @property
    def check_digit(self) -> str:
        return self.text[17]

    def __str__(self) -> str:
        return self.text


def check_digit(first17: str) -> str:
    """Return the check digit. Raise ValueError for characters that a CURP cannot have."""
    total = sum(_CHECK_ALPHABET.index(char) * (18 - i) for i, char in enumerate(first17))
    return str(-total % 10)


def parse(text: str) -> Reading[Curp]:
    """Read a CURP. A value with a wrong check digit, an inconvenient word or a date of birth in the
    future is still given, with errors."""
    curp = compact(text)
    if len(curp) != LENGTH:
        return Reading(None, (Fault(FaultCode.LENGTH, "curp", "A CURP has 18 characters."),))
    faults = _shape_faults(curp)
    birth_date = date_in_century(curp[4:10], 1900 if curp[16].isdecimal() else 2000)
    if birth_date is None:
        faults.append(
            Fault(FaultCode.DATE, "birth_date", "Characters 5 to 10 are not a date (YYMMDD).")
        )
    elif birth_date > date.today():  # noqa: DTZ011 (a day more or less does not matter)
        faults.append(Fault(FaultCode.DATE, "birth_date", "The date of birth is in the future."))
    sex = sex_of(curp[10])
    if sex is None:
        faults.append(Fault(FaultCode.SEX, "sex", "Character 11 is not H, M or X."))
    state = states.BY_CODE.get(curp[11:13])
    if state is None:
        faults.append(
            Fault(FaultCode.STATE, "state", "Characters 12 and 13 are not the code of a state.")
        )
    if re.fullmatch("[A-Z0-9]{17}[0-9]", curp) and curp[17] != check_digit(curp[:17]):
        faults.append(Fault(FaultCode.CHECK_DIGIT, "check_digit", "The check digit is wrong."))
    if not birth_date or not sex or not state or _has(faults, FaultCode.FORMAT):
        return Reading(None, tuple(faults))
    return Reading(Curp(curp, birth_date, sex, state), tuple(faults))


_SHAPES = (
    (slice(0, 4), "[A-Z][AEIOUX][A-Z]{2}", "letters", "Characters 1 to 4 are not those of a name."),
    (
        slice(13, 16),
        "[B-DF-HJ-NP-TV-Z]{3}",
        "consonants",
        "Characters 14 to 16 are not consonants.",
    ),
    (slice(16, 17), "[0-9A-Z]", "differentiator", "Character 17 is not a digit or a letter."),
    (slice(17, 18), "[0-9]", "check_digit", "Character 18 is not a digit."),
)


def is_valid(text: str) -> bool:
    """Whether the text is a whole CURP, whose check digit is valid."""
    return not parse(text).faults


def _shape_faults(curp: str) -> list[Fault]:
    faults = [
        Fault(FaultCode.FORMAT, field, message)
        for part, shape, field, message in _SHAPES
        if not re.fullmatch(shape, curp[part])
    ]
    if curp[:4] in INCONVENIENT_WORDS:
        message = "The first four letters are a word that is never issued."
        faults.append(Fault(FaultCode.INCONVENIENT_WORD, "letters", message))
    return faults


def _has(faults: list[Fault], code: FaultCode) -> bool:
    return any(fault.code is code for fault in faults)


def name_letters(name: PersonName) -> tuple[str, str]:
    """Return characters 1 to 4 and 14 to 16 of the CURP for a name."""
    paterno, materno = surname_word(name.paterno), surname_word(name.materno)
    given = given_word(name.given)
    letters = initial(paterno) + inner(paterno, VOWELS) + initial(materno) + initial(given)
    consonants = "".join(inner(word, CONSONANTS) for word in (paterno, materno, given))
    return _veiled(letters), consonants


def _veiled(letters: str) -> str:
    return f"{letters[0]}X{letters[2:]}" if letters in INCONVENIENT_WORDS else letters


def compose(
    name: PersonName,
    birth_date: date,
    sex: Sex,
    state: State,
    *,
    differentiator: str | None = None,
) -> Curp:
    """Return the CURP of a person, with the first differentiator unless one is given.

    Raise ValueError without a given name and a first surname, for births before 1900 or after
    2099, and for a differentiator of the other century.
    """
    if not (given_word(name.given) and surname_word(name.paterno)):
        raise ValueError("a CURP needs a given name and a first surname")
    if not 1900 <= birth_date.year <= 2099:
        raise ValueError("a CURP can tell only the years 1900 to 2099")
    of_2000 = birth_date.year >= 2000
    if differentiator is None:
        differentiator = "A" if of_2000 else "0"
    if not re.fullmatch("[A-Z]" if of_2000 else "[0-9]", differentiator):
        raise ValueError("the differentiator is a digit before the year 2000, a letter since")
    letters, consonants = name_letters(name)
    first17 = f"{letters}{yymmdd(birth_date)}{sex.value}{state.code}{consonants}{differentiator}"
    return Curp(first17 + check_digit(first17), birth_date, sex, state)


def contradictions(
    curp: Curp,
    *,
    name: PersonName | None = None,
    birth_date: date | None = None,
    sex: Sex | None = None,
    state: State | None = None,
) -> tuple[Fault, ...]:
    """Compare the CURP with other data of its holder. None is not compared.

    A name disagrees only if no known reading of the rule gives its letters.
    """
    faults = []
    if name is not None:
        for field, agrees in (
            ("paterno", _agrees_with_paterno(curp, name.paterno)),
            ("materno", _agrees(curp.letters[2], curp.consonants[1], name.materno)),
            ("given", _agrees(curp.letters[3], curp.consonants[2], name.given)),
        ):
            if not agrees:
                faults.append(mismatch(field, "The CURP has the letters of another name."))
    if birth_date is not None and birth_date != curp.birth_date:
        faults.append(mismatch("birth_date", "The CURP has another date of birth."))
    if sex is not None and sex is not curp.sex:
        faults.append(mismatch("sex", "The CURP has another sex."))
    if state is not None and state != curp.state:
        faults.append(mismatch("state", "The CURP has another state of birth."))
    return tuple(faults)


def _agrees(first: str, consonant: str, text: str) -> bool:
    return any(
        first == initial(word) and consonant == inner(word, CONSONANTS)
        for word in possible_words(text)
    )


def _agrees_with_paterno(curp: Curp, text: str) -> bool:
    def letters(word: str) -> str:
        return _veiled(initial(word) + inner(word, VOWELS) + curp.letters[2:])

    return any(
        curp.letters == letters(word) and curp.consonants[0] == inner(word, CONSONANTS)
        for word in possible_words(text)
    )
