from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import Row, Select, func, select, text
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.api.caller import Caller
from acredita.api.errors import NotFound
from acredita.domain.verification import DocumentRole
from acredita.models import Document, Verification, VerificationStep


def _with_steps_and_documents() -> Select[
    tuple[UUID, str, UUID, object, object, list[list[object]] | None, list[list[object]] | None]
]:
    """One statement for the polling target: steps and documents come as JSON arrays."""
    steps = (
        select(
            func.jsonb_agg(
                aggregate_order_by(
                    func.jsonb_build_array(
                        VerificationStep.id,
                        VerificationStep.type,
                        VerificationStep.status,
                        VerificationStep.config,
                        func.encode(VerificationStep.result_sealed, "base64"),
                        func.encode(VerificationStep.evidence_sealed, "base64"),
                    ),
                    VerificationStep.position,
                )
            )
        )
        .where(VerificationStep.verification_id == Verification.id)
        .scalar_subquery()
    )
    documents = (
        select(
            func.jsonb_agg(
                aggregate_order_by(
                    func.jsonb_build_array(
                        Document.id,
                        Document.type,
                        Document.mime_type,
                        Document.file_size,
                        func.extract("epoch", Document.created_at),
                    ),
                    Document.created_at,
                    Document.position,
                )
            )
        )
        .where(Document.verification_id == Verification.id)
        .scalar_subquery()
    )
    return select(
        Verification.id,
        Verification.status,
        Verification.workflow_id,
        Verification.created_at,
        Verification.updated_at,
        steps.label("steps"),
        documents.label("documents"),
    )


_WHOLE = _with_steps_and_documents()


async def get_whole(
    connection: AsyncConnection, caller: Caller, verification_id: UUID
) -> Row[
    tuple[UUID, str, UUID, object, object, list[list[object]] | None, list[list[object]] | None]
]:
    query = _WHOLE.where(
        Verification.organization_id == caller.organization_id, Verification.id == verification_id
    )
    row = (await connection.execute(query)).one_or_none()
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
