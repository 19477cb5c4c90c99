"""Names in Arabic and Hebrew script, compared with their many spellings in Latin letters.

These scripts write consonants and long vowels. A name is therefore found by its consonants
(`skeletons`), and `agreement` compares the vowels. The romanisation is coarse on purpose: Qadhafi,
Gaddafi and Kadafi have the same consonants.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import compress

_ARABIC = (
    "اa بb تt جg حh دd رr زz سs صs ضd طt ظd ع فf قq كk لl مm نn هh وw يy ىa ةa ء پp چs ژz گg کk یy"
    " ٹt ڈd ڑr ںn ہh ھh ےy ۀa ەa ۆw ڤv ثth خkh ذdh شsh غgh"
)
_HEBREW = "אa בb גg דd הh וw זz חh טt יy כk ךk לl מm םm נn ןn סs ע פp ףf צz ץz קq רr שsh תt"
_LETTERS = {pair[0]: pair[1:] for pair in f"{_ARABIC} {_HEBREW}".split()}
_ABJAD = re.compile("[\u0590-\u05ff\u0600-\u06ff\u0750-\u077f\ufb1d-\ufdff\ufe70-\ufefc]")
# Particles that the readings of names in Latin letters leave out, too.
_PARTICLES = frozenset(("بن", "ابن", "بنت", "ال", "و", "ولد", "بر", "בן", "בת", "אל", "א"))
_SERVANT, _OF_GOD = "عبد", "الله"
_ALLAH = re.compile(f"{_OF_GOD}$|אללה$")
_WRITTEN_ONCE = {_OF_GOD: "اله", "אללה": "אלה"}
# Two letters whose romanisations look like one: س and ه are not ش.
_TWO_LETTERS = re.compile("(?<=[سصكقگتطدضزظپکזצסכקגתטדפץ])(?=[هھحהח])")
_SERVANT_OF = re.compile("^عبدال(?!له$)(?=..)")
# It may also be the beginning of a name: الكسندر is Alexander, הנייה Haniyeh. A capital letter
# stands for it.
_ARTICLE = re.compile("^(?:ال(?=...)|ה(?=....))")
_ARTICLE_SIGNS = {"ال": "L", "ה": "H"}
_SPELT_OUT = {"L": "al", "H": "h"}

# Latin spellings of one consonant, the longer ones first. Vowels, w and y are no consonants.
_CONSONANT = re.compile("tch|sch|dzh|[skgdtpz]h|dj|dg|ck|ts|tz|ch|[b-df-hj-np-tvxz]")
_CLASSES = {
    **dict.fromkeys(("tch", "sch", "sh", "s"), "s"),
    **dict.fromkeys(("dzh", "dj", "dg", "j", "g", "gh", "k", "ck", "c", "q"), "k"),
    **dict.fromkeys(("d", "dh", "z", "zh", "ts", "tz"), "d"),
    **dict.fromkeys(("t", "th"), "t"),
    **dict.fromkeys(("f", "ph"), "f"),
    **dict.fromkeys(("h", "kh"), "h"),
    **dict.fromkeys(("b", "p"), "b"),
}
# Consonants that Latin spellings use for several sounds: the sign of the class, its sounds.
_AMBIGUOUS = {"V": ("b", "", "f"), "C": ("s", "h"), "X": ("s", "ks")}
_CLASSES |= {"v": "V", "ch": "C", "x": "X", "l": "l", "m": "m", "n": "n", "r": "r"}
_LATIN = re.compile("[a-z]{2,24}")
_MOST_CONSONANTS = 12
_LONG = {"a": "aeo", "w": "uowv", "y": "iyej"}
_DOUBLED = re.compile("oo|ou|ee|ii|aa|uu|ei|ai|ay|ey")
_ALL_AGREE, _DISAGREEING = 0.93, 0.08


def is_abjad(name: str) -> bool:
    return bool(_ABJAD.search(name))


def romanised_words(name: str) -> tuple[str, ...]:
    """The words of a name in Arabic or Hebrew letters, in small Latin ones, without particles.

    L and H at the beginning are what may be an article. Other letters are left out.
    """
    decomposed = unicodedata.normalize("NFKD", name)
    letters = "".join(char for char in decomposed if unicodedata.category(char)[0] != "M")
    words = re.split("[^\u05d0-\u06ff\u200c]+", letters.replace("ـ", "").replace("\u200c", ""))
    found = []
    after_servant = False
    for written in words:
        word = _SERVANT + written if after_servant and written == _OF_GOD else written
        after_servant = written == _SERVANT
        if not word or after_servant or word in _PARTICLES:
            continue
        bare = _ARTICLE.sub(_sign, _SERVANT_OF.sub("", word)) if word != _OF_GOD else word
        bare = _TWO_LETTERS.sub("'", _ALLAH.sub(_written_once, bare))
        found.append("".join(_LETTERS.get(char, char) for char in bare))
    return tuple(word for word in found if word)


def _sign(found: re.Match[str]) -> str:
    return _ARTICLE_SIGNS[found.group()]


def _written_once(found: re.Match[str]) -> str:
    """Allah with one l, as romanisations have it."""
    return _WRITTEN_ONCE[found.group()]


def skeletons(word: str, *, latin: bool = True) -> frozenset[str]:
    """The consonants of a word; several if spellings are ambiguous, none if there are none.

    `latin`: a word of small Latin letters, where double consonants count once. Otherwise the result
    of `romanised_words`.
    """
    if latin and not _LATIN.fullmatch(word):
        return frozenset()
    if not latin and word[:1] in _SPELT_OUT:
        return frozenset().union(*(skeletons(way, latin=False) for way in _with_and_without(word)))
    if latin:
        return _keys(_latin_parts(word)[0])
    found = "".join(map(_CLASSES.__getitem__, _CONSONANT.findall(_without_last_h(word))))
    if len(found) > _MOST_CONSONANTS:
        return frozenset()
    # The last letter of طه is a consonant, that of عبدالله is not.
    return frozenset({found, f"{found}h"} if word.endswith("h") else {found}) - {""}


@lru_cache(4096)
def _keys(kinds: str) -> frozenset[str]:
    """What the consonants of a Latin word may be. `kinds`: their classes."""
    if len(kinds) > _MOST_CONSONANTS:
        return frozenset()
    keys = {kinds}
    for letter, ways in _AMBIGUOUS.items():
        if letter in kinds:
            keys = {key.replace(letter, way) for key in keys for way in ways}
    return frozenset(keys - {""})


def _without_last_h(word: str) -> str:
    return word[:-1] if len(word) > 2 and word.endswith("h") else word


@lru_cache(4096)
def _ways(word: str) -> list[tuple[str, frozenset[str]]]:
    """A result of `romanised_words` with and without its article, and the consonants of each."""
    return [(way, skeletons(way, latin=False)) for way in _with_and_without(word)]


def _with_and_without(word: str) -> tuple[str, str]:
    """A result of `romanised_words` with and without its article."""
    return word[1:], _SPELT_OUT[word[0]] + word[1:]


def agreement(romanised: str, latin: str) -> float:
    """How well the vowels of a romanised word fit a Latin one with the same consonants, 0-1.

    Between two consonants, a written vowel must have a counterpart, and a vowel that the Latin
    spelling doubles must be written.
    """
    kinds, gaps = _latin_parts(latin)
    if romanised[:1] not in _SPELT_OUT:
        return _gap_agreement(_gaps(romanised), gaps)
    keys = _keys(kinds) if _LATIN.fullmatch(latin) else frozenset()
    fitting = [way for way, found in _ways(romanised) if keys & found]
    return max((_gap_agreement(_gaps(way), gaps) for way in fitting), default=0.0)


def _gap_agreement(ours: list[str], theirs: list[str]) -> float:
    if len(ours) != len(theirs):
        return _ALL_AGREE - _DISAGREEING
    last = len(ours) - 1
    # Of longer words, the vowel before the first consonant is not compared.
    wrong = int(last < 2 and _disagree(ours[0], theirs[0], is_last=not last))
    for mine, other in zip(ours[1:last], theirs[1:last], strict=True):
        wrong += _disagree(mine, other, is_last=False)
    if last:
        wrong += _disagree(ours[last], theirs[last], is_last=True)
    # One consonant alone proves little.
    return 0.0 if wrong and last == 1 else _ALL_AGREE - _DISAGREEING * wrong


# Few different vowels occur, and a word has thousands of listed ones with the same consonants.
@lru_cache(4096)
def _disagree(mine: str, other: str, *, is_last: bool) -> bool:
    """Whether a written vowel has no counterpart, or a doubled one is not written."""
    missing = any(not set(other) & set(_LONG[vowel]) for vowel in mine if vowel in _LONG)
    return missing or bool(not is_last and not mine and _DOUBLED.search(other))


@lru_cache(4096)
def _gaps(word: str) -> list[str]:
    """The vowels before each consonant of a romanised word, and after the last one."""
    return _CONSONANT.split(_without_last_h(word))


def _latin_parts(word: str) -> tuple[str, list[str]]:
    """The classes of the consonants, and the vowels before each and after the last one. Double
    consonants count once."""
    stem = _without_last_h(word)
    gaps = _CONSONANT.split(stem)
    kinds = [_CLASSES[consonant] for consonant in _CONSONANT.findall(stem)]
    if "" in gaps[1:-1]:
        inner = zip(gaps[1:-1], kinds[:-1], kinds[1:], strict=True)
        single = [True, *(bool(gap) or one != other for gap, one, other in inner)]
        gaps = [*compress(gaps, single), gaps[-1]]
        kinds = list(compress(kinds, single))
    return "".join(kinds), gaps
