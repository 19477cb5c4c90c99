"""From an upload's bytes to page readings: what the worker's process pool calls.

`warm_up` is the pool's initializer, `read_pages` its one task: bytes in, plain data out. What needs
no text is measured beside the reading of it, where there are threads for both.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeVar

import cv2
import numpy as np

from acredita.domain.documents import Barcode, PageKind, PageReading, Quality, Signal
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.identifiers import mrz
from acredita.domain.reasons import DocumentReason
from acredita.engines.barcodes import read_codes
from acredita.engines.documents.classify import classify, kinds_with
from acredita.engines.documents.conditions import (
    capture_signals,
    hopeless,
    located,
    several_documents,
)
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.document_in_selfie import document_in_view
from acredita.engines.documents.find_document import Found, find_document, flatten
from acredita.engines.documents.kind import KindReader, PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.machine_zone import read_zone
from acredita.engines.documents.machine_zone_pose import turn_of_zone
from acredita.engines.documents.pdf import decode_pdf
from acredita.engines.documents.quality import measure_quality
from acredita.engines.documents.second_reading import Spot, read_spots
from acredita.engines.tampering.letter_shapes import FieldLine, cut_lines
from acredita.engines.tampering.photocopies import colourless
from acredita.engines.tampering.proportions import proportions
from acredita.engines.tampering.recompression import recompression
from acredita.engines.tampering.screens import screen_signals
from acredita.engines.tampering.typeface import typeface
from acredita.engines.text import LATIN, Image, Line, TextReader
from acredita.engines.text.rapid import load_reader
from acredita.kit.memory import share_one_heap

_LEAST_SIDE, _WHOLE_SIDE = 960, 1600
"""Longest side of a page that was not found and flattened: smaller ones are enlarged."""
_UPRIGHT_SCORE: Final = 0.9
"""Mean text score under which a page may be upside down: upright ones read 0.99, turned 0.76."""
_BLURRED: Final = 25.0
_BLANK: Final = 2.0
"""Standard deviation of the grey levels of a page that shows nothing; one short line makes it
exceed 5. Scanners add blank backs, which say nothing about anybody."""
_COLOURED: Final = frozenset(
    (PageKind.INE_FRONT, PageKind.INE_BACK, PageKind.PASSPORT, PageKind.DRIVER_LICENCE)
)
_IN_ONE_TYPEFACE: Final = frozenset((PageKind.INE_FRONT, PageKind.PASSPORT))
_LEAST_SLOPE: Final = 4.0
"""Degrees from which a page is turned level: rows of an MRZ are a twentieth as high as long."""


_Result = TypeVar("_Result")


class _Loaded:
    """The one copy of the models in this process, and its thread for what needs none of them."""

    reader: TextReader | None = None
    beside: Executor | None = None


def warm_up(threads: int = 2) -> None:
    """Load the models, with so many CPU threads a reading; once a process."""
    cv2.setNumThreads(threads)
    if _Loaded.reader is None:
        share_one_heap()
        _Loaded.reader = load_reader(threads)
        _Loaded.beside = ThreadPoolExecutor(1, "measures") if threads > 1 else None


def read_pages(
    data: bytes, mime_type: str, licence_templates: Sequence[LicenceTemplate] = ()
) -> list[PageReading]:
    """One reading for an image, one for each printed page of a PDF. Raises `Undecodable`.

    `licence_templates` go before those that come with the service.
    """
    warm_up()
    eyes = _Eyes(_reader(), kinds_with(licence_templates))
    if mime_type == "application/pdf":
        pages = decode_pdf(data)
        printed = [page for page in pages if page.lines or float(page.image.std()) > _BLANK]
        return [_read(page.image, eyes, page.lines) for page in printed or pages]
    jpeg = data if mime_type == "image/jpeg" else b""
    return [_read(decode_image(data, mime_type), eyes, jpeg=jpeg)]


def shows_document(data: bytes, mime_type: str) -> bool:
    """Whether a selfie shows a document: held in a hand, on a screen, or alone.

    Only a picture with rows of print is read. Raises `Undecodable`.
    """
    warm_up()
    if mime_type == "application/pdf":
        images = [page.image for page in decode_pdf(data)]
    else:
        images = [decode_image(data, mime_type)]
    return any(document_in_view(image, _reader()) for image in images)


@dataclass(frozen=True, slots=True)
class _Eyes:
    """What reads text, and the kinds of pages that it is told to know."""

    text: TextReader
    kinds: Sequence[KindReader]

    def enough(self, lines: Sequence[Line]) -> bool:
        layout = Layout(lines)
        return any(kind.complete(layout) for kind in self.kinds)


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


def _beside(task: Callable[[], _Result]) -> Callable[[], _Result]:
    """Begin the task beside what follows, or leave it until its result is asked for."""
    return task if _Loaded.beside is None else _Loaded.beside.submit(task).result


class _Shown(NamedTuple):
    """What a picture shows, whatever stands on the page."""

    recompressed: tuple[Signal, ...] = ()
    doubts: tuple[Signal, ...] = ()
    """That it is no picture of one document alone."""


def _shown(image: Image, found: Found | None, jpeg: bytes, eyes: _Eyes) -> _Shown:
    def is_document(page: Image) -> bool:
        return _attempt(page, eyes).reader is not None

    corners = None if found is None else found.corners
    recompressed = recompression(jpeg, image, corners) if jpeg else None
    return _Shown(
        () if recompressed is None else (recompressed,),
        (several_documents(image, found, is_document), *screen_signals(image, corners)),
    )


class _Measures(NamedTuple):
    """What is measured of a page whose kind is known."""

    quality: Quality
    picture: bytes
    codes: tuple[Barcode, ...]
    colourless: tuple[Signal, ...]


def _lettering(page: Image, spots: Sequence[Spot]) -> tuple[Signal, ...]:
    by_line = {id(spot.line): spot for spot in spots}.values()
    lines = [FieldLine(s.field, s.line.text, s.end_of_line, s.line.quad) for s in by_line]
    cut = cut_lines(page, lines)
    return tuple(filter(None, (typeface(page, cut), proportions(page, cut))))


def _measures(attempt: _Attempt, kind: KindReader) -> _Measures:
    page = attempt.page
    return _Measures(
        measure_quality(page, attempt.score),
        _jpeg(page),
        read_codes(page) if kind.has_codes else (),
        (colourless(page),) if kind.kind in _COLOURED else (),
    )


def _read(image: Image, eyes: _Eyes, layer: Sequence[Line] = (), jpeg: bytes = b"") -> PageReading:
    """Find the page, turn it upright, tell what it is, read its fields.

    `layer` is a PDF page's text layer. Where it says what the page is it stands for the first
    reading, and every field is read from the pixels as well: nobody sees a layer, so that what
    the pixels do not say counts for nothing. `jpeg` is the upload itself, where it is one.
    """
    layered = _Attempt(image, list(layer), classify(layer, eyes.kinds))
    if layered.convincing and layered.reader:
        shown: Callable[[], _Shown] = _Shown
        if layered.reader.kind in _COLOURED:
            shown = partial(_shown, image, None, b"", eyes)
        signals = capture_signals(image, None, image)
        return _read_fields(layered, layered.reader, eyes, signals, shown, first_unseen=True)
    found = find_document(image)
    flat = None if found is None else flatten(image, found)
    shown = _beside(partial(_shown, image, found, jpeg, eyes))
    signals = capture_signals(image, found, image if flat is None else flat)
    if refused := hopeless(signals):
        return _unknown(measure_quality(image, 0.0), refused, signals)
    attempt = _best_attempt(image, flat, eyes)
    if attempt is None:
        return _unknown(
            measure_quality(image, 0.0), DocumentReason.DOCUMENT_NOT_RECOGNIZED, signals
        )
    if attempt.reader is None:
        quality = measure_quality(attempt.page, attempt.score)
        blurred = quality.sharpness < _BLURRED
        code = (
            DocumentReason.DOCUMENT_UNREADABLE
            if blurred
            else DocumentReason.DOCUMENT_NOT_RECOGNIZED
        )
        zone, confidence = read_zone(attempt.page, attempt.lines, None, eyes.text)
        return _unknown(quality, code, signals, zone, confidence)
    return _read_fields(attempt, attempt.reader, eyes, signals, shown)


def _unknown(
    quality: Quality,
    code: DocumentReason,
    signals: tuple[Signal, ...],
    zone: tuple[tuple[str, ...], ...] = (),
    zone_confidence: float = 0.0,
) -> PageReading:
    return PageReading(
        PageKind.UNKNOWN, quality, (), zone, zone_confidence, code=code, signals=signals
    )


def _read_fields(
    attempt: _Attempt,
    kind: KindReader,
    eyes: _Eyes,
    signals: tuple[Signal, ...],
    shown: Callable[[], _Shown],
    *,
    first_unseen: bool = False,
) -> PageReading:
    """What stands on a page of a known kind; `first_unseen`: its lines are from a text layer."""
    page = attempt.page
    measuring = _beside(partial(_measures, attempt, kind))
    zone, zone_confidence = read_zone(page, attempt.lines, kind.zone_width, eyes.text)
    height, width = page.shape[:2]
    zone_value = mrz.read(zone[0]).value if zone else None
    text = PageText(Layout(attempt.lines), zone_value, (width, height))
    spots = kind.spots(text)
    lettering: Callable[[], tuple[Signal, ...]] = tuple
    if kind.kind in _IN_ONE_TYPEFACE:
        lettering = _beside(partial(_lettering, page, spots))
    sightings = read_spots(page, spots, eyes.text, first_unseen=first_unseen)
    measures, picture = measuring(), shown()
    coloured = (*picture.doubts, *measures.colourless) if kind.kind in _COLOURED else ()
    return PageReading(
        kind.kind,
        measures.quality,
        tuple(sightings),
        zone,
        zone_confidence,
        code=None if sightings or zone else DocumentReason.DOCUMENT_UNREADABLE,
        picture=measures.picture,
        model=kind.model(text),
        codes=measures.codes,
        signals=(*located(signals, kind.kind), *coloured, *picture.recompressed, *lettering()),
    )


def _best_attempt(image: Image, flat: Image | None, eyes: _Eyes) -> _Attempt | None:
    """The pose that reads best: the page found and flattened, else the whole picture; as it lies,
    else turned the way its text runs.
    """
    best: _Attempt | None = None
    for page in _pages(image, flat):
        first = _straightened(_first_attempt(page, eyes), eyes)
        best = max(best or first, first, key=_rank)
        for degrees in () if first.convincing else _turns(first):
            best = max(best, _attempt(_turned(page, degrees), eyes), key=_rank)
            if best.convincing:
                break
        if best.convincing:
            break
    return best


def _first_attempt(page: Image, eyes: _Eyes) -> _Attempt:
    """Turned as a zone's rows show that it lies, at less detail, where no more is needed."""
    turn = turn_of_zone(page)
    if turn is not None:
        coarse = _attempt(_turned(page, turn), eyes, coarsely=True)
        if eyes.enough(coarse.lines):
            return coarse
    return _attempt(page, eyes)


def _attempt(page: Image, eyes: _Eyes, *, coarsely: bool = False) -> _Attempt:
    lines = eyes.text.read(page, LATIN, eyes.enough, coarsely=coarsely)
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


def _pages(image: Image, flat: Image | None) -> Iterator[Image]:
    """What may be the page: the document found and laid flat, then the whole picture."""
    height, width = image.shape[:2]
    if min(height, width) < 32 or max(height, width) > 12 * min(height, width):
        return
    if flat is not None:
        yield flat
    longest = max(height, width)
    scale = min(max(1.0, _LEAST_SIDE / longest), _WHOLE_SIDE / longest)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    yield cv2.resize(image, None, fx=scale, fy=scale, interpolation=how)


def _turned(image: Image, degrees: int) -> Image:
    return np.ascontiguousarray(np.rot90(image, degrees // 90))


def _jpeg(page: Image) -> bytes:
    _, encoded = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return encoded.tobytes()
