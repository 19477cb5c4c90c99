"""Lines of recognized text, and the protocol of a text reader."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import dist
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from acredita.domain.documents import Box
from acredita.engines.text.alphabet import Alphabet

Image = NDArray[Any]
"""Array of shape (height, width, 3), uint8, BGR."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One recognized character with its probability (0-1) and the second-best character.

    `lost_blank`: probability (0-1) of an unrecognized blank after the character.
    """

    character: str
    probability: float
    runner_up: str
    runner_up_probability: float
    lost_blank: float = 0.0

    @property
    def certainty(self) -> float:
        return min(self.probability, 1.0 - self.lost_blank)


@dataclass(frozen=True)
class Line:
    """One line of text.

    `quad`: corners, float32 of shape (4, 2), in pixels of the image, clockwise from the top left
    in reading direction. `score`: mean probability of the glyphs. `weakest`: lowest certainty of a
    glyph, including lost blanks; a mean would hide it. `places`: the middle of each glyph, as a
    share of the line's length; empty if unknown. `is_coarse`: it was read at a lower resolution
    than the network was trained with.
    """

    text: str
    glyphs: tuple[Glyph, ...]
    quad: NDArray[np.float32]
    places: tuple[float, ...] = ()
    is_coarse: bool = False

    @property
    def score(self) -> float:
        return sum(g.probability for g in self.glyphs) / len(self.glyphs) if self.glyphs else 0.0

    @cached_property
    def weakest(self) -> float:
        return min((g.certainty for g in self.glyphs), default=0.0)

    def part(self, start: int, end: int) -> "Line":
        """The characters from `start` to `end`, with the proportional part of the quad."""
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

    @cached_property
    def left(self) -> float:
        return min(x for x, _ in self._corners)

    @cached_property
    def right(self) -> float:
        return max(x for x, _ in self._corners)

    @cached_property
    def top(self) -> float:
        return min(y for _, y in self._corners)

    @cached_property
    def bottom(self) -> float:
        return max(y for _, y in self._corners)

    @cached_property
    def height(self) -> float:
        top_left, _, _, bottom_left = self._corners
        return dist(top_left, bottom_left)

    @property
    def slope(self) -> float:
        """Slope in degrees; positive if the line descends to the right."""
        across = self.quad[1] - self.quad[0] + self.quad[2] - self.quad[3]
        return float(np.degrees(np.arctan2(across[1], across[0])))

    @cached_property
    def centre(self) -> tuple[float, float]:
        across, down = zip(*self._corners, strict=True)
        return sum(across) / 4, sum(down) / 4

    @cached_property
    def _corners(self) -> list[tuple[float, float]]:
        """Plain numbers: numpy takes ten times as long for so few."""
        return [(x, y) for x, y in self.quad.tolist()]


Enough = Callable[[Sequence[Line]], bool]
Check = Callable[[Line], bool]
Reading = Callable[[], Line]
"""A line that is being read. The call waits for it."""


class TextReader(Protocol):
    """Finds and reads lines of text."""

    def read(
        self,
        image: Image,
        alphabet: Alphabet,
        enough: Enough | None = None,
        *,
        coarsely: bool = False,
        worthwhile: Enough | None = None,
        skipped: float = 0.0,
    ) -> list[Line]:
        """Read the lines of the image, top to bottom. Return an empty list if there is no text.

        `coarsely`: detect and read lines at a lower resolution, which misses small print. The rows
        of a machine-readable zone and the lines above them are always read so. `enough`: if the
        image has such rows, they and the top lines are read first; if `enough` then returns true,
        the other lines are not read. `worthwhile`: the top lines are read first; unless it then
        returns true, the other lines are not read.
        `skipped`: the share of the width, from the left, where no lines are looked for.
        """
        ...

    def read_again(self, image: Image, lines: Sequence[Line]) -> list[Reading]:
        """Begin to read lines of the image again at full resolution, in order; the quads stay."""
        ...

    def read_crops(
        self, crops: Sequence[Image], alphabet: Alphabet, *, coarsely: Sequence[Check | None] = ()
    ) -> list[Reading]:
        """Begin to read each crop as one line, in order. `quad` is the outline of the crop.

        `coarsely`: a crop with a check is first read at a lower resolution. If the check of that
        line returns true, the line is kept; otherwise the crop is read at full resolution. The
        check runs in another thread. Empty for no checks."""
        ...


def share_of_page(points: NDArray[np.float32], page: Image) -> Box:
    """The upright box around points of shape (n, 2), as shares of the page's width and height."""
    height, width = page.shape[:2]
    shares = np.clip(points / (width, height), 0.0, 1.0)
    left, top, right, bottom = (round(float(v), 4) for v in (*shares.min(0), *shares.max(0)))
    return left, top, right, bottom
