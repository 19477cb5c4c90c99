"""From an upload's bytes to page readings: what the worker's process pool calls.

`warm_up` is the pool's initializer, `read_pages` its one task: bytes in, plain data out.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from acredita.domain.documents import Code, PageKind, PageReading, Signal
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.identifiers import mrz
from acredita.engines.barcodes import read_codes
from acredita.engines.documents.classify import classify, kinds_with
from acredita.engines.documents.conditions import (
    capture_signals,
    colourless,
    hopeless,
    located,
    screen_grid,
    several_documents,
)
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.find import Found, find_document, flatten
from acredita.engines.documents.kind import KindReader, PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.machine_zone import read_zone
from acredita.engines.documents.pdf import decode_pdf
from acredita.engines.documents.quality import measure_quality
from acredita.engines.documents.recompression import recompression
from acredita.engines.documents.spots import sight
from acredita.engines.text import LATIN, Image, Line, TextReader
from acredita.engines.text.rapid import load_reader

_LEAST_SIDE, _WHOLE_SIDE = 960, 1600
"""Longest side of a page that was not found and flattened: smaller ones are enlarged."""
_UPRIGHT_SCORE: Final = 0.9
"""Mean text score under which a page may be upside down: upright ones read 0.99, turned 0.76."""
_BLURRED: Final = 25.0
_COLOURED: Final = frozenset(
    (PageKind.INE_FRONT, PageKind.INE_BACK, PageKind.PASSPORT, PageKind.DRIVER_LICENCE)
)
_LEAST_SLOPE: Final = 4.0
"""Degrees from which a page is turned level: rows of an MRZ are a twentieth as high as long."""


class _Loaded:
    """The one copy of the models in this process."""

    reader: TextReader | None = None


def warm_up(threads: int = 2) -> None:
    """Load the models, with so many CPU threads a reading; once a process."""
    cv2.setNumThreads(threads)
    if _Loaded.reader is None:
        _Loaded.reader = load_reader(threads)


def read_pages(
    data: bytes, mime_type: str, licence_templates: Sequence[LicenceTemplate] = ()
) -> list[PageReading]:
    """One reading for an image, one a page for a PDF. Raises `Undecodable`.

    `licence_templates` go before those that come with the service.
    """
    warm_up()
    eyes = _Eyes(_reader(), kinds_with(licence_templates))
    if mime_type == "application/pdf":
        return [_read(page.image, eyes, page.lines) for page in decode_pdf(data)]
    jpeg = data if mime_type == "image/jpeg" else b""
    return [_read(decode_image(data, mime_type), eyes, jpeg=jpeg)]


@dataclass(frozen=True, slots=True)
class _Eyes:
    """What reads text, and the kinds of pages that it is told to know."""

    text: TextReader
    kinds: Sequence[KindReader]


@dataclass(frozen=True, slots=True)
class _Attempt:
    page: Image
    lines: list[Line]
    reader: KindReader | None

    @property
    def score(self) -> float:
        """Mean over all characters, so that one long line outweighs specks read as letters."""
        glyphs = [glyph.probability for line in self.lines for glyph in line.glyphs]
        return float(np.mean(glyphs)) if glyphs else 0.0

    @property
    def level(self) -> bool:
        """Whether most text runs across: on a page that lies on its side it reads as well."""
        across = sum(line.right - line.left >= line.bottom - line.top for line in self.lines)
        return 2 * across >= len(self.lines)

    @property
    def convincing(self) -> bool:
        return self.reader is not None and self.level and self.score >= _UPRIGHT_SCORE


def _reader() -> TextReader:
    if _Loaded.reader is None:
        raise RuntimeError("the text models are not loaded")
    return _Loaded.reader


def _read(image: Image, eyes: _Eyes, layer: Sequence[Line] = (), jpeg: bytes = b"") -> PageReading:
    """Find the page, turn it upright, tell what it is, read its fields.

    `layer` is a PDF page's text layer. Where it says what the page is it stands for the first
    reading, and every field is read from the pixels as well: nobody sees a layer, so that what
    the pixels do not say counts for nothing. `jpeg` is the upload itself, where it is one.
    """
    reader = eyes.text
    layered = _Attempt(image, list(layer), classify(layer, eyes.kinds))
    found = None if layered.convincing else find_document(image)
    signals = capture_signals(image, found, image if found is None else flatten(image, found))
    refused = None if layered.convincing else hopeless(signals)
    attempt: _Attempt | None = layered
    if not layered.convincing:
        attempt = None if refused else _best_attempt(image, found, eyes)
    if attempt is None:
        quality, code = measure_quality(image, 0.0), refused or Code.DOCUMENT_NOT_RECOGNIZED
        return PageReading(PageKind.UNKNOWN, quality, code=code, signals=signals)
    quality = measure_quality(attempt.page, attempt.score)
    if attempt.reader is None:
        blurred = quality.sharpness < _BLURRED
        code = Code.DOCUMENT_UNREADABLE if blurred else Code.DOCUMENT_NOT_RECOGNIZED
        zone, zone_confidence = read_zone(attempt.page, attempt.lines, None, reader)
        return PageReading(
            PageKind.UNKNOWN, quality, (), zone, zone_confidence, code=code, signals=signals
        )
    kind = attempt.reader
    zone, zone_confidence = read_zone(attempt.page, attempt.lines, kind.zone_width, reader)
    height, width = attempt.page.shape[:2]
    zone_value = mrz.read(zone[0]).value if zone else None
    text = PageText(Layout(attempt.lines), zone_value, (width, height))
    sightings = sight(attempt.page, kind.spots(text), reader, first_unseen=attempt is layered)
    return PageReading(
        kind.kind,
        quality,
        tuple(sightings),
        zone,
        zone_confidence,
        code=None if sightings or zone else "DOCUMENT_UNREADABLE",
        picture=_jpeg(attempt.page),
        model=kind.model(text),
        codes=read_codes(attempt.page) if kind.has_codes else (),
        signals=(
            *located(signals, kind.kind),
            *_signs_of_another_picture(image, found, attempt, eyes),
            *(recompression(jpeg, image, found) if jpeg else ()),
        ),
    )


def _signs_of_another_picture(
    image: Image, found: Found | None, attempt: _Attempt, eyes: _Eyes
) -> tuple[Signal, ...]:
    """Only cards and passports are always in colour, and never a file's own drawing."""
    if attempt.reader is None or attempt.reader.kind not in _COLOURED:
        return ()
    return (
        several_documents(image, found, lambda page: _attempt(page, eyes).reader is not None),
        screen_grid(image, found),
        colourless(attempt.page),
    )


def _best_attempt(image: Image, found: Found | None, eyes: _Eyes) -> _Attempt | None:
    """The pose that reads best: the page found and flattened, else the whole picture; as it lies,
    else turned the way its text runs.
    """
    best: _Attempt | None = None
    for page in _pages(image, found):
        first = _straightened(_attempt(page, eyes), eyes)
        best = max(best or first, first, key=_rank)
        for degrees in () if first.convincing else _turns(first):
            best = max(best, _attempt(_turned(page, degrees), eyes), key=_rank)
            if best.convincing:
                break
        if best.convincing:
            break
    return best


def _attempt(page: Image, eyes: _Eyes) -> _Attempt:
    lines = eyes.text.read(page, LATIN)
    return _Attempt(page, lines, classify(lines, eyes.kinds))


def _straightened(attempt: _Attempt, eyes: _Eyes) -> _Attempt:
    """The page read again with its rows level, where they slope: rows of a slope mix."""
    slope = _slope(attempt.lines)
    if abs(slope) < _LEAST_SLOPE:
        return attempt
    return _attempt(_rotated(attempt.page, slope), eyes)


def _slope(lines: Sequence[Line]) -> float:
    """By how many degrees the rows fall to the right: the median over the characters of all."""
    slopes = [line.slope for line in lines for _ in line.glyphs if abs(line.slope) < 45]
    return float(np.median(slopes)) if slopes else 0.0


def _rotated(image: Image, degrees: float) -> Image:
    """Counter-clockwise, on a sheet that holds all of it."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    across, down = abs(turn[0, 0]), abs(turn[0, 1])
    size = round(width * across + height * down), round(width * down + height * across)
    turn[:, 2] += (size[0] - width) / 2, (size[1] - height) / 2
    return cv2.warpAffine(image, turn, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


def _turns(attempt: _Attempt) -> tuple[int, ...]:
    if not attempt.lines:
        return ()
    return (180,) if attempt.level else (90, 270)


def _rank(attempt: _Attempt) -> tuple[bool, bool, float]:
    return attempt.reader is not None, attempt.level, attempt.score


def _pages(image: Image, found: Found | None) -> Iterator[Image]:
    """What may be the page: the document found and laid flat, then the whole picture."""
    height, width = image.shape[:2]
    if min(height, width) < 32 or max(height, width) > 12 * min(height, width):
        return
    if found is not None:
        yield flatten(image, found)
    longest = max(height, width)
    scale = min(max(1.0, _LEAST_SIDE / longest), _WHOLE_SIDE / longest)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    yield cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)


def _turned(image: Image, degrees: int) -> Image:
    return np.ascontiguousarray(np.rot90(image, degrees // 90))


def _jpeg(page: Image) -> bytes:
    _, encoded = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return encoded.tobytes()
