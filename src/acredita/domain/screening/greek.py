"""Greek letters that sound different in pairs, as passports romanise them (ELOT 743).

A letter by letter romanisation gives names that no list has: ΠΑΠΑΔΟΠΟΥΛΟΣ is Papadopoulos.
"""

import re

_PAIRS = {
    "ου": "ou", "γγ": "ng", "γξ": "nx", "γχ": "nch", "αυ": "av", "ευ": "ev", "ηυ": "iv",
    "μπ": "b", "ντ": "nt", "χ": "ch", "η": "i", "υ": "y", "φ": "f", "β": "v", "ψ": "ps",
}  # fmt: skip
_SOUND = re.compile("|".join(sorted(_PAIRS, key=len, reverse=True)))
_INSIDE = re.compile(r"(?<=\w)μπ(?=\w)")
_VOICELESS = re.compile("[αεη]υ(?=[θκξπσςτφχψ])")


def romanised_greek(text: str) -> str:
    """The text without accents, its Greek letters small and, in pairs, romanised."""
    text = _INSIDE.sub("mp", text.lower())
    text = _VOICELESS.sub(lambda found: _PAIRS[found.group()][0] + "f", text)
    return _SOUND.sub(lambda found: _PAIRS[found.group()], text)
