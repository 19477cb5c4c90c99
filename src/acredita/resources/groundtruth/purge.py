"""Purges samples whose organization's retention period, counted from the upload, has ended."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.models import LicenceTruth, SelfieTruth
from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.groundtruth import samples
from acredita.resources.organizations.retention import BATCH, purged_before


async def purge_some(session: AsyncSession, organization_id: UUID, now: datetime) -> int:
    """Purge up to BATCH due samples of each kind; return the larger of the two numbers."""
    before = await purged_before(session, organization_id, now)
    if before is None:
        return 0
    licences = await _purge(session, organization_id, LicenceTruth, before)
    selfies = await _purge(session, organization_id, SelfieTruth, before)
    files = [row.file_id for row in licences]
    files += [file for row in selfies for file in (row.selfie_file_id, row.document_file_id)]
    if files:
        await samples.forget_files(session, organization_id, files)
    actor = Actor(organization_id, ActorType.SERVICE)
    for row in licences:
        audit.record(session, actor, Action.LICENCE_TRUTH_PURGED, row.id)
    for row in selfies:
        audit.record(session, actor, Action.SELFIE_TRUTH_PURGED, row.id)
    return max(len(licences), len(selfies))


async def _purge(
    session: AsyncSession,
    organization_id: UUID,
    table: type[LicenceTruth] | type[SelfieTruth],
    before: datetime,
) -> Sequence[Any]:
    """Purge the due samples of one table. A licence's template is deleted with it."""
    query = (
        owned(table, organization_id)
        .where(table.created_at < before)
        .order_by(table.created_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    rows: Sequence[Any] = (await session.scalars(query)).all()
    await session.execute(delete(table).where(table.id.in_([row.id for row in rows])))
    return rows
