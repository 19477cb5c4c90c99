"""Limits for sending codes: per destination, per verification, per organization.

The counters are in PostgreSQL, so a loss of Redis lifts no limit, and concurrent sends wait for the
row lock. A refusal raises inside the transaction, whose rollback undoes the counts.
"""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import RateLimited
from acredita.kit.crypto import Signer
from acredita.models import DailySends
from acredita.resources.attempts import service as attempts
from acredita.resources.attempts.service import Limit

PURPOSE = "otp-sends"
# Counted over all organizations: several of them together must not flood a person's phone.
TO_DESTINATION = Limit("to destination", 3, timedelta(minutes=10))
FOR_VERIFICATION = Limit("for verification", 10, timedelta(hours=1))


async def count(
    session: AsyncSession,
    signer: Signer,
    *,
    organization_id: UUID,
    verification_id: UUID,
    destination: str,
    daily_limit: int,
    now: datetime,
) -> None:
    """Count one send. `destination` is normalized by `counted_as`. Raise RateLimited."""
    for limit, subject in ((TO_DESTINATION, destination), (FOR_VERIFICATION, verification_id)):
        key = signer.digest(PURPOSE, f"{limit.name}\x00{subject}".encode())
        await attempts.count(session, limit, key=key, account=key, now=now)
    await _count_day(session, organization_id, daily_limit, now.astimezone(UTC))


async def _count_day(
    session: AsyncSession, organization_id: UUID, most: int, now: datetime
) -> None:
    first = insert(DailySends).values(organization_id=organization_id, day=now.date(), sends=1)
    counting = first.on_conflict_do_update(
        index_elements=[DailySends.organization_id, DailySends.day],
        set_={"sends": DailySends.sends + 1},
        where=DailySends.sends < most,
    ).returning(DailySends.sends)
    if await session.scalar(counting) is None:
        midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
        raise RateLimited(retry_after=int((midnight - now).total_seconds()) + 1)


async def delete_former_days(session: AsyncSession, now: datetime) -> None:
    yesterday = now.astimezone(UTC).date() - timedelta(days=1)
    await session.execute(delete(DailySends).where(DailySends.day < yesterday))
