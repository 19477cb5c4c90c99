"""The sheet of a synthetic document: security background, text, and the boxes of fields."""

from dataclasses import dataclass, field
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from acredita_synthetic import ocrb
from acredita_synthetic.typefaces import typeface

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]
"""Blue, green, red."""
Box = tuple[int, int, int, int]
"""Left, top, width, height in pixels."""

SPECIMEN_RED: Colour = (40, 30, 200)
REPETITION = (0.45, 0.7)
"""The opacity of the pale repetition of a portrait."""


@dataclass
class Canvas:
    """`pixels`: uint8, BGR. `texts` and `boxes`: the text and the position of each field.

    `shift` moves all fields: personal data are printed in a second pass, slightly off.
    """

    pixels: Pixels
    family: str
    ink: Colour
    shift: tuple[int, int] = (0, 0)
    texts: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, Box] = field(default_factory=dict)
    fixed_print: list[Box] = field(default_factory=list)
    """Captions, headings, stamps and the portrait's repetition."""

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    def text(
        self,
        baseline: tuple[int, int],
        text: str,
        *,
        size: int,
        bold: bool = True,
        ink: Colour | None = None,
        field_name: str | None = None,
        max_width: int | None = None,
    ) -> Box:
        """Print `text`. A line longer than `max_width` is first made smaller, then condensed.

        Raise ValueError if it still does not fit on the sheet.
        """
        mask, ascent = _text_mask(text, self.family, size, bold=bold)
        if max_width is not None and mask.shape[1] > max_width:
            smaller = max(round(size * 0.78), round(size * max_width / mask.shape[1]))
            mask, ascent = _text_mask(text, self.family, smaller, bold=bold)
            if mask.shape[1] > max_width:
                condensed = cv2.resize(
                    mask, (max_width, mask.shape[0]), interpolation=cv2.INTER_AREA
                )
                mask = np.asarray(condensed, np.uint8)
        x, y = self.shift if field_name is not None else (0, 0)
        box = (baseline[0] + x, baseline[1] + y - ascent, mask.shape[1], mask.shape[0])
        self.stain(box, mask, ink or self.ink)
        if field_name is None:
            self.fixed_print.append(box)
        else:
            self.texts[field_name] = text
            self.boxes[field_name] = box
        return box

    def text_width(self, text: str, *, size: int, bold: bool = True) -> int:
        mask, _ = _text_mask(text, self.family, size, bold=bold)
        return int(mask.shape[1])

    def machine_readable(
        self,
        origin: tuple[float, float],
        text: str,
        *,
        pixels_per_mm: float,
        field_name: str,
        pitch_mm: float = ocrb.PITCH / 10,
        stroke: float = ocrb.STROKE,
    ) -> None:
        """Print one OCR-B line."""
        self.texts[field_name] = text
        shifted = (origin[0] + self.shift[0], origin[1] + self.shift[1])
        self.boxes[field_name] = ocrb.draw_line(
            self.pixels,
            text,
            shifted,
            pixels_per_mm=pixels_per_mm,
            ink=(28, 24, 24),
            pitch_mm=pitch_mm,
            stroke=stroke,
        )

    def stain(self, box: Box, coverage: Pixels, ink: Colour, *, strength: float = 1.0) -> None:
        """Blend `ink` into `box` by a coverage mask of the same size (0 to 255)."""
        left, top, width, height = box
        if left < 0 or top < 0 or left + width > self.width or top + height > self.height:
            raise ValueError("the print does not fit on the sheet")
        area = self.pixels[top : top + height, left : left + width]
        alpha = coverage[..., None].astype(np.float32) * (strength / 255)
        area[:] = np.round(area * (1 - alpha) + np.array(ink, np.float32) * alpha).astype(np.uint8)

    def paste(self, box: Box, picture: Pixels) -> None:
        left, top, width, height = box
        resized = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        self.pixels[top : top + height, left : left + width] = resized

    def repetition(self, box: Box, picture: Pixels, *, strength: float) -> None:
        """Print the picture once more, small and pale, without an edge."""
        left, top, width, height = box
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        across, down = (np.linspace(-1, 1, side, dtype=np.float32) for side in (width, height))
        away = np.hypot(across[None], down[:, None] * 0.9)
        coverage = strength * np.clip((1.15 - away) / 0.3, 0, 1)[..., None]
        area = self.pixels[top : top + height, left : left + width]
        area[:] = np.round(area * (1 - coverage) + small * coverage).astype(np.uint8)
        self.fixed_print.append(box)

    def specimen_stamp(self, baseline: tuple[int, int], text: str, *, size: int) -> None:
        self.text(baseline, text, size=size, ink=SPECIMEN_RED)


def _text_mask(text: str, family: str, size: int, *, bold: bool) -> tuple[Pixels, int]:
    """Return the coverage of the text's ink box, and its height above the baseline."""
    face = typeface(family, size, bold=bold)
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    x0, y0 = int(np.floor(left)), int(np.floor(top))
    size_of_mask = (max(1, int(np.ceil(right)) - x0), max(1, int(np.ceil(bottom)) - y0))
    mask = Image.new("L", size_of_mask)
    ImageDraw.Draw(mask).text((-x0, -y0), text, fill=255, font=face, anchor="ls")
    return np.asarray(mask, np.uint8), -y0


def security_background(size: tuple[int, int], paper: Colour, rng: Random) -> Pixels:
    """Draw a guilloche on tinted paper: bundles of pale curves, one ink per bundle."""
    width, height = size
    sheet = np.empty((height, width, 3), np.uint8)
    blend = np.linspace(0, 1, width, dtype=np.float32)[:, None]
    other = np.array([channel - rng.randint(4, 16) for channel in paper], np.float32)
    sheet[:] = np.round(np.array(paper, np.float32) * (1 - blend) + other * blend).astype(np.uint8)
    x = np.arange(-8, width + 16, 8, dtype=np.float32)
    for _ in range(4):
        ink = tuple(max(0, channel - rng.randint(8, 42)) for channel in paper)
        amplitude, beat = rng.uniform(30, 110), rng.uniform(0.002, 0.006)
        wave, phase = rng.uniform(0.008, 0.03), rng.uniform(0, 6.28)
        spacing = rng.uniform(9, 16)
        for curve in range(int((height + 2 * amplitude) / spacing)):
            y = curve * spacing - amplitude
            y = y + amplitude * np.sin(x * wave + phase) * np.cos(x * beat + curve * 0.05)
            points = np.round(np.stack([x, y], axis=1) * 16).astype(np.int32)
            cv2.polylines(sheet, [points], False, ink, 1, cv2.LINE_AA, 4)
    return sheet


def watermark(canvas: Canvas, text: str, *, size: int, strength: float = 0.07) -> None:
    """Repeat a pale slanted word over the sheet, before anything is printed on it."""
    mask, _ = _text_mask(text, canvas.family, size, bold=True)
    tile = np.pad(mask, ((size // 2, size // 2), (size // 3, size // 3)))
    span = canvas.width + canvas.height
    sheet = np.tile(tile, (span // tile.shape[0] + 1, span // tile.shape[1] + 1))
    middle = (sheet.shape[1] / 2, sheet.shape[0] / 2)
    turn = cv2.getRotationMatrix2D(middle, 28, 1)
    turned = cv2.warpAffine(sheet, turn, (sheet.shape[1], sheet.shape[0]))
    top, left = (turned.shape[0] - canvas.height) // 2, (turned.shape[1] - canvas.width) // 2
    coverage = np.asarray(turned[top : top + canvas.height, left : left + canvas.width], np.uint8)
    canvas.stain((0, 0, canvas.width, canvas.height), coverage, SPECIMEN_RED, strength=strength)
