"""Estimate what it costs to decode an upload, from its headers alone, before anything decodes it.

A small file can ask for much work: each scan of a progressive JPEG visits all of its samples again,
and forms of a PDF multiply when they draw each other. The estimate reads markers in bounded time.
A file that it cannot follow passes, and the limits of the decoding process apply.
"""

import re
import struct
from typing import Final, NamedTuple

from acredita.engines.documents import pdf_cost
from acredita.engines.documents.accepted_types import MAX_PIXELS, CannotOpen, mime_type_of

MOST_SCANS: Final = 100
"""Encoders write up to 12; a scan for each coefficient of three colours, which none writes, 192."""
MOST_SAMPLES_VISITED: Final = 2_000_000_000
"""The sum of the samples of all scans. 50 megapixels in the usual ten scans without subsampling
are 800 million, and take about four seconds."""
MOST_SEGMENTS: Final = 20_000
"""Of all JPEGs of a file. Without this limit, a file of empty comments makes the estimate slow."""

SECONDS_PER_SAMPLE: Final = 5e-9
"""CPU seconds, like the next ones; of a slow core."""
SECONDS_PER_PNG_PIXEL: Final = 3e-8
SECONDS_PER_WEBP_PIXEL: Final = 3e-8
SECONDS_PER_DRAWN_BYTE: Final = 1e-7

_MARKER: Final = re.compile(rb"\xff([\x01-\xcf\xd8-\xfe])")  # RST0 to RST7 belong to a scan
_START_OF_FRAME: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_START_OF_SCAN: Final = 0xDA
_END: Final = 0xD9
_WITHOUT_LENGTH: Final = frozenset({0x01, 0xD8})
_STEP: Final = 1 << 18


def estimated_seconds(content: pdf_cost.Content) -> float:
    """Return the CPU seconds that decoding the file probably takes; 0 if that is unknown.

    Raise CannotOpen for a file that would cost too much: TOO_MANY_PIXELS, TOO_MANY_SCANS,
    TOO_MANY_PAGES or TOO_MANY_FORMS.

    `content` is the whole file as bytes or as a map of it. Takes up to 0.2 s of CPU for 10 MB, so
    call it in a thread.
    """
    mime_type = mime_type_of(content[:16])
    if mime_type == "image/jpeg":
        return _jpeg_cost(content, 0, len(content), MOST_SEGMENTS).samples * SECONDS_PER_SAMPLE
    if mime_type == "image/png" and content[12:16] == b"IHDR":
        size = struct.unpack(">II", content[16:24].ljust(8, b"\0"))
        return _allowed_pixels(*size) * SECONDS_PER_PNG_PIXEL
    if mime_type == "image/webp":
        size = _webp_size(content[:30].ljust(30, b"\0"))
        return _allowed_pixels(*size) * SECONDS_PER_WEBP_PIXEL
    if mime_type == "application/pdf":
        return _pdf_seconds(content)
    return 0.0


def _pdf_seconds(content: pdf_cost.Content) -> float:
    drawn, pictures = pdf_cost.drawn_bytes(content)
    seconds, left = drawn * SECONDS_PER_DRAWN_BYTE, MOST_SEGMENTS
    for start, end in pictures:
        picture = _jpeg_cost(content, start, end, left)
        left -= picture.segments
        seconds += picture.samples * SECONDS_PER_SAMPLE
    return seconds


def _allowed_pixels(width: int, height: int) -> int:
    if width * height > MAX_PIXELS:
        raise CannotOpen("TOO_MANY_PIXELS")
    return width * height


def _webp_size(header: bytes) -> tuple[int, int]:
    """Return width and height in pixels by RFC 9649; zeros if the header is unknown."""
    kind = header[12:16]
    if kind == b"VP8X":
        return (
            int.from_bytes(header[24:27], "little") + 1,
            int.from_bytes(header[27:30], "little") + 1,
        )
    if kind == b"VP8L":
        bits = int.from_bytes(header[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = struct.unpack("<HH", header[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return 0, 0


class _JpegCost(NamedTuple):
    """Its segments, and the samples that all of its scans visit together."""

    segments: int
    samples: float


def _jpeg_cost(content: pdf_cost.Content, start: int, end: int, most_segments: int) -> _JpegCost:
    """Return the cost of the JPEG at these bytes (ITU-T T.81, annex B). Raise CannotOpen."""
    samples: dict[int, float] = {}
    segments, scans, visited, place = 0, 0, 0.0, start
    while (marker := _next_marker(content, place, end)) is not None:
        kind, place = marker
        segments += 1
        if segments > most_segments:
            raise CannotOpen("TOO_MANY_SCANS")
        if kind == _END:
            break
        if kind in _WITHOUT_LENGTH:
            continue
        length = int.from_bytes(content[place : place + 2], "big")
        segment = content[place + 2 : place + length]
        if kind in _START_OF_FRAME:
            samples = _samples_of_components(segment)
        elif kind == _START_OF_SCAN:
            scans += 1
            count = int.from_bytes(segment[:1], "big")
            visited += sum(samples.get(each, 0) for each in segment[1 : 1 + 2 * count : 2])
            if scans > MOST_SCANS or visited > MOST_SAMPLES_VISITED:
                raise CannotOpen("TOO_MANY_SCANS")
        place += max(length, 2)
    return _JpegCost(segments, visited)


def _next_marker(content: pdf_cost.Content, place: int, end: int) -> tuple[int, int] | None:
    """Return the next marker and the place after it. Each search is short: one search of the whole
    file would keep the interpreter's lock."""
    while place < end:
        found = _MARKER.search(content, place, min(place + _STEP, end))
        if found is not None:
            return found[1][0], found.end()
        place += _STEP - 1
    return None


def _samples_of_components(frame: bytes) -> dict[int, float]:
    """Return the number of samples of each component of a frame. Raise CannotOpen."""
    if len(frame) < 6:
        return {}
    height, width, count = struct.unpack(">HHB", frame[1:6])
    _allowed_pixels(width, height)
    parts = [frame[at : at + 3] for at in range(6, min(6 + 3 * count, len(frame) - 2), 3)]
    factors = {part[0]: (part[1] >> 4) * (part[1] & 15) for part in parts}
    most = max(factors.values(), default=1) or 1
    return {part: width * height * factor / most for part, factor in factors.items()}
