"""Whether a selfie is a copy of the document's portrait, or shows a document.

A copy of a photograph matches itself better than any two photographs of one person do. The limit
lies above every honest pair that was measured: `docs/compliance/recognition.md` has the figures.
"""

from dataclasses import dataclass
from math import atanh, log
from typing import Final

VERSION: Final = "copies-2"
COPIED_FROM: Final = 8.7
"""Likeness from which two faces are one photograph. Of 1,691 pairs of photographs of one person the
most alike measures 7.83, taken within seconds, and of drawn people at rest 7.94. Crops of the
portrait measure 12 to 18, nine tenths of those that were photographed again 9 and more."""
_DRIFT_WEIGHT: Final = 4.0
"""A head that moves between two photographs shifts the parts of the face against each other, by
0.27 pixels and more in these honest pairs. A copy shows them in one plane: 0.07 to 0.13 pixels."""
FEWEST_ROWS: Final = 4
"""Rows of print in a selfie's picture from which it is read for a document. No photograph of people
had more than two; a card that takes a third of the picture's width has four and more."""
_SUREST: Final = 0.995
_STEADIEST: Final = 0.05
"""Correlations and drift beyond which compression alone decides."""


@dataclass(frozen=True, slots=True)
class CopyEvidence:
    """How well two faces lie on each other, once one is seen as the other was.

    `correlation` of the parts of both faces and of their `shading`, -1 to 1; `drift`: how far the
    median part lies off, in pixels of a face laid in 150 × 150; `mirrored`: the selfie
    fits better as its mirror image.
    """

    correlation: float
    shading: float
    drift: float
    mirrored: bool = False

    @property
    def likeness(self) -> float:
        """From about -15 to 18: it rises with both correlations and falls with the drift."""
        bounded = (min(max(each, -_SUREST), _SUREST) for each in (self.correlation, self.shading))
        return sum(map(atanh, bounded)) - _DRIFT_WEIGHT * log(self.drift + _STEADIEST)

    @property
    def is_copy(self) -> bool:
        return self.likeness > COPIED_FROM
