"""Inspect uploaded files: their type, whether they decode, and their picture.

The bytes decide the type of a file, never the sender's claim. Files are decoded in separate
processes with limited memory and time, so a decompression bomb only causes an error for its sender.
These processes are on this machine, or workers' (`inspection_elsewhere`).
"""

import asyncio
import io
import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol, TypeVar
from uuid import UUID

from acredita.domain.errors import RateLimited
from acredita.engines.documents.accepted_types import (
    MAX_PIXELS,
    PDF,
    CannotOpen,
    Undecodable,
    mime_type_of,
)
from acredita.kit.fair_places import FairPlaces, QueueFull
from acredita.kit.processes import ProcessDied, ProcessPool, TaskTimedOut
from acredita.kit.processor_accounts import ProcessorAccounts
from acredita.kit.rate_limit_address import counted_as

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

    from acredita.engines.text import Image

# The third one is for another organization. Each starts when it is first needed.
PROCESSES: Final = 3
MOST_OF_ORGANIZATION: Final = 2
# Costly files of all organizations share one more process, which yields the processor to others.
COSTLY_PROCESSES: Final = 1
COSTLY_NICENESS: Final = 10
# CPU seconds by the estimate from which a file is costly. An ordinary picture takes 0.1.
COSTLY_FILE: Final = 1.0
# Fifty megapixels of a palette with transparency take the most memory, besides the libraries.
MEMORY_MIB: Final = 1536
# CPU seconds of a file, and seconds, which a busy machine stretches. A PDF has its own limits.
SECONDS: Final = 12.0
LONGEST: Final = 45.0
LONGEST_WAIT: Final = 30.0
# Requests that wait for a place: of one address, or of an organization's own systems; of an
# organization with all its addresses.
LONGEST_QUEUE: Final = 20
LONGEST_QUEUE_OF_ALL: Final = 100
RETRY_AFTER: Final = 5
QUEUE_FULL: Final = "Too many files wait for inspection. Wait a moment and try again."
# Cores that an organization, and the anonymous callers of an address, may use on average.
CORES_OF_ORGANIZATION: Final = 1.0
CORES_OF_ADDRESS: Final = 0.25
# CPU seconds after which all files of an organization are costly, and after which an address
# is refused until it has got some back.
COSTLY_ORGANIZATION: Final = 5.0
EXHAUSTED_ADDRESS: Final = 30.0
EXHAUSTED: Final = "The files of this address took too long to inspect. Wait and try again."

Content = TypeVar("Content")
Result = TypeVar("Result")
Charge = Callable[[float], object]
PICTURE_SIDE: Final = 2000
PICTURE_QUALITY: Final = 85
DRAWING_SIDES: Final = (1200, 600)
TILE_SIDE: Final = 320
TILES_IN_ROW: Final = 4
MOST_PIXELS_OF_DRAWING: Final = 16_000_000


class InspectionBusy(Exception):
    """No process became free in time, so the file was not inspected."""


@dataclass(frozen=True, slots=True)
class Place:
    """Permission to hold one file in memory and to decode it. `charge` takes CPU seconds."""

    charge: Charge
    is_costly: bool = False


class Decoders(Protocol):
    """Where files are decoded."""

    async def run(
        self, task: Callable[[Content, str], Result], content: Content, kind: str, place: Place
    ) -> Result:
        """Run one of TASKS on a file of the MIME type `kind`. Charge the CPU seconds that it takes.

        Raise CannotOpen, InspectionBusy.
        """

    async def close(self) -> None: ...


class Processes:
    """Processes of this machine, each started when it is first needed: `number` for ordinary
    files, and COSTLY_PROCESSES more."""

    def __init__(self, number: int = PROCESSES, *, hidden_environment: str | None = None) -> None:
        def pool(name: str, size: int, niceness: int) -> ProcessPool:
            return ProcessPool(
                size,
                name=name,
                memory_limit_mib=MEMORY_MIB,
                hidden_environment=hidden_environment,
                plain_data_from=(__name__, CannotOpen.__module__),
                niceness=niceness,
            )

        self._ordinary = pool("inspection", number, 0)
        self._costly = pool("inspection-costly", COSTLY_PROCESSES, COSTLY_NICENESS)

    async def run(
        self, task: Callable[[Content, str], Result], content: Content, kind: str, place: Place
    ) -> Result:
        pool = self._costly if place.is_costly else self._ordinary
        spent = 0.0

        def charge(seconds: float) -> None:
            nonlocal spent
            spent += seconds
            place.charge(seconds)

        try:
            return await pool.run(
                task, content, kind, timeout=LONGEST, most_processor_time=SECONDS, charge=charge
            )
        except TaskTimedOut:
            # Other work had the processor, which is no fault of the file.
            if place.is_costly and spent < SECONDS:
                raise InspectionBusy from None
            raise CannotOpen("TOO_COMPLEX") from None
        except ProcessDied:
            raise CannotOpen("TOO_COMPLEX") from None

    async def close(self) -> None:
        await asyncio.gather(self._ordinary.close(), self._costly.close())


class Inspection:
    """CPU seconds are charged to the organization, and to the address of its anonymous callers."""

    def __init__(self, decoders: Decoders) -> None:
        self._decoders = decoders
        self._organizations = ProcessorAccounts(CORES_OF_ORGANIZATION)
        self._addresses = ProcessorAccounts(CORES_OF_ADDRESS)
        self._ordinary = _places(PROCESSES, MOST_OF_ORGANIZATION)
        self._costly = _places(COSTLY_PROCESSES, COSTLY_PROCESSES)

    def refuse_exhausted(self, address: str | None) -> None:
        """Raise RateLimited if files of this address of anonymous callers took too much time."""
        counted = counted_as(address)
        wait = self._addresses.seconds_until(counted, EXHAUSTED_ADDRESS) if counted else 0.0
        if wait > 0:
            raise RateLimited(EXHAUSTED, retry_after=math.ceil(wait))

    @asynccontextmanager
    async def place(
        self,
        organization: UUID,
        address: str | None = None,
        *,
        estimate: float = 0.0,
        is_decoded: bool = True,
    ) -> AsyncIterator[Place]:
        """Wait for permission to hold one file in memory, which limits the memory of all requests.

        CPU seconds are charged to the organization and the address. Organizations take turns, and
        so do the addresses of an organization's anonymous callers and its own systems (None).
        `estimate`: the CPU seconds that decoding probably takes (`cost`). Costly files, and all
        files of an organization that has used much, have places of their own. Without decoding
        (`is_decoded`), a file is not costly. Raise InspectionBusy after a long wait, RateLimited at
        once if too many requests of the address or the organization wait.
        """
        is_costly = is_decoded and (
            estimate > COSTLY_FILE or self._organizations.debt(organization) > COSTLY_ORGANIZATION
        )
        places = self._costly if is_costly else self._ordinary
        async with AsyncExitStack() as held:
            try:
                async with asyncio.timeout(LONGEST_WAIT):
                    await held.enter_async_context(places.place(organization, address))
            except TimeoutError:
                raise InspectionBusy from None
            except QueueFull:
                raise RateLimited(QUEUE_FULL, retry_after=RETRY_AFTER) from None

            def charge(seconds: float) -> None:
                self._organizations.charge(organization, seconds)
                if counted := counted_as(address):
                    self._addresses.charge(counted, seconds)

            yield Place(charge, is_costly=is_costly)

    async def check(self, content: bytes, place: Place) -> str:
        """Return the MIME type of a file that decodes. Raise CannotOpen."""
        if not content:
            raise CannotOpen("EMPTY_FILE")
        mime_type = mime_type_of(content)
        if mime_type is None:
            raise CannotOpen("UNSUPPORTED_FILE_TYPE")
        await self._decoders.run(_decodes, content, mime_type, place)
        return mime_type

    async def picture(self, content: bytes, mime_type: str, place: Place) -> bytes:
        """Render the file, or a PDF's first page, as a JPEG without metadata. Raise CannotOpen."""
        return await self._decoders.run(_draw, content, mime_type, place)

    async def drawing(self, content: bytes, mime_type: str, place: Place) -> bytes:
        """Render a drawn signature as a small JPEG without metadata. Raise CannotOpen."""
        return await self._decoders.run(_draw_small, content, mime_type, place)

    async def sprite(self, pictures: Sequence[bytes], place: Place) -> bytes:
        """Arrange pictures (at least one) in rows of one JPEG. Raise CannotOpen."""
        return await self._decoders.run(_arrange, pictures, "", place)

    async def film(self, pictures: Sequence[bytes], place: Place) -> bytes:
        """Make a film (WebM) of pictures (JPEG, at least one). Raise CannotOpen."""
        return await self._decoders.run(_make_film, pictures, "", place)

    async def frames(self, film: bytes, place: Place) -> list[bytes]:
        """Return frames of a film of a face as JPEG (`film.frames_of_film`). Raise CannotOpen."""
        return await self._decoders.run(_take_frames, film, "", place)

    async def close(self) -> None:
        await self._decoders.close()


def _places(number: int, most_of_organization: int) -> FairPlaces:
    return FairPlaces(
        number,
        longest_queue=LONGEST_QUEUE,
        longest_group_queue=LONGEST_QUEUE_OF_ALL,
        most_of_group=lambda _: most_of_organization,
    )


# The functions below run in the processes. Only these import the decoders.


def _decodes(content: bytes, mime_type: str) -> bytes:
    _decode(content, mime_type)
    return b""


def _draw(content: bytes, mime_type: str) -> bytes:
    return _as_jpeg(_decode(content, mime_type), (PICTURE_SIDE, PICTURE_SIDE))


def _draw_small(content: bytes, mime_type: str) -> bytes:
    image = _decode(content, mime_type, most_pixels=MOST_PIXELS_OF_DRAWING)
    return _as_jpeg(image, DRAWING_SIDES)


def _take_frames(film: bytes, mime_type: str) -> list[bytes]:
    from acredita.engines.liveness.film import frames_of_film  # noqa: PLC0415

    return frames_of_film(film, mime_type)


def _make_film(pictures: Sequence[bytes], mime_type: str) -> bytes:
    from acredita.engines.liveness.film import film_of_frames  # noqa: PLC0415

    return film_of_frames(pictures, mime_type)


def _arrange(pictures: Sequence[bytes], _: str) -> bytes:
    from PIL import Image as Pillow  # noqa: PLC0415

    tiles = []
    for content in pictures:
        tile = Pillow.fromarray(_decode(content, mime_type_of(content) or "")[:, :, ::-1])
        tile.thumbnail((TILE_SIDE, TILE_SIDE), Pillow.Resampling.LANCZOS)
        tiles.append(tile)
    width, height = max(tile.width for tile in tiles), max(tile.height for tile in tiles)
    columns = min(len(tiles), TILES_IN_ROW)
    rows = math.ceil(len(tiles) / columns)
    sheet = Pillow.new("RGB", (columns * width, rows * height))
    for place, tile in enumerate(tiles):
        row, column = divmod(place, columns)
        sheet.paste(tile, (column * width, row * height))
    return _encode(sheet)


TASKS: Final = (_decodes, _draw, _draw_small, _arrange, _make_film, _take_frames)


def _as_jpeg(image: "Image", sides: tuple[int, int]) -> bytes:
    from PIL import Image as Pillow  # noqa: PLC0415

    picture = Pillow.fromarray(image[:, :, ::-1])
    picture.thumbnail(sides, Pillow.Resampling.LANCZOS)
    return _encode(picture)


def _encode(picture: "Picture") -> bytes:
    encoded = io.BytesIO()
    picture.save(encoded, "JPEG", quality=PICTURE_QUALITY)
    return encoded.getvalue()


def _decode(content: bytes, mime_type: str, *, most_pixels: int | None = None) -> "Image":
    from acredita.engines.documents.decode import decode_image  # noqa: PLC0415
    from acredita.engines.documents.pdf import decode_pdf  # noqa: PLC0415

    try:
        if mime_type == PDF:
            return decode_pdf(content)[0].image
        return decode_image(content, mime_type, most_pixels=most_pixels or MAX_PIXELS)
    except Undecodable as fault:
        raise CannotOpen(fault.code) from None
