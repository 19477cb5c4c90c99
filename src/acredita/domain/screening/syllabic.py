"""Compare foreign names of syllabic scripts with their spellings in Latin letters.

Syllabic scripts add vowels between consonants and use one letter for several sounds. A name is
therefore found by its consonants (`asked_skeletons`, `listed_skeletons`), and `agreement` compares
the vowels.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, product

# The sounds that a consonant of `syllabic_scripts` may stand for, the likeliest first: R is also l,
# K also g, S also z, nothing a vowel.
_SOUNDS_ASKED = {
    "b": "B V", "c": "T S", "d": "D T", "dj": "S D T K", "f": "F V H", "g": "K", "h": "H",
    "j": "S D", "k": "K", "l": "R", "m": "M", "n": "N", "ng": "NK N", "p": "P F V", "q": "T K",
    "r": "R", "s": "S", "t": "T", "v": "V", "w": "- V", "x": "S H", "y": "-", "z": "S",
}  # fmt: skip
_SOUNDS_LISTED = {
    "tsch": "T", "tch": "T", "sch": "S", "dzh": "S", "ch": "T S K", "sh": "S", "zh": "S",
    "kh": "H K", "gh": "K", "ph": "F", "th": "T S", "dh": "D S", "dj": "S", "ts": "T", "tz": "T S",
    "ck": "K", "ng": "NK N", "x": "KS S", "q": "K", "c": "K", "g": "K", "k": "K", "j": "S H -",
    "z": "S", "s": "S", "v": "V", "w": "- V", "f": "F", "h": "H", "b": "B", "p": "P", "t": "T",
    "d": "D", "l": "R", "r": "R", "m": "M", "n": "N", "y": "-",
}  # fmt: skip
_ASKED, _LISTED = (
    {letter: tuple(sounds.split()) for letter, sounds in known.items()}
    for known in (_SOUNDS_ASKED, _SOUNDS_LISTED)
)
_ASKED_LETTER = re.compile("(?:dj|ng(?![aeiou])|[b-df-hj-np-tv-z])'?")
_LISTED_LETTER = re.compile("|".join(sorted(_LISTED, key=len, reverse=True)))
# Before e, i and y.
_SOFT = {"c": ("S",), "g": ("K", "S")}
_VOWEL_OF = {"y": "y", "j": "y", "w": "w"}
_LATIN = re.compile("[a-z]{2,24}")
_SILENT_END = re.compile("(?<=[aeiou])h$")
_MOST_SOUNDS = 10
_MOST_ASKED, _MOST_LISTED = 48, 12

# Spellings of a vowel, and those of similar ones.
_ANY = "ə"
_SAME = {
    letter: frozenset(f"{same}{_ANY}")
    for letter, same in zip("aeiouyw", ("a", "e", "iy", "o", "uw", "iy", "uw"), strict=True)
}
_SIMILAR = {
    letter: frozenset(near)
    for letter, near in zip("aeiouyw", ("e", "aiy", "e", "uw", "o", "e", "o"), strict=True)
}
_GLIDES = {"w": frozenset("uow"), "y": frozenset("iey")}
# Vowels between consonants that a syllabic script cannot write together, and after the last one.
_ADDED = frozenset(("", "u", "o", _ANY))
_ALL_AGREE, _DISAGREEING = 0.93, 0.08

Ways = Mapping[str, tuple[str, ...]]


def asked_skeletons(word: str) -> list[str]:
    """The consonants that a word of `syllabic_scripts.foreign_words` may have."""
    return list(_asked(word))


def listed_skeletons(word: str) -> list[str]:
    """The consonants that a word of small Latin letters may have; none for other words."""
    return list(_listed(word))


def consonants(word: str) -> int:
    """How many consonants a word of `syllabic_scripts.foreign_words` surely has."""
    return sum("-" not in sounds for *_, sounds in _parts(word, _ASKED_LETTER, _asked_sounds))


def agreement(asked: str, listed: str) -> float:
    """How well the vowels of two words with the same consonants agree, 0-1."""
    ours, theirs = _asked(asked), _listed(listed)
    return max((_agreement(ours[key], theirs[key]) for key in ours if key in theirs), default=0.0)


def _agreement(ours: tuple[str, ...], theirs: tuple[str, ...]) -> float:
    consonants = len(ours) - 1
    wrong = sum(
        _disagreement(mine, other, first=place == 0)
        for place, (mine, other) in enumerate(zip(ours, theirs, strict=True))
    )
    # Few consonants prove little.
    return 0.0 if wrong > (consonants - 1) / 2 else _ALL_AGREE - _DISAGREEING * wrong


# Few different vowels occur, and a word has thousands of listed ones with the same consonants.
@lru_cache(8192)
def _disagreement(mine: str, other: str, *, first: bool) -> float:
    """0: the vowels agree, 0.5: some are similar, 0.75: some have no counterpart, 1: none has."""
    if not other or not mine:
        is_added = not other and not first and mine in _ADDED
        return float(mine != other and not is_added)
    ours, theirs = set(mine), set(other)
    if any(glide in theirs and not near & ours for glide, near in _GLIDES.items()):
        return 1.0
    found = {_likeness(letter, theirs) for letter in ours - {_ANY}}
    if _ANY not in ours:
        found |= {_likeness(letter, ours) for letter in theirs}
    return 1.0 if found == {0.75} else max(found, default=0.0)


def _likeness(letter: str, others: set[str]) -> float:
    if others & _SAME[letter]:
        return 0.0
    return 0.5 if others & _SIMILAR[letter] else 0.75


@lru_cache(4096)
def _asked(word: str) -> Ways:
    return _ways(_parts(word, _ASKED_LETTER, _asked_sounds), _MOST_ASKED)


@lru_cache(4096)
def _listed(word: str) -> Ways:
    if not _LATIN.fullmatch(word):
        return {}
    # Nasrallah, Haniyeh: nobody says the last letter.
    stem = _SILENT_END.sub("", word)
    return _ways(_parts(stem, _LISTED_LETTER, _listed_sounds), _MOST_LISTED)


def _asked_sounds(letter: str, _: str) -> tuple[str, ...]:
    sounds = _ASKED[letter.rstrip("'")]
    return (*sounds, "-") if letter.endswith("'") else sounds


def _listed_sounds(letter: str, following: str) -> tuple[str, ...]:
    if letter in _SOFT and following and following in "eiy":
        return _SOFT[letter]
    return _LISTED[letter]


def _parts(
    word: str, letters: re.Pattern[str], sounds: Callable[[str, str], tuple[str, ...]]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The vowels before each consonant, the consonant, the sounds that it may stand for."""
    end = 0
    for found in letters.finditer(word):
        following = word[found.end() : found.end() + 1]
        yield word[end : found.start()], found.group(), sounds(found.group(), following)
        end = found.end()
    yield word[end:], "", ("-",)


def _ways(
    spelled: Iterable[tuple[str, str, tuple[str, ...]]], most: int
) -> dict[str, tuple[str, ...]]:
    """Each way to say the word: its consonants, and the vowels before, between and after them."""
    parts = list(spelled)
    if len(parts) > _MOST_SOUNDS:
        return {}
    vowels = [(before, _VOWEL_OF.get(letter, "")) for before, letter, _ in parts]
    ways: dict[str, tuple[str, ...]] = {}
    for choice in islice(product(*(sounds for *_, sounds in parts)), most):
        key, gaps, gap = "", [], ""
        for (before, vowel), sounds in zip(vowels, choice, strict=True):
            gap += before
            if sounds == "-":
                gap += vowel
                continue
            for sound in sounds:
                # A double consonant counts once.
                if gap or not key.endswith(sound):
                    key += sound
                    gaps.append(gap)
                    gap = ""
        if key:
            ways.setdefault(key, (*gaps, gap))
    return ways
