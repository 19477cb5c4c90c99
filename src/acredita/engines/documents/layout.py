"""Find the text beside or below a caption, and identifiers by their shape."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from acredita.engines.text import Glyph, Line

_SAME: Final = 0.75
"""Share of a caption's characters that must match: "ANO DE REGISTR0" is still that caption."""
_SHORT: Final = 5
"""A caption with fewer letters must match exactly and start a word: SOLEDAD does not say EDAD."""
_LONG, _VERY_LIKE = 7, 85.0
"""Letters of a caption that is found behind other text though a letter is wrong, and how like it
must be, in hundredths."""
_CAPTION_SLACK: Final = 2
"""Letters that a caption may have lost or gained."""
_WORD: Final = re.compile(r"(?:\S|(?<=[-–—/])\s+|\s+(?=[-–—/]))+")
"""A word, or several that dashes join: "2022 - 2032" is one value."""
_DIGIT_FOR: Final = dict(zip("OQDILSZBGTA", "00011528674", strict=True))
LETTER_FOR: Final = dict(zip("012568470", "OIZSGBATO", strict=True))
_CLASSES: Final = {
    "A": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    "9": frozenset("0123456789"),
    "X": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
    "L": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZÑ&"),
    "S": frozenset("HMX"),
    "G": frozenset("MFX"),
    "I": frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZ"),  # an initial of the holder's name
    "V": frozenset("AEIOUX"),  # an inner vowel of the name
    "C": frozenset("BCDFGHJKLMNPQRSTVWXYZ"),  # an inner consonant of the name
    "d": frozenset("0123"),
    "m": frozenset("01"),
    "c": frozenset("12"),
}

DATE_SHAPE: Final = "d9m9c999"
YEAR_SHAPE: Final = "c999"
CURP_SHAPE: Final = "IVII999999SAACCCX9"
RFC_SHAPE: Final = "LLLL999999XXX"
"""Of a person; a company's has a letter less."""
CLAVE_SHAPE: Final = "ICICIC99999999S999"
_CONSONANT_FOR: Final = {"O": "Q", "0": "Q"}
_CONFIRMED: Final = "IVCA"
"""The kinds of characters that are letters of the printed name or of a state's code: the name, the
list of states and a check digit confirm them."""
_LEAST_LIKELY_LETTER, _MOST_LIKELY_LETTER = 0.01, 0.9
"""The lowest probability of a second choice that is weighed against impossible characters, and the
highest that it then has: no rule accepts it without a confirmation."""


@dataclass(frozen=True, slots=True)
class Caption:
    """A caption: its whole line, the caption's part of it, and the text after it (may be empty)."""

    whole: Line
    label: Line
    rest: Line


def squeezed(text: str) -> str:
    """Return only the letters and digits, in capitals without accents, to compare captions."""
    return "".join(map(_plain, text))


def _squeeze(text: str) -> list[tuple[str, int]]:
    return [(plain, at) for at, character in enumerate(text) if (plain := _plain(character))]


@lru_cache(maxsize=1024)  # of single characters: a page is compared with hundreds of captions
def _plain(character: str) -> str:
    """Return a letter or digit in capitals without accents, and "" for any other character."""
    base = unicodedata.normalize("NFD", character)[0].upper()
    return base if base.isascii() and base.isalnum() else ""


def is_machine_readable(line: Line) -> bool:
    """Whether the line looks like an MRZ: long, without lower case, and with fillers or digits."""
    text = line.text.replace(" ", "")
    if len(text) < 22 or sum(c.islower() for c in text) > 3:
        return False
    return "<" in text or sum(c.isdigit() for c in text) > 8


class Layout:
    """The lines of one page. `known` are the captions of its kind: a line may have several of them,
    and a caption's value ends where the next one begins.
    """

    def __init__(self, lines: Iterable[Line], known: Sequence[str] = ()) -> None:
        self.lines = sorted(lines, key=lambda line: line.centre[1])
        self.known = tuple(known)
        self._known = tuple(squeezed(wording) for wording in known)
        # Computed once: dozens of captions are searched, and a page may have 1,500 long lines.
        self._squeezed = [(line, _squeeze(line.text), squeezed(line.text)) for line in self.lines]

    def caption(self, wording: str) -> Caption | None:
        """Return the exact caption, otherwise the start of a line that is similar to it.

        If captions of the kind are known, a line may have several: otherwise return the start of
        the first word from which on a line is very similar to it.
        """
        for exactly in (True, False):
            for caption in self.captions(wording, exactly=exactly):
                return caption
        return self._inside(wording) if self.known else None

    def _inside(self, wording: str) -> Caption | None:
        wanted = squeezed(wording)
        if len(wanted) < _LONG:
            return None
        for line, kept, text in self._squeezed:
            for at in range(1, len(kept)):
                if _starts_word(kept, at) and _very_like(wanted, text[at:]):
                    end = at + _end_of_caption(wanted, text[at:])
                    caption = _cut(line, kept[at][1], kept[end - 1][1] + 1)
                    return replace(caption, rest=self.before_caption(caption.rest))
        return None

    def captions(self, wording: str, *, exactly: bool) -> Iterator[Caption]:
        """Yield all exact captions, or all starts of lines that are similar to it, the most similar
        one first: a title (LICENCIA) may resemble a caption (VIGENCIA)."""
        wanted, find = squeezed(wording), _exactly if exactly else _nearly
        found = []
        for line, kept, text in self._squeezed:
            if at := find(wanted, kept, text):
                caption = _cut(line, *at)
                found.append(replace(caption, rest=self.before_caption(caption.rest)))
        if not exactly:
            found.sort(key=lambda each: -fuzz.ratio(wanted, squeezed(each.label.text)))
        yield from found

    def before_caption(self, line: Line) -> Line:
        """Return the part of the line before the first known caption."""
        kept = _squeeze(line.text) if self._known else []
        text = "".join(character for character, _ in kept)
        for at in range(len(kept)):
            if _starts_word(kept, at) and any(_begins(text[at:], each) for each in self._known):
                return line.part(0, len(line.text[: kept[at][1]].rstrip()))
        return line

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


def _exactly(wanted: str, kept: Sequence[tuple[str, int]], text: str) -> tuple[int, int] | None:
    """Start and end of the caption in the line that was squeezed to `text`."""
    at = text.find(wanted)
    while at >= 0 and len(wanted) < _SHORT and not _starts_word(kept, at):
        at = text.find(wanted, at + 1)
    return (kept[at][1], kept[at + len(wanted) - 1][1] + 1) if at >= 0 else None


def _nearly(wanted: str, kept: Sequence[tuple[str, int]], text: str) -> tuple[int, int] | None:
    start = text[: len(wanted)]
    # The first ratio is never lower than the second one, and takes a fiftieth of the time.
    if len(wanted) < _SHORT or fuzz.ratio(wanted, start) < 100 * _SAME:
        return None
    if SequenceMatcher(None, wanted, start).ratio() < _SAME:
        return None
    return kept[0][1], kept[_end_of_caption(wanted, text) - 1][1] + 1


def _end_of_caption(wanted: str, text: str) -> int:
    """Return how many characters are most like the caption: it may have lost some, and then the
    next ones belong to its value.
    """
    text = text[: len(wanted) + _CAPTION_SLACK]
    lengths = range(max(1, len(wanted) - _CAPTION_SLACK), len(text) + 1)
    return max(lengths, key=lambda n: fuzz.ratio(wanted, text[:n]), default=len(text))


def _very_like(wanted: str, text: str) -> bool:
    """Whether the text, squeezed, begins with the caption. One letter of it may be wrong, lost or
    added."""
    lengths = (len(wanted) - 1, len(wanted), len(wanted) + 1)
    return max(fuzz.ratio(wanted, text[:length]) for length in lengths) >= _VERY_LIKE


def _begins(text: str, wanted: str) -> bool:
    """Whether the text, squeezed, begins with the caption, exactly or nearly."""
    if len(wanted) < _SHORT:
        return text.startswith(wanted)
    return fuzz.ratio(wanted, text[: len(wanted)]) >= 100 * _SAME


def _starts_word(kept: Sequence[tuple[str, int]], at: int) -> bool:
    """Whether the character follows a gap, or is a letter after a digit, whose gap was lost."""
    if at == 0 or kept[at][1] > kept[at - 1][1] + 1:
        return True
    return kept[at][0].isalpha() and kept[at - 1][0].isdigit()


def _cut(line: Line, start: int, end: int) -> Caption:
    rest_at = end
    while rest_at < len(line.text) and line.text[rest_at] in " .:/-)":
        rest_at += 1
    return Caption(line, line.part(start, end), line.part(rest_at, len(line.text)))


def words_under(line: Line, label: Line) -> list[Line]:
    """Return the words of a row that is wider than the caption, the one nearest below it first."""
    if line.right - line.left < 1.6 * (label.right - label.left) or " " not in line.text:
        return [line]
    words = [line.part(*word.span()) for word in _WORD.finditer(line.text)]
    return sorted(words, key=lambda w: abs(w.left - label.left))


def find_shape(line: Line, shape: str, *, first: bool = False) -> Line | None:
    """Return the part of the line that fits the shape best, with similar characters corrected; None
    if none fits. Of equally good parts it is the last one, or with `first` the first one.

    A character of the wrong class is replaced by the reader's second choice, otherwise by a similar
    one (O for 0, S for 5), with a probability that no rule accepts alone. Spaces do not count.
    """
    kept = [i for i, glyph in enumerate(line.glyphs) if _counts(glyph.character, shape)]
    best: tuple[float, int, list[Glyph]] | None = None
    for start in range(len(kept) - len(shape) + 1):
        window = [line.glyphs[i] for i in kept[start : start + len(shape)]]
        fitted, cost = _fit_all(window, shape)
        if cost > len(shape) / 3 or (best and first and cost == best[0]):
            continue
        if best is None or cost <= best[0]:
            best = cost, start, fitted
    if best is None:
        return None
    _, start, fitted = best
    return _corrected(line, kept[start : start + len(shape)], fitted, shape)


def _corrected(line: Line, places: Sequence[int], fitted: Sequence[Glyph], shape: str) -> Line:
    """Return the part of the line at `places`, with the characters of `fitted`."""
    place = line.part(places[0], places[-1] + 1)
    read = (line.glyphs[i] for i in places)
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


def _odds_of_second(glyph: Glyph, kind: str) -> float:
    """Return the probability of the second choice, the first of which no issuer prints there. Among
    the letters of a name or a state it is weighed without the first: 0 says nothing against O.
    """
    odds = glyph.runner_up_probability
    if kind not in _CONFIRMED or odds < _LEAST_LIKELY_LETTER:
        return odds
    return max(odds, min(odds / max(1.0 - glyph.probability, odds), _MOST_LIKELY_LETTER))


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
        return Glyph(glyph.runner_up, _odds_of_second(glyph, kind), character, glyph.probability)
    table = _DIGIT_FOR if kind in "9dmc" else LETTER_FOR
    if kind == "C" and character in "O0":
        table = _CONSONANT_FOR
    likeness = table.get(character, unicodedata.normalize("NFD", character)[0])
    if likeness in allowed:
        return Glyph(likeness, 0.5, character, glyph.probability)
    return glyph
