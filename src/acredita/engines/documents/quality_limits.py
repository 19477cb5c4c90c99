"""Measure the conditions of a page's picture, as signals.

The limits were set on 30 drawn documents at every level of `acredita_synthetic.capture`, spoilt by
`acredita_synthetic.bad_pictures`; `benchmarks.conditions` repeats the measurement. There are two
limits:

- Beyond *hopeless*, nothing was read on any of them, so the page is not read.
- A *doubtful* measure only names the cause if something could not be read.

| signal | measure | doubtful | hopeless | measured |
|---|---|---|---|---|
| cut_off | share of the picture's side that the outline follows | 0.05 | | all cut ones alone |
| too_small | pixels of the document's long side | 320 | 140 | read at 340, a back's MRZ at 167 |
| too_dark | 98th percentile of grey | 30 | 12 | read at 25 to 27, a back at 15, nothing at 8 |
| overexposed | share of burnt-out pixels | 0.60 | 0.97 | read at 0.88; plain pictures have 0.17 |
| glare | the largest burnt-out spot's share of the page | 0.06 | | fields missed from 0.11 on |
| blurred | sharpness against contrast | 24 | 9 | fronts read at 26, a back's MRZ at 10.9 |
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from acredita.domain.documents import PageKind, Signal
from acredita.domain.documents.pages import Box
from acredita.domain.reasons import DocumentReason
from acredita.engines.documents.find_document import (
    Found,
    cannot_enclose,
    find_second_document,
    flatten,
    segmentations,
)
from acredita.engines.documents.quality import WIDTH, at_width
from acredita.engines.text import Image

VERSION: Final = "conditions-2"
_SEARCH_SIDE: Final = 320
_LEAST_SIDE, _STRIP = 32, 12
_LEAST_CONTRAST: Final = 20.0
_HAS_PORTRAIT_LEFT: Final = (PageKind.INE_FRONT, PageKind.PASSPORT, PageKind.DRIVER_LICENCE)


_Map = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Limit:
    """The limits of one measure; with `least`, values below the limits are bad."""

    name: str
    doubtful: float
    hopeless: float | None
    code: DocumentReason
    least: bool = False

    def signal(self, measure: float, box: Box | None = None, detail: str = "") -> Signal:
        raised = measure < self.doubtful if self.least else measure > self.doubtful
        return Signal(
            self.name, raised, round(measure, 4), self.doubtful, detail, box, version=VERSION
        )

    def is_hopeless(self, measure: float) -> bool:
        if self.hopeless is None:
            return False
        return measure < self.hopeless if self.least else measure > self.hopeless


_CUT_OFF: Final = _Limit("cut_off", 0.05, None, DocumentReason.DOCUMENT_CUT_OFF)
_TOO_SMALL: Final = _Limit("too_small", 320, 140, DocumentReason.IMAGE_TOO_SMALL, least=True)
_TOO_DARK: Final = _Limit("too_dark", 30, 12, DocumentReason.IMAGE_TOO_DARK, least=True)
_OVEREXPOSED: Final = _Limit("overexposed", 0.60, 0.97, DocumentReason.IMAGE_OVEREXPOSED)
_GLARE: Final = _Limit("glare", 0.06, None, DocumentReason.IMAGE_GLARE)
_BLURRED: Final = _Limit("blurred", 24, 9, DocumentReason.IMAGE_BLURRED, least=True)
_LIMITS: Final = {
    limit.name: limit for limit in (_CUT_OFF, _TOO_SMALL, _TOO_DARK, _OVEREXPOSED, _GLARE, _BLURRED)
}

_OTHER_DOCUMENT: Final = 0.33
_LONGEST_DOCUMENT: Final = 1.7
"""Length to width: outlines that are longer are taken for no document."""


def capture_signals(
    image: Image,
    found: Found | None,
    page: Image,
    of_picture: tuple[Signal, ...] | None = None,
    small: Callable[[], Image] | None = None,
) -> tuple[Signal, ...]:
    """Measure the picture `image` and its flattened `page` (or the whole picture), both BGR.

    A narrow strip has no signals: enlarged to the width of measurement, it would fill the memory.
    `of_picture`: the signals of `page_signals` for the whole picture, if they are known. `small`
    returns `quality.at_width` of the page, if that is computed elsewhere.
    """
    is_known = of_picture is not None and page is image and found is None
    measured = of_picture if is_known else page_signals(image, found, page, small)
    if not measured:
        return ()
    return (_CUT_OFF.signal(_run_along_the_border(image) if found is None else 0.0), *measured)


def page_signals(
    image: Image, found: Found | None, page: Image, small: Callable[[], Image] | None = None
) -> tuple[Signal, ...]:
    """Return the signals of `capture_signals` without that of a cut-off document, the slowest one.

    `image` is the whole picture and `page` the flattened page, both of shape (height, width, 3),
    uint8, BGR."""
    if min(page.shape[:2]) < _LEAST_SIDE or max(page.shape[:2]) > _STRIP * min(page.shape[:2]):
        return ()
    is_tall = page.shape[0] > 2 * page.shape[1]
    scaled = at_width(page, _STRIP) if small is None or is_tall else small()
    grey = cv2.cvtColor(scaled, cv2.COLOR_BGR2GRAY)
    burnt = cv2.inRange(scaled, np.full(3, 251), np.full(3, 255)) // 255
    glare, spot = _largest_spot(burnt)
    dark, light = _dark_and_light(grey)
    return (
        _TOO_SMALL.signal(_long_side(image, found)),
        _TOO_DARK.signal(light),
        _OVEREXPOSED.signal(float(burnt.mean())),
        _GLARE.signal(glare, spot),
        # A picture without contrast, such as of a wall, is not a blurred document.
        *([_blurred(image, found, page, grey)] if light - dark > _LEAST_CONTRAST else []),
    )


def _blurred(image: Image, found: Found | None, page: Image, grey: Image) -> Signal:
    """Measure `grey`, the page at the width of measurement, at its own resolution if that is lower:
    a small picture that was enlarged is not blurred.
    """
    own = _long_side(image, found) * page.shape[1] / max(page.shape[:2])
    if own < WIDTH:
        size = (max(1, round(own)), max(1, round(own * page.shape[0] / page.shape[1])))
        grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return _BLURRED.signal(_sharpness(grey))


def located(signals: tuple[Signal, ...], kind: PageKind) -> tuple[Signal, ...]:
    """Add to a raised glare signal the part of the page that the reflection covers."""
    return tuple(
        replace(signal, detail=covered(signal.box, kind))
        if signal.name == _GLARE.name and signal.raised and signal.box
        else signal
        for signal in signals
    )


def hopeless(signals: tuple[Signal, ...]) -> DocumentReason | None:
    """Return the code of a picture on which nothing can be read; None for any other."""
    return next(
        (
            _LIMITS[signal.name].code
            for signal in signals
            if signal.name in _LIMITS and _LIMITS[signal.name].is_hopeless(signal.measure)
        ),
        None,
    )


def covered(box: Box, kind: PageKind) -> str:
    """Return the part of the page under the middle of a reflection: portrait, mrz or data."""
    across, down = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    if kind is PageKind.INE_BACK and down > 0.62:
        return "mrz"
    if kind is PageKind.PASSPORT and down > 0.78:
        return "mrz"
    if kind in _HAS_PORTRAIT_LEFT and across < 0.31:
        return "portrait"
    return "data"


def _largest_spot(burnt: Image) -> tuple[float, Box | None]:
    if not burnt.any():
        return 0.0, None
    _, _, spots, _ = cv2.connectedComponentsWithStats(burnt)
    left, top, width, height, area = (int(n) for n in max(spots[1:], key=lambda s: s[4]))
    tall, wide = burnt.shape
    right, bottom = left + width, top + height
    return area / burnt.size, (left / wide, top / tall, right / wide, bottom / tall)


def _sharpness(grey: Image) -> float:
    """Return the third quartile of the tiles' Laplacian variance, each relative to the tile's
    contrast, because a dark picture is not blurred. Noise raises it, so only low values matter.
    """
    tiles = [tile for row in np.array_split(grey, 4) for tile in np.array_split(row, 6, axis=1)]
    measures = []
    for tile in tiles:
        if min(tile.shape) < 3:
            continue
        dark, light = _dark_and_light(tile)
        contrast = max(light - dark, 8.0) / 100
        measures.append(float(cv2.Laplacian(tile, cv2.CV_64F).var()) / contrast**2)
    return float(np.quantile(measures, 0.75)) if measures else 0.0


def _dark_and_light(grey: Image) -> tuple[float, float]:
    """Return the 2nd and the 98th percentile of the grey levels, interpolated like np.quantile,
    which sorts all pixels."""
    counts = cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel()
    up_to = counts.cumsum(dtype=np.float64)
    found = []
    for share in (0.02, 0.98):
        whole, part = divmod(share * (up_to[-1] - 1), 1)
        low, high = np.searchsorted(up_to, [whole, min(whole + 1, up_to[-1] - 1)], "right")
        found.append(float(low + (high - low) * part))
    return found[0], found[1]


def _long_side(image: Image, found: Found | None) -> float:
    if found is None:
        return float(max(image.shape[:2]))
    sides = found.corners - np.roll(found.corners, -1, axis=0)
    return float(np.linalg.norm(sides, axis=1).max())


def several_documents(
    image: Image, found: Found | None, is_document: Callable[[Image], bool]
) -> Signal:
    """Return the signal of another document in the picture, at least a third as large. `image` is
    BGR; `is_document` recognizes a flattened document."""
    measure = 0.0
    if (
        found is not None
        and _has_room(image, found)
        and (other := find_second_document(image, found)) is not None
    ):
        share = cv2.contourArea(other.corners) / cv2.contourArea(found.corners)
        if share > _OTHER_DOCUMENT and is_document(flatten(image, other)):
            measure = round(share, 2)
    return Signal("several_documents", measure > 0, measure, _OTHER_DOCUMENT, version=VERSION)


def _has_room(image: Image, found: Found) -> bool:
    """Whether another document, at least a third as large, fits in the picture beside `found`."""
    height, width = image.shape[:2]
    smallest = _OTHER_DOCUMENT * cv2.contourArea(found.corners)
    picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    middle = found.corners.mean(axis=0)
    room = 0.0
    for start, end in zip(found.corners, np.roll(found.corners, -1, axis=0), strict=True):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1.0)
        outward = np.array([along[1], -along[0]], np.float32)
        outward *= np.sign(outward @ ((start + end) / 2 - middle))
        room = max(room, float(((picture - start) @ outward).max()))
    return room**2 * _LONGEST_DOCUMENT > smallest


def other_document(kind: PageKind) -> Signal:
    """Return the signal of another document of that kind in the picture, found by its text."""
    return Signal("several_documents", True, 1.0, _OTHER_DOCUMENT, kind.value, version=VERSION)


def _run_along_the_border(image: Image) -> float:
    """Return the share of a side of the picture that a document-like outline runs along. It must
    touch one to three sides; an outline that touches all is the picture itself.
    """
    scale = _SEARCH_SIDE / max(image.shape[:2])
    if min(image.shape[:2]) * scale < _SEARCH_SIDE / 8:
        return 0.0
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    height, width = small.shape[:2]
    smallest = 0.15 * height * width
    largest, run = 0.0, 0.0
    for mask in segmentations(small):
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        for outline in cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]:
            if cannot_enclose(outline, smallest):
                continue
            hull = cv2.convexHull(outline)
            area = cv2.contourArea(hull)
            if not max(largest, smallest) < area < 0.93 * height * width:
                continue
            corners = cv2.approxPolyDP(hull, 0.02 * cv2.arcLength(hull, True), True)
            if cv2.contourArea(outline) < 0.92 * area or len(corners) > 6:
                continue
            x, y = outline.reshape(-1, 2).T
            runs = (
                float((x <= 1).sum()) / height,
                float((x >= width - 2).sum()) / height,
                float((y <= 1).sum()) / width,
                float((y >= height - 2).sum()) / width,
            )
            touched = sum(length > _CUT_OFF.doubtful for length in runs)
            if 1 <= touched <= 3 and max(runs) < 0.97:
                largest, run = area, max(runs)
    return run
