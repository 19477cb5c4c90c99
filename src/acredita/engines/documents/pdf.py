"""Decode a PDF to the pixels and the text lines of each page."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from acredita.engines.documents.accepted_types import Undecodable
from acredita.engines.text import Glyph, Image, Line

_CHILD: Final = Path(__file__).with_name("pdf_child.py")
_SECONDS: Final = 30.0  # its CPU time has a limit of its own


@dataclass(frozen=True, slots=True)
class PdfPage:
    image: Image
    lines: list[Line]


def decode_pdf(data: bytes) -> list[PdfPage]:
    """Return the pages. Raise Undecodable if the PDF is broken, encrypted, too long or too
    complex."""
    if not data:
        raise Undecodable("EMPTY_FILE")
    try:
        finished = subprocess.run(  # noqa: S603 - our own file, the upload goes to its stdin
            [sys.executable, "-I", str(_CHILD)],
            input=data,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            env={"OPENBLAS_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired:
        raise Undecodable("TOO_COMPLEX") from None
    if finished.returncode != 0:  # killed by its own limits, or by what it was fed
        raise Undecodable("TOO_COMPLEX")
    header, _, pixels = finished.stdout.partition(b"\n")
    opened = json.loads(header)
    if "error" in opened:
        raise Undecodable(opened["error"])
    return _pages(opened["pages"], pixels)


def _pages(described: list[dict[str, Any]], pixels: bytes) -> list[PdfPage]:
    pages, start = [], 0
    for page in described:
        shape = (page["height"], page["width"], 3)
        end = start + int(np.prod(shape))
        image = np.frombuffer(pixels[start:end], np.uint8).reshape(shape)
        pages.append(PdfPage(image, [_line(*line) for line in page["lines"]]))
        start = end
    return pages


def _line(text: str, left: float, top: float, right: float, bottom: float) -> Line:
    quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    return Line(text, tuple(Glyph(c, 1.0, c, 0.0) for c in text), quad)
