from collections.abc import Collection
from uuid import UUID

from sqlalchemy import select
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


async def known_files(
    session: AsyncSession, verification_id: UUID, storage_keys: Collection[str]
) -> set[str]:
    """Return those of the files that have a row."""
    query = select(Document.storage_key).where(
        Document.verification_id == verification_id, Document.storage_key.in_(storage_keys)
    )
    return set((await session.scalars(query)).all())
