"""Break text into lines.

The algorithm is greedy and takes one pass, so its time is linear for any text. A word wider than
the line is broken at the end of the line.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from acredita.engines.signing.blocks import Run
from acredita.engines.signing.typefaces import Face, Spelling, face

# Words with their trailing blanks. A no-break space is part of its word.
_WORDS: Final = re.compile(r"\S*[ \u2000-\u200a\u3000]*|\s", re.ASCII)


class Span(NamedTuple):
    """A piece of a line: `x` in points from the left margin, name of the typeface, text."""

    x: float
    face: str
    text: str


Line = tuple[Span, ...]


def lines_of(
    runs: Iterable[Run], spelling: Spelling, *, size: float, width: float, left: float = 0.0
) -> Iterator[Line]:
    """Break the runs of a paragraph into lines.

    `size`, `width` and `left` are in points. Each line starts at `left` and is at most `width`
    wide.
    """
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
    """(span, whether the span starts a new line). The first span continues the line at `x`."""
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
    """Split a word into pieces of at most `width`. The last piece may be short or blank."""
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
