"""Names in a machine readable zone: split them and compare them with printed names.

Source: ICAO Doc 9303 part 3, section 6 (transliteration) and 4.6 (truncation).
"""

import re
import unicodedata

from acredita.domain.identifiers.mrz.layout import FILLER
from acredita.domain.names import fold

# A state chooses one spelling for Ñ and one for letters with an umlaut or ring.
_ENYES = ("N", "NXX")
_UMLAUTS: tuple[dict[str, str], ...] = (
    {},
    {"Ä": "AE", "Ö": "OE", "Ü": "UE", "Å": "AA"},
    {"Ü": "UXX"},
)


def split_words(text: str, enye: str, umlauts: dict[str, str]) -> list[str]:
    """Return the words of a name in one spelling, without apostrophes. Dashes separate words."""
    upper = unicodedata.normalize("NFC", text).upper()
    for letter, spelling in umlauts.items():
        upper = upper.replace(letter, spelling)
    folded = re.sub("['’ʼ`.,]", "", fold(upper, enye=enye))
    return re.sub("[^A-Z]", " ", folded).split()


def split_names(field: str) -> tuple[str, str, bool, bool]:
    """Return surnames, given names, and whether the field is so full that they, and the surnames
    themselves, may be truncated: two fillers follow whole surnames.
    """
    surnames, _, given = field.strip(FILLER).partition("<<")
    padding = len(field) - len(field.rstrip(FILLER))
    # After a cut at the end of a word, the field ends with one filler, or with the two that follow
    # the surnames. A field that is all padding is not truncated.
    truncated = padding < len(field) and padding <= (1 if given else 2)
    return (
        " ".join(surnames.split(FILLER)),
        " ".join(given.replace(FILLER, " ").split()),
        truncated,
        truncated and "<<" not in field,
    )


def same_name(printed: str, zone: str, *, truncated: bool = False) -> bool:
    """Return whether a printed name equals the name of a zone in a spelling that ICAO allows.

    If the name is truncated, each of its words must be the start of a printed word, in the same
    order: a state may cut the end, omit words or shorten them to initials.
    """
    in_zone = zone.split()
    spellings = (split_words(printed, enye, umlauts) for enye in _ENYES for umlauts in _UMLAUTS)
    if truncated:
        return any(_begins_in_order(in_zone, words) for words in spellings)
    return any(in_zone == words for words in spellings)


def _begins_in_order(shortened: list[str], words: list[str]) -> bool:
    remaining = iter(words)
    return all(any(word.startswith(start) for word in remaining) for start in shortened)
