"""Read pages that are forms: captions, and values of any wording beside or below them.

Only its place identifies a value. So all captions of the form are searched first: the text of one
caption is not the value of another, and a row with two captions is cut between them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from math import radians, tan
from statistics import median
from typing import Final

import numpy as np

from acredita.domain.documents.spelled_dates import read_date
from acredita.engines.documents.layout import squeezed
from acredita.engines.documents.second_reading import Spot, in_capitals
from acredita.engines.text import LATIN, Glyph, Line

Take = Callable[[Line], Line | None]
_Kept = tuple[int, str]
"""The index of a letter or digit in a line, and its form for the comparison with captions."""

_ALIKE: Final = 0.8
_SHORTEST_INEXACT: Final = 7
"""Shorter captions must match exactly, because RFC and CURP occur anywhere."""
_CLOSE: Final = 4.0
"""The distance, in heights of a caption, up to which a value on its row surely belongs to it."""
_MOST_LINES: Final = 4
_STEEPEST: Final = 20.0
"""Degrees. A steeper line is not a row of the page but a stamp, or print along the edge."""
_ROW: Final = 0.6
"""The largest vertical distance of two lines of one row, in heights of a line."""


def day_in(line: Line) -> Line | None:
    """Return the part of a line that is its date, so that the town before it does not lower the
    confidence.
    """
    day = read_date(line.text)
    if day is None:
        return None
    end = next(at for at in range(len(line.text) + 1) if read_date(line.text[:at]) == day)
    start = next(at for at in range(end, -1, -1) if read_date(line.text[at:end]) == day)
    stretch = line.part(start, end)
    kept = [replace(glyph, lost_blank=0.0) for glyph in stretch.glyphs if glyph.character != " "]
    return Line("".join(glyph.character for glyph in kept), tuple(kept), stretch.quad)


def as_iso_date(text: str) -> str:
    return read_date(text) or ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line: a caption or other text; `after` is the caption before it on the line."""

    line: Line
    caption: str | None
    whole: Line
    after: str | None = None


class Form:
    """The pieces of a page, cut at its captions."""

    def __init__(self, lines: Iterable[Line], captions: Sequence[str]) -> None:
        self._wordings = sorted(captions, key=lambda wording: -len(squeezed(wording)))
        lines = list(lines)
        pieces = [
            piece for line in lines for piece in _pieces(line, self._wordings) if piece.line.text
        ]
        self._captions = [piece for piece in pieces if piece.caption]
        self._values = [piece.line for piece in pieces if not piece.caption]
        self._origin = {id(piece.line): piece for piece in pieces if piece.after}
        slopes = [line.slope for line in lines if abs(line.slope) < _STEEPEST]
        self._fall = tan(radians(median(slopes))) if slopes else 0.0

    def spot(
        self,
        field: str,
        value: Line,
        take: Take = lambda line: line,
        write: Callable[[str], str] = in_capitals,
    ) -> Spot:
        """Return a value's spot. A second reading of its line may be without the caption."""
        origin = self._origin.get(id(value))
        if origin is None or origin.after is None:
            return Spot(field, value, take, write)
        wording = origin.after

        def taken(line: Line) -> Line | None:
            own = Form([line], self._wordings).beside(wording)
            return take(own[0] if own else line)

        return Spot(field, origin.whole, taken, write, alphabet=LATIN)

    def spots(self, field: str, lines: Sequence[Line]) -> Iterator[Spot]:
        """Yield the spots of a value of several lines: `field`, `field2` and so on."""
        for number, line in enumerate(lines[:_MOST_LINES], start=1):
            yield self.spot(field if number == 1 else f"{field}{number}", line)

    def caption(self, wording: str) -> Line | None:
        return next((piece.line for piece in self._captions if piece.caption == wording), None)

    def beside(self, wording: str) -> list[Line]:
        """Return the value to the right of a caption with its further lines; [] if there is none
        before the row's next caption.
        """
        caption = self.caption(wording)
        if caption is None:
            return []
        until = min(
            (
                piece.line.left
                for piece in self._captions
                if self._same_row(piece.line, caption) and piece.line.left > caption.left + 1
            ),
            default=float("inf"),
        )
        row = [
            line
            for line in self._values
            if self._same_row(line, caption)
            and line.left >= caption.right - 0.6 * caption.height
            and line.left < until
        ]
        if not row:
            return []
        first = joined(sorted(row, key=lambda line: line.left))
        return [first, *self._continued(first)]

    def near(self, wording: str) -> list[Line]:
        """Return the value close beside a caption, otherwise below it, otherwise anywhere on its
        row, with its further lines.
        """
        caption, row = self.caption(wording), self.beside(wording)
        if caption and row and row[0].left - caption.right < _CLOSE * caption.height:
            return row
        under = self.under(wording)
        return [under, *self._continued(under)] if under else row

    def under(self, wording: str, rows: float = 2.6) -> Line | None:
        """Return the nearest value below a caption that starts at about the same place."""
        caption = self.caption(wording)
        return caption and self._nearest(caption, 1, rows)

    def above(self, wording: str, rows: float = 2.6) -> Line | None:
        """Return the nearest value above a caption."""
        caption = self.caption(wording)
        return caption and self._nearest(caption, -1, rows)

    def _level(self, line: Line) -> float:
        """Return the vertical position of a line, corrected for the slope of the rows."""
        across, down = line.centre
        return down - across * self._fall

    def _same_row(self, one: Line, other: Line) -> bool:
        apart = abs(self._level(one) - self._level(other))
        return apart < _ROW * min(one.height, other.height)

    def _nearest(self, caption: Line, way: int, rows: float) -> Line | None:
        near = [
            line
            for line in self._values
            if 0.4 * caption.height
            < way * (self._level(line) - self._level(caption))
            < rows * max(caption.height, 0.7 * line.height)
            and abs(line.left - caption.left) < 2.5 * max(caption.height, line.height)
        ]
        return min(
            near, key=lambda line: abs(self._level(line) - self._level(caption)), default=None
        )

    def _continued(self, first: Line) -> Iterator[Line]:
        """Return the lines close below a value that start where it starts, in rows without a
        caption."""
        above = first
        for line in sorted(self._values, key=self._level):
            drop = self._level(line) - self._level(above)
            if not 0.6 * above.height < drop < 1.8 * above.height:
                continue
            if abs(line.left - first.left) > first.height:
                continue
            if any(self._same_row(piece.line, line) for piece in self._captions):
                return
            yield line
            above = line


def joined(row: Sequence[Line]) -> Line:
    """Join the lines of one row."""
    if len(row) == 1:
        return row[0]
    glyphs = list(row[0].glyphs)
    for line in row[1:]:
        glyphs += [Glyph(" ", 1.0, "", 0.0), *line.glyphs]
    quad = np.array([row[0].quad[0], row[-1].quad[1], row[-1].quad[2], row[0].quad[3]], np.float32)
    return Line(" ".join(line.text for line in row), tuple(glyphs), quad)


def _pieces(line: Line, captions: Sequence[str]) -> Iterator[Piece]:
    """Cut the line at its captions."""
    text, kept = line.text, _kept(line.text)
    found: list[tuple[int, int, str]] = []
    for wording in captions:
        for start, end in _places(text, kept, wording):
            if all(end <= first or start >= last for first, last, _ in found):
                found.append((start, end, wording))
                break
    found = sorted(found) or _alike(text, kept, captions)
    if not found:
        yield Piece(line, None, line)
        return
    at, before = 0, None
    for start, end, wording in found:
        yield Piece(_trimmed(line, at, start), None, line, before)
        yield Piece(line.part(start, end), wording, line)
        at, before = end, wording
    yield Piece(_trimmed(line, at, len(text)), None, line, before)


def _places(text: str, kept: Sequence[_Kept], wording: str) -> Iterator[tuple[int, int]]:
    """Return the starts and ends of the wording in the text, at whole words."""
    plain = "".join(character for _, character in kept)
    wanted = squeezed(wording)
    at = plain.find(wanted)
    while at >= 0:
        start, end = kept[at][0], kept[at + len(wanted) - 1][0] + 1
        if _bounded(text, start, end, wording):
            yield start, _with_colon(text, end)
        at = plain.find(wanted, at + 1)


def _alike(text: str, kept: Sequence[_Kept], captions: Sequence[str]) -> list[tuple[int, int, str]]:
    """Return the caption most similar to the start of the text, if it has no exact one."""
    colon = text.find(":")
    best: tuple[float, int, str] = (_ALIKE, 0, "")
    for wording in captions:
        wanted = squeezed(wording)
        if not _SHORTEST_INEXACT <= len(wanted) <= len(kept) + 2:
            continue
        end = colon if colon > 0 else kept[min(len(wanted), len(kept)) - 1][0] + 1
        begin = "".join(character for at, character in kept if at < end)
        matcher = SequenceMatcher(None, wanted, begin)
        # A PDF's text layer may have thousands of lines: the quick ratios exclude most of them.
        if matcher.real_quick_ratio() > best[0] and matcher.quick_ratio() > best[0]:
            best = max(best, (matcher.ratio(), end, wording))
    _, end, wording = best
    return [(0, _with_colon(text, end), wording)] if wording else []


def _kept(text: str) -> list[_Kept]:
    """Return the indices of letters and digits, and their forms for the comparison with
    captions."""
    return [(at, plain) for at, character in enumerate(text) if (plain := squeezed(character))]


def _bounded(text: str, start: int, end: int, wording: str) -> bool:
    before = text[start - 1] if start else " "
    after = text[end] if end < len(text) else " "
    whole = not before.isalnum() and (not after.isalnum() or len(wording) >= _SHORTEST_INEXACT)
    if wording.endswith(":") and len(squeezed(wording)) < _SHORTEST_INEXACT:
        return whole and (start == 0 or text[end:].lstrip().startswith(":"))
    return whole


def _with_colon(text: str, end: int) -> int:
    while end < len(text) and text[end] in " .:;)":
        end += 1
    return end


def _trimmed(line: Line, start: int, end: int) -> Line:
    while start < end and line.text[start] in " :.,;":
        start += 1
    while end > start and line.text[end - 1] in " :;":
        end -= 1
    return line.part(start, end)
