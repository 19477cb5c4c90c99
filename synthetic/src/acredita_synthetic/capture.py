"""Simulate how a phone, a scanner or a messenger changes the picture of a document.

The same document, difficulty and seed give the same pixels.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from math import cos, radians, sin
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita_synthetic.canvas import Pixels

Corners = NDArray[np.float32]
"""Shape (4, 2), image pixels: the document's top left, top right, bottom right, bottom left."""

_SCENE = (1600, 1200)
_LARGE_SCENE = (1950, 2500)
"""A phone held upright over a sheet of paper."""
_CORNER_RADIUS = 3.18 / 85.6  # of the width: ISO/IEC 7810


class Difficulty(StrEnum):
    CLEAN = "clean"  # a flat scan
    MILD = "mild"  # slightly soft and noisy, JPEG 60
    LOWRES = "lowres"  # 700 pixels wide, a sheet of paper 1236, JPEG 55: sent by a messenger
    PHOTO = "photo"  # lying on a table, photographed with care
    HARD = "hard"  # tilted, blurred, glaring, noisy, JPEG 50


@dataclass(frozen=True, slots=True)
class Capture:
    """A picture before encoding, and the corners of the document in it."""

    pixels: Pixels
    corners: Corners
    jpeg_quality: int


@dataclass(frozen=True, slots=True)
class _Photography:
    jitter: float
    """The displacement of each corner (perspective), as a share of the half width."""
    max_angle: float
    glare_radius: tuple[float, float]
    glare: float
    table: tuple[int, int]
    """Range of the table's brightness."""
    blur: tuple[float, float]
    noise: float
    jpeg_quality: int
    scene: tuple[int, int] = _SCENE
    width: tuple[int, int] = (1050, 1250)
    """Range of the document's width in the scene, both in pixels."""

    def of(self, document: Pixels) -> "_Photography":
        if document.shape[0] <= document.shape[1]:
            return self
        return replace(self, scene=_LARGE_SCENE, width=(1640, 1740))


_PHOTOGRAPHY = {
    Difficulty.PHOTO: _Photography(0.025, 4, (60, 110), 90, (50, 130), (0.7, 1.0), 5, 75),
    Difficulty.HARD: _Photography(0.05, 9, (90, 160), 170, (40, 165), (1.2, 1.6), 9, 50),
}


def capture(
    document: Pixels,
    difficulty: Difficulty,
    seed: int,
    *,
    quarter_turns: int = 0,
    rounded: bool = False,
) -> Capture:
    """Photograph `document` (uint8, BGR). `quarter_turns`: clockwise turns of the picture by 90°.

    `rounded`: give the sheet a card's rounded corners, if its surroundings are in the picture.
    """
    rng = Random(f"capture {difficulty} {seed}")
    take: dict[Difficulty, Callable[[], Capture]] = {
        Difficulty.CLEAN: lambda: Capture(document, _sheet_corners(document), 94),
        Difficulty.MILD: lambda: _mild(document, rng),
        Difficulty.LOWRES: lambda: _low_resolution(document, rng),
        Difficulty.PHOTO: lambda: _photograph(
            document, _PHOTOGRAPHY[Difficulty.PHOTO], rng, rounded
        ),
        Difficulty.HARD: lambda: _photograph(document, _PHOTOGRAPHY[Difficulty.HARD], rng, rounded),
    }
    return _turned(take[difficulty](), quarter_turns % 4)


def _sheet_corners(pixels: Pixels) -> Corners:
    height, width = pixels.shape[:2]
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def _mild(document: Pixels, rng: Random) -> Capture:
    soft = cv2.GaussianBlur(document, (0, 0), rng.uniform(0.6, 1.1))
    return Capture(_noisy(soft.astype(np.float32), 6, rng), _sheet_corners(document), 60)


def _low_resolution(document: Pixels, rng: Random) -> Capture:
    upright = document.shape[0] > document.shape[1]
    scale = (1236 if upright else 700) / document.shape[1]
    small = cv2.resize(document, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    pixels = _noisy(small.astype(np.float32), 4, rng)
    return Capture(pixels, _sheet_corners(pixels), 55)


def _photograph(document: Pixels, how: _Photography, rng: Random, rounded: bool) -> Capture:  # noqa: FBT001
    how = how.of(document)
    corners = _placed(document, how, rng)
    height, width = document.shape[:2]
    sheet = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    to_scene = cv2.getPerspectiveTransform(sheet, corners)
    lying = cv2.warpPerspective(document, to_scene, how.scene, borderMode=cv2.BORDER_REPLICATE)
    outline = _outline(width, height, rounded=rounded)
    mask = np.asarray(cv2.warpPerspective(outline, to_scene, how.scene), np.uint8)

    scene = _table(how, rng) * _cast_shadow(mask, rng)[..., None]
    alpha = mask.astype(np.float32)[..., None] / 255
    scene += (np.asarray(lying, np.float32) - scene) * alpha
    scene *= _light(rng, how.scene)[..., None]
    scene *= np.array([rng.uniform(0.93, 1.0), 0.98, rng.uniform(0.96, 1.03)], np.float32)
    scene += _glare(how, corners.mean(axis=0), rng)[..., None]
    soft = cv2.GaussianBlur(np.clip(scene, 0, 255), (0, 0), rng.uniform(*how.blur))
    return Capture(_noisy(np.asarray(soft, np.float32), how.noise, rng), corners, how.jpeg_quality)


def _placed(document: Pixels, how: _Photography, rng: Random) -> Corners:
    """Return the document's corners in the scene."""
    width = rng.randint(*how.width)
    height = width * document.shape[0] / document.shape[1]
    middle = (how.scene[0] / 2 + rng.uniform(-80, 80), how.scene[1] / 2 + rng.uniform(-60, 60))
    angle = radians(rng.uniform(-how.max_angle, how.max_angle))
    corners = []
    for side_x, side_y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        x = side_x * width / 2 * (1 + rng.uniform(-how.jitter, how.jitter))
        y = side_y * height / 2 * (1 + rng.uniform(-how.jitter, how.jitter))
        corners.append(
            (
                middle[0] + x * cos(angle) - y * sin(angle),
                middle[1] + x * sin(angle) + y * cos(angle),
            )
        )
    return np.array(corners, np.float32)


def _outline(width: int, height: int, *, rounded: bool) -> Pixels:
    if not rounded:
        return np.full((height, width), 255, np.uint8)
    radius = round(width * _CORNER_RADIUS)
    outline = np.zeros((height, width), np.uint8)
    cv2.rectangle(outline, (radius, 0), (width - radius, height), 255, -1)
    cv2.rectangle(outline, (0, radius), (width, height - radius), 255, -1)
    for x in (radius, width - radius - 1):
        for y in (radius, height - radius - 1):
            cv2.circle(outline, (x, y), radius, 255, -1, cv2.LINE_AA)
    return outline


def _numbers(rng: Random) -> np.random.Generator:
    return np.random.default_rng(rng.getrandbits(64))


def _noisy(pixels: NDArray[np.float32], strength: float, rng: Random) -> Pixels:
    """Add sensor noise. One patch is repeated, because noise for every pixel is too slow."""
    height, width = pixels.shape[:2]
    patch = _numbers(rng).standard_normal((467, 613, 3), np.float32) * strength
    rows, columns = height // patch.shape[0] + 1, width // patch.shape[1] + 1
    noise = np.tile(patch, (rows, columns, 1))[:height, :width]
    return np.clip(pixels + noise, 0, 255).astype(np.uint8)


def _table(how: _Photography, rng: Random) -> NDArray[np.float32]:
    """Draw a table top: wood grain in one direction, or cloth."""
    brightness = rng.uniform(*how.table)
    colour = np.array([brightness + rng.uniform(-25, 25) for _ in range(3)], np.float32)
    cells = rng.choice(((60, 80), (300, 12), (10, 300), (240, 320)))
    grain = _numbers(rng).standard_normal(cells, np.float32)
    texture = cv2.resize(grain, how.scene, interpolation=cv2.INTER_CUBIC)
    return colour + texture[..., None] * rng.uniform(5, 12)


def _cast_shadow(mask: Pixels, rng: Random) -> NDArray[np.float32]:
    """Return the shadow of the document on the table, as factors of light."""
    height, width = mask.shape[:2]
    small = cv2.resize(mask, (width // 8, height // 8), interpolation=cv2.INTER_AREA)
    offset = np.array([[1, 0, rng.uniform(-2, 2)], [0, 1, rng.uniform(0, 2.5)]], np.float32)
    moved = cv2.warpAffine(small, offset, (small.shape[1], small.shape[0]))
    soft = cv2.GaussianBlur(moved, (0, 0), rng.uniform(1.0, 2.5)).astype(np.float32) / 255
    return np.asarray(cv2.resize(1 - 0.45 * soft, (width, height)), np.float32)


def _light(rng: Random, scene: tuple[int, int]) -> NDArray[np.float32]:
    """Return light that decreases across the scene in one direction, by at most a quarter."""
    direction, phase = rng.uniform(0, 6.28), rng.uniform(0, 2)
    y, x = np.mgrid[0:150, 0:200].astype(np.float32)
    along = (x / 200 * cos(direction) + y / 150 * sin(direction)) * 2
    return np.asarray(cv2.resize(1 - 0.25 * np.sin(along + phase) ** 2, scene), np.float32)


def _glare(how: _Photography, middle: NDArray[np.float32], rng: Random) -> NDArray[np.float32]:
    """Return the reflection of a lamp on the document, in grey levels to add."""
    x = float(middle[0]) + rng.uniform(-350, 350)
    y = float(middle[1]) + rng.uniform(-200, 200)
    radius = rng.uniform(*how.glare_radius)
    rows, columns = np.mgrid[0 : how.scene[1] : 8, 0 : how.scene[0] : 8].astype(np.float32)
    spot = how.glare * np.exp(-((columns - x) ** 2 + (rows - y) ** 2) / (2 * radius**2))
    return np.asarray(cv2.resize(spot, how.scene), np.float32)


def _turned(taken: Capture, quarter_turns: int) -> Capture:
    pixels, corners = taken.pixels, taken.corners
    for _ in range(quarter_turns):
        height = pixels.shape[0]
        pixels = np.rot90(pixels, -1)
        corners = np.stack([height - corners[:, 1], corners[:, 0]], axis=1)
    return Capture(np.ascontiguousarray(pixels), corners, taken.jpeg_quality)
