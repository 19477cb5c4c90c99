"""The back of the voter card: the CIC in print; the rest stands in its machine-readable zone."""

import re
from typing import Final

from acredita.domain.documents import PageKind
from acredita.engines.documents.captions import best_line, captioned, shaped
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import Layout, squeezed
from acredita.engines.documents.spots import Spot
from acredita.engines.text import Line

_WITHOUT_ZONE: Final = (
    "ESTE DOCUMENTO ES INTRANSFERIBLE",
    "ELECCIONES FEDERALES",
    "LOCALES Y EXTRAORDINARIAS",
    "INSTITUTO FEDERAL ELECTORAL",
)
"""What the back of a card says that has no machine-readable zone yet: model C and before."""
_OCR_SHAPE: Final = "9" * 13
_PREFIX: Final = re.compile("[I1L][D0O][MN]EX[0-9OIBSZ]{6}")


def clue(layout: Layout) -> Clue:
    rows = layout.machine_readable
    if any(_PREFIX.match(row) for row in rows):
        return Clue.ZONE
    if layout.count(_WITHOUT_ZONE) >= 2:
        return Clue.TITLES
    return Clue.HINT if len(rows) >= 2 and any("MEX" in row for row in rows) else Clue.NONE


def spots(page: PageText) -> list[Spot]:
    """The printed fields found."""
    if model(page):
        line = best_line(_digits_alone(page.layout), _OCR_SHAPE)
        return [Spot("ocr", line, shaped(_OCR_SHAPE))] if line else []
    return captioned(page.layout, "cic", "999999999", "CIC", repeated=True)


def complete(layout: Layout) -> bool:
    """Whether it is the back by its zone, and the CIC was found: nothing else on it is read."""
    return clue(layout) is Clue.ZONE and bool(spots(PageText(layout)))


def model(page: PageText) -> str | None:
    """C where there is no zone; the models with a zone are told by its dates and by the codes."""
    layout = page.layout
    return "C" if not layout.machine_readable and layout.count(_WITHOUT_ZONE) >= 2 else None


def _digits_alone(layout: Layout) -> list[Line]:
    """Lines that are a number and nothing else: years of elections make longer ones."""
    return [line for line in layout.lines if len(squeezed(line.text)) == len(_OCR_SHAPE)]


READER: Final = KindReader(
    PageKind.INE_BACK,
    clue,
    spots,
    zone_width=30,
    model=model,
    has_codes=True,
    complete=complete,
)
