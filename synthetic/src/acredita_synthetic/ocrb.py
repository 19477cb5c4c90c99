"""OCR-B drawn from strokes, for machine-readable zones.

OCR-B (ISO 1073-2) has strokes of one width, so each character is a table of lines and arcs.
Coordinates are centrelines in tenths of a millimetre at size I: 14 wide, 24 high, the origin at the
top left. The stroke is 3.5 and the pitch 25.4 (ten characters per inch).
"""

from functools import lru_cache
from math import cos, pi, sin

import cv2
import numpy as np
from numpy.typing import NDArray

PITCH = 25.4
HEIGHT = 24.0
_WIDTH = 14.0
STROKE = 3.3

Point = tuple[float, float]
Stroke = tuple[Point, ...]


def _line(*points: Point) -> Stroke:
    return points


def _arc(
    centre: Point, radii: Point, start: float, end: float, *, squareness: float = 2.0
) -> Stroke:
    """Part of an ellipse, in degrees clockwise from three o'clock; a squareness above 2 makes it
    a superellipse."""
    steps = max(6, int(abs(end - start) / 7.5))
    power = 2.0 / squareness
    points = []
    for step in range(steps + 1):
        angle = (start + (end - start) * step / steps) * pi / 180
        x, y = cos(angle), sin(angle)
        points.append(
            (
                centre[0] + radii[0] * abs(x) ** power * (1 if x >= 0 else -1),
                centre[1] + radii[1] * abs(y) ** power * (1 if y >= 0 else -1),
            )
        )
    return tuple(points)


_GLYPHS: dict[str, tuple[Stroke, ...]] = {
    "0": (_arc((7, 12), (6, 12), 0, 360, squareness=2.2),),
    "1": (_line((2.5, 5), (8, 0), (8, 24)), _line((2.5, 24), (13, 24))),
    "2": (_arc((6.8, 6), (6, 6), 190, 385) + _line((12, 9.5), (1, 24), (13, 24)),),
    "3": (_line((1.5, 0), (12.5, 0), (6, 9)) + _arc((6, 16.5), (7, 7.5), 270, 500),),
    "4": (_line((8.5, 0), (1, 17.5), (13.5, 17.5)), _line((10, 11), (10, 24))),
    "5": (_line((12, 0), (2.5, 0), (2.5, 10)) + _arc((5, 17), (8, 7), 255, 490, squareness=2.2),),
    "6": (
        _line((9.5, 0), (2.5, 12)) + _arc((7, 17), (6, 7), 200, -40),
        _arc((7, 17), (6, 7), 0, 360),
    ),
    "7": (_line((1, 0), (13, 0), (13, 3), (6.5, 13), (5, 24)),),
    "8": (_arc((7, 5.7), (5.2, 5.7), 0, 360), _arc((7, 17.7), (6.3, 6.3), 0, 360)),
    "9": (_arc((7, 7), (6, 7), 0, 360), _line((12.6, 9.5), (11.5, 12), (4.5, 24))),
    "A": (_line((0.5, 24), (7, 0), (13.5, 24)), _line((2.9, 16), (11.1, 16))),
    "B": (
        _line((7, 11), (1.5, 11), (1.5, 0), (7, 0)) + _arc((7, 5.5), (5.2, 5.5), 270, 450),
        _line((7, 11), (1.5, 11), (1.5, 24), (7, 24)) + _arc((7, 17.5), (6, 6.5), 90, -90),
    ),
    "C": (_arc((8, 12), (7, 12), 305, 55, squareness=2.3),),
    "D": (
        _line((5, 24), (1.5, 24), (1.5, 0), (5, 0))
        + _arc((5, 12), (8, 12), 270, 450, squareness=2.3),
    ),
    "E": (_line((12.5, 0), (1.5, 0), (1.5, 24), (12.5, 24)), _line((1.5, 11), (10.5, 11))),
    "F": (_line((12.5, 0), (1.5, 0), (1.5, 24)), _line((1.5, 11.5), (10.5, 11.5))),
    "G": (
        _arc((8, 12), (7.5, 12), 308, 52, squareness=2.3)
        + _line((13.6, 20.5), (13.6, 12.5), (8.5, 12.5)),
    ),
    "H": (_line((1, 0), (1, 24)), _line((13, 0), (13, 24)), _line((1, 11.5), (13, 11.5))),
    "I": (_line((2.5, 0), (11.5, 0)), _line((7, 0), (7, 24)), _line((2.5, 24), (11.5, 24))),
    "J": (_line((5, 0), (11.5, 0), (11.5, 16.5)) + _arc((6.2, 16.5), (5.3, 7.5), 0, 160),),
    "K": (_line((1.5, 0), (1.5, 24)), _line((12.5, 0), (1.5, 14)), _line((5.2, 9.5), (13.5, 24))),
    "L": (_line((2, 0), (2, 24), (13, 24)),),
    "M": (_line((0.5, 24), (0.5, 0), (7, 13), (13.5, 0), (13.5, 24)),),
    "N": (_line((1, 24), (1, 0), (13, 24), (13, 0)),),
    "O": (_arc((7, 12), (7.4, 12), 0, 360, squareness=3.2),),
    "P": (
        _line((1.5, 24), (1.5, 0), (6.5, 0)) + _arc((6.5, 6.7), (6.5, 6.7), 270, 450)
        + _line((6.5, 13.4), (1.5, 13.4)),
    ),
    "Q": (_arc((7, 12), (7.4, 12), 0, 360, squareness=3.0), _line((8, 17), (14.5, 26))),
    "R": (
        _line((1.5, 24), (1.5, 0), (6.5, 0)) + _arc((6.5, 6.3), (6, 6.3), 270, 450)
        + _line((6.5, 12.6), (1.5, 12.6)),
        _line((6.5, 12.6), (13.5, 24)),
    ),
    "S": (
        _arc((7, 6), (5.8, 6), 335, 110)
        + _arc((7, 18), (6, 6), -80, 155),
    ),
    "T": (_line((0.5, 0), (13.5, 0)), _line((7, 0), (7, 24))),
    "U": (
        _line((1, 0), (1, 16.5)) + _arc((7, 16.5), (6, 7.5), 180, 0) + _line((13, 16.5), (13, 0)),
    ),
    "V": (_line((0.5, 0), (7, 24), (13.5, 0)),),
    "W": (_line((0, 0), (3, 24), (7, 9), (11, 24), (14, 0)),),
    "X": (_line((1, 0), (13, 24)), _line((13, 0), (1, 24))),
    "Y": (_line((0.5, 0), (7, 12), (13.5, 0)), _line((7, 12), (7, 24))),
    "Z": (_line((1.5, 0), (12.5, 0), (1.5, 24), (13, 24)),),
    "<": (_line((13, 4), (2, 13), (13, 22)),),
}  # fmt: skip
CHARACTERS = frozenset(_GLYPHS)

# cv2 takes fixed-point coordinates: 6 fractional bits are finer than anti-aliasing shows.
_FRACTION_BITS = 6


@lru_cache(maxsize=512)
def _glyph_mask(character: str, scale: float, stroke_width: float) -> NDArray[np.uint8]:
    """Return the character's coverage (0 to 255) in a cell of one pitch by height plus a margin."""
    oversampling = 4
    unit = scale * oversampling
    cell = (round((HEIGHT + 8) * unit), round(PITCH * unit))
    mask = np.zeros(cell, np.uint8)
    left, top = (PITCH - _WIDTH) / 2, 3.0
    for stroke in _GLYPHS[character]:
        points = np.array([[(left + x) * unit, (top + y) * unit] for x, y in stroke])
        fixed = np.round(points * (1 << _FRACTION_BITS)).astype(np.int32)
        thickness = max(1, round(stroke_width * unit))
        cv2.polylines(mask, [fixed], False, 255, thickness, cv2.LINE_AA, _FRACTION_BITS)
    size = (round(PITCH * scale), round((HEIGHT + 8) * scale))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


def draw_line(
    image: NDArray[np.uint8],
    text: str,
    origin: tuple[float, float],
    *,
    pixels_per_mm: float,
    ink: tuple[int, int, int],
    pitch_mm: float = PITCH / 10,
    stroke: float = STROKE,
) -> tuple[int, int, int, int]:
    """Set `text` with the top left of its first character's cell at `origin`, in place.

    `stroke` is the width of the strokes in tenths of a millimetre.
    Return the box (x, y, width, height). Raise KeyError for a character outside of OCR-B's
    machine-readable subset, ValueError if the line does not fit in the image.
    """
    scale = pixels_per_mm / 10
    advance = pitch_mm * pixels_per_mm
    colour = np.array(ink, np.float32)
    top = round(origin[1])
    height, width = _glyph_mask("<", scale, stroke).shape
    right = round(origin[0] + (len(text) - 1) * advance) + width
    if origin[0] < 0 or top < 0 or right > image.shape[1] or top + height > image.shape[0]:
        raise ValueError("the line does not fit in the image")
    for index, character in enumerate(text):
        left = round(origin[0] + index * advance)
        coverage = _glyph_mask(character, scale, stroke)[..., None].astype(np.float32) / 255
        cell = image[top : top + height, left : left + width]
        cell[:] = np.round(cell * (1 - coverage) + colour * coverage).astype(np.uint8)
    return round(origin[0]), top, right - round(origin[0]), height
