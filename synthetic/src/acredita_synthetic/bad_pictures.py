"""Simulate pictures that a service must refuse or doubt: badly taken ones, screens, photocopies.

All are reproducible by seed. They are plausible simulations: a screen is a grid of red, green and
blue stripes that a camera samples; a photocopy is grey toner on white paper.
"""

from collections.abc import Callable
from enum import StrEnum
from random import Random
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita_synthetic.canvas import Pixels
from acredita_synthetic.capture import Capture, Difficulty, capture

Array = NDArray[np.float32]


class Spoiling(StrEnum):
    DARK = "dark"
    OVEREXPOSED = "overexposed"
    BLURRED = "blurred"
    GLARE = "glare"
    SMALL = "small"
    CUT = "cut"
    SCREEN = "screen"
    COPY = "copy"


def spoil(
    document: Pixels,
    how: Spoiling,
    seed: int,
    strength: float = 1.0,
    *,
    difficulty: Difficulty = Difficulty.PHOTO,
) -> Capture:
    """Photograph `document` (uint8, height x width x 3, BGR) with the fault `how`.

    `strength` is from 0 (no fault) to 1 (hopeless, or as obvious as in real pictures).
    """
    rng = Random(f"spoil {how} {seed}")
    if how in (Spoiling.SCREEN, Spoiling.COPY):
        shown = _on_screen(document, rng) if how is Spoiling.SCREEN else _copied(document, rng)
        return capture(shown, difficulty, seed)
    taken = capture(document, difficulty, seed, rounded=True)
    return _SPOILT[how](taken, rng, strength)


def side_by_side(first: Pixels, second: Pixels, seed: int) -> Capture:
    """Draw two documents on one table, one above the other."""
    rng = Random(f"two {seed}")
    gap = rng.randint(40, 90)
    width = first.shape[1]
    scale = width / second.shape[1]
    other = cv2.resize(second, (width, round(second.shape[0] * scale)))
    desk = [rng.randint(60, 140) for _ in range(3)]
    between = np.full((gap, width, 3), desk, np.uint8)
    sheet = np.concatenate([first, between, np.asarray(other, np.uint8)])
    side = rng.randint(90, 200)
    table = cv2.copyMakeBorder(sheet, side, side, side, side, cv2.BORDER_CONSTANT, value=desk)
    grain = _numbers(rng).standard_normal(table.shape[:2], np.float32) * 6
    lit = np.asarray(table, np.float32) + cv2.GaussianBlur(grain, (0, 0), 0.8)[..., None]
    small = cv2.resize(lit, None, fx=0.9, fy=0.9, interpolation=cv2.INTER_AREA)
    pixels = np.clip(small, 0, 255).astype(np.uint8)
    height, broad = pixels.shape[:2]
    corners = np.array([[0, 0], [broad, 0], [broad, height], [0, height]], np.float32)
    return Capture(pixels, corners, 80)


def _numbers(rng: Random) -> np.random.Generator:
    return np.random.default_rng(rng.getrandbits(64))


def _exposed(taken: Capture, gain: float, noise: float, rng: Random) -> Capture:
    """Change the light and add the sensor's noise."""
    light = taken.pixels.astype(np.float32) * gain
    light += _numbers(rng).standard_normal(light.shape, np.float32) * noise
    return Capture(np.clip(light, 0, 255).astype(np.uint8), taken.corners, taken.jpeg_quality)


def _dark(taken: Capture, rng: Random, strength: float) -> Capture:
    return _exposed(taken, 1 - 0.97 * strength, 3, rng)


def _overexposed(taken: Capture, rng: Random, strength: float) -> Capture:
    lifted = taken.pixels.astype(np.float32) * (1 + strength) + 190 * strength
    pixels = np.clip(lifted, 0, 255).astype(np.uint8)
    return _exposed(Capture(pixels, taken.corners, taken.jpeg_quality), 1, 1, rng)


def _blurred(taken: Capture, _rng: Random, strength: float) -> Capture:
    soft = cv2.GaussianBlur(taken.pixels, (0, 0), max(5 * strength, 0.1))
    return Capture(np.asarray(soft, np.uint8), taken.corners, taken.jpeg_quality)


def _glaring(taken: Capture, rng: Random, strength: float) -> Capture:
    """Add the reflection of a lamp with an overexposed centre."""
    top_left, _, bottom_right, _ = taken.corners
    share = np.array([rng.uniform(0.35, 0.75), rng.uniform(0.35, 0.65)], np.float32)
    x, y = top_left + (bottom_right - top_left) * share
    radius = strength * 0.35 * float(bottom_right[0] - top_left[0])
    height, width = taken.pixels.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    reach = (((columns - x) / radius) ** 2 + ((rows - y) / (0.7 * radius)) ** 2) ** 1.5
    lit = taken.pixels.astype(np.float32) + (420 * np.exp(-reach))[..., None]
    return Capture(np.clip(lit, 0, 255).astype(np.uint8), taken.corners, taken.jpeg_quality)


def _small(taken: Capture, _rng: Random, strength: float) -> Capture:
    """Shrink the document: 1100 pixels wide at strength 0, 120 at strength 1."""
    scale = (120 / 1100) ** strength
    pixels = cv2.resize(taken.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return Capture(
        np.asarray(pixels, np.uint8), taken.corners * np.float32(scale), taken.jpeg_quality
    )


def _cut(taken: Capture, rng: Random, strength: float) -> Capture:
    """Move a side or a corner of the document outside of the picture."""
    left, top = taken.corners.min(axis=0)
    right, bottom = taken.corners.max(axis=0)
    height, width = taken.pixels.shape[:2]
    lost = 0.4 * strength
    across, down = (right - left) * lost, (bottom - top) * lost
    x0, y0, x1, y1 = rng.choice(
        (
            (left + across, 0, width, height),
            (0, 0, right - across, height),
            (0, top + down, width, height),
            (0, 0, width, bottom - down),
            (0, 0, right - across, bottom - down),
        )
    )
    part = taken.pixels[int(y0) : int(y1), int(x0) : int(x1)]
    moved = taken.corners - np.array([int(x0), int(y0)], np.float32)
    return Capture(np.ascontiguousarray(part), moved, taken.jpeg_quality)


_SPOILT: Final[dict[Spoiling, Callable[[Capture, Random, float], Capture]]] = {
    Spoiling.DARK: _dark,
    Spoiling.OVEREXPOSED: _overexposed,
    Spoiling.BLURRED: _blurred,
    Spoiling.GLARE: _glaring,
    Spoiling.SMALL: _small,
    Spoiling.CUT: _cut,
}


def _on_screen(document: Pixels, rng: Random) -> Pixels:
    """Show the document on a screen: three stripes per pixel, dark gaps between pixels, greyish
    black, bluish white.
    """
    width = rng.randint(450, 1100)
    height = round(width * document.shape[0] / document.shape[1])
    shown = cv2.resize(document, (width, height), interpolation=cv2.INTER_AREA)
    large = cv2.resize(shown, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    stripes = np.zeros((6, 6, 3), np.float32)
    for channel, column in ((2, 0), (1, 2), (0, 4)):
        stripes[:5, column : column + 2, channel] = 1
    grid = np.tile(stripes, (height, width, 1))
    light = np.asarray(large, np.float32) * (0.35 + 0.65 * grid * 2.2)
    light = light * np.array([1.06, 1.0, 0.95], np.float32) + 14
    optics = cv2.GaussianBlur(light, (0, 0), rng.uniform(1.5, 3.0))
    return np.clip(optics, 0, 255).astype(np.uint8)


def _copied(document: Pixels, rng: Random) -> Pixels:
    """Make a photocopy: grey, high contrast, with specks of toner."""
    grey = np.asarray(cv2.cvtColor(document, cv2.COLOR_BGR2GRAY), np.float32)
    specks = _numbers(rng).standard_normal(grey.shape, np.float32) * 14
    hard = (grey - 128) * rng.uniform(1.1, 1.5) + rng.uniform(135, 150)
    hard += cv2.GaussianBlur(specks, (0, 0), 0.7)
    soft = cv2.GaussianBlur(np.asarray(hard, np.float32), (0, 0), 0.6)
    toner = np.clip(soft, 25, 245).astype(np.uint8)
    return np.asarray(cv2.cvtColor(toner, cv2.COLOR_GRAY2BGR), np.uint8)
