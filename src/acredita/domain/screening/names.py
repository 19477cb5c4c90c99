"""How a name is read before it is compared with watchlists: one way for lists and for questions.

Letters of every script become plain ASCII words; what doesn't distinguish (particles, titles, legal
forms) goes, unless nothing would remain.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from anyascii import anyascii

from acredita.domain.screening.acronyms_and_numbers import respelt
from acredita.domain.screening.arabic_and_hebrew import is_abjad, romanised_words
from acredita.domain.screening.greek import has_greek, romanised_foreign, romanised_greek
from acredita.domain.screening.indic import romanised_indic
from acredita.domain.screening.korean import korean_syllables
from acredita.domain.screening.syllabic import consonants
from acredita.domain.screening.syllabic_scripts import foreign_words

LONGEST_NAME = 1000
_LONGEST_WORD = 40
_MOST_WORDS = 24
# With fewer, a name in a syllabic script sounds like many names.
_FEWEST_CONSONANTS = 4

_APOSTROPHES = re.compile(r"[’‘'`´ʼʻʾʿˈ]")
_QUOTES = "‘’´ʹ＇"
_LETTER_OR_DIGIT = re.compile("[A-Za-z0-9]")
_NOT_A_WORD = re.compile(r"[^a-z0-9]+")
# Without the middle dot, which separates the words of foreign names in kana.
_KANA_LETTERS = "\u3040-\u30fa\u30fc-\u30ff"
_CHARACTER_SCRIPTS = f"{_KANA_LETTERS}\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_CHARACTERS = re.compile(f"[{_CHARACTER_SCRIPTS}]")
_SMALL_KANA = "ゃゅょャュョ"
_LONG_VOWEL = re.compile("(?<=o)[ou]|(?<=u)u")
_KANA = re.compile(f"[{_KANA_LETTERS}]+")
_BEYOND_LATIN = re.compile("[^\x00-\u024f]")
_RUN = re.compile(f"[{_CHARACTER_SCRIPTS}]+|[^{_CHARACTER_SCRIPTS}]+")

_PARTICLES = frozenset({
    "de", "del", "la", "las", "los", "el", "y", "e", "da", "do", "dos", "das", "van", "von", "der",
    "den", "di", "du", "le", "al", "bin", "ibn", "bint", "ben", "abd", "ul", "ud", "ad",
    "the", "of", "and",
})  # fmt: skip
_TITLES = frozenset({
    "mr", "mrs", "ms", "dr", "dra", "sr", "sra", "srta", "lic", "ing", "arq", "mtro", "mtra",
    "prof", "don", "dona", "monsieur", "madame", "herr", "frau", "president", "prasident",
    "presidente", "presidenta", "licenciado", "licenciada", "ingeniero", "ingeniera", "doctor",
    "doctora", "profesor", "profesora", "senador", "senadora", "diputado", "diputada",
    "gobernador", "gobernadora", "magistrado", "magistrada",
})  # fmt: skip

# Spelled with blanks, because dots have become blanks by then. Longest first.
_MEXICAN_FORMS = (
    r"s ?a ?p ?i(?: de c ?v)?|s ?a ?b? de c ?v|s a b|s ?a ?s de c ?v"
    r"|(?:s|s ?c|s ?p ?r|s de p ?r) de r ?l(?: de c ?v| m ?i| de i ?p)?|s ?r ?l de c ?v"
    r"|s ?c de c ?v|s c l|s n c|s ?o ?f ?o ?m(?: e ?n ?r)?|s o f i p o|e n r|a b p|i a p"
    r"|sociedad anonima(?: (?:promotora de inversion|bursatil))?(?: de capital variable)?"
    r"|sociedad de responsabilidad limitada(?: de capital variable)?"
    r"|sociedad civil|asociacion civil|s ?c ?p|s ?p ?r"
)
_FOREIGN_FORMS = (
    r"limited liability (?:company|partnership)|(?:public|private) limited"
    r"(?: company)?|gesellschaft mit beschrankter haftung"
    r"|aktiengesellschaft|kommanditgesellschaft|societe anonyme|besloten vennootschap"
    r"|naamloze vennootschap|pvt|p ?l ?c|g ?m ?b ?h|o ?o ?o|z ?a ?o|p ?j ?s ?c|o ?j ?s ?c|j ?s ?c"
    r"|l ?l ?c|l ?l ?p|l ?t ?d ?a|ltd|limited|inc|incorporated|corp|corporation|company|co"
    r"|oao|pao|fze|fzco|fzc|b ?v|n ?v|a ?g|s ?r ?l|s ?p ?a"
    r"|pte|pty|s ?a ?s|s ?a ?r ?l|s ?a|s ?c|a ?c|s ?l"
)
# Of the words above, those long enough to be recognised when misspelt.
LEGAL_WORDS = (
    *("limited", "liability", "company", "corporation", "incorporated"),
    *("sociedad", "anonima", "responsabilidad", "limitada", "aktiengesellschaft"),
)
_CERTAIN_FORM = re.compile(rf"\b(?:{_MEXICAN_FORMS})\b")
_ANY_FORM = re.compile(rf"\b(?:{_MEXICAN_FORMS}|{_FOREIGN_FORMS})\b")


Script = Literal["abjad", "korean", "syllabic"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a name: its words, and whether a character was read for its sound.

    `script`: the words are romanised from a script with many romanisations. They are compared with
    Latin words by the rules of that script.
    """

    words: tuple[str, ...]
    by_sound: bool = False
    script: Script | None = None


def readings(name: str, *, company: bool | None = None) -> tuple[Reading, ...]:
    """Return the readings of a name, most literal first; none for a name without letter or digit.

    A reading of a company's name omits legal forms; that of a person's name keeps words that look
    like one. For a name that may be either (`company=None`), both are returned if they differ.
    Names in Chinese, Japanese or Korean characters have one reading by characters and one by sound.
    """
    is_latin = name.isascii() or not _BEYOND_LATIN.search(name)
    if not is_latin and _CHARACTERS.search(name):
        return _character_readings(unicodedata.normalize("NFKC", name))
    text = folded(name)
    found = _without_forms(text, company=company)
    if (other := respelt(text, _ANY_FORM.fullmatch)) != text:
        found += _without_forms(other, company=company)
    if not is_latin and has_greek(name):
        found += _without_forms(folded(romanised_foreign(name)), company=company)
    ways = [Reading(words) for words in dict.fromkeys(found) if words]
    if is_latin:
        return tuple(ways)
    if is_abjad(name) and (romanised := romanised_words(name)):
        words = tuple(word[:_LONGEST_WORD] for word in romanised[:_MOST_WORDS])
        ways.append(Reading(words, by_sound=True, script="abjad"))
    return (*ways, *_syllabic_reading(name))


def _syllabic_reading(name: str) -> tuple[Reading, ...]:
    words = foreign_words(name)
    if sum(map(consonants, words)) < _FEWEST_CONSONANTS:
        return ()
    return (Reading(tuple(word[:_LONGEST_WORD] for word in words), True, "syllabic"),)


def _without_forms(text: str, *, company: bool | None) -> list[tuple[str, ...]]:
    if not _ANY_FORM.search(text):
        return [_words(text)]
    forms = {None: (_CERTAIN_FORM, _ANY_FORM), True: (_ANY_FORM,), False: (_CERTAIN_FORM,)}
    return [_words(form.sub(" ", text).strip() or text) for form in forms[company]]


def normalised(name: str) -> str:
    """The words that a name is compared by, blanks between them; empty if none."""
    return " ".join(found[0].words) if (found := readings(name)) else ""


def is_comparable(name: str) -> bool:
    """Whether the name has a letter or digit to compare."""
    return bool(_LETTER_OR_DIGIT.search(name) or readings(name))


def is_particle(word: str) -> bool:
    return word in _PARTICLES


def folded(text: str) -> str:
    """Small ASCII letters and digits, single blanks between words."""
    if not text.isascii():
        letters = "".join(map(_letter, unicodedata.normalize("NFKD", romanised_indic(text))))
        text = anyascii(romanised_greek(letters) if has_greek(letters) else letters)
    return _NOT_A_WORD.sub(" ", _APOSTROPHES.sub("", text.lower())).strip()


@lru_cache(4096)
def _letter(char: str) -> str:
    """Letters and digits as they are; marks and what isn't seen are nothing, the rest is a blank:
    a pictogram's description is no name."""
    kind = unicodedata.category(char)
    if kind[0] in "LN" or char.isascii():
        return char
    return "" if kind[0] == "M" or kind == "Cf" or char in _QUOTES else " "


def _words(text: str) -> tuple[str, ...]:
    words = [word[:_LONGEST_WORD] for word in text.split()]
    untitled = [word for word in words if word not in _TITLES]
    if len(untitled) >= 2:
        words = untitled
    telling = [word for word in words if word not in _PARTICLES]
    return tuple((telling or words)[:_MOST_WORDS])


def _character_readings(name: str) -> tuple[Reading, ...]:
    """Written characters are exact or another name: 习近平 is not 习近朋, and one of three
    characters is no typing error. By sound, the first is the family name, as in Xi Jinping."""
    characters: list[str] = []
    sounds: list[str] = []
    for run in _RUN.findall(name):
        if _CHARACTERS.match(run):
            characters.extend(run)
            spoken = [folded(character).replace(" ", "") for character in run]
            if _KANA.fullmatch(run):
                whole = [_kana_word(run)]
            elif len(run) <= 4:
                whole = [spoken[0], "".join(spoken[1:])]
            else:
                whole = spoken
            sounds.extend(word[:_LONGEST_WORD] for word in whole if word)
        else:
            words = folded(run).split()
            characters.extend(words)
            sounds.extend(words)
    found = [Reading(tuple(characters[:_MOST_WORDS]))]
    if sounds:
        found.append(Reading(tuple(sounds[:_MOST_WORDS]), by_sound=True))
    if syllables := korean_syllables(name):
        found.append(Reading(syllables, by_sound=True, script="korean"))
    return (*found, *_syllabic_reading(name))


def _kana_word(run: str) -> str:
    """A word in kana as passports romanise it: small letters join, long vowels are short."""
    word = ""
    for char in run:
        sound = anyascii(char).lower()
        if char in _SMALL_KANA and word.endswith("i"):
            stem = word[:-1]
            sound = sound[-1] if stem.endswith(("sh", "ch", "j")) else f"y{sound[-1]}"
            word = stem
        word += sound
    return _LONG_VOWEL.sub("", word)
