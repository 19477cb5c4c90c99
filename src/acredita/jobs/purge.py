"""Deletes old done jobs. Dead jobs stay, for an operator to inspect.

Those of `job_finished` go with the partition of their month. Only those of `job` go row by row:
they have a once_key, or a process of the former release ended them.
"""

import time
from datetime import timedelta

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs.context import JobContext
from acredita.jobs.registry import recurring
from acredita.kit.db import is_contended
from acredita.kit.partitions import keep_months
from acredita.models import Job, JobState

# Far longer than any caller repeats a once_key: verifications last a day, deliveries an hour.
KEPT_FOR = timedelta(days=30)
BATCH = 1000
# Seconds between two runs, and of a run: nearly all the time while there is much to delete.
EVERY, LONGEST = 600, 540.0
# The function of the database for the months of `job_finished`.
KEEP_MONTHS = "keep_job_partitions"

log = structlog.get_logger()


@recurring("jobs.purge", every=EVERY, timeout=EVERY)
async def purge(context: JobContext) -> None:
    database = context.services.database
    try:
        async with database.transaction() as session:
            done = await keep_months(session, KEEP_MONTHS, kept_for=KEPT_FOR)
        if any(done):
            log.info("jobs.partitions", **done._asdict())
    except DBAPIError as fault:
        # A backup reads all partitions, for hours. The next run tries again.
        if not is_contended(fault):
            raise
        log.info("jobs.partitions_in_use")
    ends_at, deleted = time.monotonic() + LONGEST, BATCH
    while deleted == BATCH and time.monotonic() < ends_at:
        async with database.transaction() as session:
            deleted = await purge_done(session, older_than=KEPT_FOR, limit=BATCH)


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
