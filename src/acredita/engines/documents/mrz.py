"""Read the rows of a machine-readable zone twice, as raw text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import log
from typing import Final

import numpy as np

from acredita.domain.documents.findings import SURE
from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.mrz import Mrz
from acredita.engines.documents.layout import LETTER_FOR, is_machine_readable
from acredita.engines.text import (
    LATIN,
    MACHINE_READABLE,
    Check,
    Glyph,
    Image,
    Line,
    Reading,
    TextReader,
)

_MOST_ROWS: Final = 4
_ROWS_OF_CARD: Final = 3
WIDTHS: Final = (30, 36, 44)
_SLACK: Final = 8
"""Characters that a row may have too few or too many: long runs of fillers often lose some."""
_LEAST_LIKELY_LETTER: Final = 0.01
"""The lowest probability of G as second choice to 6 in the number of a Mexican passport. Valid
numbers begin with a letter, and the check digit does not distinguish these two."""
_WIDEST_PITCH: Final = 3.0
"""The largest distance from one row to the next, in heights of a row."""
_PITCH: Final = 0.055
"""The distance between two rows in lengths of a row: 0.052 to 0.059 on seven specimens."""
_LEAST_LIKELY_CHOICE, _MOST_CHOICES = 0.01, 6
"""The lowest probability of a second choice that is tried against check digits, and how many are:
one wrong choice in ten matches a digit."""


_MARGINS: Final = {30: (0.062, 0.64, 0.075), 36: (0.074, 0.735, 0.08), 44: (0.06, 0.725, 0.065)}
"""How far a page reaches beyond its zone (ICAO 9303, ID-1, ID-2 and ID-3): to either side, above
the lower edge of the last row and below it, in widths of the zone. A character is 2.54 mm wide."""
_SLACK_OF_PAGE: Final = 0.03
_LEAST_PART: Final = 0.25
"""The smallest share of a picture's side that may be another document."""


@dataclass(frozen=True, slots=True)
class PageBox:
    """A part of a picture, in pixels; it may reach beyond the picture."""

    left: float
    top: float
    right: float
    bottom: float

    def holds(self, line: Line) -> bool:
        across, down = line.centre
        return self.left <= across <= self.right and self.top <= down <= self.bottom

    def cut(self, image: Image) -> Image:
        top, left = max(int(self.top), 0), max(int(self.left), 0)
        part = image[top : max(int(self.bottom), top + 8), left : max(int(self.right), left + 8)]
        return np.ascontiguousarray(part)

    def beside(self, image: Image) -> list["PageBox"]:
        """Return the parts of the picture above, below, left and right of this one that may hold
        another document."""
        height, width = image.shape[:2]
        parts = (
            PageBox(0, 0, width, self.top),
            PageBox(0, self.bottom, width, height),
            PageBox(0, 0, self.left, height),
            PageBox(self.right, 0, width, height),
        )
        return [
            part
            for part in parts
            if part.bottom - part.top > _LEAST_PART * height
            and part.right - part.left > _LEAST_PART * width
        ]


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone as it was first read (`value` is None if its check digits are not valid), and the
    extent of its page."""

    value: Mrz | None
    page: PageBox


def zone_in(lines: Sequence[Line], width: int | None) -> Zone | None:
    """Return the zone among the lines of a level page; None without two rows. `width` is the number
    of characters of a row, 0 for a page without a zone, None for a zone of any width."""
    rows = _rows(lines, WIDTHS if width is None else (width,))
    if len(rows) < 2 or any(row.right - row.left < row.bottom - row.top for row in rows):
        return None
    reading = mrz.read([row.text for row in rows])
    value = reading.value if reading.valid else None
    letters = max(len(row.text.replace(" ", "")) for row in rows)
    letters = len(value.lines[0]) if value else min(WIDTHS, key=lambda each: abs(each - letters))
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    bottom, length = max(row.bottom for row in rows), right - left
    side, above, below = (length * (share + _SLACK_OF_PAGE) for share in _MARGINS[letters])
    return Zone(value, PageBox(left - side, bottom - above, right + side, bottom + below))


def read_zone(
    page: Image, lines: Sequence[Line], width: int | None, reader: TextReader
) -> tuple[tuple[tuple[str, ...], ...], float]:
    """Return the readings of the zone's rows, the likelier one first, and the probability of the
    weakest character of both. `page` is BGR.

    One reading is the page's, the other uses the zone's own alphabet. `width` is the number of
    characters of a row, 0 for a page without a zone, None for a zone of any width. Without a zone,
    return no readings and 0.
    """
    widths = WIDTHS if width is None else (width,)
    rows = _rows(lines, widths)
    if not rows:
        return (), 0.0
    if len(rows) == 1:
        rows = with_neighbour(page, rows[0], widths, reader)
    second = [reading() for reading in _begin_again(page, rows, width, reader)]
    read = [names_in_letters(with_letter(reading)) for reading in (rows, second)]
    if width is None:  # in a zone of unknown layout, letters and digits share places
        read = [by_second_choice(reading) for reading in read]
    readings = sorted(read, key=_log_likelihood, reverse=True)
    texts = tuple(tuple(line.text for line in reading) for reading in readings)
    return texts, round(min(line.weakest for reading in readings for line in reading), 4)


def _begin_again(
    page: Image, rows: Sequence[Line], width: int | None, reader: TextReader
) -> list[Reading]:
    """Begin to read the rows with the zone's own alphabet."""
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    crops = [_crop(page, row, left, right) for row in rows]
    # Second readings of foreign cards lose more fillers when they are coarse.
    checks = [] if width is None else _checks(rows)
    return reader.read_crops(crops, MACHINE_READABLE, coarsely=checks)


def _checks(rows: Sequence[Line]) -> list[Check | None]:
    """The check of each row that is read coarsely the second time, too: the first reading, which
    was coarse as well, is sure, and the zone fits its check digits.
    """
    if not mrz.read([row.text for row in rows]).valid:
        return [None] * len(rows)
    return [
        _check(rows, at) if row.is_coarse and row.weakest >= SURE else None
        for at, row in enumerate(rows)
    ]


def _check(rows: Sequence[Line], at: int) -> Check | None:
    """The check digits of a card cover its rows before the names. Of other rows, both readings must
    be the same. Check digits do not distinguish the G of a passport's number from a 6.
    """
    if len(rows) == _ROWS_OF_CARD and at < _ROWS_OF_CARD - 1:
        return lambda _second: True
    if rows[at].text.startswith("6"):
        return None
    return partial(_confirms, rows[at], in_letters=at == _row_of_names(rows))


def _confirms(first: Line, second: Line, *, in_letters: bool) -> bool:
    """Whether both readings of a row are the same, and the second sure."""
    if in_letters:
        first, second = _in_letters(first), _in_letters(second)
    return first.text == second.text and second.weakest >= SURE


def with_neighbour(page: Image, row: Line, widths: Sequence[int], reader: TextReader) -> list[Line]:
    """Return the zone with the row above or below the only one that was found. A stamp may hide it
    from the search for lines."""
    pitch = np.array([0, _PITCH * (row.right - row.left)], np.float32)
    places = [row.quad - pitch, row.quad + pitch]
    within = [at for at in places if at[:, 1].min() > 0 and at[:, 1].max() < page.shape[0]]
    crops = [_crop(page, replace(row, quad=at), row.left, row.right) for at in within]
    read = reader.read_crops(crops, LATIN)
    found = [replace(reading(), quad=at) for reading, at in zip(read, within, strict=True)]
    return _rows([row, *(line for line in found if "<" in line.text)], widths)


def by_second_choice(reading: Sequence[Line]) -> Sequence[Line]:
    """Return the reading whose check digits are valid with one character's second choice, with the
    low probability of that; the reading itself if it is valid or no second choice makes it so.
    """
    if mrz.read([line.text for line in reading]).valid:
        return reading
    doubtful = [
        (glyph.runner_up_probability, row, at)
        for row, line in enumerate(reading)
        for at, glyph in enumerate(line.glyphs)
        if glyph.runner_up_probability >= _LEAST_LIKELY_CHOICE and glyph.runner_up.isalnum()
    ]
    for _, row, at in sorted(doubtful, reverse=True)[:_MOST_CHOICES]:
        changed = [*reading[:row], _with_second(reading[row], at), *reading[row + 1 :]]
        if mrz.read([line.text for line in changed]).valid:
            return changed
    return reading


def _with_second(line: Line, at: int) -> Line:
    glyph = line.glyphs[at]
    second = replace(
        glyph,
        character=glyph.runner_up,
        probability=glyph.runner_up_probability,
        runner_up=glyph.character,
        runner_up_probability=glyph.probability,
    )
    glyphs = (*line.glyphs[:at], second, *line.glyphs[at + 1 :])
    return Line("".join(each.character for each in glyphs), glyphs, line.quad)


def with_letter(reading: Sequence[Line]) -> Sequence[Line]:
    """Restore the letter at the start of a Mexican passport's number, with its own low probability,
    which is too low for the zone to be accepted.
    """
    *names, numbers = reading
    if not names or not names[0].text.startswith("P<MEX") or not numbers.glyphs:
        return reading
    digit, *others = numbers.glyphs
    likely = digit.runner_up_probability > _LEAST_LIKELY_LETTER
    if (digit.character, digit.runner_up) != ("6", "G") or not likely:
        return reading
    letter = Glyph("G", digit.runner_up_probability, "6", digit.probability, digit.lost_blank)
    return [*names, Line("G" + numbers.text[1:], (letter, *others), numbers.quad)]


def names_in_letters(reading: Sequence[Line]) -> Sequence[Line]:
    """Write the row of the names in letters: the last one of three, otherwise the first.

    It has no digits and no small letters (ICAO 9303). So where the network hesitates between O and
    0, the O is certain.
    """
    if len(reading) < 2:
        return reading
    at = _row_of_names(reading)
    return [*reading[:at], _in_letters(reading[at]), *reading[at + 1 :]]


def _row_of_names(rows: Sequence[Line]) -> int:
    return _ROWS_OF_CARD - 1 if len(rows) == _ROWS_OF_CARD else 0


def _in_letters(row: Line) -> Line:
    glyphs = tuple(map(_as_letter, row.glyphs))
    return Line("".join(glyph.character for glyph in glyphs), glyphs, row.quad)


def _as_letter(glyph: Glyph) -> Glyph:
    letter, rival = (
        LETTER_FOR.get(character, character.upper())
        for character in (glyph.character, glyph.runner_up)
    )
    odds = glyph.probability + (glyph.runner_up_probability if rival == letter else 0.0)
    return replace(glyph, character=letter, probability=min(odds, 1.0))


def _log_likelihood(reading: Sequence[Line]) -> float:
    """Return the log-likelihood of a reading. Check digits do not cover names, so the likelier of
    two valid readings is preferred, and both must agree for a value to be accepted.
    """
    return sum(log(max(g.probability, 1e-6)) for line in reading for g in line.glyphs)


def _rows(lines: Sequence[Line], widths: Sequence[int]) -> list[Line]:
    """Join the pieces of each row to one line; only the lowest rows can be the zone."""
    rows: list[list[Line]] = []
    for line in sorted(_between_sides(lines, widths), key=lambda line: line.centre[1]):
        if rows and abs(line.centre[1] - rows[-1][0].centre[1]) < 0.5 * line.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    joined = [_joined(row) for row in rows]
    whole = _whole_rows(joined, widths)
    return [line for line in joined if _belongs(line, whole)][-_MOST_ROWS:]


def _between_sides(lines: Sequence[Line], widths: Sequence[int]) -> Sequence[Line]:
    """Leave out the lines beside the whole rows of a zone: they belong to another page."""
    across = _whole_rows(lines, widths)
    # A clave with its caption is as long as a row, but has no fillers.
    across = [line for line in across if "<" in line.text] or across
    if not across:
        return lines
    left = min(line.left - line.height for line in across)
    right = max(line.right + line.height for line in across)
    return [line for line in lines if left <= line.centre[0] <= right]


def _whole_rows(lines: Sequence[Line], widths: Sequence[int]) -> list[Line]:
    return [line for line in lines if is_machine_readable(line) and _as_wide(line, widths)]


def _as_wide(row: Line, widths: Sequence[int]) -> bool:
    length = len(row.text.replace(" ", ""))
    return any(abs(length - width) <= _SLACK for width in widths)


def _belongs(line: Line, whole: Sequence[Line]) -> bool:
    """Whether the line is one of the whole rows, or starts like one and lost its fillers."""
    if any(line is row for row in whole):
        return True
    return "<" in line.text and any(
        abs(line.left - row.left) < row.height
        and abs(line.centre[1] - row.centre[1]) < _WIDEST_PITCH * row.height
        for row in whole
    )


def _joined(row: Sequence[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    pieces = sorted(row, key=lambda line: line.left)
    quad = np.array(
        [pieces[0].quad[0], pieces[-1].quad[1], pieces[-1].quad[2], pieces[0].quad[3]], np.float32
    )
    text = "".join(piece.text for piece in pieces)
    return Line(text, tuple(glyph for piece in pieces for glyph in piece.glyphs), quad)


def _crop(page: Image, line: Line, zone_left: float, zone_right: float) -> Image:
    """Return the row's upright crop, as wide as the zone. On a flattened page a row is horizontal,
    a tight quad clips its ends, and a run of fillers may have been missed."""
    margin = 0.15 * line.height
    top, bottom = int(max(line.top - margin, 0)), int(line.bottom + margin) + 1
    left, right = int(max(zone_left - 2 * margin, 0)), int(zone_right + 2 * margin) + 1
    return np.ascontiguousarray(page[top:bottom, left:right])
