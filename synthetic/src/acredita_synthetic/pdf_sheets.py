"""PDF sheets with a text layer, codes as vectors, and specimen stamps."""

from functools import cache
from io import BytesIO
from typing import Final

import numpy as np
import pypdfium2
import zxingcpp
from PIL import Image, ImageDraw
from reportlab.lib.colors import Color, black, white
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from acredita_synthetic.canvas import Pixels
from acredita_synthetic.typefaces import file_of, typeface

WIDTH: Final = 612.0
HEIGHT: Final = 792.0
"""Letter, in points; `Sheets` counts from the top left."""
GREY: Final = Color(0.35, 0.35, 0.35)
_RED: Final = Color(0.78, 0.12, 0.16)


class Sheets:
    """Builds a PDF. The same calls give the same bytes."""

    def __init__(self) -> None:
        self._target = BytesIO()
        self._canvas = Canvas(self._target, (WIDTH, HEIGHT), invariant=1)

    def text(
        self,
        at: tuple[float, float],
        text: str,
        size: float = 8.5,
        *,
        bold: bool = False,
        ink: Color = black,
        most: float = 600.0,
        unseen: bool = False,
    ) -> float:
        """Print a line on its baseline, condensed to at most `most` points. Return its right end.

        `unseen`: only in the text layer of the page.
        """
        font = _font(bold=bold)
        width = pdfmetrics.stringWidth(text, font, size)
        share = min(1.0, most / width) if width else 1.0
        line = self._canvas.beginText(at[0], HEIGHT - at[1])
        line.setFont(font, size)
        line.setFillColor(ink)
        line.setHorizScale(share * 100)
        line.setTextRenderMode(3 if unseen else 0)
        line.textOut(text)
        self._canvas.drawText(line)
        return float(at[0] + width * share)

    def rule(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self._canvas.setStrokeColor(GREY)
        self._canvas.setLineWidth(0.4)
        self._canvas.line(start[0], HEIGHT - start[1], end[0], HEIGHT - end[1])

    def qr_code(self, at: tuple[float, float], side: float, text: str) -> None:
        """Draw a QR code with its quiet zone. `at`: the top left corner."""
        code = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode)
        modules = np.asarray(code.to_image(scale=1)) < 128
        pitch = side / modules.shape[0]
        left, top = at[0], HEIGHT - at[1]
        self._canvas.setFillColor(white)
        self._canvas.rect(left, top - side, side, side, stroke=0, fill=1)
        self._canvas.setFillColor(black)
        dark = self._canvas.beginPath()
        for row, column in np.argwhere(modules):
            dark.rect(left + column * pitch, top - (row + 1) * pitch, pitch, pitch)
        self._canvas.drawPath(dark, stroke=0, fill=1)

    def stamp(self) -> None:
        """Mark the page as a specimen, in large and in small print."""
        self._canvas.drawImage(_watermark(), 0, 0, WIDTH, HEIGHT, mask="auto")
        self.text((40, 780), "MUESTRA · SIN VALIDEZ OFICIAL · SPECIMEN", 9, bold=True, ink=_RED)

    def picture(self, pixels: Pixels) -> None:
        """Fill a page with a picture (uint8, BGR)."""
        picture = ImageReader(Image.fromarray(pixels[:, :, ::-1]))
        self._canvas.drawImage(picture, 0, 0, WIDTH, HEIGHT)

    def turn_page(self) -> None:
        self._canvas.showPage()

    def finish(self) -> bytes:
        self._canvas.save()
        return self._target.getvalue()


def rasterised(pdf: bytes, page: int = 0, *, dots_per_inch: int = 200) -> Pixels:
    """Render a page of a trusted PDF to pixels (uint8, BGR)."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        picture = document[page].render(scale=dots_per_inch / 72).to_numpy()
        return np.ascontiguousarray(picture[:, :, :3])
    finally:
        document.close()


@cache
def _watermark() -> ImageReader:
    """Return the watermark as a picture. As text it would disturb the lines that it crosses in the
    text layer.
    """
    word = Image.new("L", (1300, 1300))
    face = typeface("opensans", 110, bold=True)
    ImageDraw.Draw(word).text((650, 650), "MUESTRA SIN VALIDEZ", fill=26, font=face, anchor="mm")
    turned = word.rotate(52).crop((650 - 306, 650 - 396, 650 + 306, 650 + 396))
    stamp = Image.new("RGBA", turned.size, (199, 31, 41, 0))
    stamp.putalpha(turned)
    return ImageReader(stamp)


@cache
def _font(*, bold: bool) -> str:
    name = f"specimen-{'bold' if bold else 'regular'}"
    pdfmetrics.registerFont(TTFont(name, file_of("opensans", bold=bold)))
    return name
