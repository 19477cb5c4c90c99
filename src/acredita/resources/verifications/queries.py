from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record
from sqlalchemy import DateTime, bindparam, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.api.caller import Caller
from acredita.api.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.kit import ids
from acredita.kit.db import to_json
from acredita.kit.reads import Reads
from acredita.models import Document, Verification, VerificationStep
from acredita.resources.verifications.schemas import VerificationCreate
from acredita.resources.workflows.queries import Snapshot

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


# A verification and its steps, in one statement. The steps come as arrays, in their order.
ADD = text(
    """
    WITH added AS (
        INSERT INTO verification (id, organization_id, workflow_id, status, external_id, metadata,
                                  callback_url, callback_secret_sealed, ip_address, expires_at)
        VALUES (:id, :organization_id, :workflow_id, 'PENDING', :external_id,
                CAST(:metadata AS jsonb), :callback_url, :callback_secret_sealed, :ip_address,
                :expires_at)
        RETURNING id, created_at
    ), steps AS (
        INSERT INTO verification_step (id, verification_id, position, type, config, status)
        SELECT step.id, added.id, step.place - 1, step.type, step.config, 'PENDING'
        FROM added, unnest(CAST(:step_ids AS uuid[]), CAST(:step_types AS text[]),
                           CAST(:step_configs AS jsonb[]))
                    WITH ORDINALITY AS step (id, type, config, place)
    )
    SELECT created_at FROM added
    """
).bindparams(bindparam("expires_at", type_=DateTime(timezone=True)))


async def add(
    session: AsyncSession,
    caller: Caller,
    verification_id: UUID,
    workflow: Snapshot,
    data: VerificationCreate,
    *,
    callback_secret_sealed: bytes | None,
    ip_address: str | None,
    expires_at: datetime,
) -> datetime:
    """Write a pending verification of a workflow and its steps; the moment it was created."""
    added = await session.execute(
        ADD,
        {
            "id": verification_id,
            "organization_id": caller.organization_id,
            "workflow_id": workflow.id,
            "external_id": data.external_id,
            "metadata": None if data.metadata is None else to_json(data.metadata),
            "callback_url": data.callback_url,
            "callback_secret_sealed": callback_secret_sealed,
            "ip_address": ip_address,
            "expires_at": expires_at,
            "step_ids": [ids.sortable() for _ in workflow.steps],
            "step_types": [step["type"] for step in workflow.steps],
            "step_configs": [to_json(step["config"]) for step in workflow.steps],
        },
    )
    created_at: datetime = added.scalar_one()
    return created_at


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
