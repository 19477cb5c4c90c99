"""RFC, the tax registry's key: 13 characters for a person, 12 for a company.

Three or four letters of the name, the date of birth or incorporation as YYMMDD, a homoclave of two
characters that distinguishes equal keys, and a check digit. About 1.5 % of the RFCs that the SAT
has issued fail their own check digit, so a wrong one is a warning. The SAT may assign another
homoclave than its formula gives, so a composed RFC is a suggestion.

Sources: SAT's rules as published under folio 0610100162005 of INFOMEX; the check digit and the
homoclave recomputed on published RFCs.
"""

import re
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from acredita.domain.identifiers.company_letters import company_letters
from acredita.domain.identifiers.curp import Curp
from acredita.domain.identifiers.formatting import compact, date_in_century, yymmdd
from acredita.domain.identifiers.name_letters import VOWELS, given_word, significant_words
from acredita.domain.identifiers.problems import Fault, FaultCode, Reading, Severity, mismatch
from acredita.domain.names import PersonName, fold

_CHECK_ALPHABET = "0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ"
_HOMOCLAVE_ALPHABET = "123456789ABCDEFGHIJKLMNPQRSTUVWXYZ"  # no 0, no O: they look alike
# The formula divides a number below 1000 by 34, so these letters never come first.
_NEVER_FIRST = "WXYZ"

# Two digits a character; letters leave out each code that ends in 0.
_HOMOCLAVE_VALUES = {" ": "00", "&": "10", "Ñ": "40"}
_HOMOCLAVE_VALUES |= {digit: f"0{digit}" for digit in "0123456789"}
for _first, _letters in ((11, "ABCDEFGHI"), (21, "JKLMNOPQR"), (32, "STUVWXYZ")):
    _HOMOCLAVE_VALUES |= {letter: str(_first + i) for i, letter in enumerate(_letters)}

# X replaces their last letter.
_INCONVENIENT = """
    BUEI BUEY CACA CACO CAGA CAGO CAKA CAKO COGE COJA COJE COJI COJO CULO FETO GUEY JOTO KACA KACO
    KAGA KAGO KAKA KOGE KOJO KULO MAME MAMO MEAR MEAS MEON MION MOCO MULA PEDA PEDO PENE PUTA PUTO
    QULO RATA RUIN
"""
INCONVENIENT_WORDS = frozenset(_INCONVENIENT.split())

# Sales to the public, foreigners, and the SAT's test value: no taxpayer, so no check digit.
GENERIC = frozenset(("XAXX010101000", "XEXX010101000", "AAA010101AAA"))


class RfcKind(StrEnum):
    PERSON = "PERSON"
    COMPANY = "COMPANY"
    GENERIC = "GENERIC"


@dataclass(frozen=True, slots=True)
class Rfc:
    """A parsed RFC. It has no century: `dates` are the possible dates."""

    text: str
    kind: RfcKind
    dates: tuple[date, ...]

    @property
    def letters(self) -> str:
        return self.text[:-9]

    @property
    def homoclave(self) -> str:
        return self.text[-3:-1]

    @property
    def check_digit(self) -> str:
        return self.text[-1]

    def __str__(self) -> str:
        return self.text


def check_digit(body: str) -> str:
    """Return the check digit of an RFC. `body`: the 11 or 12 other characters.

    Raise ValueError for characters that an RFC cannot have.
    """
    total = sum(_CHECK_ALPHABET.index(char) * (13 - i) for i, char in enumerate(body.rjust(12)))
    return "0123456789A"[-total % 11]


def parse(text: str) -> Reading[Rfc]:
    """Parse an RFC. Also return a value with warnings or an inconvenient word."""
    rfc = compact(text)
    if rfc in GENERIC:
        return Reading(Rfc(rfc, RfcKind.GENERIC, _dates(rfc)))
    if len(rfc) not in (12, 13):
        message = "An RFC has 13 characters for a person, 12 for a company."
        return Reading(None, (Fault(FaultCode.LENGTH, "rfc", message),))
    faults = []
    letters, ending, dates = rfc[:-9], rfc[-3:], _dates(rfc)
    if not re.fullmatch("[A-Z&Ñ]+", letters):
        message = "The characters before the date are not those of a name."
        faults.append(Fault(FaultCode.FORMAT, "letters", message))
    if letters in INCONVENIENT_WORDS:
        message = "The first four letters are a word that is never issued."
        faults.append(Fault(FaultCode.INCONVENIENT_WORD, "letters", message))
    if not dates:
        faults.append(Fault(FaultCode.DATE, "date", "The six characters are not a date (YYMMDD)."))
    if not re.fullmatch("[0-9A-Z]{3}", ending):
        message = "The last three characters are not letters or digits."
        faults.append(Fault(FaultCode.FORMAT, "homoclave", message))
    if not dates or any(fault.code is FaultCode.FORMAT for fault in faults):
        return Reading(None, tuple(faults))
    faults += _ending_warnings(rfc)
    kind = RfcKind.PERSON if len(letters) == 4 else RfcKind.COMPANY
    return Reading(Rfc(rfc, kind, dates), tuple(faults))


def _dates(rfc: str) -> tuple[date, ...]:
    both = (date_in_century(rfc[-9:-3], century) for century in (1900, 2000))
    return tuple(day for day in both if day)


def _ending_warnings(rfc: str) -> list[Fault]:
    warnings = []
    if not all(char in _HOMOCLAVE_ALPHABET for char in rfc[-3:-1]):
        message = "The homoclave has a character that the SAT does not use."
        warnings.append(Fault(FaultCode.HOMOCLAVE, "homoclave", message, Severity.WARNING))
    elif rfc[-3] in _NEVER_FIRST:
        message = "The SAT's formula gives no homoclave that begins so."
        warnings.append(Fault(FaultCode.HOMOCLAVE, "homoclave", message, Severity.WARNING))
    if rfc[-1] != check_digit(rfc[:-1]):
        message = "The check digit is wrong."
        warnings.append(Fault(FaultCode.CHECK_DIGIT, "check_digit", message, Severity.WARNING))
    return warnings


def homoclave(registered_name: str) -> str:
    """The two characters that the SAT's formula gives.

    `registered_name` is "surname surname given" for a person, the legal name for a company.
    """
    name = re.sub("[^A-ZÑ&0-9 ]", "", fold(registered_name, enye="Ñ"))
    digits = "0" + "".join(_HOMOCLAVE_VALUES[char] for char in name)
    total = sum(int(digits[i : i + 2]) * int(digits[i + 1]) for i in range(len(digits) - 1))
    high, low = divmod(total % 1000, 34)
    return _HOMOCLAVE_ALPHABET[high] + _HOMOCLAVE_ALPHABET[low]


def person_letters(name: PersonName) -> str:
    """The four letters of a person: CURP's, but Ñ stays and one surname gives two letters."""
    paterno, materno = _plain_words(name.paterno), _plain_words(name.materno)
    given = _plain(given_word(name.given))
    surname = "".join(paterno)
    if not (paterno and materno):
        only = next(iter(paterno + materno), "")
        letters = only[:2].ljust(2, "X") + given[:2].ljust(2, "X")
    elif len(surname) <= 2:
        letters = surname[0] + materno[0][0] + given[:2].ljust(2, "X")
    else:
        vowel = next((char for char in paterno[0][1:] if char in VOWELS), "X")
        letters = paterno[0][0] + vowel + materno[0][0] + given[0]
    return f"{letters[:3]}X" if letters in INCONVENIENT_WORDS else letters


def _plain(word: str) -> str:
    return re.sub("[^A-ZÑ]", "", word)


def _plain_words(surname: str) -> list[str]:
    # "MI" is a particle for the SAT alone.
    words = [word for word in significant_words(surname) if word != "MI"]
    return [plain for word in words if (plain := _plain(word))]


def compose_person(name: PersonName, birth_date: date, *, assigned: str | None = None) -> Rfc:
    """The RFC that the SAT's formula gives a person, or the one with the homoclave it assigned.

    Raises ValueError without a given name and a surname.
    """
    if not _plain(given_word(name.given)) or not _plain_words(name.surnames):
        raise ValueError("an RFC needs a given name and a surname")
    ending = assigned or homoclave(name.surnames_first)
    return _composed(person_letters(name) + yymmdd(birth_date) + ending)


def compose_company(legal_name: str, incorporated: date, *, assigned: str | None = None) -> Rfc:
    """The RFC that the SAT's formula gives a company, or the one with the homoclave it assigned.

    Raises ValueError for a name without a letter or digit outside its legal form.
    """
    ending = assigned or homoclave(legal_name)
    letters = company_letters(legal_name, incorporated)
    return _composed(letters + yymmdd(incorporated) + ending)


def _composed(body: str) -> Rfc:
    try:
        reading = parse(body + check_digit(body))
    except ValueError:
        reading = Reading(None)
    if reading.value is None:
        raise ValueError("the homoclave of an RFC is two letters or digits")
    return reading.value


def contradictions(
    rfc: Rfc,
    *,
    curp: Curp | None = None,
    name: PersonName | None = None,
    birth_date: date | None = None,
) -> tuple[Fault, ...]:
    """Compare a person's RFC with other data of its holder. None is not compared.

    Letters are warnings: short surnames, one surname, Ñ and inconvenient words make the RFC of an
    honest person differ from the CURP. An RFC that is no person's disagrees with any person.
    """
    if rfc.kind is not RfcKind.PERSON:
        return (mismatch("kind", "The RFC is not that of a person."),)
    faults = []
    if curp is not None and rfc.letters != curp.letters:
        message = "The RFC and the CURP have different letters."
        faults.append(mismatch("letters", message, Severity.WARNING))
    if name is not None and rfc.letters != person_letters(name):
        message = "The RFC has the letters of another name."
        faults.append(mismatch("name", message, Severity.WARNING))
    if curp is not None and curp.birth_date not in rfc.dates:
        faults.append(mismatch("birth_date", "The RFC and the CURP have different dates of birth."))
    if birth_date is not None and birth_date not in rfc.dates:
        faults.append(mismatch("birth_date", "The RFC has another date of birth."))
    return tuple(faults)
