"""When the retention period of an organization ends."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Organization

# Rows that a purge handles per transaction. Other audit entries of the organization wait for its
# end.
BATCH = 50


async def purged_before(
    session: AsyncSession, organization_id: UUID, now: datetime
) -> datetime | None:
    """Return the time before which data are due; None if the organization has no period."""
    days = await session.scalar(
        select(Organization.data_retention_days).where(Organization.id == organization_id)
    )
    return None if days is None else now - timedelta(days=days)
