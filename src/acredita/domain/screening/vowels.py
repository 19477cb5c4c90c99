"""Compare the vowels of two words that have the same consonants.

The vowels between two consonants of a listed word are stored as one byte, so that an index can
compare thousands of words at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

ALL_AGREE, DISAGREEING = 0.93, 0.08
"""The agreement of equal vowels, and what each disagreement takes from it."""
_LETTERS = "aeiouwy"
_LONG = {"oo", "ou", "ee", "ii", "aa", "uu", "ei", "ai", "ay", "ey"}
_IS_LONG = 1 << len(_LETTERS)


@lru_cache(4096)
def vowel_code(vowels: str) -> int:
    """0-255: which of the letters a, e, i, o, u, w and y there are, and whether two spell a long
    vowel.
    """
    code = sum(1 << place for place, letter in enumerate(_LETTERS) if letter in vowels)
    pairs = {vowels[place : place + 2] for place in range(len(vowels) - 1)}
    return code if pairs.isdisjoint(_LONG) else code | _IS_LONG


@lru_cache(256)
def vowel_letters(code: int) -> frozenset[str]:
    return frozenset(letter for place, letter in enumerate(_LETTERS) if code >> place & 1)


def has_long_vowel(code: int) -> bool:
    return bool(code & _IS_LONG)


@dataclass(frozen=True, slots=True)
class Asked:
    """A way to say a word of a question: its consonants, and the vowels around them.

    `disagreements`: of each place, a function of the code of a listed word's vowels: 0-1. `most`:
    words that disagree more are other words.
    """

    consonants: str
    disagreements: tuple[Callable[[int], float], ...]
    most: float

    def agreement(self, codes: bytes) -> float:
        """How well the vowels agree with those of a word with the same consonants, 0-1.

        Other spellings of the consonants may have another number of places: one disagreement.
        """
        if len(codes) != len(self.disagreements):
            return ALL_AGREE - DISAGREEING
        pairs = zip(self.disagreements, codes, strict=True)
        wrong = sum(disagreement(code) for disagreement, code in pairs)
        return 0.0 if wrong > self.most else ALL_AGREE - DISAGREEING * wrong
