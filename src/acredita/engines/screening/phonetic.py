"""A key that words of one sound share, across Spanish spellings and romanisations of Arabic,
Russian and Persian."""

import re

_SOUNDS = {
    "sch": "s", "sh": "s", "ch": "s", "ph": "f", "kh": "h", "gh": "g", "dh": "d", "th": "t",
    "zh": "s", "ll": "i", "que": "ke", "qui": "ki", "gue": "ge", "gui": "gi", "ge": "je",
    "gi": "ji", "ce": "se", "ci": "si", "cy": "si", "ck": "k", "c": "k", "q": "k", "z": "s",
    "v": "b", "w": "b", "x": "s", "ou": "u", "oo": "u", "ee": "i", "ey": "i", "ei": "i",
    "iy": "i", "ij": "i", "y": "i", "h": "",
}  # fmt: skip
_SPELLING = re.compile("|".join(sorted(_SOUNDS, key=len, reverse=True)))
_REPEATED = re.compile(r"(.)\1+")
_GLIDE = re.compile(r"ie|ia|io")


def phonetic_key(word: str) -> str:
    """`word` holds small ASCII letters and digits."""
    key = _SPELLING.sub(lambda found: _SOUNDS[found.group()], word)
    return _GLIDE.sub("i", _REPEATED.sub(r"\1", key))
