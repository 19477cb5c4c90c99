"""Purges samples whose organization's retention period, counted from the upload, has ended."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit
from acredita.resources.ground_truth import samples
from acredita.resources.ground_truth.licences import LICENCES
from acredita.resources.ground_truth.selfies import SELFIES
from acredita.resources.ground_truth.truths import ShapeT, Truth, TruthKind
from acredita.resources.organizations.retention import BATCH, purged_before


async def purge_some(session: AsyncSession, organization_id: UUID, now: datetime) -> int:
    """Purge up to BATCH due samples of each kind; return the larger of the two numbers."""
    before = await purged_before(session, organization_id, now)
    if before is None:
        return 0
    licences = await _purge(session, organization_id, LICENCES, before)
    selfies = await _purge(session, organization_id, SELFIES, before)
    return max(licences, selfies)


async def _purge(
    session: AsyncSession,
    organization_id: UUID,
    kind: TruthKind[Truth, ShapeT],
    before: datetime,
) -> int:
    """Purge the due samples of one kind. A licence's template is deleted with it."""
    table = kind.table
    query = (
        owned(table, organization_id)
        .where(table.created_at < before)
        .order_by(table.created_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    rows = (await session.scalars(query)).all()
    if not rows:
        return 0
    await session.execute(delete(table).where(table.id.in_([row.id for row in rows])))
    file_ids = [file_id for row in rows for file_id in kind.file_ids(row)]
    await samples.forget_files(session, organization_id, file_ids)
    actor = audit.Actor(organization_id)
    for row in rows:
        audit.record(session, actor, kind.purged, row.id)
    return len(rows)
