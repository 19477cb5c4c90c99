"""Names in a machine readable zone: how they are written, cut and compared with printed ones.

Source: ICAO Doc 9303 part 3, section 6 (transliteration) and 4.6 (truncation).
"""

import re
import unicodedata

from acredita.domain.identifiers.mrz.layout import FILLER
from acredita.domain.names import PersonName, fold

# A state chooses one spelling for Ñ and one for letters with an umlaut or ring.
_ENYES = ("N", "NXX")
_UMLAUTS: tuple[dict[str, str], ...] = (
    {},
    {"Ä": "AE", "Ö": "OE", "Ü": "UE", "Å": "AA"},
    {"Ü": "UXX"},
)


def _words(text: str, enye: str, umlauts: dict[str, str]) -> list[str]:
    """The words of a name in one spelling; apostrophes vanish, dashes part words."""
    upper = unicodedata.normalize("NFC", text).upper()
    for letter, spelling in umlauts.items():
        upper = upper.replace(letter, spelling)
    folded = re.sub("['’ʼ`.,]", "", fold(upper, enye=enye))
    return re.sub("[^A-Z]", " ", folded).split()


def transliterate(text: str) -> str:
    """A name's words joined by one filler, in the spelling that Mexico uses (Ñ is N)."""
    return FILLER.join(_words(text, "N", {}))


def names_field(name: PersonName, width: int) -> str:
    """Surnames, two fillers, given names; cut or filled to `width`.

    Raises ValueError without a surname: the field cannot tell given names alone from a surname.
    """
    surnames, given = transliterate(name.surnames), transliterate(name.given)
    if not surnames:
        raise ValueError("a machine readable zone needs a surname")
    return f"{surnames}<<{given}"[:width].ljust(width, FILLER)


def split_names(field: str) -> tuple[str, str, bool]:
    """Surnames, given names, and whether the field is so full that they may have been cut."""
    surnames, _, given = field.strip(FILLER).partition("<<")
    padding = len(field) - len(field.rstrip(FILLER))
    # A cut just after a word leaves the filler that parts it from the next, or the two after
    # surnames; a field that is all padding has lost nothing.
    truncated = padding < len(field) and padding <= (1 if given else 2)
    return " ".join(surnames.split(FILLER)), " ".join(given.replace(FILLER, " ").split()), truncated


def same_name(printed: str, zone: str, *, truncated: bool = False) -> bool:
    """Whether a printed name and one of a zone agree in one of the spellings ICAO allows.

    Of a truncated name each word must begin a printed word, in their order: a state may cut the
    end, leave words out or shorten them to initials.
    """
    in_zone = zone.split()
    spellings = (_words(printed, enye, umlauts) for enye in _ENYES for umlauts in _UMLAUTS)
    if truncated:
        return any(_begins_in_order(in_zone, words) for words in spellings)
    return any(in_zone == words for words in spellings)


def _begins_in_order(shortened: list[str], words: list[str]) -> bool:
    remaining = iter(words)
    return all(any(word.startswith(start) for word in remaining) for start in shortened)
