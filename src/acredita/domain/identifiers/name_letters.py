"""Which letters of a name CURP, RFC and clave de elector take.

Source: RENAPO's Instructivo Normativo para la asignación de la CURP (DOF 18-10-2021), annex 2; SAT
and INE follow it but for the differences that their modules name.
"""

import re

from acredita.domain.names import fold

VOWELS = "AEIOU"
CONSONANTS = "BCDFGHJKLMNÑPQRSTVWXYZ"
_PARTICLES = "DA DAS DE DEL DER DI DIE DD EL LA LAS LE LES LOS MAC MC VAN VON Y"
PARTICLES = frozenset(_PARTICLES.split())
# So common that the second given name tells persons apart better.
_COMMON_GIVEN = frozenset(("MARIA", "MA", "M", "JOSE", "J"))


def significant_words(text: str) -> list[str]:
    """Folded words (Ñ kept) without particles; all of them when nothing else is there."""
    words = fold(text, enye="Ñ").split()
    return [word for word in words if word not in PARTICLES] or words


def surname_word(text: str) -> str:
    """The word of a surname that counts: its first significant one, or nothing."""
    return next(iter(significant_words(text)), "")


def given_word(text: str) -> str:
    """The given name that counts: the first, or the second after a María or José."""
    # "MA.GUADALUPE" is two names
    words = significant_words(text.replace(".", ". "))
    if len(words) > 1 and words[0].rstrip(".") in _COMMON_GIVEN:
        return words[1]
    return next(iter(words), "")


def possible_words(text: str) -> set[str]:
    """The words that registries have been known to take: with and without particles, María and José
    counted or not, signs kept or dropped. For comparing, so that an old habit is no contradiction.
    """
    words = {surname_word(text), given_word(text), *fold(text, enye="Ñ").split()[:1]}
    return words | {re.sub("[^A-ZÑ]", "", word) for word in words}


def initial(word: str) -> str:
    """First letter; X for none, for Ñ and for any sign."""
    return word[0] if re.match("[A-Z]", word) else "X"


def inner(word: str, wanted: str) -> str:
    """First letter after the initial that is among `wanted`; X for none and for Ñ.

    A sign (/ - . ') met on the way is taken as X: D/AMICO gives DX.
    """
    for char in word[1:]:
        if char in wanted and char != "Ñ":
            return char
        if char in wanted or not re.match("[A-ZÑ]", char):
            return "X"
    return "X"
