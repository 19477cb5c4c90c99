from typing import TypeVar
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Document, Media
from acredita.models.tenancy import fetch, owned

Found = TypeVar("Found", Document, Media)


async def document(
    session: AsyncSession, document_id: UUID, organization_id: UUID | None
) -> Document:
    """Return a document. Raise NotFound.

    `organization_id` is None for a signed link, which replaces the check of tenancy.
    """
    return await _find(session, Document, document_id, organization_id)


async def media(session: AsyncSession, media_id: UUID, organization_id: UUID | None) -> Media:
    """Return an image derived from a document, as `document` does. Raise NotFound."""
    return await _find(session, Media, media_id, organization_id)


async def _find(
    session: AsyncSession, table: type[Found], row_id: UUID, organization_id: UUID | None
) -> Found:
    query = select(table) if organization_id is None else owned(table, organization_id)
    return await fetch(session, query.where(table.id == row_id))
