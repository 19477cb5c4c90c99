"""Breaking text into lines.

Greedy, in one pass, linear in the length of the text whatever it is made of: a word that is wider
than the line is broken where the line ends.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from acredita.engines.signing.contents import Run
from acredita.engines.signing.typefaces import Face, Spelling, face

# Words with the blanks behind them; a no-break space is part of its word.
_WORDS: Final = re.compile(r"\S*[ \u2000-\u200a\u3000]*|\s", re.ASCII)


class Span(NamedTuple):
    """A piece of a line: where it begins (in points from the left), its face and its text."""

    x: float
    face: str
    text: str


Line = tuple[Span, ...]


def lines_of(
    runs: Iterable[Run], spelling: Spelling, *, size: float, width: float, left: float = 0.0
) -> Iterator[Line]:
    """The lines of a paragraph, at most `width` points wide, each beginning at `left`."""
    line: list[Span] = []
    x = 0.0
    for run in runs:
        for part, text in enumerate(run.text.split("\n")):
            if part:
                yield _shifted(line, left)
                line, x = [], 0.0
            for name, piece in spelling.pieces(spelling.spell(text), run.style):
                for span, breaks in _set(piece, face(name), x, size, width):
                    if breaks:
                        yield _shifted(line, left)
                        line = []
                    line.append(span)
                    x = span.x + face(name).width(span.text) * size / 1000
    yield _shifted(line, left)


def _set(
    text: str, typeface: Face, x: float, size: float, width: float
) -> Iterator[tuple[Span, bool]]:
    """Spans that hold the text, and whether a new line begins with each; the first goes on at x."""
    scale = size / 1000
    begins, breaks = x, False
    words: list[str] = []
    for found in _WORDS.findall(text):
        if not found:
            continue
        word = found
        needed = typeface.width(word.rstrip(" ")) * scale
        if x + needed > width:
            if words:
                yield Span(begins, typeface.name, "".join(words)), breaks
                words = []
                begins, breaks, x = 0.0, True, 0.0
            elif x > 0:
                begins, breaks, x = 0.0, True, 0.0
            if needed > width:
                *whole, word = _broken(word, typeface, width / scale)
                for piece in whole:
                    yield Span(begins, typeface.name, piece), breaks
                    begins, breaks = 0.0, True
                x = 0.0
        words.append(word)
        x += typeface.width(word) * scale
    if words:
        yield Span(begins, typeface.name, "".join(words)), breaks


def _broken(word: str, typeface: Face, width: float) -> Iterator[str]:
    """A word that is too wide, in pieces that are not; the last may be short, or blank."""
    start, used = 0, 0.0
    for place, character in enumerate(word):
        advance = typeface.width(character)
        if used + advance > width and place > start and character != " ":
            yield word[start:place]
            start, used = place, 0.0
        used += advance
    yield word[start:]


def _shifted(line: list[Span], left: float) -> Line:
    if not left:
        return tuple(line)
    return tuple(Span(span.x + left, span.face, span.text) for span in line)
