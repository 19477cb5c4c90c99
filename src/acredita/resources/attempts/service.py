"""Attempts counted in PostgreSQL: a wiped Redis must not hand out fresh ones.

An attempt is written down before it is judged, so that fifty at once are no more than ten.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam, delete, select, text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import DateTime

from acredita.domain.errors import RateLimited
from acredita.models import AttemptLog

# The limit stands in the statement that counts: under the row's lock, attempts take turns.
_COUNT = text("""
    INSERT INTO attempt_log AS log (key, account, moments, forgotten_at)
    VALUES (:key, :account, ARRAY[:now], :forgotten_at)
    ON CONFLICT (key) DO UPDATE
    SET moments = :now || ARRAY(
            SELECT moment FROM unnest(log.moments) moment WHERE moment > :since
        ),
        forgotten_at = :forgotten_at
    WHERE (SELECT count(*) FROM unnest(log.moments) moment WHERE moment > :since) < :most
    RETURNING cardinality(moments)
""").bindparams(
    bindparam("now", type_=DateTime(timezone=True)),
    bindparam("since", type_=DateTime(timezone=True)),
    bindparam("forgotten_at", type_=DateTime(timezone=True)),
)


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    most: int
    within: timedelta
    by_address: bool = False


async def count(
    session: AsyncSession, limit: Limit, *, key: bytes, account: bytes, now: datetime
) -> int:
    """Count one attempt under `key`, a keyed hash. Return how many there are by now.

    A caller that counts under several keys keeps to one order, because the rows stay locked. Raise
    RateLimited after too many.
    """
    counted = await _counted(session, limit, key, account, now)
    if counted is None:
        since = now - limit.within
        moments = await session.scalar(select(AttemptLog.moments).where(AttemptLog.key == key))
        oldest = min((moment for moment in moments or () if moment > since), default=since)
        raise RateLimited(retry_after=max(1, math.ceil((oldest - since).total_seconds())))
    return counted


async def has_room(session: AsyncSession, limit: Limit, *, key: bytes, now: datetime) -> bool:
    """Count one act under `key`. Return False, and count nothing, if there were too many."""
    return await _counted(session, limit, key, key, now) is not None


async def _counted(
    session: AsyncSession, limit: Limit, key: bytes, account: bytes, now: datetime
) -> int | None:
    values = {
        "key": key,
        "account": account,
        "now": now,
        "since": now - limit.within,
        "forgotten_at": now + limit.within,
        "most": limit.most,
    }
    counted: int | None = await session.scalar(_COUNT, values)
    return counted


async def delete_forgotten(session: AsyncSession, now: datetime) -> None:
    """Delete expired rows. The next run deletes the rows that another transaction holds now."""
    forgotten = (
        select(AttemptLog.key)
        .where(AttemptLog.forgotten_at < now)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    await session.execute(delete(AttemptLog).where(AttemptLog.key.in_(forgotten)))
