"""Deletes old done jobs. Dead jobs stay, for an operator to inspect.

Those of `job_finished` go with the partition of their month. Only those of `job` go row by row:
they have a once_key, or a process of the former release ended them.
"""

import time
from datetime import timedelta

import structlog
from sqlalchemy import delete, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs.context import JobContext
from acredita.jobs.registry import recurring
from acredita.kit.db import is_contended
from acredita.models import Job, JobState

# Far longer than any caller repeats a once_key: verifications last a day, deliveries an hour.
KEPT_FOR = timedelta(days=30)
BATCH = 1000
# Seconds between two runs, and of a run: nearly all the time while there is much to delete.
EVERY, LONGEST = 600, 540.0

log = structlog.get_logger()


@recurring("jobs.purge", every=EVERY, timeout=EVERY)
async def purge(context: JobContext) -> None:
    database = context.services.database
    try:
        async with database.transaction() as session:
            added, dropped = await keep_partitions(session, kept_for=KEPT_FOR)
        if added or dropped:
            log.info("jobs.partitions", added=added, dropped=dropped)
    except DBAPIError as fault:
        # A backup reads all partitions, for hours. The next run tries again.
        if not is_contended(fault):
            raise
        log.info("jobs.partitions_in_use")
    ends_at, deleted = time.monotonic() + LONGEST, BATCH
    while deleted == BATCH and time.monotonic() < ends_at:
        async with database.transaction() as session:
            deleted = await purge_done(session, older_than=KEPT_FOR, limit=BATCH)


async def keep_partitions(session: AsyncSession, *, kept_for: timedelta) -> tuple[int, int]:
    """Add the partitions of `job_finished` for the coming months, and drop those that ended
    `kept_for` ago. Return the numbers of both.

    A function of the database does it, because the role of the workers does not own the tables. It
    waits at most 0.2 s for a lock, because jobs that end wait behind it.
    """
    keep = func.keep_job_partitions(func.now() - kept_for)
    added, dropped = (await session.execute(select(text("*")).select_from(keep))).one()
    return added, dropped


async def purge_done(session: AsyncSession, *, older_than: timedelta, limit: int) -> int:
    """Delete up to `limit` jobs that were done before `older_than`. Return their number."""
    old = (
        select(Job.id)
        .where(Job.state == JobState.DONE.value, Job.finished_at < func.now() - older_than)
        .order_by(Job.finished_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("old")
        # Without it, the planner may run the subquery for each row and get other rows each time.
        .prefix_with("MATERIALIZED")
    )
    deleted = await session.scalars(
        delete(Job).where(Job.id.in_(select(old.c.id))).returning(Job.id)
    )
    return len(deleted.all())
