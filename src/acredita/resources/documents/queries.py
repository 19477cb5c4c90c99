from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import DateTime, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.verification import VerificationStatus
from acredita.models import Document, Verification
from acredita.models.tenancy import owned


async def verification_status(
    connection: AsyncConnection, caller: Caller, verification_id: UUID
) -> VerificationStatus:
    """Raise NotFound."""
    query = (
        owned(Verification, caller.organization_id)
        .with_only_columns(Verification.status)
        .where(Verification.id == verification_id)
    )
    status = (await connection.scalars(query)).one_or_none()
    if status is None:
        raise NotFound
    return VerificationStatus(status)


async def lock_verification(
    session: AsyncSession, caller: Caller, verification_id: UUID
) -> Verification:
    """Return the verification and lock its row until the transaction ends. Raise NotFound."""
    query = (
        owned(Verification, caller.organization_id)
        .where(
            Verification.id == verification_id,
        )
        .with_for_update()
    )
    verification = (await session.scalars(query)).one_or_none()
    if verification is None:
        raise NotFound
    return verification


async def current_time(session: AsyncSession) -> datetime:
    """Return a time later than all earlier ones under the same lock, unlike now()."""
    query = select(func.clock_timestamp(type_=DateTime(timezone=True)))
    return (await session.scalars(query)).one()


async def known_files(
    session: AsyncSession, verification_id: UUID, storage_keys: Collection[str]
) -> set[str]:
    """Return those of the files that have a row."""
    query = select(Document.storage_key).where(
        Document.verification_id == verification_id, Document.storage_key.in_(storage_keys)
    )
    return set((await session.scalars(query)).all())


async def get(session: AsyncSession, caller: Caller, document_id: UUID) -> Document:
    """Raise NotFound."""
    return await _one(
        session,
        owned(Document, caller.organization_id).where(Document.id == document_id),
    )


async def get_linked(session: AsyncSession, document_id: UUID) -> Document:
    """Return the document of a signed link. The link replaces the check of tenancy."""
    return await _one(session, select(Document).where(Document.id == document_id))


async def _one(session: AsyncSession, query: Select[Document]) -> Document:
    document = (await session.scalars(query)).one_or_none()
    if document is None:
        raise NotFound
    return document
