"""Detect a document in a picture that should only show a person."""

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np

from acredita.domain.tampering.copied_selfies import FEWEST_ROWS
from acredita.engines.documents.classify import classify
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.printed_rows import PrintedRows, printed_rows
from acredita.engines.text import LATIN, Image, Line, TextReader

_MARGIN: Final = 0.08
_LEAST_SIDE, _LONGEST_SIDE = 960, 1600
_READ_WELL: Final = 0.9
"""Mean probability of the characters. A part that reads so well is neither mirrored nor upside
down."""
_FEWEST_CAPTIONS: Final = 3
_CAPTIONS: Final = (
    *("NOMBRE", "APELLIDO", "NACIONALIDAD", "NACIMIENTO", "DOMICILIO", "VIGENCIA", "CURP", "CLAVE"),
    *("PASAPORTE", "LICENCIA", "IDENTIDAD", "CREDENCIAL", "EXPEDICION", "CADUCIDAD", "FIRMA"),
    *("SURNAME", "GIVEN NAME", "NATIONALITY", "DATE OF BIRTH", "PLACE OF BIRTH", "DATE OF ISSUE"),
    *("DATE OF EXPIRY", "PASSPORT", "LICENSE", "LICENCE", "IDENTITY", "SIGNATURE", "AUTHORITY"),
)


def document_in_view(image: Image, reader: TextReader) -> bool:
    """Whether the picture has rows of print with a known page, a machine-readable zone or captions
    of identity documents. `image` is BGR, uint8; the print may be turned or mirrored.
    """
    sides = ((turned, printed_rows(turned)) for turned in _lying(image))
    picture, rows = max(sides, key=lambda side: side[1].count)
    if rows.count < FEWEST_ROWS:
        return False
    for part in _poses(_cut(picture, rows)):
        lines = reader.read(part, LATIN)
        if is_document(lines):
            return True
        if _score(lines) >= _READ_WELL:
            return False
    return False


def is_document(lines: Sequence[Line]) -> bool:
    layout = Layout(lines)
    return (
        classify(lines) is not None
        or bool(layout.machine_readable)
        or layout.count(_CAPTIONS) >= _FEWEST_CAPTIONS
    )


def _lying(image: Image) -> Iterator[Image]:
    yield image
    yield np.ascontiguousarray(np.rot90(image))


def _poses(part: Image) -> Iterator[Image]:
    """Yield the part as it is, upside down, mirrored, and both."""
    for pose in (part, part[::-1, ::-1], part[:, ::-1], part[::-1]):
        yield np.ascontiguousarray(pose)


def _cut(image: Image, rows: PrintedRows) -> Image:
    """Return the printed part, with a margin, at a legible size."""
    left, top, right, bottom = rows.box
    margin = int(_MARGIN * max(right - left, bottom - top))
    part = image[
        max(0, top - margin) : bottom + margin,
        max(0, left - margin) : right + margin,
    ]
    longest = max(part.shape[:2])
    scale = min(max(1.0, _LEAST_SIDE / longest), _LONGEST_SIDE / longest)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _score(lines: Sequence[Line]) -> float:
    glyphs = [glyph.probability for line in lines for glyph in line.glyphs]
    return float(np.mean(glyphs)) if glyphs else 0.0
