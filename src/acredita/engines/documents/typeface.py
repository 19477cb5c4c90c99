"""Fields that are set in another typeface than the rest of the document.

One machine prints a person's data, in one typeface. The same character, cut out of two lines and
brought to one size, then looks alike; in a line that somebody set anew it does not, unless the
typeface was met. Lines are compared with each other alone: no typeface has to be known, and what a
camera does to letters it does to all of them.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.documents import Signal
from acredita.engines.documents.layout import squeezed
from acredita.engines.documents.spots import Spot, share_of_page
from acredita.engines.text import Image, laid_level

VERSION: Final = "typeface-1"
NAME: Final = "tampering.typeface"
_LIMIT: Final = 0.07
"""By how much a line's letters agree less with the others' than those among themselves;
`docs/capture-quality.md` says what passes it."""
_SURE: Final = 0.78
"""Letters that agree less are not the same: the line was read or cut wrongly, and tells nothing."""
_LEAST_PAIRS, _LEAST_CHARACTERS = 15, 4
_LONGEST: Final = 40
"""Letters of one line: each is compared with all its likes."""
_HEIGHT: Final = 48
_LETTER: Final = (16, 24)
"""Columns and rows that each letter is brought to."""
_PAPER, _INK = 85, 4
"""Percentiles of a line's greys."""
_CLEAR: Final = 0.75
"""Of the lines' median contrast: letters in a reflection differ from those beside it."""
_DARK: Final = 0.75
"""Of a letter's darkest: paler ones lie in a reflection that takes only part of their line."""
_INKED: Final = 0.45
_GAPS: Final = (0.25, 0.35, 0.45, 0.55)
"""Darkness between letters, the sharpest picture's first: blurred ones touch."""
_DARKEST_ROWS: Final = 6
_NARROWEST, _LOWEST = 3, 6

Grey = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Strip:
    """A line laid level, its `ink` 0 for paper and 1 for the darkest, and its contrast in greys."""

    ink: Grey
    contrast: float


@dataclass(frozen=True, slots=True)
class _Pair:
    """The same character in two lines, and how alike it is: 1 at the most."""

    lines: tuple[int, int]
    character: str
    likeness: float


def clear_strips(page: Image, spots: Sequence[Spot]) -> list[tuple[Spot, Strip]]:
    """Each line once, laid level, with a field that is taken from it; none in a reflection."""
    by_line = {id(spot.line): spot for spot in spots}.values()
    strips = [(spot, strip(page, spot.line.quad)) for spot in by_line]
    least = _CLEAR * float(np.median([each.contrast for _, each in strips])) if strips else 0
    return [(spot, each) for spot, each in strips if each.contrast >= least]


def typeface(page: Image, clear: Sequence[tuple[Spot, Strip]]) -> tuple[Signal, ...]:
    """The field that deviates most; none where no line shares characters enough with others."""
    letters = [_letters(spot, line.ink) for spot, line in clear]
    deviations = _deviations(_pairs(letters), len(clear))
    if not deviations:
        return ()
    place = max(deviations, key=lambda line: deviations[line])
    measure = round(deviations[place], 4)
    spot, _ = clear[place]
    box = share_of_page(spot.line.quad, page)
    return (Signal(NAME, measure > _LIMIT, measure, _LIMIT, spot.field, box, VERSION),)


def _deviations(pairs: Sequence[_Pair], lines: int) -> Mapping[int, float]:
    """By line, how much less alike its letters are to the others' than those to each other."""
    likeness = {line: _median(pairs, line) for line in range(lines)}
    while likeness and min(likeness.values()) < _SURE:
        wrong = min(likeness, key=lambda line: likeness[line])
        pairs = [pair for pair in pairs if wrong not in pair.lines]
        likeness = {line: _median(pairs, line) for line in likeness if line != wrong}
    deviations = {}
    for line in likeness:
        own = [pair for pair in pairs if line in pair.lines]
        rest = [pair.likeness for pair in pairs if line not in pair.lines]
        characters = {pair.character for pair in own}
        if min(len(own), len(rest)) >= _LEAST_PAIRS and len(characters) >= _LEAST_CHARACTERS:
            deviations[line] = float(np.median(rest)) - likeness[line]
    return deviations


def _median(pairs: Sequence[_Pair], line: int) -> float:
    own = [pair.likeness for pair in pairs if line in pair.lines]
    return float(np.median(own)) if own else 1.0


def _pairs(lines: Sequence[Sequence[tuple[str, Grey]]]) -> list[_Pair]:
    occurrences = defaultdict(list)
    for number, letters in enumerate(lines):
        for character, letter in letters[:_LONGEST]:
            occurrences[character].append((number, letter))
    return [
        _Pair((one, other), character, float(np.vdot(first, second)))
        for character, found in occurrences.items()
        for (one, first), (other, second) in combinations(found, 2)
        if one != other
    ]


def _letters(spot: Spot, ink: Grey) -> list[tuple[str, Grey]]:
    """The value's characters with their pictures, each of mean 0 and length 1; none where the line
    does not fall into as many pieces as it has characters.
    """
    columns = np.sort(ink, axis=0)[-_DARKEST_ROWS:].mean(axis=0)
    printed = spot.line.text.replace(" ", "")
    for gap in _GAPS:
        pieces = [piece for piece in runs(columns > gap) if piece[1] - piece[0] >= _NARROWEST]
        if len(pieces) == len(printed):
            break
    else:
        return []
    found = []
    value = end_of_line(spot).replace(" ", "")
    for character, (left, right) in zip(value, pieces[len(printed) - len(value) :], strict=True):
        piece = ink[:, max(0, left - 1) : right + 1]
        rows = np.flatnonzero(piece.max(axis=1) > _INKED)
        # Neither dot nor dash, nor washed out.
        if len(rows) >= _LOWEST and piece.max() >= _DARK:
            letter = cv2.resize(piece[max(0, rows[0] - 1) : rows[-1] + 2], _LETTER)
            letter -= letter.mean()
            length = max(float(np.linalg.norm(letter)), 1e-6)
            found.append((character, np.asarray(letter / length, np.float32)))
    return found


def end_of_line(spot: Spot) -> str:
    """The value as it was read, without a caption before it, which may be set otherwise; nothing
    where something follows it.
    """
    line, value = spot.line, spot.take(spot.line)
    if value is None or not np.allclose(value.quad[1:3], line.quad[1:3], atol=1.0):
        return ""
    length = len(squeezed(value.text))
    ends = (line.text[start:] for start in reversed(range(len(line.text))))
    return next((end for end in ends if len(squeezed(end)) == length), "")


def strip(page: Image, quad: NDArray[np.float32]) -> Strip:
    top_left, top_right, _, bottom_left = quad
    length = float(np.linalg.norm(top_right - top_left))
    height = float(np.linalg.norm(bottom_left - top_left))
    width = max(_NARROWEST, round(_HEIGHT * length / max(height, 1.0)))
    level = laid_level(page, quad, width, _HEIGHT)
    grey = cv2.cvtColor(level, cv2.COLOR_BGR2GRAY).astype(np.float32)
    paper, ink = np.percentile(grey, (_PAPER, _INK))
    contrast = max(float(paper - ink), 1.0)
    return Strip(np.asarray(np.clip((paper - grey) / contrast, 0, 1), np.float32), contrast)


def runs(marked: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where marked stretches begin and end."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], marked, [False])).astype(np.int8)))
    return [(int(left), int(right)) for left, right in edges.reshape(-1, 2)]
