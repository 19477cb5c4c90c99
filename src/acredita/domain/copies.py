"""Whether a selfie is a copy of the document's portrait, or shows a document.

A copy of a photograph matches itself better than any two photographs of one person do. The limit
lies above every honest pair that was measured: `docs/recognition.md` has the figures.
"""

from dataclasses import dataclass
from math import atanh, log
from typing import Final

VERSION: Final = "copies-1"
COPIED_FROM: Final = 5.8
"""Likeness from which two faces are one photograph. Of 1,747 pairs of photographs of one person the
likest measures 4.78, taken within seconds; copies 7 to 8.5. Drawn people, of whom nothing but the
light changes while they rest, reach 5.55."""
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
    median part lies off, in pixels of a face laid in 150 × 150; `distance` of the embeddings;
    `mirrored`: the selfie fits better as its mirror image.
    """

    correlation: float
    shading: float
    drift: float
    distance: float
    mirrored: bool = False

    @property
    def likeness(self) -> float:
        """From about -3 to 9: it rises with both correlations and falls with the drift."""
        bounded = (min(max(each, -_SUREST), _SUREST) for each in (self.correlation, self.shading))
        return sum(map(atanh, bounded)) - log(self.drift + _STEADIEST)

    @property
    def is_copy(self) -> bool:
        return self.likeness > COPIED_FROM
