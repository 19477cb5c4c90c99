"""Devanagari and the other scripts of India, letter by letter in Latin ones.

Their consonants have a vowel "a" unless a sign says otherwise, and vowels are signs at them.
Unicode has these scripts in the same order, so one rule reads all of them. As in Hindi, this "a" is
silent at the end of a word and between two syllables: राम is Ram, अज़हर Azhar.
"""

import re
import unicodedata

from anyascii import anyascii

# Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam.
_INDIC = re.compile("[\u0900-\u0d7f]+")
_SIZE = 0x80
_CONSONANTS = range(0x15, 0x3A)
_NUKTA, _VOWEL_SIGNS = 0x3C, range(0x3E, 0x4E)
_NASALS = (0x01, 0x02)
# Letters with a dot below, which Persian and Arabic names need.
_DOTTED = {0x15: "q", 0x16: "kh", 0x17: "gh", 0x1C: "z", 0x21: "r", 0x22: "rh", 0x2B: "f"}
_BEFORE_LIPS = re.compile("n(?=[bpm])")
_LETTER = "(?:[bcdfgjklmnpqrstvz]h?|[hyw])"
_INHERENT = "ə"
_BETWEEN = re.compile(f"([aeiou{_INHERENT}]{_LETTER}){_INHERENT}(?={_LETTER}[aeiou{_INHERENT}])")


def romanised_indic(text: str) -> str:
    """The text with letters of these scripts in small Latin ones; other characters stay."""
    return _INDIC.sub(_word, unicodedata.normalize("NFD", text)) if _INDIC.search(text) else text


def _word(found: re.Match[str]) -> str:
    letters = found.group()
    written = ""
    for place, char in enumerate(letters):
        kind = ord(char) % _SIZE
        following = ord(letters[place + 1]) % _SIZE if place + 1 < len(letters) else None
        if kind == _NUKTA:
            continue
        if kind in _NASALS:
            written += "n"
        elif kind in _CONSONANTS:
            dotted = following == _NUKTA
            written += _DOTTED.get(kind, "") if dotted else ""
            written += "" if dotted and kind in _DOTTED else anyascii(char).lower()
            after = place + 2 if dotted else place + 1
            written += _INHERENT if _has_vowel(letters, after) else ""
        else:
            written += anyascii(char).lower()
    spoken = _BETWEEN.sub(r"\1", written).replace(_INHERENT, "a")
    return _BEFORE_LIPS.sub("m", spoken)


def _has_vowel(letters: str, after: int) -> bool:
    """Whether a consonant before this place has its own vowel."""
    if after >= len(letters):
        return False
    kind = ord(letters[after]) % _SIZE
    return kind not in _VOWEL_SIGNS
