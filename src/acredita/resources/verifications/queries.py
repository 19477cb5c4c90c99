from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from asyncpg import Record
from sqlalchemy import DateTime, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.verification import DOCUMENT_ROLES, DocumentRole, StepStatus, StepType
from acredita.domain.workflow import settled_roles as settled_by
from acredita.kit.reads import Reads
from acredita.models import Document, Verification, VerificationStep

# The polling target, in one statement. A step is (id, type, status, config, asked_again,
# result_sealed, evidence_sealed, code), a document (id, type, mime_type, file_size, created_at,
# media), where media are (id, kind) for each picture that was derived from it.
WHOLE = """
    SELECT id, status, workflow_id, created_at, updated_at,
        ARRAY(
            SELECT ROW(id, type, status, config, asked_again, result_sealed, evidence_sealed, code)
            FROM verification_step WHERE verification_id = verification.id ORDER BY position
        ) AS steps,
        ARRAY(
            SELECT ROW(id, type, mime_type, file_size, created_at, ARRAY(
                SELECT ROW(id, kind) FROM media WHERE document_id = document.id
                ORDER BY position, kind
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


async def current_files(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, list[Document]]:
    """The files of each role that count: all of the newest request that sent the role.

    A later request replaces the files of an earlier one (DECISIONS), unless a finished step has
    judged those (domain.workflow.settled_roles).
    """
    query = (
        select(Document)
        .where(Document.verification_id == verification_id)
        .order_by(Document.created_at, Document.position)
    )
    documents = (await session.scalars(query)).all()
    settled = await settled_roles(session, verification_id)
    files: dict[DocumentRole, list[Document]] = {}
    for row in documents:
        role = DocumentRole(row.type)
        if role in settled and row.created_at > settled[role]:
            continue
        known = files.setdefault(role, [])
        if known and known[0].created_at < row.created_at:
            known.clear()
        known.append(row)
    return files


async def current_documents(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, Document]:
    """The last file of each role that counts."""
    files = await current_files(session, verification_id)
    return {role: rows[-1] for role, rows in files.items()}


async def late_documents(
    session: AsyncSession, verification_id: UUID, since: datetime
) -> Sequence[Document]:
    """Files in a document's role that arrived after that moment."""
    query = (
        select(Document)
        .where(
            Document.verification_id == verification_id,
            Document.type.in_([role.value for role in DOCUMENT_ROLES]),
            Document.created_at > since,
        )
        .order_by(Document.created_at, Document.position)
    )
    return (await session.scalars(query)).all()


async def settled_roles(
    session: AsyncSession, verification_id: UUID
) -> dict[DocumentRole, datetime]:
    """Until when uploads count, by roles that a finished step has judged."""
    finished = select(VerificationStep.type, VerificationStep.finished_at).where(
        VerificationStep.verification_id == verification_id,
        VerificationStep.status.in_([StepStatus.PASSED, StepStatus.REVIEW]),
    )
    arrived = select(Document.type, Document.created_at).where(
        Document.verification_id == verification_id
    )
    ended = [(StepType(name), moment) for name, moment in await session.execute(finished) if moment]
    if not ended:
        return {}
    uploads = await session.execute(arrived)
    return settled_by(ended, [(DocumentRole(role), moment) for role, moment in uploads])


def arrivals(documents: Mapping[DocumentRole, Document]) -> dict[DocumentRole, datetime]:
    return {role: document.created_at for role, document in documents.items()}


async def current_time(session: AsyncSession) -> datetime:
    """Later than anything before it under the same lock; now() would be the transaction's start."""
    query = select(func.clock_timestamp(type_=DateTime(timezone=True)))
    return (await session.scalars(query)).one()


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
