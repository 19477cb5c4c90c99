"""Count background jobs and deliveries, of one organization or of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncConnection

# Finished deliveries are counted for this period only, because they are nearly all rows.
FINISHED_WINDOW = timedelta(hours=24)

# One SELECT per state uses the partial index of that state. It never scans the finished jobs, which
# are nearly all rows.
JOBS = """
    SELECT queue, kind,
        count(*) FILTER (WHERE state = 'pending') AS depth,
        count(*) FILTER (WHERE is_due) AS due,
        coalesce(extract(epoch FROM now() - min(run_at) FILTER (WHERE is_due)), 0)::float8
            AS oldest_due,
        count(*) FILTER (WHERE state = 'running') AS running,
        count(*) FILTER (WHERE state = 'dead') AS dead
    FROM (
        SELECT queue, kind, state, run_at, run_at <= now() AS is_due
            FROM job WHERE state = 'pending' AND {mine}
        UNION ALL
        SELECT queue, kind, state, run_at, false FROM job WHERE state = 'running' AND {mine}
        UNION ALL
        SELECT queue, kind, state, run_at, false FROM job WHERE state = 'dead' AND {mine}
    ) AS unfinished
    GROUP BY queue, kind ORDER BY queue, kind
"""
PENDING_DELIVERIES = "SELECT count(*) FROM delivery WHERE state = 'pending' AND {mine}"
FINISHED_DELIVERIES = """
    SELECT state, count(*) FROM delivery
    WHERE finished_at > now() - CAST(:window AS interval) AND {mine}
    GROUP BY state
"""
MINE = "organization_id = :organization_id"
MY_JOBS = text(JOBS.format(mine=MINE))
ALL_JOBS = text(JOBS.format(mine="true"))
MY_PENDING_DELIVERIES = text(PENDING_DELIVERIES.format(mine=MINE))
ALL_PENDING_DELIVERIES = text(PENDING_DELIVERIES.format(mine="true"))
MY_FINISHED_DELIVERIES = text(FINISHED_DELIVERIES.format(mine=MINE))


@dataclass(frozen=True, slots=True)
class Work:
    """The unfinished jobs of one kind."""

    queue: str
    kind: str
    depth: int
    due: int
    # Waiting time of the oldest due job in seconds; 0 if none is due.
    oldest_due: float
    running: int
    dead: int


async def work_of(connection: AsyncConnection, organization_id: UUID) -> list[Work]:
    return _work((await connection.execute(MY_JOBS, {"organization_id": organization_id})).all())


async def all_work(connection: AsyncConnection) -> list[Work]:
    return _work((await connection.execute(ALL_JOBS)).all())


def _work(rows: Sequence[Row[*tuple[Any, ...]]]) -> list[Work]:
    return [Work(*row) for row in rows]


async def deliveries_of(connection: AsyncConnection, organization_id: UUID) -> dict[str, int]:
    """State → count: pending now, other states within FINISHED_WINDOW."""
    mine = {"organization_id": organization_id}
    finished = await connection.execute(MY_FINISHED_DELIVERIES, mine | {"window": FINISHED_WINDOW})
    counted = {row[0]: row[1] for row in finished}
    pending = await connection.scalar(MY_PENDING_DELIVERIES, mine)
    return counted | {"pending": pending or 0}


async def pending_deliveries(connection: AsyncConnection) -> int:
    return await connection.scalar(ALL_PENDING_DELIVERIES) or 0
