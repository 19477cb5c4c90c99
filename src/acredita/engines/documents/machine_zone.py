"""The rows of a machine-readable zone, as raw text, read twice."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from acredita.engines.documents.layout import is_machine_readable
from acredita.engines.text import MACHINE_READABLE, Image, Line, TextReader

_MOST_ROWS: Final = 4
_SLACK: Final = 8
"""Characters that a row may have too few or too many: fillers in a long run are lost first."""


def read_zone(
    page: Image, lines: Sequence[Line], width: int, reader: TextReader
) -> tuple[tuple[tuple[str, ...], ...], float]:
    """The zone's rows as the page was read and read again over their own alphabet, with the
    weakest character of both.

    `width` is the number of characters of such a row, 0 for a page that has no zone. Without a
    zone: no readings, and 0.
    """
    rows = [row for row in _rows(lines) if abs(len(row.text.replace(" ", "")) - width) <= _SLACK]
    if not rows:
        return (), 0.0
    second = reader.read_crops([_crop(page, row) for row in rows], MACHINE_READABLE)
    confidence = min(line.weakest for line in (*rows, *second))
    readings = tuple(row.text for row in rows), tuple(line.text for line in second)
    return readings, round(confidence, 4)


def _rows(lines: Sequence[Line]) -> list[Line]:
    """Pieces of one row joined to one line; only the lowest rows can be the zone."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.centre[1]):
        if rows and abs(line.centre[1] - rows[-1][0].centre[1]) < 0.5 * line.height:
            rows[-1].append(line)
        else:
            rows.append([line])
    joined = [_joined(row) for row in rows]
    return [line for line in joined if is_machine_readable(line)][-_MOST_ROWS:]


def _joined(row: Sequence[Line]) -> Line:
    if len(row) == 1:
        return row[0]
    pieces = sorted(row, key=lambda line: line.left)
    quad = np.array(
        [pieces[0].quad[0], pieces[-1].quad[1], pieces[-1].quad[2], pieces[0].quad[3]], np.float32
    )
    text = "".join(piece.text for piece in pieces)
    return Line(text, tuple(glyph for piece in pieces for glyph in piece.glyphs), quad)


def _crop(page: Image, line: Line) -> Image:
    """The row's upright box: on a flat page a row is level, and a tight quad clips its ends."""
    margin = 0.15 * line.height
    top, bottom = int(max(line.top - margin, 0)), int(line.bottom + margin) + 1
    left, right = int(max(line.left - 2 * margin, 0)), int(line.right + 2 * margin) + 1
    return np.ascontiguousarray(page[top:bottom, left:right])
