"""Phonetic keys: words that sound alike share a key.

They cover Spanish spellings and romanisations of Arabic, Russian and Persian.
"""

import re
from functools import lru_cache

from acredita.engines.screening.name_variants import FIRST_SPELLING

_SOUNDS = {
    "sch": "s", "sh": "s", "ch": "s", "ph": "f", "kh": "", "gh": "g", "dh": "d", "th": "t",
    "zh": "s", "ll": "i", "que": "ke", "qui": "ki", "gue": "ge", "gui": "gi", "ge": "je",
    "gi": "ji", "ce": "se", "ci": "si", "cy": "si", "ck": "k", "c": "k", "q": "k", "z": "s",
    "v": "b", "w": "b", "x": "s", "ou": "u", "oo": "u", "ee": "i", "ey": "i", "ei": "i",
    "iy": "i", "ij": "i", "y": "i", "h": "",
}  # fmt: skip
_SPELLING = re.compile("|".join(sorted(_SOUNDS, key=len, reverse=True)))
_REPEATED = re.compile(r"(.)\1+")
_GLIDE = re.compile(r"ie|ia|io")


@lru_cache(20_000)
def phonetic_key(word: str) -> str:
    """The phonetic key of a word of lower-case ASCII letters and digits.

    Common names whose spellings differ too much for rules (Muhammad, Mohamed) come from a table. A
    key of fewer than three letters is too ambiguous: the key is then the word itself.
    """
    key = _SPELLING.sub(lambda found: _SOUNDS[found.group()], FIRST_SPELLING.get(word, word))
    key = _GLIDE.sub("i", _REPEATED.sub(r"\1", key))
    return key if len(key) > 2 else word
