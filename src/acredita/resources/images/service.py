"""Returns the images of documents, of samples, and those that the engines derive from documents."""

import math
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, ServiceUnavailable
from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.documents.inspection import InspectionBusy, Place
from acredita.kit.db import Database
from acredita.kit.logging import describe
from acredita.kit.storage import NoSuchFile, StorageUnavailable
from acredita.models import Document, Media, TruthFile
from acredita.ports import Pictures
from acredita.resources.audit import service as audit
from acredita.resources.files import service as files
from acredita.resources.images import media

log = structlog.get_logger()
MOST_TILES = 12

Image = TypeVar("Image", Document, Media)
# Takes the id of a row and of its organization; None for a signed link. Raises NotFound.
Find = Callable[[AsyncSession, UUID, UUID | None], Awaitable[Image]]


async def view(database: Database, find: Find[Image], image_id: UUID, caller: Caller) -> Image:
    """Return the row of an image, and record in the audit log that it is viewed. Raise NotFound."""
    async with database.transaction() as session:
        row = await find(session, image_id, caller.organization_id)
        _record_view(session, row, caller)
        return row


async def view_by_link(
    database: Database, find: Find[Image], image_id: UUID, caller: Caller | None
) -> Image:
    """Return the same for a signed link, which opens the image for anyone. Raise NotFound.

    The audit log names a caller of its organization, such as the reviewer whose page shows it.
    """
    async with database.transaction() as session:
        row = await find(session, image_id, None)
        if caller is None or caller.organization_id != row.organization_id:
            _record_view(session, row, audit.Actor(row.organization_id, ActorType.LINK))
        else:
            _record_view(session, row, caller)
        return row


def _record_view(session: AsyncSession, row: Media | Document, actor: Caller | audit.Actor) -> None:
    if isinstance(row, Media):
        audit.record(session, actor, Action.DOCUMENT_VIEWED, row.document_id, media=row.id)
    else:
        audit.record(session, actor, Action.DOCUMENT_VIEWED, row.id)


async def sprite(services: Pictures, database: Database, document: Document) -> bytes:
    """Return at most MOST_TILES pictures of a liveness check as one JPEG, in their order.

    These are the frames of its challenge, or the uploaded picture. Raise NotFound (purged),
    ServiceUnavailable.
    """
    frames = await _frames_of(database, document) or [document]
    step = math.ceil(len(frames) / MOST_TILES)
    return await _made_of(services, frames[::step], services.inspection.sprite)


async def film(services: Pictures, database: Database, document: Document) -> bytes:
    """Return the frames of a liveness check as a film (WebM).

    Raise NotFound (purged, or without frames), ServiceUnavailable.
    """
    frames = await _frames_of(database, document)
    if not frames:
        raise NotFound
    return await _made_of(services, frames, services.inspection.film)


async def _frames_of(database: Database, document: Document) -> Sequence[Media | Document]:
    async with database.transaction() as session:
        return await media.frames_of(session, document.id)


async def _made_of(
    services: Pictures,
    frames: Sequence[Media | Document],
    make: Callable[[Sequence[bytes], Place], Awaitable[bytes]],
) -> bytes:
    """Return what a process makes of these pictures. Raise NotFound, ServiceUnavailable."""
    try:
        async with services.inspection.place(frames[0].organization_id) as place:
            return await make([await files.fetch(services, frame) for frame in frames], place)
    except NoSuchFile:
        raise NotFound from None
    except (StorageUnavailable, InspectionBusy, CannotOpen) as fault:
        log.warning("a picture of frames is unavailable", error=describe(fault))
        raise ServiceUnavailable from None


async def content(services: Pictures, row: Document | Media | TruthFile) -> bytes:
    """Return the image as JPEG. An uploaded file is encoded again, without metadata.

    Raise NotFound (purged), ServiceUnavailable.
    """
    try:
        if isinstance(row, Media):
            return await files.fetch(services, row)
        async with services.inspection.place(row.organization_id) as place:
            uploaded = await files.fetch(services, row)
            return await services.inspection.picture(uploaded, row.mime_type, place)
    except NoSuchFile:
        raise NotFound from None
    # It was decodable when it was uploaded, so this failure is temporary.
    except (StorageUnavailable, InspectionBusy, CannotOpen) as fault:
        log.warning("an image is unavailable", error=describe(fault))
        raise ServiceUnavailable from fault
