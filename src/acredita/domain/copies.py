"""Whether a selfie is a copy of the document's portrait, or shows a document.

A copy of a photograph matches itself better than any two photographs of one person do. The limit
lies above every honest pair that was measured: `docs/recognition.md` has the figures.
"""

from dataclasses import dataclass
from math import atanh, log
from typing import Final

VERSION: Final = "copies-1"
COPIED_FROM: Final = 3.2
"""Likeness from which two faces are one photograph. Of 1,747 pairs of photographs of one person the
likest measures 3.02, taken in one second; drawn people reach 3.06."""
_SUREST: Final = 0.995
_STEADIEST: Final = 0.05
"""Correlation and drift beyond which compression alone decides."""


@dataclass(frozen=True, slots=True)
class CopyEvidence:
    """How well the details of two faces lie on each other, once one plane is laid on the other.

    `correlation` of the parts of both faces, -1 to 1; `drift`: how far the median part lies off, in
    pixels of a face laid in 150 × 150; `distance` of the embeddings; `mirrored`: the selfie fits
    better as its mirror image.
    """

    correlation: float
    drift: float
    distance: float
    mirrored: bool = False

    @property
    def likeness(self) -> float:
        """From about -2 to 6: it rises with the correlation and falls with the drift."""
        bounded = min(max(self.correlation, -_SUREST), _SUREST)
        return atanh(bounded) - log(self.drift + _STEADIEST)

    @property
    def is_copy(self) -> bool:
        return self.likeness > COPIED_FROM
