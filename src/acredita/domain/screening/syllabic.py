"""Compare foreign names of syllabic scripts with their spellings in Latin letters.

Syllabic scripts add vowels between consonants and use one letter for several sounds. A name is
therefore found by its consonants, and then the vowels are compared.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache, partial, reduce
from itertools import islice, product
from operator import or_

from acredita.domain.screening.vowels import Asked, vowel_code, vowel_letters

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
# In a group, so that a split keeps them.
_ASKED_LETTER = re.compile("((?:dj|ng(?![aeiou])|[b-df-hj-np-tv-z])'?)")
_LISTED_LETTER = re.compile(f"({'|'.join(sorted(_LISTED, key=len, reverse=True))})")
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

# Consonants, and what the vowels before, between and after them consist of: the index of a part of
# the word, a vowel, or several of both.
Gap = int | str | tuple[int | str, ...]
Plan = Mapping[str, tuple[Gap, ...]]


def listed(word: str) -> Iterator[tuple[str, bytes]]:
    """(consonants, codes of the vowels) that a word of small Latin letters may have; none for other
    words.
    """
    parts = _listed_parts(word)
    codes = list(map(vowel_code, parts))
    for key, gaps in _listed_plan(parts).items():
        yield key, bytes([codes[gap] if type(gap) is int else _code(codes, gap) for gap in gaps])


def _code(codes: Sequence[int], gap: Gap) -> int:
    """Of a gap of several pieces."""
    pieces = gap if isinstance(gap, tuple) else (gap,)
    return reduce(
        or_, (codes[each] if isinstance(each, int) else vowel_code(each) for each in pieces), 0
    )


def consonants(word: str) -> int:
    """How many consonants a word of `syllabic_scripts.foreign_words` surely has."""
    return sum("-" not in _asked_sounds(letter) for letter in _ASKED_LETTER.findall(word))


def asked(word: str) -> list[Asked]:
    """Ways to say a word of `syllabic_scripts.foreign_words`."""
    parts = _ASKED_LETTER.split(word)
    letters, full = tuple(parts[1::2]), tuple(map(bool, parts[::2]))
    plan = _plan(letters, full, tuple(map(_asked_sounds, letters)), _MOST_ASKED)
    return [_said(key, _vowels(parts, gaps)) for key, gaps in plan.items()]


def _said(key: str, vowels: Sequence[str]) -> Asked:
    disagreements = tuple(
        partial(_disagreement, mine, first=place == 0) for place, mine in enumerate(vowels)
    )
    # Few consonants prove little.
    return Asked(key, disagreements, (len(key) - 1) / 2)


# Few different vowels occur, and a word has thousands of listed ones with the same consonants.
@lru_cache(8192)
def _disagreement(mine: str, code: int, *, first: bool) -> float:
    """0: the vowels agree, 0.5: some are similar, 0.75: some have no counterpart, 1: none has."""
    ours, theirs = set(mine), vowel_letters(code)
    if not theirs or not mine:
        is_added = not theirs and not first and mine in _ADDED
        return float(bool(mine or theirs) and not is_added)
    if any(glide in theirs and not near & ours for glide, near in _GLIDES.items()):
        return 1.0
    found = {_likeness(letter, theirs) for letter in ours - {_ANY}}
    if _ANY not in ours:
        found |= {_likeness(letter, ours) for letter in theirs}
    return 1.0 if found == {0.75} else max(found, default=0.0)


def _likeness(letter: str, others: Set[str]) -> float:
    if others & _SAME[letter]:
        return 0.0
    return 0.5 if others & _SIMILAR[letter] else 0.75


def _asked_sounds(letter: str) -> tuple[str, ...]:
    sounds = _ASKED[letter.rstrip("'")]
    return (*sounds, "-") if letter.endswith("'") else sounds


def _listed_parts(word: str) -> list[str]:
    """Vowels and consonants in turn, vowels first and last; empty for other words."""
    # Nasrallah, Haniyeh: nobody says the last letter.
    return _LISTED_LETTER.split(_SILENT_END.sub("", word)) if _LATIN.fullmatch(word) else []


def _listed_plan(parts: list[str]) -> Plan:
    """`parts`: of `_listed_parts`."""
    if not parts:
        return {}
    letters = parts[1::2]
    if "c" in letters or "g" in letters:
        following = [(vowels or letter)[:1] for vowels, letter in _pairs_after(parts)]
        letters = [
            f"{letter}'" if letter in _SOFT and after and after in "eiy" else letter
            for letter, after in zip(letters, following, strict=True)
        ]
    return _known_plan(tuple(letters), tuple(map(bool, parts[::2])))


def _pairs_after(parts: list[str]) -> Iterator[tuple[str, str]]:
    """Of each consonant, the vowels and the consonant after it."""
    return zip(parts[2::2], [*parts[3::2], ""], strict=True)


# The words with the same consonants are compared at once, and differ in their vowels.
@lru_cache(4096)
def _known_plan(letters: tuple[str, ...], full: tuple[bool, ...]) -> Plan:
    """`letters`: c' and g' are soft."""
    sounds = tuple(_SOFT[each[0]] if each[-1] == "'" else _LISTED[each] for each in letters)
    return _plan(letters, full, sounds, _MOST_LISTED)


def _plan(
    letters: Sequence[str], full: Sequence[bool], sounds: Iterable[tuple[str, ...]], most: int
) -> Plan:
    """Each way to say a word: its consonants, and the vowels before, between and after them.

    `full`: whether there are vowels before each letter and after the last one.
    """
    if len(letters) >= _MOST_SOUNDS:
        return {}
    ways: dict[str, tuple[Gap, ...]] = {}
    for choice in islice(product(*sounds), most):
        key = ""
        gaps: list[Gap] = []
        gap: list[int | str] = [0] if full[0] else []
        for place, (letter, spoken) in enumerate(zip(letters, choice, strict=True), 1):
            if spoken == "-":
                gap += [_VOWEL_OF[letter]] if letter in _VOWEL_OF else []
            else:
                for sound in spoken:
                    # A double consonant counts once.
                    if gap or not key.endswith(sound):
                        key += sound
                        gaps.append(_one_or_several(gap))
                        gap = []
            gap += [2 * place] if full[place] else []
        if key:
            ways.setdefault(key, (*gaps, _one_or_several(gap)))
    return ways


def _one_or_several(gap: list[int | str]) -> Gap:
    return gap[0] if len(gap) == 1 else tuple(gap)


def _vowels(parts: list[str], gaps: Iterable[Gap]) -> tuple[str, ...]:
    return tuple([
        parts[gap] if type(gap) is int else "".join(_pieces(parts, gap)) for gap in gaps
    ])  # fmt: skip


def _pieces(parts: list[str], gap: Gap) -> list[str]:
    pieces = gap if isinstance(gap, tuple) else (gap,)
    return [parts[each] if isinstance(each, int) else each for each in pieces]
