"""Pictures that the engines derive from documents: flattened pages, portraits, frames."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import PageReading
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.models import Document, Media, MediaKind
from acredita.ports import FileStore
from acredita.resources.files import service as files


async def store_pages(
    services: FileStore,
    clock: Clock,
    organization_id: UUID,
    readings: Mapping[UUID, Sequence[PageReading]],
) -> list[Media]:
    """Store flattened pages, by document; return their rows, which the caller must add.

    Raise StorageUnavailable, with nothing stored.
    """
    stored: list[Media] = []
    try:
        for document_id, pages in readings.items():
            for position, page in enumerate(pages):
                if page.picture:
                    media = _describe(clock, organization_id, document_id, position)
                    await files.store(services, media, page.picture)
                    stored.append(media)
    except BaseException:
        await files.withdraw(services.storage, stored)
        raise
    return stored


async def store_portrait(
    services: FileStore, clock: Clock, document: Document, picture: bytes
) -> Media:
    """Store the portrait of a document; return its row, which the caller must add."""
    portrait = _describe(clock, document.organization_id, document.id, 0, kind=MediaKind.PORTRAIT)
    await files.store(services, portrait, picture)
    return portrait


def describe_frames(clock: Clock, document: Document, count: int) -> list[Media]:
    """Return the rows of the frames of a liveness challenge, which are not stored yet."""
    return [
        _describe(clock, document.organization_id, document.id, position, kind=MediaKind.FRAME)
        for position in range(count)
    ]


async def frames_of(session: AsyncSession, document_id: UUID) -> Sequence[Media]:
    """Return the frames of a liveness challenge, in order."""
    query = (
        select(Media)
        .where(Media.document_id == document_id, Media.kind == MediaKind.FRAME)
        .order_by(Media.position)
    )
    return (await session.scalars(query)).all()


async def page_of(session: AsyncSession, document_id: UUID, number: int) -> Media | None:
    """Return a flattened page of a document; `number` counts from 0."""
    query = select(Media).where(
        Media.document_id == document_id,
        Media.kind == MediaKind.PAGE,
        Media.position == number,
    )
    return (await session.scalars(query.order_by(Media.created_at).limit(1))).first()


def _describe(
    clock: Clock,
    organization_id: UUID,
    document_id: UUID,
    position: int,
    *,
    kind: MediaKind = MediaKind.PAGE,
) -> Media:
    media_id = ids.capability()
    return Media(
        id=media_id,
        organization_id=organization_id,
        document_id=document_id,
        kind=kind,
        storage_key=files.storage_key(organization_id, media_id, clock.now()),
        position=position,
    )
