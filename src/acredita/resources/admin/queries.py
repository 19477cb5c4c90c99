"""Count background jobs and deliveries, of one organization or of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import Row, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.models.job import NO_ORGANIZATION, TENANT
from acredita.models.work_tally import DELIVERIES

# Finished deliveries are counted for this period only.
FINISHED_WINDOW = timedelta(hours=24)
TENANT_OF_JOB = TENANT.replace("organization_id", "job.organization_id")

# The numbers are sums of `work_tally`, however many jobs wait. Running jobs are counted themselves:
# they are as few as the workers' places. The oldest due job of a kind is one step in ix_job_oldest.
JOBS = f"""
    WITH counted AS (
        SELECT organization_id, queue, kind,
            coalesce(sum(change) FILTER (WHERE state = 'pending'), 0)::bigint AS depth,
            coalesce(sum(change) FILTER (WHERE state = 'pending' AND at <= now()), 0)::bigint
                AS due,
            coalesce(sum(change) FILTER (WHERE state = 'dead'), 0)::bigint AS dead
        FROM work_tally WHERE queue <> '{DELIVERIES}' AND {{mine}} GROUP BY 1, 2, 3
    ), waiting AS (
        SELECT counted.*, extract(epoch FROM now() - oldest.run_at)::float8 AS oldest_due
        FROM counted LEFT JOIN LATERAL (
            SELECT run_at FROM job
            WHERE state = 'pending' AND run_at <= now() AND job.kind = counted.kind
              AND {TENANT_OF_JOB} = coalesce(counted.organization_id, '{NO_ORGANIZATION}')
            ORDER BY run_at LIMIT 1
        ) AS oldest ON counted.due > 0
    ), running AS (
        SELECT queue, kind, count(*) AS number FROM job WHERE state = 'running' AND {{mine}}
        GROUP BY queue, kind
    )
    SELECT queue, kind, coalesce(depth, 0), coalesce(due, 0), coalesce(oldest_due, 0),
           coalesce(running.number, 0), coalesce(dead, 0)
    FROM (
        SELECT queue, kind, sum(depth)::bigint AS depth, sum(due)::bigint AS due,
               max(oldest_due) AS oldest_due, sum(dead)::bigint AS dead
        FROM waiting GROUP BY queue, kind HAVING sum(depth) > 0 OR sum(dead) > 0
    ) AS waiting FULL JOIN running USING (queue, kind)
    ORDER BY queue, kind
"""  # noqa: S608 (constants)
ENDED = "state <> 'pending' AND at >= date_trunc('hour', now() - CAST(:window AS interval))"
DELIVERIES_BY_STATE = f"""
    SELECT state, sum(change)::bigint FROM work_tally
    WHERE queue = '{DELIVERIES}' AND (state = 'pending' OR {ENDED}) AND {{mine}} GROUP BY state
"""  # noqa: S608 (constants)
MINE = "organization_id = :organization_id"
MY_JOBS = text(JOBS.format(mine=MINE))
ALL_JOBS = text(JOBS.format(mine="true"))
MY_DELIVERIES = text(DELIVERIES_BY_STATE.format(mine=MINE))
ALL_PENDING_DELIVERIES = text(
    f"""
    SELECT coalesce(sum(change), 0)::bigint FROM work_tally
    WHERE queue = '{DELIVERIES}' AND state = 'pending'
    """  # noqa: S608 (constants)
)
# What is past is one number. Deliveries that ended before the window are in none. A number that
# nothing has changed keeps its row.
PAST = f"CASE WHEN queue <> '{DELIVERIES}' AND at <= now() THEN '-infinity' ELSE at END"
FOLD = text(
    f"""
    WITH folded AS (
        DELETE FROM work_tally WHERE id IN (
            SELECT unnest(array_agg(id)) FROM work_tally
            GROUP BY organization_id, queue, kind, state, {PAST} HAVING count(*) > 1
        ) OR queue = '{DELIVERIES}' AND state <> 'pending' AND at < now() - interval '2 days'
        RETURNING organization_id, queue, kind, state, change, {PAST} AS at
    )
    INSERT INTO work_tally (organization_id, queue, kind, state, at, change)
        SELECT organization_id, queue, kind, state, at, sum(change) FROM folded
        WHERE queue <> '{DELIVERIES}' OR state = 'pending' OR at >= now() - interval '2 days'
        GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
    """  # noqa: S608 (constants)
)


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
    """State → count: pending now, other states within FINISHED_WINDOW, to the hour."""
    mine = {"organization_id": organization_id, "window": FINISHED_WINDOW}
    return {row[0]: row[1] for row in await connection.execute(MY_DELIVERIES, mine)}


async def pending_deliveries(connection: AsyncConnection) -> int:
    return await connection.scalar(ALL_PENDING_DELIVERIES) or 0


async def fold_tallies(session: AsyncSession) -> None:
    """Merge the tallies. The numbers do not change."""
    await session.execute(FOLD)
