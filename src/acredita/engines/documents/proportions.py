"""Fields whose letters are wider or narrower, each in its own way, than the same ones elsewhere.

How wide a letter is for its height is a typeface's own. Condensing a line, or a lens, changes all
of its letters alike; another typeface makes some wider and some narrower. As in `typeface`, lines
are compared with each other alone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Signal
from acredita.engines.documents.spots import Spot, share_of_page
from acredita.engines.documents.typeface import Grey, Strip, end_of_line, runs
from acredita.engines.text import Image

VERSION: Final = "proportions-1"
NAME: Final = "tampering.proportions"
_LIMIT: Final = 0.06
"""By how much more a line's letters stray than those of the other lines, in natural logarithms of
width by height; `docs/capture-quality.md` says what passes it."""
_LEAST_LETTERS, _LEAST_LINES = 9, 3
_LONGEST: Final = 40
_ALIKE: Final = 0.78
"""Correlation: letters less like those elsewhere were read or cut wrongly."""
_STRAYING: Final = 0.2
"""Deviation that only wrong cuts have: two letters taken for one, and one for two."""
_GAPS: Final = (0.25, 0.35, 0.45, 0.55)
_LEAST_BLANK: Final = 6
"""Columns, of a line 48 pixels high."""
_INKED, _NARROWEST, _LOWEST = 0.45, 3, 6
_DARKEST_ROWS: Final = 6
_LETTER: Final = (16, 24)


@dataclass(frozen=True, slots=True)
class _Letter:
    """`shape` has mean 0 and length 1; `width` is the logarithm of width by height."""

    character: str
    shape: Grey
    width: float


def proportions(page: Image, clear: Sequence[tuple[Spot, Strip]]) -> tuple[Signal, ...]:
    """The field that strays most; none where too few lines share letters enough."""
    straying = _straying([_letters(*line)[:_LONGEST] for line in clear])
    if len(straying) < _LEAST_LINES:
        return ()
    beyond = {
        line: own - float(np.median([other for at, other in straying.items() if at != line]))
        for line, own in straying.items()
    }
    place = max(beyond, key=lambda line: beyond[line])
    measure = round(max(beyond[place], 0.0), 4)
    spot = clear[place][0]
    box = share_of_page(spot.line.quad, page)
    return (Signal(NAME, measure > _LIMIT, measure, _LIMIT, spot.field, box, VERSION),)


def _straying(lines: Sequence[Sequence[_Letter]]) -> Mapping[int, float]:
    """By line, how far half of its letters' widths are from what the same ones elsewhere have,
    once what all of its letters have in common is taken off.
    """
    occurrences = defaultdict(list)
    for number, letters in enumerate(lines):
        for letter in letters:
            occurrences[letter.character].append((number, letter))
    found = {}
    for number, letters in enumerate(lines):
        alike, wider = [], []
        for letter in letters:
            others = [each for at, each in occurrences[letter.character] if at != number]
            if others:
                alike.append(np.mean([np.vdot(letter.shape, each.shape) for each in others]))
                wider.append(letter.width - np.median([each.width for each in others]))
        if len(wider) < _LEAST_LETTERS or np.median(alike) < _ALIKE or np.std(wider) > _STRAYING:
            continue
        found[number] = float(np.median(np.abs(wider - np.median(wider))))
    return found


def _letters(spot: Spot, line: Strip) -> list[_Letter]:
    """Those of the value's words that fall into as many pieces as they have characters."""
    columns = np.sort(line.ink, axis=0)[-_DARKEST_ROWS:].mean(axis=0)
    words = spot.line.text.split()
    edges = _between_words(columns, len(words))
    value = len(end_of_line(spot).split())
    if not value or not edges:
        return []
    found = []
    for word, (left, right) in list(zip(words, pairwise(edges), strict=True))[-value:]:
        pieces = _pieces(columns, left, right, len(word))
        # No pieces where the word does not fall into as many as it has characters.
        for character, (start, end) in zip(word, pieces, strict=False):
            found.append(_letter(character, line.ink[:, max(0, start - 1) : end + 1]))
    return [letter for letter in found if letter is not None]


def _between_words(columns: Grey, words: int) -> list[int]:
    """Where each word begins and the last one ends; nothing where blanks are no wider than gaps."""
    pieces = _inked(columns, _GAPS[0])
    gaps = [(after[0] - before[1], before[1]) for before, after in pairwise(pieces)]
    blanks = sorted(gaps, reverse=True)[: words - 1]
    if len(blanks) < words - 1 or any(width < _LEAST_BLANK for width, _ in blanks):
        return []
    return [0, *sorted(start + width // 2 for width, start in blanks), len(columns)]


def _pieces(columns: Grey, left: int, right: int, count: int) -> list[tuple[int, int]]:
    for gap in _GAPS:
        pieces = [each for each in _inked(columns, gap) if left <= each[0] and each[1] <= right]
        if len(pieces) == count:
            return pieces
    return []


def _inked(columns: Grey, gap: float) -> list[tuple[int, int]]:
    return [piece for piece in runs(columns > gap) if piece[1] - piece[0] >= _NARROWEST]


def _letter(character: str, ink: Grey) -> _Letter | None:
    rows = np.flatnonzero(ink.max(axis=1) > _INKED)
    if len(rows) < _LOWEST:
        return None
    part = ink[max(0, rows[0] - 1) : rows[-1] + 2]
    # Summed greys: edges lie between pixels.
    width = float(np.log(part.max(axis=0).sum() / part.max(axis=1).sum()))
    shape = cv2.resize(part, _LETTER)
    shape -= shape.mean()
    length = max(float(np.linalg.norm(shape)), 1e-6)
    return _Letter(character, np.asarray(shape / length, np.float32), width)
