"""Inspect uploaded files: their type, whether they decode, and their picture.

The bytes decide the type of a file, never the sender's claim. Files are decoded in separate
processes with limited memory and time, so a decompression bomb only causes an error for its sender.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from acredita.kit.processes import ProcessDied, ProcessPool, TaskTimedOut

if TYPE_CHECKING:
    from acredita.engines.text import Image

PROCESSES: Final = 2
# Fifty megapixels of a palette with transparency take the most memory, besides the libraries.
MEMORY_MIB: Final = 1536
# A PDF has its own limit of nine seconds.
SECONDS: Final = 12.0
LONGEST_WAIT: Final = 30.0
PICTURE_SIDE: Final = 2000
PICTURE_QUALITY: Final = 85
DRAWING_SIDES: Final = (1200, 600)
MOST_PIXELS_OF_DRAWING: Final = 16_000_000
PDF: Final = "application/pdf"
MAGIC: Final = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"%PDF-": PDF,
}


class CannotOpen(Exception):
    """The file is not accepted. `code` is one of those of `decode.Undecodable`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class InspectionBusy(Exception):
    """No process became free in time, so the file was not inspected."""


def mime_type_of(content: bytes) -> str | None:
    """Return the MIME type by the first bytes: one of the four accepted types, or None."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for magic, mime in MAGIC.items() if content.startswith(magic)), None)


class Inspection:
    """The pool of processes, each started when it is first needed."""

    def __init__(self, *, hidden_environment: str | None = None) -> None:
        self._places = asyncio.Semaphore(PROCESSES)
        self._pool = ProcessPool(
            PROCESSES,
            name="inspection",
            memory_limit_mib=MEMORY_MIB,
            hidden_environment=hidden_environment,
            plain_data_from=(__name__,),
        )

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Wait for permission to hold one file in memory, which limits the memory of all requests.

        Raise InspectionBusy after a long wait.
        """
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await self._places.acquire()
        except TimeoutError:
            raise InspectionBusy from None
        try:
            yield
        finally:
            self._places.release()

    async def check(self, content: bytes) -> str:
        """Return the MIME type of a file that decodes. Raise CannotOpen."""
        if not content:
            raise CannotOpen("EMPTY_FILE")
        mime_type = mime_type_of(content)
        if mime_type is None:
            raise CannotOpen("UNSUPPORTED_FILE_TYPE")
        await self._run(_decodes, content, mime_type)
        return mime_type

    async def picture(self, content: bytes, mime_type: str) -> bytes:
        """Render the file, or a PDF's first page, as a JPEG without metadata. Raise CannotOpen."""
        return await self._run(_draw, content, mime_type)

    async def drawing(self, content: bytes, mime_type: str) -> bytes:
        """Render a drawn signature as a small JPEG without metadata. Raise CannotOpen."""
        return await self._run(_draw_small, content, mime_type)

    async def close(self) -> None:
        await self._pool.close()

    async def _run(
        self, function: Callable[[bytes, str], bytes], content: bytes, mime_type: str
    ) -> bytes:
        try:
            return await self._pool.run(function, content, mime_type, timeout=SECONDS)
        except (TaskTimedOut, ProcessDied):
            raise CannotOpen("TOO_COMPLEX") from None


# The functions below run in the processes. Only these import the decoders.


def _decodes(content: bytes, mime_type: str) -> bytes:
    _decode(content, mime_type)
    return b""


def _draw(content: bytes, mime_type: str) -> bytes:
    return _as_jpeg(_decode(content, mime_type), (PICTURE_SIDE, PICTURE_SIDE))


def _draw_small(content: bytes, mime_type: str) -> bytes:
    image = _decode(content, mime_type, most_pixels=MOST_PIXELS_OF_DRAWING)
    return _as_jpeg(image, DRAWING_SIDES)


def _as_jpeg(image: "Image", sides: tuple[int, int]) -> bytes:
    from PIL import Image as Pillow  # noqa: PLC0415

    picture = Pillow.fromarray(image[:, :, ::-1])
    picture.thumbnail(sides, Pillow.Resampling.LANCZOS)
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=PICTURE_QUALITY)
    return encoded.getvalue()


def _decode(content: bytes, mime_type: str, *, most_pixels: int | None = None) -> "Image":
    from acredita.engines.documents.decode import (  # noqa: PLC0415
        MAX_PIXELS,
        Undecodable,
        decode_image,
    )
    from acredita.engines.documents.pdf import decode_pdf  # noqa: PLC0415

    try:
        if mime_type == PDF:
            return decode_pdf(content)[0].image
        return decode_image(content, mime_type, most_pixels=most_pixels or MAX_PIXELS)
    except Undecodable as fault:
        raise CannotOpen(fault.code) from None
