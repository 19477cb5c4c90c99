"""Names in Arabic and Hebrew script, compared with their many spellings in Latin letters.

These scripts write consonants and long vowels. A name is therefore found by its consonants, and
then the vowels are compared. The romanisation is coarse on purpose: Qadhafi, Gaddafi and Kadafi
have the same consonants.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import compress

from acredita.domain.screening.vowels import Asked, has_long_vowel, vowel_code, vowel_letters

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


def listed(word: str) -> Iterable[tuple[str, bytes]]:
    """(consonants, codes of the vowels) of a word of small Latin letters; several if spellings are
    ambiguous, none if there are none. Double consonants count once.
    """
    if not _LATIN.fullmatch(word):
        return ()
    kinds, gaps = _latin_parts(word)
    codes = bytes(map(vowel_code, gaps))
    return ((key, codes) for key in _keys(kinds))


def asked(word: str) -> list[Asked]:
    """Ways to say a result of `romanised_words`."""
    return [each for way in _ways(word) for each in _said(way)]


def _ways(word: str) -> Iterable[str]:
    """With and without its article."""
    return (word[1:], _SPELT_OUT[word[0]] + word[1:]) if word[:1] in _SPELT_OUT else (word,)


def _said(way: str) -> Iterator[Asked]:
    stem = _without_last_h(way)
    found = "".join(map(_CLASSES.__getitem__, _CONSONANT.findall(stem)))
    if len(found) > _MOST_CONSONANTS:
        return
    gaps = _CONSONANT.split(stem)
    disagreements: list[Callable[[int], bool]] = [partial(_disagree, gap) for gap in gaps]
    disagreements[-1] = partial(_disagree, gaps[-1], is_last=True)
    if len(gaps) > 2:
        # Of longer words, the vowel before the first consonant is not compared.
        disagreements[0] = _agree
    # One consonant alone proves little.
    most = 0 if len(gaps) == 2 else len(gaps)
    # The last letter of طه is a consonant, that of عبدالله is not.
    for key in (found, f"{found}h") if way.endswith("h") else (found,):
        if key:
            yield Asked(key, tuple(disagreements), most)


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


def _agree(_code: int) -> bool:
    return False


# Few different vowels occur, and a word has thousands of listed ones with the same consonants.
@lru_cache(4096)
def _disagree(mine: str, code: int, *, is_last: bool = False) -> bool:
    """Whether a written vowel has no counterpart, or a doubled one is not written."""
    missing = any(vowel_letters(code).isdisjoint(_LONG[vowel]) for vowel in mine if vowel in _LONG)
    return missing or bool(not is_last and not mine and has_long_vowel(code))


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
