"""Detect fields in another typeface than the rest of the document.

The same letter, cut out of two lines and scaled to one size, looks alike if one machine printed
both lines. In a replaced line it does not, unless the forger matched the typeface.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import median
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

SIGN: Final = Sign("tampering.typeface", "typeface-2", limit=0.07)
"""Measure: by how much less a line's letters correlate with the others' than those among
themselves; `docs/compliance/capture-quality.md` says what passes the limit."""
_SURE: Final = 0.78
"""Letters that correlate less are not the same: the line was read or cut wrongly."""
_LEAST_PAIRS, _LEAST_CHARACTERS = 15, 4
_DARK: Final = 0.9
"""Of a letter's darkest: paler ones lie in a reflection that takes only part of their line."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """The same character in two lines, and the correlation of its shapes: 1 at the most."""

    lines: tuple[int, int]
    character: str
    likeness: float


def typeface(page: Image, lines: Sequence[CutLine]) -> Signal | None:
    """Return the signal of the line that deviates most; None if no line shares enough letters.

    `page` is the flattened page of shape (height, width, 3), uint8, BGR.
    """
    letters = [_dark_letters(line)[:MOST_LETTERS] for line in lines]
    deviations = _deviations(_pairs(letters), len(lines))
    if not deviations:
        return None
    place = max(deviations, key=lambda line: deviations[line])
    return signal_of(SIGN, page, lines[place].line, deviations[place])


def _dark_letters(line: CutLine) -> list[Letter]:
    """None of a line that was cut by words: a wrong cut there looks like another typeface."""
    return [each for each in line.letters if line.is_whole and each.darkness >= _DARK]


def _deviations(pairs: Sequence[_Pair], lines: int) -> Mapping[int, float]:
    """By line, how much less alike its letters are to the others' than those to each other."""
    pairs, likeness = _without_misread_lines(pairs, lines)
    deviations = {}
    for line in likeness:
        own = [pair for pair in pairs if line in pair.lines]
        rest = [pair.likeness for pair in pairs if line not in pair.lines]
        characters = {pair.character for pair in own}
        if min(len(own), len(rest)) >= _LEAST_PAIRS and len(characters) >= _LEAST_CHARACTERS:
            deviations[line] = median(rest) - likeness[line]
    return deviations


def _without_misread_lines(
    pairs: Sequence[_Pair], lines: int
) -> tuple[Sequence[_Pair], Mapping[int, float]]:
    """The pairs of the lines that are read and cut correctly, and the likeness of each line."""
    likeness = {line: _median(pairs, line) for line in range(lines)}
    while likeness and min(likeness.values()) < _SURE:
        wrong = min(likeness, key=lambda line: likeness[line])
        pairs = [pair for pair in pairs if wrong not in pair.lines]
        likeness = {line: _median(pairs, line) for line in likeness if line != wrong}
    return pairs, likeness


def _median(pairs: Sequence[_Pair], line: int) -> float:
    own = [pair.likeness for pair in pairs if line in pair.lines]
    return median(own) if own else 1.0


def _pairs(lines: Sequence[Sequence[Letter]]) -> list[_Pair]:
    occurrences = defaultdict(list)
    for number, letters in enumerate(lines):
        for letter in letters:
            occurrences[letter.character].append((number, letter))
    found: list[_Pair] = []
    for character, same in occurrences.items():
        alike = likenesses([letter for _, letter in same])
        found += [
            _Pair((one, other), character, alike[first][second])
            for (first, (one, _)), (second, (other, _)) in combinations(enumerate(same), 2)
            if one != other
        ]
    return found
