"""The letters of a name in CURP, RFC and clave de elector.

Source: RENAPO's Instructivo Normativo para la asignación de la CURP (DOF 18-10-2021), annex 2; SAT
and INE follow it, with the differences that their modules state.
"""

import re

from acredita.domain.names import fold

VOWELS = "AEIOU"
CONSONANTS = "BCDFGHJKLMNÑPQRSTVWXYZ"
_PARTICLES = "DA DAS DE DEL DER DI DIE DD EL LA LAS LE LES LOS MAC MC VAN VON Y"
PARTICLES = frozenset(_PARTICLES.split())
# Very common: the second given name identifies better.
_COMMON_GIVEN = frozenset(("MARIA", "MA", "M", "JOSE", "J"))


def significant_words(text: str) -> list[str]:
    """Return the words without accents (Ñ stays) and particles, or all words if none is left."""
    words = fold(text, enye="Ñ").split()
    return [word for word in words if word not in PARTICLES] or words


def surname_word(text: str) -> str:
    """Return the first significant word of a surname, or nothing."""
    return next(iter(significant_words(text)), "")


def given_word(text: str) -> str:
    """Return the relevant given name: the first, or the second after María or José."""
    # "MA.GUADALUPE" is two names.
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
    """Return the first letter; X if there is none, for Ñ and for any sign."""
    return word[0] if re.match("[A-Z]", word) else "X"


def inner(word: str, wanted: str) -> str:
    """Return the first letter after the initial that is in `wanted`; X if there is none, and for Ñ.

    A sign (/ - . ') before it counts as X: D/AMICO gives DX.
    """
    for char in word[1:]:
        if char in wanted and char != "Ñ":
            return char
        if char in wanted or not re.match("[A-ZÑ]", char):
            return "X"
    return "X"
