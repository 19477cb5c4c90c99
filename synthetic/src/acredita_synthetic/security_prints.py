"""Prints that protect a document from copying: rosettes, waves, and holograms over the text."""

from math import cos, gcd, sin
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita_synthetic.canvas import Canvas, Colour, Pixels

Numbers = NDArray[np.float32]


def rosettes(size: tuple[int, int], paper: Colour, rng: Random) -> Pixels:
    """Draw guilloche rosettes and fine lines on paper whose tint changes from corner to corner."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    blend = ((x / width + y / height) / 2)[..., None]
    first, second = (
        np.array([channel - rng.randint(0, 26) for channel in paper], np.float32) for _ in range(2)
    )
    sheet: Pixels = np.round(first * (1 - blend) + second * blend).astype(np.uint8)
    ink = _tint(paper, rng)
    pitch, swing, phase = rng.uniform(5, 9), rng.uniform(6, 22), rng.uniform(0, 6.28)
    across = np.arange(-8, width + 16, 6, dtype=np.float32)
    wave = swing * np.sin(across / rng.uniform(40, 120) + phase)
    for row in range(int((height + 2 * swing) / pitch)):
        _curve(sheet, across, row * pitch - swing + wave, ink)
    for _ in range(rng.randint(3, 5)):
        centre = rng.uniform(0.05, 0.95) * width, rng.uniform(0.05, 0.95) * height
        _rosette(sheet, centre, rng.uniform(0.15, 0.4) * height, _tint(paper, rng), rng)
    return sheet


def waves(size: tuple[int, int], paper: Colour, rng: Random) -> Pixels:
    """Shade the paper by overlaid waves, without lines."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    sheet = np.empty((height, width, 3), np.float32)
    sheet[:] = paper
    for _ in range(3):
        bend = rng.uniform(2, 4) * np.sin(y / rng.uniform(20, 90))
        wave = np.sin(x * rng.uniform(0.02, 0.08) + bend + rng.uniform(0, 6.28))
        sheet += wave[..., None] * np.array([rng.uniform(-7, 7) for _ in range(3)], np.float32)
    return np.clip(sheet, 0, 255).astype(np.uint8)


def add_hologram(
    canvas: Canvas, centre: tuple[int, int], radius: int, strength: float, rng: Random
) -> None:
    """Lay a disc or a star of changing colours over the print.

    `strength` is its opacity, from 0 to 1. Part of the disc may lie outside of the sheet.
    """
    left, top = max(0, centre[0] - radius), max(0, centre[1] - radius)
    area = canvas.pixels[top : centre[1] + radius, left : centre[0] + radius]
    y, x = np.mgrid[top : top + area.shape[0], left : left + area.shape[1]].astype(np.float32)
    x, y = (x - centre[0]) / radius, (y - centre[1]) / radius
    away, angle = np.hypot(x, y), np.arctan2(y, x)
    points = rng.choice((0, 5, 6, 8))
    edge = 1 - (0.25 * (1 + np.cos(points * angle)) / 2 if points else 0)
    turn = rng.uniform(0, 6.28)
    along = x * cos(turn) + y * sin(turn)
    hue = (along * rng.uniform(60, 200) + rng.uniform(0, 180)) % 180
    lines = 225 + 30 * np.sin(away * rng.uniform(40, 90))
    colours = np.stack([hue, np.full_like(hue, rng.uniform(60, 150)), lines], axis=-1)
    shine = cv2.cvtColor(colours.astype(np.uint8), cv2.COLOR_HSV2BGR).astype(np.float32)
    coverage = strength * np.clip((edge - away) * 12, 0, 1)[..., None]
    area[:] = np.round(area * (1 - coverage) + shine * coverage).astype(np.uint8)


def _tint(paper: Colour, rng: Random) -> Colour:
    blue, green, red = (max(0, channel - rng.randint(10, 60)) for channel in paper)
    return blue, green, red


def _rosette(
    sheet: Pixels, centre: tuple[float, float], radius: float, ink: Colour, rng: Random
) -> None:
    petals, turns = rng.choice((7, 9, 11, 13)), rng.choice((2, 3, 4, 5))
    rounds = turns // gcd(petals, turns)
    angle = np.linspace(0, 6.2832 * rounds, 1200, dtype=np.float32)
    for ring in range(rng.randint(4, 8)):
        reach = radius * (1 - 0.11 * ring)
        depth = rng.uniform(0.2, 0.4)
        away = reach * (1 - depth + depth * np.cos(angle * petals / turns + 0.25 * ring))
        x, y = centre[0] + away * np.cos(angle), centre[1] + away * np.sin(angle)
        _curve(sheet, np.asarray(x, np.float32), np.asarray(y, np.float32), ink)


def _curve(sheet: Pixels, x: Numbers, y: Numbers, ink: Colour) -> None:
    points = np.round(np.stack([x, y], axis=1) * 16).astype(np.int32)
    cv2.polylines(sheet, [points], False, ink, 1, cv2.LINE_AA, 4)
