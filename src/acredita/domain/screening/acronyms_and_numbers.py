"""Another way to write the same name: acronyms without dots, numbers in digits."""

import re
from collections.abc import Callable

_UNITS = """
    one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_ROUND_ORDINALS = [f"{tens[:-1]}ieth" for tens in _TENS.split()]
_CARDINAL = {word: value for value, word in enumerate(_UNITS.split(), 1)}
_CARDINAL |= {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_ORDINAL = {word: value for value, word in enumerate(_ORDINALS.split(), 1)}
_ORDINAL |= {word: 10 * value for value, word in enumerate(_ROUND_ORDINALS, 2)}
_NUMBERS = frozenset(_CARDINAL) | frozenset(_ORDINAL)
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_INITIALS = re.compile(r"\b[a-z](?: [a-z]\b)+")


def respelt(text: str, is_form: Callable[[str], object]) -> str:
    """The text with acronyms and numbers in their short form: c j n g is cjng, first is 1st.

    `text`: small ASCII words, single blanks. `is_form`: whether initials are a legal form (s a),
    which stay.
    """
    words = text.split()
    if not _NUMBERS.isdisjoint(words):
        text = _in_digits(words)
    if len(words) < 2 or not _INITIALS.search(text):
        return text
    return _INITIALS.sub(lambda found: _joined(found.group(), is_form), text)


def _joined(initials: str, is_form: Callable[[str], object]) -> str:
    return initials if is_form(initials) else initials.replace(" ", "")


def _in_digits(words: list[str]) -> str:
    found: list[str] = []
    tens = 0
    for word in words:
        value = _CARDINAL.get(word, _ORDINAL.get(word, 0))
        if tens and 0 < value < 10:
            found.pop()
            value += tens
        if not value:
            found.append(word)
        elif word in _ORDINAL:
            found.append(f"{value}{_ending(value)}")
        else:
            found.append(str(value))
        tens = value if word in _CARDINAL and value >= 20 and value % 10 == 0 else 0
    return " ".join(found)


def _ending(number: int) -> str:
    return "th" if 10 < number % 100 < 20 else _ENDINGS.get(number % 10, "th")
