"""From an upload's bytes to page readings: what the worker's process pool calls.

`warm_up` is the pool's initializer, and `read_pages` is its only task: bytes in, plain data out.
Measurements that need no text run in parallel with the reading, if there are threads for both.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from typing import Final, NamedTuple, TypeVar

import cv2

from acredita.domain.documents import Barcode, PageKind, PageReading, Quality, Signal
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.identifiers import mrz
from acredita.domain.reasons import DocumentReason
from acredita.domain.verification import DocumentRole
from acredita.engines.barcodes import read_codes
from acredita.engines.documents.attempts import (
    Attempt,
    Eyes,
    attempt,
    best_attempt,
    documents_in,
    first_page,
)
from acredita.engines.documents.classify import classify, kinds_with
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.document_in_selfie import document_in_view
from acredita.engines.documents.find_document import Found, find_document
from acredita.engines.documents.kind import KindReader, PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.mrz import read_zone
from acredita.engines.documents.pdf import decode_pdf
from acredita.engines.documents.quality import at_width, measure_quality
from acredita.engines.documents.quality_limits import (
    capture_signals,
    hopeless,
    located,
    other_document,
    page_signals,
    several_documents,
)
from acredita.engines.documents.second_reading import SecondReadings, Spot, read_spots
from acredita.engines.tampering.letter_shapes import FieldLine, cut_lines
from acredita.engines.tampering.photocopies import colourless
from acredita.engines.tampering.photographed_screens import screen_signals
from acredita.engines.tampering.proportions import proportions
from acredita.engines.tampering.recompression import Blocks, blocks_of, recompression
from acredita.engines.tampering.typeface import typeface
from acredita.engines.text import Image, Line, TextReader
from acredita.engines.text.rapid import load_reader
from acredita.kit.memory import share_one_heap

_BLURRED: Final = 25.0
_BLANK: Final = 2.0
"""Standard deviation of the grey levels of a page that shows nothing; one short line makes it
exceed 5. Scanners add blank backs, which say nothing about anybody."""
_COLOURED: Final = frozenset(
    (PageKind.INE_FRONT, PageKind.INE_BACK, PageKind.PASSPORT, PageKind.DRIVER_LICENCE)
)
_OF_COLOURED: Final = frozenset((DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT))
_IN_ONE_TYPEFACE: Final = frozenset((PageKind.INE_FRONT, PageKind.PASSPORT))

_PAGES_OF_PROOF: Final = 2
"""A statement names its holder on the first page, and goes on for pages without the address."""

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
    data: bytes,
    mime_type: str,
    licence_templates: Sequence[LicenceTemplate] = (),
    role: DocumentRole | None = None,
) -> list[PageReading]:
    """Return one reading for an image, or one for each printed page of a PDF. Raise Undecodable.

    `licence_templates` take precedence over the built-in ones. If an image shows several documents,
    the one that `role` requires is read, and the signal several_documents names another.
    """
    warm_up()
    eyes = Eyes(_reader(), kinds_with(licence_templates, role))
    if mime_type == "application/pdf":
        pages = decode_pdf(data)
        if role is DocumentRole.PROOF_OF_ADDRESS:
            pages = pages[:_PAGES_OF_PROOF]
        printed = [page for page in pages if page.lines or float(page.image.std()) > _BLANK]
        return [_read(page.image, eyes, page.lines) for page in printed or pages]
    is_jpeg = mime_type == "image/jpeg"
    blocks = _beside(partial(blocks_of, data)) if is_jpeg else _no_blocks
    return [_read(decode_image(data, mime_type), eyes, blocks=blocks, role=role)]


def shows_document(data: bytes, mime_type: str) -> bool:
    """Return whether a selfie shows a document: held in a hand, on a screen, or alone.

    OCR runs only on a picture with rows of print. Raise Undecodable.
    """
    warm_up()
    if mime_type == "application/pdf":
        images = [page.image for page in decode_pdf(data)]
    else:
        images = [decode_image(data, mime_type)]
    return any(document_in_view(image, _reader()) for image in images)


def _reader() -> TextReader:
    if _Loaded.reader is None:
        raise RuntimeError("the text models are not loaded")
    return _Loaded.reader


def _beside(task: Callable[[], _Result]) -> Callable[[], _Result]:
    """Run the task in the second thread. Without one, run it when the result is requested."""
    return task if _Loaded.beside is None else _Loaded.beside.submit(task).result


def _no_blocks() -> Blocks | None:
    return None


class _Shown(NamedTuple):
    """Signals of a picture that do not depend on the content of the page."""

    recompressed: tuple[Signal, ...] = ()
    screen: tuple[Signal, ...] = ()
    several: tuple[Signal, ...] = ()


def _shown(
    image: Image, found: Found | None, blocks: Callable[[], Blocks | None], eyes: Eyes
) -> _Shown:
    def is_document(page: Image) -> bool:
        return attempt(page, eyes).reader is not None

    corners = None if found is None else found.corners
    recompressed = recompression(blocks(), image, corners)
    return _Shown(
        () if recompressed is None else (recompressed,),
        screen_signals(image, corners),
        (several_documents(image, found, is_document),),
    )


def _of_both(of_outline: Callable[[], _Shown], of_picture: Callable[[], _Shown]) -> _Shown:
    """Return the signals of the whole picture, and that of a second outline next to the first."""
    return of_picture()._replace(several=of_outline().several)


class _Measuring:
    """What is measured of a page apart from its text, begun in the second thread.

    `small` returns the page at the width of measurement. `captured` returns the signals of the
    page's picture; it is given `small`.
    """

    def __init__(
        self,
        page: Image,
        small: Callable[[], Image],
        captured: Callable[[Callable[[], Image]], tuple[Signal, ...]],
        *,
        has_codes: bool,
        is_coloured: bool,
    ) -> None:
        self.page = page
        self.captured = _beside(partial(captured, small))
        self._quality = _beside(lambda: measure_quality(page, 0.0, small()))
        self.picture = _beside(partial(_jpeg, page))
        self._colourless = _beside(partial(colourless, page)) if is_coloured else None
        self._codes = _beside(partial(read_codes, page)) if has_codes else None

    def quality(self, text_score: float) -> Quality:
        return replace(self._quality(), text_score=round(text_score, 4))

    def colourless(self) -> Signal:
        return self._colourless() if self._colourless else colourless(self.page)

    def codes(self) -> tuple[Barcode, ...]:
        return self._codes() if self._codes else read_codes(self.page)


def _begin_lettering(
    best: Attempt, spots: Sequence[Spot], kind: KindReader
) -> Callable[[], tuple[Signal, ...]]:
    if kind.kind not in _IN_ONE_TYPEFACE:
        return tuple
    return _beside(partial(_lettering, best.page, spots))


def _lettering(page: Image, spots: Sequence[Spot]) -> tuple[Signal, ...]:
    by_line = {id(spot.line): spot for spot in spots}.values()
    lines = [FieldLine(s.field, s.line.text, s.end_of_line, s.line.quad) for s in by_line]
    cut = cut_lines(page, lines)
    return tuple(filter(None, (typeface(page, cut), proportions(page, cut))))


def _read(
    image: Image,
    eyes: Eyes,
    layer: Sequence[Line] = (),
    blocks: Callable[[], Blocks | None] = _no_blocks,
    role: DocumentRole | None = None,
) -> PageReading:
    """Find the page, rotate it upright, recognize its kind, and read its fields.

    `layer` is the text layer of a PDF page. If it identifies the kind of the page, it replaces the
    first reading. Every field is still read from the pixels, and only those readings count, because
    people do not see the layer. `blocks` returns those of the upload if it is a JPEG.
    """
    layered = Attempt(image, list(layer), classify(layer, eyes.kinds))
    if layered.convincing and layered.reader:
        shown: Callable[[], _Shown] = _Shown
        if layered.reader.kind in _COLOURED:
            shown = partial(_shown, image, None, _no_blocks, eyes)
        captured = partial(capture_signals, image, None, image, None)
        measures = _measuring_of(image, layered.reader, captured)
        return _read_fields(layered, layered.reader, eyes, measures, shown, first_unseen=True)
    small = cache(partial(at_width, image))
    signals_of_picture = _beside(partial(page_signals, image, None, image, small))
    outline = find_document(image)
    of_picture = signals_of_picture()
    # A crop may be a dark or blurred part of a good picture, so it refuses nothing.
    if refused := hopeless(of_picture):
        signals = capture_signals(image, None, image, of_picture)
        return _unknown(measure_quality(image, 0.0), refused, signals)
    shown = _beside(partial(_shown, image, outline, blocks, eyes))
    first = first_page(image, outline)
    begun = None
    if first is not None:
        captured = partial(capture_signals, image, outline, first, of_picture)
        small = small if first is image else cache(partial(at_width, first))
        begun = _measuring_of_first(first, small, captured, role)
    best, is_outline = best_attempt(image, outline, eyes, first)
    if outline is not None and not is_outline:
        outline = None
        shown = partial(_of_both, shown, _beside(partial(_shown, image, None, blocks, eyes)))
    if best is None:
        quality = measure_quality(image, 0.0)
        signals = capture_signals(image, None, image, of_picture)
        return _unknown(quality, DocumentReason.DOCUMENT_NOT_RECOGNIZED, signals)
    chosen, other = documents_in(image, best, outline, eyes, role)
    captured = partial(capture_signals, image, outline, chosen.page, of_picture)
    if chosen.reader is None:
        return _read_unknown(
            chosen, eyes, _with_other(captured(partial(at_width, chosen.page)), other)
        )
    if begun is None or begun.page is not chosen.page:
        begun = _measuring_of(chosen.page, chosen.reader, captured)
    return _read_fields(chosen, chosen.reader, eyes, begun, shown, other=other)


def _measuring_of(
    page: Image,
    kind: KindReader,
    captured: Callable[[Callable[[], Image]], tuple[Signal, ...]],
) -> _Measuring:
    is_coloured = kind.kind in _COLOURED
    small = cache(partial(at_width, page))
    return _Measuring(page, small, captured, has_codes=kind.has_codes, is_coloured=is_coloured)


def _measuring_of_first(
    page: Image,
    small: Callable[[], Image],
    captured: Callable[[Callable[[], Image]], tuple[Signal, ...]],
    role: DocumentRole | None,
) -> _Measuring:
    """Begin to measure the page that is read first, before its kind is known. Mostly it is the one
    that is kept, and shows what the role says."""
    has_codes = role is DocumentRole.BACK
    is_coloured = role in _OF_COLOURED
    return _Measuring(page, small, captured, has_codes=has_codes, is_coloured=is_coloured)


def _with_other(signals: tuple[Signal, ...], other: Attempt | None) -> tuple[Signal, ...]:
    if other is None or other.reader is None:
        return signals
    return (*signals, other_document(other.reader.kind))


def _read_unknown(best: Attempt, eyes: Eyes, signals: tuple[Signal, ...]) -> PageReading:
    """What a page of no known kind says: the zone of a document of another state."""
    quality = measure_quality(best.page, best.score)
    blurred = quality.sharpness < _BLURRED
    code = hopeless(signals) or (
        DocumentReason.DOCUMENT_UNREADABLE if blurred else DocumentReason.DOCUMENT_NOT_RECOGNIZED
    )
    zone, confidence = read_zone(best.page, best.lines, None, eyes.text)
    return _unknown(quality, code, signals, zone, confidence)


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
    best: Attempt,
    kind: KindReader,
    eyes: Eyes,
    measuring: _Measuring,
    shown: Callable[[], _Shown],
    *,
    other: Attempt | None = None,
    first_unseen: bool = False,
) -> PageReading:
    """What stands on a page of a known kind; `other`: another document beside it; `first_unseen`:
    its lines are from a text layer."""
    page = best.page
    lettering = _begin_lettering(best, best.spots, kind)
    zone, zone_confidence = read_zone(page, best.lines, kind.zone_width, eyes.text)
    height, width = page.shape[:2]
    zone_value = mrz.read(zone[0]).value if zone else None
    text = PageText(Layout(best.lines), zone_value, (width, height))
    spots = best.spots
    if not spots or zone_value != (best.zone.value if best.zone else None):
        spots = kind.spots(text)
        lettering = _begin_lettering(best, spots, kind)
    second = best.second or SecondReadings(page, eyes.text)
    sightings = read_spots(spots, second, first_unseen=first_unseen)
    signals, picture = _with_other(measuring.captured(), other), shown()
    named = {signal.name for signal in signals}
    several = [signal for signal in picture.several if signal.name not in named]
    coloured: tuple[Signal, ...] = ()
    if kind.kind in _COLOURED:
        coloured = (*several, *picture.screen, measuring.colourless())
    return PageReading(
        kind.kind,
        measuring.quality(best.score),
        tuple(sightings),
        zone,
        zone_confidence,
        code=None if sightings or zone else DocumentReason.DOCUMENT_UNREADABLE,
        picture=measuring.picture(),
        model=kind.model(text),
        codes=measuring.codes() if kind.has_codes else (),
        signals=(*located(signals, kind.kind), *coloured, *picture.recompressed, *lettering()),
    )


def _jpeg(page: Image) -> bytes:
    _, encoded = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return encoded.tobytes()
