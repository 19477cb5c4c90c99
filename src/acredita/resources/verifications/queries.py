from collections.abc import Sequence
from uuid import UUID

from asyncpg import Record
from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.api.caller import Caller
from acredita.api.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.kit.reads import Reads
from acredita.models import Document, Verification, VerificationStep

# The polling target, in one statement. A step is (id, type, status, config, result_sealed,
# evidence_sealed, code), a document (id, type, mime_type, file_size, created_at, media), where
# media are (id, kind) for each picture that was derived from it.
WHOLE = """
    SELECT id, status, workflow_id, created_at, updated_at,
        ARRAY(
            SELECT ROW(id, type, status, config, result_sealed, evidence_sealed, code)
            FROM verification_step WHERE verification_id = verification.id ORDER BY position
        ) AS steps,
        ARRAY(
            SELECT ROW(id, type, mime_type, file_size, created_at, ARRAY(
                SELECT ROW(id, kind) FROM media WHERE document_id = document.id ORDER BY position
            ))
            FROM document WHERE verification_id = verification.id ORDER BY created_at, position
        ) AS documents
    FROM verification WHERE organization_id = $1 AND id = $2
"""


async def get_whole(reads: Reads, caller: Caller, verification_id: UUID) -> Record:
    row = await reads.row(WHOLE, caller.organization_id, verification_id)
    if row is None:
        raise NotFound
    return row


async def lock(session: AsyncSession, verification_id: UUID) -> Verification | None:
    """The verification, locked until the transaction ends: fan-in and decision are exact."""
    query = (
        select(Verification)
        .where(Verification.id == verification_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    return (await session.scalars(query)).one_or_none()


async def steps_of(session: AsyncSession, verification_id: UUID) -> Sequence[VerificationStep]:
    query = (
        select(VerificationStep)
        .where(VerificationStep.verification_id == verification_id)
        .order_by(VerificationStep.position)
    )
    return (await session.scalars(query)).all()


async def current_documents(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, Document]:
    """The newest document of each role: a second upload replaces the first (DECISIONS)."""
    query = (
        select(Document)
        .where(Document.verification_id == verification_id)
        .order_by(Document.created_at, Document.position)
    )
    return {DocumentRole(row.type): row for row in (await session.scalars(query)).all()}


async def expired(session: AsyncSession, *, limit: int) -> Sequence[Verification]:
    """Unfinished verifications past their time, locked; those that others hold are left to them."""
    query = (
        select(Verification)
        .where(
            text("status IN ('PENDING', 'IN_PROGRESS')"),
            Verification.expires_at <= func.now(),
        )
        .order_by(Verification.expires_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return (await session.scalars(query)).all()
