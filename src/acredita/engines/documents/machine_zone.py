"""Read the rows of a machine-readable zone twice, as raw text."""

from collections.abc import Sequence
from math import log
from typing import Final

import numpy as np

from acredita.engines.documents.layout import is_machine_readable
from acredita.engines.text import MACHINE_READABLE, Glyph, Image, Line, TextReader

_MOST_ROWS: Final = 4
_WIDTHS: Final = (30, 36, 44)
_SLACK: Final = 8
"""Characters that a row may have too few or too many: long runs of fillers often lose some."""
_LEAST_LIKELY_LETTER: Final = 0.01
"""The lowest probability of G as second choice to 6 in the number of a Mexican passport. Valid
numbers begin with a letter, and the check digit does not distinguish these two."""
_WIDEST_PITCH: Final = 3.0
"""The largest distance from one row to the next, in heights of a row."""


def read_zone(
    page: Image, lines: Sequence[Line], width: int | None, reader: TextReader
) -> tuple[tuple[tuple[str, ...], ...], float]:
    """Return the readings of the zone's rows, the likelier one first, and the probability of the
    weakest character of both. `page` is BGR.

    One reading is the page's, the other uses the zone's own alphabet. `width` is the number of
    characters of a row, 0 for a page without a zone, None for a zone of any width. Without a zone,
    return no readings and 0.
    """
    widths = _WIDTHS if width is None else (width,)
    rows = _rows(lines, widths)
    if not rows:
        return (), 0.0
    left, right = min(row.left for row in rows), max(row.right for row in rows)
    crops = [_crop(page, row, left, right) for row in rows]
    second = reader.read_crops(crops, MACHINE_READABLE)
    readings = sorted(map(with_letter, (rows, second)), key=_log_likelihood, reverse=True)
    texts = tuple(tuple(line.text for line in reading) for reading in readings)
    return texts, round(min(line.weakest for reading in readings for line in reading), 4)


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


def _log_likelihood(reading: Sequence[Line]) -> float:
    """Return the log-likelihood of a reading. Check digits do not cover names, so the likelier of
    two valid readings is preferred, and both must agree for a value to be accepted.
    """
    return sum(log(max(g.probability, 1e-6)) for line in reading for g in line.glyphs)


def _rows(lines: Sequence[Line], widths: Sequence[int]) -> list[Line]:
    """Join the pieces of each row to one line; only the lowest rows can be the zone."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.centre[1]):
        if rows and abs(line.centre[1] - rows[-1][0].centre[1]) < 0.5 * line.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    joined = [_joined(row) for row in rows]
    whole = [line for line in joined if is_machine_readable(line) and _as_wide(line, widths)]
    return [line for line in joined if _belongs(line, whole)][-_MOST_ROWS:]


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
