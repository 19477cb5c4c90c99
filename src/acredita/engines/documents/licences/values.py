"""Parse the values of a licence's fields from their lines."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from acredita.engines.documents.layout import find_shape, squeezed
from acredita.engines.text import Glyph, Line

Take = Callable[[Line], Line | None]
_BLOOD: Final = re.compile(r"(AB|A|B|O|0) *(?:RH)? *([+-]|POS|NEG)")
_WORN_BLOOD: Final = re.compile(r"(AB|A|B|O|0) *[.,_]")
"""Signs that remain of a minus in a reflection."""
_FIRST_YEAR: Final = 1900
_DATE_AT_END: Final = re.compile(r"[0-9]{2,4}[-/][0-9A-Z]{2,3}[-/][0-9]{2,4}$")
_THREE_PARTS: Final = re.compile(r"[A-Z0-9]{2,4}[^A-Z0-9][A-Z0-9]{2,3}[^A-Z0-9][A-Z0-9]{2,4}")


def before_a_date(line: Line) -> Line:
    """Remove a date at the end of a line of the address: it belongs to the next column."""
    date_at = _DATE_AT_END.search(line.text)
    return line.part(0, len(line.text[: date_at.start()].rstrip())) if date_at else line


def before_digits(line: Line) -> Line | None:
    """Cut a name before the first digit: the rest belongs to the next column."""
    end = next((i for i, c in enumerate(line.text) if c.isdigit()), len(line.text))
    text = line.text[:end].rstrip()
    return line.part(0, len(text)) if sum(c.isalpha() for c in text) >= 2 else None


def dated(shape: str, write: Callable[[str], str]) -> Take:
    """A slash is often read as a 1 (07101/2027). Read it as a slash if that gives a likelier date
    than the correction of a digit.
    """

    def take(line: Line) -> Line | None:
        found = find_shape(line, shape)
        if found and found.text == squeezed(line.text) and is_date(write(found.text)):
            return found
        with_stroke = (find_shape(other, shape) for other in _strokes(line))
        dates = [each for each in (found, *with_stroke) if each and is_date(write(each.text))]
        return max(dates, key=lambda each: each.weakest, default=found)

    return take


def _strokes(line: Line) -> Iterator[Line]:
    """Yield the line with each 1 replaced by a slash, if the result has three parts."""
    for at, glyph in enumerate(line.glyphs):
        text = f"{line.text[:at]}/{line.text[at + 1 :]}"
        if glyph.character == "1" and _THREE_PARTS.fullmatch(text):
            stroke = Glyph("/", glyph.probability, "", 0.0)
            yield Line(text, (*line.glyphs[:at], stroke, *line.glyphs[at + 1 :]), line.quad)


def is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).year >= _FIRST_YEAR
    except ValueError:
        return False


def of_shapes(shapes: Sequence[str]) -> Take:
    """Return the match of the longest shape, so that a number is not truncated."""
    longest_first = sorted(shapes, key=len, reverse=True)

    def take(line: Line) -> Line | None:
        fitting = (found for shape in longest_first if (found := find_shape(line, shape)))
        return max(fitting, key=lambda found: found.score, default=None)

    return take


def like_a_number(line: Line) -> Line | None:
    text = line.text.replace(" ", "").replace("-", "")
    digits = sum(character.isdigit() for character in text)
    return line if 5 <= len(text) <= 16 and 2 * digits >= len(text) and text.isalnum() else None


def has_blood_group(line: Line) -> Line | None:
    return line if blood_group(line.text) else None


def is_blood_group(text: str) -> bool:
    return _BLOOD.fullmatch(text.upper().strip()) is not None


def blood_group(text: str) -> str:
    match = _BLOOD.match(text.upper().strip())
    if match is None:
        worn = _WORN_BLOOD.fullmatch(text.upper().strip())
        return worn[1].replace("0", "O") + "-" if worn else ""
    sign = {"POS": "+", "NEG": "-"}.get(match[2], match[2])
    return match[1].replace("0", "O") + sign


class Chosen:
    """Return the only one of some values on the line. A single letter must stand alone."""

    def __init__(self, values: Sequence[str]) -> None:
        self._values = sorted(values, key=len, reverse=True)
        self._letters = sum(len(value) == 1 for value in values)

    def take(self, line: Line) -> Line | None:
        value = self._value(line.text)
        words = line.text.upper().split(" ")
        if value is None or len(value) > 1 or value not in words:
            return line if value else None
        start = sum(len(word) + 1 for word in words[: words.index(value)])
        letter = line.part(start, start + 1)
        return replace(letter, glyphs=(self._told_apart(letter.glyphs[0]),))

    def _told_apart(self, letter: Glyph) -> Glyph:
        """With its odds against the other letters, each at most as likely as the runner-up: what is
        left of the network's certainty goes to "no character", which is no rival of a lone letter.
        """
        likely, rival = letter.probability, letter.runner_up_probability
        if letter.runner_up.upper() == letter.character.upper():
            return replace(letter, probability=likely + rival)
        return replace(letter, probability=likely / (likely + (self._letters - 1) * rival))

    def write(self, text: str) -> str:
        return self._value(text) or ""

    def says_nothing_else(self, text: str) -> bool:
        value = squeezed(self._value(text) or "")
        return bool(value) and squeezed(text) in (value, f"TIPO{value}")

    def _value(self, text: str) -> str | None:
        words, whole = text.upper().split(), squeezed(text)
        for value in self._values:
            wanted = squeezed(value)
            alone = value in words or whole == f"TIPO{wanted}"
            if alone if len(value) <= 2 else wanted in whole:
                return value
        return None
