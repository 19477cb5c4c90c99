"""How much work there is, and how far behind it is: an organization's, or everybody's."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncConnection

# What is finished is counted as far back as this: of all time, it would be nearly every row.
LATELY = timedelta(hours=24)

# Each state by itself, through the partial index of that state: the jobs that are done, which are
# nearly all, are never looked at.
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
    WHERE finished_at > now() - CAST(:lately AS interval) AND {mine}
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
    """The jobs of one kind that are not done."""

    queue: str
    kind: str
    depth: int
    due: int
    # Seconds that the oldest due job has waited; 0 where none is due.
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
    """How many are in each state: pending by now, in the others since LATELY."""
    mine = {"organization_id": organization_id}
    finished = await connection.execute(MY_FINISHED_DELIVERIES, mine | {"lately": LATELY})
    counted = {row[0]: row[1] for row in finished}
    pending = await connection.scalar(MY_PENDING_DELIVERIES, mine)
    return counted | {"pending": pending or 0}


async def pending_deliveries(connection: AsyncConnection) -> int:
    return await connection.scalar(ALL_PENDING_DELIVERIES) or 0
