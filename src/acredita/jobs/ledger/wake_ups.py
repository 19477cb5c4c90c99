"""Wake-ups: which due jobs to announce to the workers of a queue, and when again."""

from sqlalchemy import func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs.ledger.rows import CHANNEL, DUE, WakeUp
from acredita.kit.db import Database
from acredita.models import Job, JobState

# Seconds.
REPUBLISH_AFTER = 30.0
REPUBLISH_AT_LEAST_EVERY = 120.0

NOT_LATELY_PUBLISHED = """
    (published_at IS NULL OR published_at < now() - make_interval(
        secs => least(:first * 2 ^ least(publishes - 1, 10), :longest)))
"""

PUBLISH = text(
    f"""
    WITH due AS MATERIALIZED ({DUE.format(condition=NOT_LATELY_PUBLISHED)})
    UPDATE job SET published_at = now(), publishes = publishes + 1
    FROM due WHERE job.id = due.id
    RETURNING job.id, job.queue, job.publishes
    """  # noqa: S608 (constants)
).columns(Job.id, Job.queue, Job.publishes)


async def publish(database: Database, queue: str, *, limit: int) -> list[WakeUp]:
    """Mark due jobs as published and return the wake-ups to send.

    A wake-up repeats after 30 seconds, then after 60, then every two minutes, in case one is lost.
    """
    parameters = {
        "queue": queue,
        "limit": limit,
        "first": REPUBLISH_AFTER,
        "longest": REPUBLISH_AT_LEAST_EVERY,
    }
    async with database.reading() as connection:
        return [WakeUp(*row) for row in await connection.execute(PUBLISH, parameters)]


async def reset_publishes(database: Database) -> None:
    """Publish every pending job again, because Redis lost its data."""
    async with database.transaction() as session:
        await session.execute(
            update(Job)
            .where(Job.state == JobState.PENDING.value, Job.published_at.is_not(None))
            .values(published_at=None)
        )


async def ring(session: AsyncSession, queue: str) -> None:
    """Notify the dispatchers, when the transaction commits, that the queue has work."""
    await session.execute(select(func.pg_notify(CHANNEL, queue)))
