"""Find the fields of a voter card's back: the printed CIC; the others are in its zone."""

import re
from typing import Final

from acredita.domain.documents import PageKind
from acredita.engines.documents.captions import best_line, captioned, shaped
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import Layout, squeezed
from acredita.engines.documents.second_reading import Spot
from acredita.engines.text import Line

_WITHOUT_ZONE: Final = (
    "ESTE DOCUMENTO ES INTRANSFERIBLE",
    "ELECCIONES FEDERALES",
    "LOCALES Y EXTRAORDINARIAS",
    "INSTITUTO FEDERAL ELECTORAL",
)
"""Captions of a back without a machine-readable zone: model C and older ones."""
_OCR_SHAPE: Final = "9" * 13
_CIC_SHAPE: Final = "9" * 9
_PREFIX: Final = re.compile("[I1L][D0O][MN]EX[0-9OIBSZ]{6}")


def clue(layout: Layout) -> Clue:
    rows = layout.machine_readable
    if any(_PREFIX.match(row) for row in rows):
        return Clue.ZONE
    if layout.count(_WITHOUT_ZONE) >= 2:
        return Clue.TITLES
    return Clue.HINT if len(rows) >= 2 and any("MEX" in row for row in rows) else Clue.NONE


def spots(page: PageText) -> list[Spot]:
    """Return the spots of the printed fields that are found."""
    if model(page):
        line = best_line(_of_length(page.layout, _OCR_SHAPE), _OCR_SHAPE)
        return [Spot("ocr", line, shaped(_OCR_SHAPE))] if line else []
    if found := captioned(page.layout, "cic", _CIC_SHAPE, "CIC", repeated=True):
        return found
    # The caption is the card's smallest print and often illegible; no other number has this length.
    digits = [line for line in _of_length(page.layout, _CIC_SHAPE) if squeezed(line.text).isdigit()]
    line = best_line(digits, _CIC_SHAPE)
    return [Spot("cic", line, shaped(_CIC_SHAPE), repeated=True)] if line else []


def complete(layout: Layout) -> bool:
    """Whether the zone identifies the back and the CIC was found. No other field of it is read."""
    return clue(layout) is Clue.ZONE and bool(spots(PageText(layout)))


def model(page: PageText) -> str | None:
    """Return C for a back without zone. Dates and codes determine the models with a zone."""
    layout = page.layout
    return "C" if not layout.machine_readable and layout.count(_WITHOUT_ZONE) >= 2 else None


def _of_length(layout: Layout, shape: str) -> list[Line]:
    """Return the lines that may be such a number alone: years of elections are longer lines."""
    return [line for line in layout.lines if len(squeezed(line.text)) == len(shape)]


READER: Final = KindReader(
    PageKind.INE_BACK,
    clue,
    spots,
    zone_width=30,
    model=model,
    has_codes=True,
    complete=complete,
)
