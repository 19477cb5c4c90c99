"""From an upload's bytes to page readings: what the worker's process pool calls.

`warm_up` is the pool's initializer, and `read_pages` is its only task: bytes in, plain data out.
Measurements that need no text run in parallel with the reading, if there are threads for both.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
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
)
from acredita.engines.documents.classify import classify, kinds_with
from acredita.engines.documents.decode import decode_image
from acredita.engines.documents.document_in_selfie import document_in_view
from acredita.engines.documents.find_document import Found, find_document
from acredita.engines.documents.kind import KindReader, PageText
from acredita.engines.documents.layout import Layout
from acredita.engines.documents.mrz import read_zone
from acredita.engines.documents.pdf import decode_pdf
from acredita.engines.documents.quality import measure_quality
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
from acredita.engines.tampering.recompression import recompression
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
    jpeg = data if mime_type == "image/jpeg" else b""
    return [_read(decode_image(data, mime_type), eyes, jpeg=jpeg, role=role)]


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


class _Shown(NamedTuple):
    """Signals of a picture that do not depend on the content of the page."""

    recompressed: tuple[Signal, ...] = ()
    screen: tuple[Signal, ...] = ()
    several: tuple[Signal, ...] = ()


def _shown(image: Image, found: Found | None, jpeg: bytes, eyes: Eyes) -> _Shown:
    def is_document(page: Image) -> bool:
        return attempt(page, eyes).reader is not None

    corners = None if found is None else found.corners
    recompressed = recompression(jpeg, image, corners) if jpeg else None
    return _Shown(
        () if recompressed is None else (recompressed,),
        screen_signals(image, corners),
        (several_documents(image, found, is_document),),
    )


def _of_both(of_outline: Callable[[], _Shown], of_picture: Callable[[], _Shown]) -> _Shown:
    """Return the signals of the whole picture, and that of a second outline next to the first."""
    return of_picture()._replace(several=of_outline().several)


class _Measures(NamedTuple):
    """What is measured of a page whose kind is known."""

    quality: Quality
    picture: bytes
    codes: tuple[Barcode, ...]
    colourless: tuple[Signal, ...]


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


def _measures(best: Attempt, kind: KindReader) -> _Measures:
    page = best.page
    return _Measures(
        measure_quality(page, best.score),
        _jpeg(page),
        read_codes(page) if kind.has_codes else (),
        (colourless(page),) if kind.kind in _COLOURED else (),
    )


def _read(
    image: Image,
    eyes: Eyes,
    layer: Sequence[Line] = (),
    jpeg: bytes = b"",
    role: DocumentRole | None = None,
) -> PageReading:
    """Find the page, rotate it upright, recognize its kind, and read its fields.

    `layer` is the text layer of a PDF page. If it identifies the kind of the page, it replaces the
    first reading. Every field is still read from the pixels, and only those readings count, because
    people do not see the layer. `jpeg` is the upload if it is a JPEG.
    """
    layered = Attempt(image, list(layer), classify(layer, eyes.kinds))
    if layered.convincing and layered.reader:
        shown: Callable[[], _Shown] = _Shown
        if layered.reader.kind in _COLOURED:
            shown = partial(_shown, image, None, b"", eyes)
        captured = partial(capture_signals, image, None, image)
        return _read_fields(layered, layered.reader, eyes, captured, shown, first_unseen=True)
    measuring = _beside(partial(page_signals, image, None, image))
    outline = find_document(image)
    of_picture = measuring()
    # A crop may be a dark or blurred part of a good picture, so it refuses nothing.
    if refused := hopeless(of_picture):
        signals = capture_signals(image, None, image, of_picture)
        return _unknown(measure_quality(image, 0.0), refused, signals)
    shown = _beside(partial(_shown, image, outline, jpeg, eyes))
    best, is_outline = best_attempt(image, outline, eyes)
    if outline is not None and not is_outline:
        outline = None
        shown = partial(_of_both, shown, _beside(partial(_shown, image, None, jpeg, eyes)))
    if best is None:
        quality = measure_quality(image, 0.0)
        signals = capture_signals(image, None, image, of_picture)
        return _unknown(quality, DocumentReason.DOCUMENT_NOT_RECOGNIZED, signals)
    chosen, other = documents_in(image, best, outline, eyes, role)
    captured = partial(_captured, image, outline, chosen.page, other, of_picture)
    if chosen.reader is None:
        return _read_unknown(chosen, eyes, captured())
    return _read_fields(chosen, chosen.reader, eyes, captured, shown)


def _captured(
    image: Image,
    outline: Found | None,
    page: Image,
    other: Attempt | None,
    of_picture: tuple[Signal, ...],
) -> tuple[Signal, ...]:
    signals = capture_signals(image, outline, page, of_picture)
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
    captured: Callable[[], tuple[Signal, ...]],
    shown: Callable[[], _Shown],
    *,
    first_unseen: bool = False,
) -> PageReading:
    """What stands on a page of a known kind; `first_unseen`: its lines are from a text layer."""
    page = best.page
    capturing, measuring = _beside(captured), _beside(partial(_measures, best, kind))
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
    signals, measures, picture = capturing(), measuring(), shown()
    named = {signal.name for signal in signals}
    several = [signal for signal in picture.several if signal.name not in named]
    doubts = (*several, *picture.screen, *measures.colourless)
    coloured = doubts if kind.kind in _COLOURED else ()
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


def _jpeg(page: Image) -> bytes:
    _, encoded = cv2.imencode(".jpg", page, [cv2.IMWRITE_JPEG_QUALITY, 88])
    return encoded.tobytes()
