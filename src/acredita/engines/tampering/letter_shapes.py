"""Lines of print cut into letters, for the signs that compare letters of one page with each other.

One machine prints a person's data, so that the same letter looks alike in all lines. No typeface
has to be known: lines are compared with each other alone, and what a camera does to letters it does
to all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.documents import Signal
from acredita.domain.tampering.signs import Sign
from acredita.engines.text import Image, share_of_page
from acredita.engines.text.levelling import laid_level

_HEIGHT: Final = 48
"""Rows that each line is scaled to."""
_LETTER: Final = (16, 24)
"""Columns and rows that each letter is scaled to."""
_PAPER, _INK = 85, 4
"""Percentiles of a line's greys."""
_CLEAR: Final = 0.75
"""A share of the lines' median contrast: letters in a reflection differ from the others."""
_INKED: Final = 0.45
_GAPS: Final = (0.25, 0.35, 0.45, 0.55)
"""Darkness between letters, the sharpest picture's first: blurred ones touch."""
_LEAST_BLANK: Final = 6
"""Columns between two words."""
_DARKEST_ROWS: Final = 6
_NARROWEST, _LOWEST = 3, 6
MOST_LETTERS: Final = 40
"""Letters of one line: each is compared with all its likes."""

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A printed line that a field is taken from.

    `text` is the whole line. `value` is the field's value as it ends the line, without a caption
    before it, which may be set otherwise; empty where something follows it. `quad` is the line's
    outline: float32 of shape (4, 2), pixels of the flat page, clockwise from the top left.
    """

    field: str
    text: str
    value: str
    quad: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter as it is printed. `shape`: float32 of shape (24, 16), mean 0 and length 1; `width`:
    natural logarithm of width by height; `darkness` of its darkest pixel, 0 to 1.
    """

    character: str
    shape: Grey
    width: float
    darkness: float


@dataclass(frozen=True, slots=True)
class CutLine:
    """A line and its value's letters. `is_whole`: the whole line was cut into as many pieces as it
    has characters; otherwise only those words that were give letters.
    """

    line: FieldLine
    letters: Sequence[Letter]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class _Strip:
    """A line laid level. `ink`: float32 of shape (48, width), 0 for paper and 1 for the darkest;
    `contrast` of paper and ink in greys.
    """

    line: FieldLine
    ink: Grey
    contrast: float


def cut_lines(page: Image, lines: Sequence[FieldLine]) -> list[CutLine]:
    """Cut the lines of a flattened page into letters, without the lines in a reflection.

    `page` is of shape (height, width, 3), uint8, BGR.
    """
    strips = [_strip(page, line) for line in lines]
    least = _CLEAR * float(np.median([each.contrast for each in strips])) if strips else 0
    return [_cut(each) for each in strips if each.contrast >= least]


def likenesses(letters: Sequence[Letter]) -> list[list[float]]:
    """Return the correlation of each letter's shape with each other's: 1 at the most."""
    shapes = np.stack([letter.shape.ravel() for letter in letters])
    alike: list[list[float]] = (shapes @ shapes.T).tolist()
    return alike


def signal_of(sign: Sign, page: Image, line: FieldLine, measure: float) -> Signal:
    """Return the signal of a line's measure; its detail is the field, its box the line."""
    return sign.signal(measure, line.field, share_of_page(line.quad, page))


def _strip(page: Image, line: FieldLine) -> _Strip:
    top_left, top_right, _, bottom_left = line.quad
    length = float(np.linalg.norm(top_right - top_left))
    height = float(np.linalg.norm(bottom_left - top_left))
    width = max(_NARROWEST, round(_HEIGHT * length / max(height, 1.0)))
    level = laid_level(page, line.quad, width, _HEIGHT)
    grey = cv2.cvtColor(level, cv2.COLOR_BGR2GRAY).astype(np.float32)
    paper, ink = np.percentile(grey, (_PAPER, _INK))
    contrast = max(float(paper - ink), 1.0)
    return _Strip(line, np.asarray(np.clip((paper - grey) / contrast, 0, 1), np.float32), contrast)


def _cut(strip: _Strip) -> CutLine:
    """Cut the whole line; unless it has as many pieces as characters, cut each of its words."""
    columns = np.sort(strip.ink, axis=0)[-_DARKEST_ROWS:].mean(axis=0)
    line = strip.line
    text, value = (each.replace(" ", "") for each in (line.text, line.value))
    pieces = _pieces(columns, (0, len(columns)), len(text))[len(text) - len(value) :]
    if pieces:
        return CutLine(line, _letters(strip, value, pieces), is_whole=True)
    words = line.text.split()[len(line.text.split()) - len(line.value.split()) :]
    letters = []
    for word, place in zip(words, _words(columns, line)[-len(words) :], strict=False):
        letters += _letters(strip, word, _pieces(columns, place, len(word)))
    return CutLine(line, letters, is_whole=False)


def _words(columns: Grey, line: FieldLine) -> list[tuple[int, int]]:
    """Where each word begins and ends; nothing where blanks are no wider than gaps."""
    words = len(line.text.split())
    gaps = [
        (after[0] - before[1], before[1]) for before, after in pairwise(_inked(columns, _GAPS[0]))
    ]
    blanks = sorted(gaps, reverse=True)[: words - 1]
    if len(blanks) < words - 1 or any(width < _LEAST_BLANK for width, _ in blanks):
        return []
    middles = sorted(start + width // 2 for width, start in blanks)
    return list(pairwise((0, *middles, len(columns))))


def _pieces(columns: Grey, place: tuple[int, int], count: int) -> list[tuple[int, int]]:
    """The stretches of ink in a place; nothing unless they are `count`."""
    left, right = place
    for gap in _GAPS:
        pieces = [each for each in _inked(columns, gap) if left <= each[0] and each[1] <= right]
        if len(pieces) == count:
            return pieces
    return []


def _inked(columns: Grey, gap: float) -> list[tuple[int, int]]:
    """Where stretches of columns darker than `gap` begin and end."""
    marked = np.concatenate(([False], columns > gap, [False]))
    edges = np.flatnonzero(np.diff(marked.astype(np.int8))).reshape(-1, 2)
    return [(int(left), int(right)) for left, right in edges if right - left >= _NARROWEST]


def _letters(strip: _Strip, text: str, pieces: Sequence[tuple[int, int]]) -> list[Letter]:
    """The letters of a text; none without pieces. Dots and dashes are left out."""
    found = [
        _letter(character, strip.ink[:, max(0, start - 1) : end + 1])
        for character, (start, end) in zip(text, pieces, strict=False)
    ]
    return [letter for letter in found if letter is not None]


def _letter(character: str, ink: Grey) -> Letter | None:
    """None for dots and dashes, which are too low to be compared."""
    rows = np.flatnonzero(ink.max(axis=1) > _INKED)
    if len(rows) < _LOWEST:
        return None
    part = ink[max(0, rows[0] - 1) : rows[-1] + 2]
    # Summed greys: edges lie between pixels.
    width = float(np.log(part.max(axis=0).sum() / part.max(axis=1).sum()))
    shape = cv2.resize(part, _LETTER)
    shape -= shape.mean()
    length = max(float(np.linalg.norm(shape)), 1e-6)
    darkness = float(ink.max())
    return Letter(character, np.asarray(shape / length, np.float32), width, darkness)
