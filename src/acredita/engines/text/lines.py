"""What a text reader returns, and what every text reader must be able to do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.engines.text.alphabet import Alphabet

Image = NDArray[Any]
"""Height x width x 3, uint8, in OpenCV's order of colours (BGR)."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character as read: its probability and the character that came second.

    `lost_blank` are the odds of a blank after it that was not read.
    """

    character: str
    probability: float
    runner_up: str
    runner_up_probability: float
    lost_blank: float = 0.0

    @property
    def certainty(self) -> float:
        return min(self.probability, 1.0 - self.lost_blank)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text.

    `quad` holds the corners (4 x 2, pixels of the image that was read), clockwise from the top
    left as the text runs. Several glyphs of low probability hide in a mean, so `score` is the
    mean and `weakest` the lowest, a blank that may have been lost counted.
    """

    text: str
    glyphs: tuple[Glyph, ...]
    quad: NDArray[np.float32]

    @property
    def score(self) -> float:
        return float(np.mean([g.probability for g in self.glyphs])) if self.glyphs else 0.0

    @property
    def weakest(self) -> float:
        return min((g.certainty for g in self.glyphs), default=0.0)

    def part(self, start: int, end: int) -> "Line":
        """The characters from `start` to `end`, in the share of the outline that they take."""
        count = max(len(self.text), 1)
        top_left, top_right, bottom_right, bottom_left = self.quad
        across, below = top_right - top_left, bottom_right - bottom_left
        first, last = start / count, end / count
        quad = np.array(
            [
                top_left + across * first,
                top_left + across * last,
                bottom_left + below * last,
                bottom_left + below * first,
            ],
            np.float32,
        )
        return Line(self.text[start:end], self.glyphs[start:end], quad)

    @property
    def left(self) -> float:
        return float(self.quad[:, 0].min())

    @property
    def right(self) -> float:
        return float(self.quad[:, 0].max())

    @property
    def top(self) -> float:
        return float(self.quad[:, 1].min())

    @property
    def bottom(self) -> float:
        return float(self.quad[:, 1].max())

    @property
    def height(self) -> float:
        return float(np.linalg.norm(self.quad[3] - self.quad[0]))

    @property
    def slope(self) -> float:
        """Degrees by which the line falls to the right."""
        across = self.quad[1] - self.quad[0] + self.quad[2] - self.quad[3]
        return float(np.degrees(np.arctan2(across[1], across[0])))

    @property
    def centre(self) -> tuple[float, float]:
        x, y = self.quad.mean(axis=0)
        return float(x), float(y)


Enough = Callable[[Sequence[Line]], bool]


class TextReader(Protocol):
    """Anything that finds and reads lines of text."""

    def read(
        self,
        image: Image,
        alphabet: Alphabet,
        enough: Enough | None = None,
        *,
        coarsely: bool = False,
    ) -> list[Line]:
        """Every line of the image, top to bottom; an empty list where there is no text.
        `coarsely`: none that is wanted is small, so that they are looked for at less detail.

        Where rows of a machine-readable zone lie across the image these are read first, with what
        stands at the top; the rest is left out where `enough` says that no more is needed.
        """
        ...

    def read_crops(self, crops: Sequence[Image], alphabet: Alphabet) -> list[Line]:
        """Each crop read as one line, in the order given; `quad` is the crop's own outline."""
        ...


def laid_level(image: Image, quad: NDArray[np.float32], width: int, height: int) -> Image:
    """What lies within the corners (clockwise from the top left), as an upright picture."""
    level = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cv2.warpPerspective(
        image,
        cv2.getPerspectiveTransform(quad.astype(np.float32), level),
        (width, height),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
