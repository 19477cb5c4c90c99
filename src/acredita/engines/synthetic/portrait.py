"""A plainly drawn face, so that a synthetic card has a portrait that is nobody's."""

from dataclasses import dataclass
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

Tone = tuple[int, int, int]

_SKINS: tuple[Tone, ...] = (
    (190, 212, 240),
    (160, 190, 228),
    (130, 165, 210),
    (105, 140, 190),
    (75, 105, 155),
)
_HAIRS: tuple[Tone, ...] = ((25, 22, 20), (35, 45, 60), (50, 75, 105))
_GREY_HAIR: Tone = (150, 150, 150)
_CLOTHES: tuple[Tone, ...] = (
    (110, 70, 50),
    (60, 60, 140),
    (70, 100, 60),
    (90, 90, 95),
    (150, 120, 180),
)
_IRISES: tuple[Tone, ...] = ((40, 60, 90), (30, 35, 45), (90, 110, 70))
_WIDTH, _HEIGHT = 300, 390
_X, _Y = _WIDTH // 2, 170
"""The middle of the face."""


def draw_portrait(seed: int, *, woman: bool, age: int) -> NDArray[np.uint8]:
    """A 300 × 390 BGR cartoon; the same seed draws the same face."""
    rng = Random(f"portrait {seed}")
    skin = rng.choice(_SKINS)
    sketch = _Sketch(
        np.full((_HEIGHT, _WIDTH, 3), rng.randint(214, 240), np.uint8),
        skin=skin,
        shade=(round(skin[0] * 0.82), round(skin[1] * 0.82), round(skin[2] * 0.82)),
        hair=_GREY_HAIR if age > 62 else rng.choice(_HAIRS),
        face=(rng.randint(68, 80), rng.randint(92, 104)),
    )
    _draw_head(sketch, rng, woman=woman)
    _draw_features(sketch, rng, woman=woman)
    return sketch.pixels


@dataclass(frozen=True, slots=True)
class _Sketch:
    pixels: NDArray[np.uint8]
    skin: Tone
    shade: Tone
    hair: Tone
    face: tuple[int, int]

    def oval(self, x: int, y: int, axes: tuple[int, int], tone: Tone) -> None:
        cv2.ellipse(self.pixels, (x, y), axes, 0, 0, 360, tone, -1, cv2.LINE_AA)

    def half(self, x: int, y: int, axes: tuple[int, int], tone: Tone, *, upper: bool) -> None:
        start = 180 if upper else 0
        cv2.ellipse(self.pixels, (x, y), axes, 0, start, start + 180, tone, -1, cv2.LINE_AA)

    def ring(self, x: int, y: int, axes: tuple[int, int], tone: Tone, width: int) -> None:
        cv2.ellipse(self.pixels, (x, y), axes, 0, 0, 360, tone, width, cv2.LINE_AA)


def _draw_head(sketch: _Sketch, rng: Random, *, woman: bool) -> None:
    width, height = sketch.face
    if woman and rng.random() < 0.8:
        sketch.oval(_X, _Y + 40, (width + 34, height + rng.randint(40, 90)), sketch.hair)
    sketch.oval(_X, _HEIGHT + 50, (150, 150), rng.choice(_CLOTHES))
    cv2.rectangle(sketch.pixels, (_X - 30, 230), (_X + 30, 300), sketch.shade, -1)
    sketch.oval(_X, _Y - 20, (width + 12, height - 2), sketch.hair)
    for side in (-1, 1):
        sketch.oval(_X + side * width, _Y + 4, (12, 20), sketch.shade)
    sketch.oval(_X, _Y, sketch.face, sketch.skin)
    fringe = (width - 4, rng.randint(22, 34))
    sketch.half(_X, _Y - height + 20, fringe, sketch.hair, upper=True)


def _draw_features(sketch: _Sketch, rng: Random, *, woman: bool) -> None:
    iris, gap, eyes = rng.choice(_IRISES), rng.randint(28, 34), _Y - 14
    has_glasses = rng.random() < 0.2
    for side in (-1, 1):
        x = _X + side * gap
        sketch.oval(x, eyes, (14, 8), (250, 250, 250))
        sketch.oval(x, eyes, (6, 7), iris)
        cv2.ellipse(
            sketch.pixels, (x, eyes - 12), (18, 6), 0, 190, 350, sketch.hair, 4, cv2.LINE_AA
        )
        if has_glasses:
            sketch.ring(x, eyes, (22, 18), (60, 60, 60), 2)
    bridge, tip = (_X - 6, _Y - 6), (_X - 9, _Y + 20)
    cv2.line(sketch.pixels, bridge, tip, sketch.shade, 2, cv2.LINE_AA)
    sketch.half(_X, _Y + 22, (10, 6), sketch.shade, upper=False)
    sketch.half(_X, _Y + 50, (24, rng.randint(5, 11)), (95, 90, 175), upper=False)
    if not woman and rng.random() < 0.4:
        sketch.half(_X, _Y + 42, (28, 7), sketch.hair, upper=True)
