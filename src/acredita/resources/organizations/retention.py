"""When the retention period of an organization ends."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.retention import RetentionStart, kept_since
from acredita.models import Organization

# Rows that a purge locks and handles per transaction.
BATCH = 50


async def purged_before(
    session: AsyncSession, organization_id: UUID, now: datetime
) -> datetime | None:
    """Return the time before which data are due; None for an unknown organization."""
    period = await period_of(session, organization_id, now)
    return None if period is None else period.before


@dataclass(frozen=True, slots=True)
class Period:
    """A retention period: data whose period started before `before` are due."""

    before: datetime
    start: RetentionStart


async def period_of(session: AsyncSession, organization_id: UUID, now: datetime) -> Period | None:
    """Return the organization's period; None for an unknown organization."""
    query = select(
        Organization.data_retention_days,
        Organization.data_retention_years,
        Organization.retention_start,
    ).where(Organization.id == organization_id)
    row = (await session.execute(query)).one_or_none()
    if row is None:
        return None
    days, years, start = row
    return Period(kept_since(now, days=days, years=years), RetentionStart(start))
