"""Fields whose letters are wider or narrower, each in its own way, than the same ones elsewhere.

How wide a letter is for its height is a typeface's own. Condensing a line, or a lens, changes all
of its letters alike; another typeface makes some wider and some narrower.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean, median, pstdev
from typing import Final

from acredita.domain.documents import Signal
from acredita.domain.tampering.signs import Sign
from acredita.engines.tampering.letter_shapes import (
    MOST_LETTERS,
    CutLine,
    Letter,
    likenesses,
    signal_of,
)
from acredita.engines.text import Image

SIGN: Final = Sign("tampering.proportions", "proportions-3", limit=0.06)
"""Measure: by how much more a line's letters deviate than those of the other lines, in natural
logarithms of width by height; `docs/compliance/capture-quality.md` says what passes the limit."""
_LEAST_LETTERS, _LEAST_LINES = 9, 3
_ALIKE: Final = 0.78
"""Correlation: letters less like those elsewhere were read or cut wrongly."""
_STRAYING: Final = 0.2
"""Deviation that only wrong cuts have: two letters cut as one, and one cut as two."""


def proportions(page: Image, lines: Sequence[CutLine]) -> Signal | None:
    """Return the signal of the line that deviates most; None if too few lines share enough letters.

    `page` is the flattened page of shape (height, width, 3), uint8, BGR.
    """
    straying = _straying([each.letters[:MOST_LETTERS] for each in lines])
    if len(straying) < _LEAST_LINES:
        return None
    beyond = {
        line: own - median(other for at, other in straying.items() if at != line)
        for line, own in straying.items()
    }
    place = max(beyond, key=lambda line: beyond[line])
    return signal_of(SIGN, page, lines[place].line, max(beyond[place], 0.0))


def _straying(lines: Sequence[Sequence[Letter]]) -> Mapping[int, float]:
    """By line, how far half of its letters' widths are from what the same ones elsewhere have,
    once what all of its letters have in common is taken off.
    """
    occurrences = defaultdict(list)
    for number, letters in enumerate(lines):
        for letter in letters:
            occurrences[letter.character].append((number, letter))
    alike: dict[int, list[float]] = defaultdict(list)
    wider: dict[int, list[float]] = defaultdict(list)
    for same in occurrences.values():
        all_alike = likenesses([letter for _, letter in same])
        for (number, letter), row in zip(same, all_alike, strict=True):
            others = _elsewhere(number, same, row)
            if not others:
                continue
            alike[number].append(fmean(like for like, _ in others))
            # A letter of another line that is nothing like it was read or cut wrongly there.
            if widths := [width for like, width in others if like >= _ALIKE]:
                wider[number].append(letter.width - median(widths))
    return {
        number: _spread(wider[number])
        for number in range(len(lines))
        if len(wider[number]) >= _LEAST_LETTERS
        and median(alike[number]) >= _ALIKE
        and pstdev(wider[number]) <= _STRAYING
    }


def _elsewhere(
    line: int, same: Sequence[tuple[int, Letter]], alike: Sequence[float]
) -> list[tuple[float, float]]:
    """The likeness and the width of each of the same letters that is in another line."""
    pairs = zip(alike, same, strict=True)
    return [(like, letter.width) for like, (at, letter) in pairs if at != line]


def _spread(widths: Sequence[float]) -> float:
    """Return the median distance from the median."""
    middle = median(widths)
    return median(abs(width - middle) for width in widths)
