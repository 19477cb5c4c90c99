"""The notation of identifiers: blanks and case, six-digit dates, the letter for sex."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import Final

# Only ASCII letters and Ñ change case: str.upper() would turn foreign look-alikes ("ſ", "ı", "ß")
# into other letters.
_UPPER = {ord(lower): lower.upper() for lower in "abcdefghijklmnopqrstuvwxyzñ"}
_SEPARATORS = re.compile(r"[\s_-]+")
_SIX_DIGITS = re.compile(r"[0-9]{6}")


class Sex(StrEnum):
    """Sex, as Mexican registries write it: M is MUJER (woman)."""

    MALE = "H"
    FEMALE = "M"
    UNSPECIFIED = "X"  # non-binary, or not stated


GENDERS: Final[Mapping[Sex | None, str]] = {Sex.MALE: "male", Sex.FEMALE: "female"}
# For descriptions of values by field: elsewhere, M is a man.
SEX_LETTERS: Final = "`sex` is H (hombre), M (mujer) or X."


def sex_of(letter: str) -> Sex | None:
    """Return the sex for H, M or X, as in a CURP; None for any other text."""
    return Sex(letter) if letter in tuple(Sex) else None


def compact(text: str) -> str:
    """Return upper case without the blanks and dashes that people and OCR add."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFC", text).translate(_UPPER))


def date_in_century(yymmdd: str, century: int) -> date | None:
    """Return the date YYMMDD in the century that begins with the year `century`."""
    if not _SIX_DIGITS.fullmatch(yymmdd):
        return None
    year, month, day = (int(yymmdd[i : i + 2]) for i in (0, 2, 4))
    try:
        return date(century + year, month, day)
    except ValueError:
        return None


def yymmdd(day: date) -> str:
    """Return the date in the form of ICAO Doc 9303, which has no century."""
    return day.strftime("%y%m%d")
