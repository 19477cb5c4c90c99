"""The back of the voter card: the CIC in print; the rest stands in its machine-readable zone."""

import re
from typing import Final

from acredita.domain.documents import PageKind
from acredita.engines.documents.captions import captioned
from acredita.engines.documents.kind import Clue, KindReader, PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.spots import Spot

_PREFIX: Final = re.compile("[I1L][D0O][MN]EX[0-9OIBSZ]{6}")


def clue(layout: Layout) -> Clue:
    rows = layout.machine_readable
    if any(_PREFIX.match(row) for row in rows):
        return Clue.ZONE
    return Clue.HINT if len(rows) >= 2 and any("MEX" in row for row in rows) else Clue.NONE


def spots(page: PageText) -> list[Spot]:
    """The printed fields found."""
    return captioned(page.layout, "cic", "999999999", "CIC", repeated=True)


READER: Final = KindReader(PageKind.INE_BACK, clue, spots, zone_width=30)
