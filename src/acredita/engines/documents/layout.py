"""Find the text beside or below a caption, and identifiers by their shape."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final

from acredita.engines.text import Glyph, Line

_SAME: Final = 0.75
"""Share of a caption's characters that must match: "ANO DE REGISTR0" is still that caption."""
_DIGIT_FOR: Final = dict(zip("OQDILSZBGTA", "00011528674", strict=True))
_LETTER_FOR: Final = dict(zip("012568470", "OIZSGBATO", strict=True))
_CLASSES: Final = {
    "A": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "9": frozenset("0123456789"),
    "X": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    "L": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZÑ&"),
    "S": frozenset("HMX"),
    "G": frozenset("MFX"),
    "V": frozenset("AEIOUX"),
    "d": frozenset("0123"),
    "m": frozenset("01"),
    "c": frozenset("12"),
}

DATE_SHAPE: Final = "d9m9c999"
YEAR_SHAPE: Final = "c999"
CURP_SHAPE: Final = "AVAA999999SAAAAAX9"
RFC_SHAPE: Final = "LLLL999999XXX"
"""Of a person; a company's has a letter less."""
CLAVE_SHAPE: Final = "AAAAAA99999999S999"


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: its whole line, the caption's part of it, and the text after it (may be empty)."""

    whole: Line
    label: Line
    rest: Line


def squeezed(text: str) -> str:
    """Return only the letters and digits, in capitals without accents, to compare captions."""
    return "".join(character for character, _ in _squeeze(text))


def _squeeze(text: str) -> list[tuple[str, int]]:
    kept = []
    for index, character in enumerate(text):
        base = unicodedata.normalize("NFD", character)[0].upper()
        if base.isascii() and base.isalnum():
            kept.append((base, index))
    return kept


def is_machine_readable(line: Line) -> bool:
    """Whether the line looks like an MRZ: long, without lower case, and with fillers or digits."""
    text = line.text.replace(" ", "")
    if len(text) < 22 or sum(c.islower() for c in text) > 3:
        return False
    return "<" in text or sum(c.isdigit() for c in text) > 8


class Layout:
    """The lines of one page."""

    def __init__(self, lines: Iterable[Line]) -> None:
        self.lines = sorted(lines, key=lambda line: line.centre[1])
        # Computed once: dozens of captions are searched, and a page may have 1,500 long lines.
        self._squeezed = [(line, _squeeze(line.text)) for line in self.lines]

    def caption(self, wording: str) -> Caption | None:
        """Return the exact caption, otherwise the start of a line that is similar to it."""
        for exactly in (True, False):
            for caption in self.captions(wording, exactly=exactly):
                return caption
        return None

    def captions(self, wording: str, *, exactly: bool) -> Iterator[Caption]:
        """Yield all exact captions, or all starts of lines that are similar to it."""
        wanted, find = squeezed(wording), _exactly if exactly else _nearly
        for line, kept in self._squeezed:
            if at := find(wanted, kept):
                yield _cut(line, *at)

    def count(self, wordings: Iterable[str]) -> int:
        """Return how many of the captions are on the page."""
        return sum(self.caption(wording) is not None for wording in wordings)

    @property
    def machine_readable(self) -> list[str]:
        """The rows that look like an MRZ's, squeezed."""
        return [squeezed(line.text) for line in self.lines if is_machine_readable(line)]

    def beside(self, caption: Caption) -> Line | None:
        """Return the next line to the right of the caption, on its row."""
        row = [
            line
            for line in self.lines
            if line.left >= caption.label.right - caption.label.height * 0.5
            and abs(line.centre[1] - caption.label.centre[1]) < 0.6 * caption.label.height
        ]
        return min(row, key=lambda line: line.left, default=None)

    def below(self, caption: Caption, rows: float = 2.4) -> list[Line]:
        """The lines under the caption within so many caption heights, nearest first."""
        label = caption.label
        under = []
        for line in self.lines:
            drop = line.centre[1] - label.centre[1]
            if not 0.5 * label.height < drop < rows * max(label.height, line.height * 0.7):
                continue
            if line.right > label.left and line.left < label.right + label.height:
                under.append(line)
        return under

    def block(self, start: Caption, bottom: float) -> list[Line]:
        """The lines from under a caption down to `bottom`, that begin where the caption begins."""
        label = start.label
        slack = 1.5 * label.height
        return [
            line
            for line in self.lines
            if abs(line.left - label.left) < slack
            and line.centre[1] > label.centre[1] + 0.5 * label.height
            and line.centre[1] < bottom
        ]

    def block_above(self, end: Caption, most: int = 3) -> list[Line]:
        """The evenly spaced lines that lead down to a caption and begin where it begins."""
        label = end.label
        block: list[Line] = []
        below, pitch = label, 2.2 * label.height
        for line in reversed(self.lines):
            if abs(line.left - label.left) >= 1.5 * label.height or line is end.whole:
                continue
            gap = below.centre[1] - line.centre[1]
            if 0.5 * label.height < gap < pitch and len(block) < most:
                block.insert(0, line)
                below = line
        return block


def _exactly(wanted: str, kept: Sequence[tuple[str, int]]) -> tuple[int, int] | None:
    """Start and end of the caption in the line that was squeezed."""
    at = "".join(character for character, _ in kept).find(wanted)
    return (kept[at][1], kept[at + len(wanted) - 1][1] + 1) if at >= 0 else None


def _nearly(wanted: str, kept: Sequence[tuple[str, int]]) -> tuple[int, int] | None:
    start = "".join(character for character, _ in kept[: len(wanted)])
    if len(wanted) < 5 or SequenceMatcher(None, wanted, start).ratio() < _SAME:
        return None
    return kept[0][1], kept[len(start) - 1][1] + 1


def _cut(line: Line, start: int, end: int) -> Caption:
    rest_at = end
    while rest_at < len(line.text) and line.text[rest_at] in " .:/-":
        rest_at += 1
    return Caption(line, line.part(start, end), line.part(rest_at, len(line.text)))


def words_under(line: Line, label: Line) -> list[Line]:
    """Return the words of a row that is wider than the caption, the one nearest below it first."""
    if line.right - line.left < 1.6 * (label.right - label.left) or " " not in line.text:
        return [line]
    words, start = [], 0
    for word in line.text.split(" "):
        end = start + len(word)
        if word:
            words.append(line.part(start, end))
        start = end + 1
    return sorted(words, key=lambda w: abs(w.left - label.left))


def find_shape(line: Line, shape: str) -> Line | None:
    """Return the part of the line that fits the shape best, with similar characters corrected; None
    if none fits.

    A character of the wrong class is replaced by the reader's second choice, otherwise by a similar
    one (O for 0, S for 5), with a probability that no rule accepts alone. Spaces do not count.
    """
    kept = [i for i, glyph in enumerate(line.glyphs) if _counts(glyph.character, shape)]
    best: tuple[float, int, list[Glyph]] | None = None
    for start in range(len(kept) - len(shape) + 1):
        window = [line.glyphs[i] for i in kept[start : start + len(shape)]]
        fitted, cost = _fit_all(window, shape)
        if cost <= len(shape) / 3 and (best is None or cost <= best[0]):
            best = cost, start, fitted
    if best is None:
        return None
    _, start, fitted = best
    place = line.part(kept[start], kept[start + len(shape) - 1] + 1)
    read = (line.glyphs[i] for i in kept[start : start + len(shape)])
    glyphs = tuple(
        _among(after, kind) if after is before else replace(after, lost_blank=0.0)
        for before, after, kind in zip(read, fitted, shape, strict=True)
    )
    return Line("".join(g.character for g in glyphs), glyphs, place.quad)


def _among(glyph: Glyph, kind: str) -> Glyph:
    """Return the glyph with its probability among the allowed characters: if only letters are
    allowed, 0 and a space are no alternatives to O.
    """
    likely, rival = glyph.probability, glyph.runner_up_probability
    if glyph.runner_up.upper() not in _CLASSES[kind]:
        likely /= max(likely, 1.0 - rival)
    return replace(glyph, probability=likely, lost_blank=0.0)


def _counts(character: str, shape: str) -> bool:
    return character.isalnum() or (character == "&" and "L" in shape)


def _fit_all(window: Sequence[Glyph], shape: str) -> tuple[list[Glyph], float]:
    """The glyphs with look-alikes put right, and the cost: one for each glyph that changes, three
    for each that still does not fit.
    """
    fitted = [_fit(glyph, kind) for glyph, kind in zip(window, shape, strict=True)]
    changed = sum(1.0 for a, b in zip(window, fitted, strict=True) if a is not b)
    wrong = sum(1 for g, k in zip(fitted, shape, strict=True) if g.character not in _CLASSES[k])
    return fitted, changed + 3 * wrong


def _fit(glyph: Glyph, kind: str) -> Glyph:
    allowed = _CLASSES[kind]
    character = glyph.character.upper()
    if character in allowed:
        return glyph
    if glyph.runner_up in allowed:
        return Glyph(glyph.runner_up, glyph.runner_up_probability, character, glyph.probability)
    table = _DIGIT_FOR if kind in "9dmc" else _LETTER_FOR
    likeness = table.get(character, unicodedata.normalize("NFD", character)[0])
    if likeness in allowed:
        return Glyph(likeness, 0.5, character, glyph.probability)
    return glyph
