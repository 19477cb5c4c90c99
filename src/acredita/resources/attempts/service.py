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
    RETURNING key
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
) -> None:
    """Count one attempt under `key`, a keyed hash; RateLimited when there were too many.

    A caller that counts under several keys keeps to one order, because the rows stay locked.
    """
    since = now - limit.within
    counted = await session.scalar(
        _COUNT,
        {
            "key": key,
            "account": account,
            "now": now,
            "since": since,
            "forgotten_at": now + limit.within,
            "most": limit.most,
        },
    )
    if counted is None:
        moments = await session.scalar(select(AttemptLog.moments).where(AttemptLog.key == key))
        oldest = min((moment for moment in moments or () if moment > since), default=since)
        raise RateLimited(retry_after=max(1, math.ceil((oldest - since).total_seconds())))


async def delete_forgotten(session: AsyncSession, now: datetime) -> None:
    """Delete expired rows. The next run deletes the rows that another transaction holds now."""
    forgotten = (
        select(AttemptLog.key)
        .where(AttemptLog.forgotten_at < now)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    await session.execute(delete(AttemptLog).where(AttemptLog.key.in_(forgotten)))
