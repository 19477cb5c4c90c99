"""Inspect uploaded files: their type, whether they decode, and their picture.

The bytes decide the type of a file, never the sender's claim. Files are decoded in separate
processes with limited memory and time, so a decompression bomb only causes an error for its sender.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Final
from uuid import UUID

from acredita.domain.errors import RateLimited
from acredita.engines.documents.accepted_types import MAX_PIXELS, PDF, CannotOpen, mime_type_of
from acredita.kit.fair_places import FairPlaces, QueueFull
from acredita.kit.processes import ProcessDied, ProcessPool, TaskTimedOut

if TYPE_CHECKING:
    from acredita.engines.text import Image

PROCESSES: Final = 2
# Fifty megapixels of a palette with transparency take the most memory, besides the libraries.
MEMORY_MIB: Final = 1536
# A PDF has its own limit of nine seconds.
SECONDS: Final = 12.0
LONGEST_WAIT: Final = 30.0
# Requests that wait for a place: of one address, or of an organization's own systems; of an
# organization with all its addresses.
LONGEST_QUEUE: Final = 20
LONGEST_QUEUE_OF_ALL: Final = 100
RETRY_AFTER: Final = 5
QUEUE_FULL: Final = "Too many files wait for inspection. Wait a moment and try again."
PICTURE_SIDE: Final = 2000
PICTURE_QUALITY: Final = 85
DRAWING_SIDES: Final = (1200, 600)
MOST_PIXELS_OF_DRAWING: Final = 16_000_000


class InspectionBusy(Exception):
    """No process became free in time, so the file was not inspected."""


class Inspection:
    """The pool of processes, each started when it is first needed."""

    def __init__(self, *, hidden_environment: str | None = None) -> None:
        self._places = FairPlaces(
            PROCESSES, longest_queue=LONGEST_QUEUE, longest_group_queue=LONGEST_QUEUE_OF_ALL
        )
        self._pool = ProcessPool(
            PROCESSES,
            name="inspection",
            memory_limit_mib=MEMORY_MIB,
            hidden_environment=hidden_environment,
            plain_data_from=(__name__, CannotOpen.__module__),
        )

    @asynccontextmanager
    async def place(self, organization: UUID, address: str | None = None) -> AsyncIterator[None]:
        """Wait for permission to hold one file in memory, which limits the memory of all requests.

        Organizations take turns, and so do the addresses of an organization's anonymous callers and
        its own systems (None). Raise InspectionBusy after a long wait, RateLimited at once if too
        many requests of the address or the organization wait.
        """
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(LONGEST_WAIT):
                    await held.enter_async_context(self._places.place(organization, address))
            except TimeoutError:
                raise InspectionBusy from None
            except QueueFull:
                raise RateLimited(QUEUE_FULL, retry_after=RETRY_AFTER) from None
            yield

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
    from acredita.engines.documents.decode import Undecodable, decode_image  # noqa: PLC0415
    from acredita.engines.documents.pdf import decode_pdf  # noqa: PLC0415

    try:
        if mime_type == PDF:
            return decode_pdf(content)[0].image
        return decode_image(content, mime_type, most_pixels=most_pixels or MAX_PIXELS)
    except Undecodable as fault:
        raise CannotOpen(fault.code) from None
