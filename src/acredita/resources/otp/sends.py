"""How many codes may be sent: to one destination, for one verification, by one organization.

It stands in PostgreSQL, under locks: a wiped Redis hands out nothing, and sends of one moment take
turns. A refusal is raised inside the transaction, which takes back what was counted before.
"""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.api.errors import RateLimited
from acredita.kit.crypto import Signer
from acredita.models import DailySends
from acredita.resources.attempts import service as attempts
from acredita.resources.attempts.service import Limit

PURPOSE = "otp-sends"
# Whoever asks, and for whom: a person's phone must not be flooded by way of several organizations.
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
    """Count one send, `destination` in the form it is counted under. Raise RateLimited."""
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
