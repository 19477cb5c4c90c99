"""Greek letters that sound different in pairs, as passports romanise them (ELOT 743).

A letter by letter romanisation gives names that no list has: ΠΑΠΑΔΟΠΟΥΛΟΣ is Papadopoulos.
"""

import re
import unicodedata

_PAIRS = {
    "ου": "ou", "γγ": "ng", "γξ": "nx", "γχ": "nch", "αυ": "av", "ευ": "ev", "ηυ": "iv",
    "μπ": "b", "ντ": "nt", "χ": "ch", "η": "i", "υ": "y", "φ": "f", "β": "v", "ψ": "ps",
}  # fmt: skip
_GREEK = re.compile("[\u0370-\u03ff]")
_SOUND = re.compile("|".join(sorted(_PAIRS, key=len, reverse=True)))
_INSIDE = re.compile(r"(?<=\w)μπ(?=\w)")
_VOICELESS = re.compile("[αεη]υ(?=[θκξπσςτφχψ])")


# Greek spells sounds that it has no letter for with pairs, and h as χ.
_FOREIGN = {"μπ": "b", "ντ": "d", "γκ": "g", "γγ": "g", "τζ": "j", "τσ": "ch", "χ": "h"}
_FOREIGN_SOUND = re.compile("|".join(_FOREIGN))
_SOFT_G = re.compile("γ(?=[ειηυ])ι?")


def has_greek(text: str) -> bool:
    return bool(_GREEK.search(text))


def romanised_foreign(name: str) -> str:
    """A foreign name in Greek letters, in Latin ones: ΜΕΝΤΒΕΝΤΕΦ is Medvedev."""
    plain = "".join(
        char for char in unicodedata.normalize("NFKD", name) if unicodedata.category(char) != "Mn"
    )
    text = _FOREIGN_SOUND.sub(lambda found: _FOREIGN[found.group()], plain.lower())
    return romanised_greek(_SOFT_G.sub("y", text))


def romanised_greek(text: str) -> str:
    """The text without accents, its Greek letters small and, in pairs, romanised."""
    text = _INSIDE.sub("mp", text.lower())
    text = _VOICELESS.sub(lambda found: _PAIRS[found.group()][0] + "f", text)
    return _SOUND.sub(lambda found: _PAIRS[found.group()], text)
