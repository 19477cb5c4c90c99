"""The permanent rows of recurring and standing jobs: create them, make them due."""

from sqlalchemy import func, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import registry
from acredita.jobs.ledger.rows import timestamp
from acredita.jobs.ledger.wake_ups import ring
from acredita.jobs.registry import JobDefinition
from acredita.kit.db import Database
from acredita.models import Job, JobState


async def ensure_recurring(session: AsyncSession, definition: JobDefinition) -> None:
    """Create the row of a recurring job, or revive it if it is done or dead."""
    adding = insert(Job).values(
        kind=definition.kind,
        payload={},
        queue=definition.queue.value,
        once_key=f"recurring:{definition.kind}",
        max_attempts=definition.max_attempts,
    )
    await session.execute(
        adding.on_conflict_do_update(
            index_elements=[Job.once_key],
            set_={
                "state": JobState.PENDING.value,
                "run_at": timestamp(definition.every or 0.0),
                "attempts": 0,
                "finished_at": None,
            },
            where=Job.state.in_([JobState.DONE.value, JobState.DEAD.value]),
        )
    )


async def run_at_once(session: AsyncSession, definition: JobDefinition) -> None:
    """Make a recurring job due when this transaction commits. A running job is not affected."""
    await session.execute(
        update(Job)
        .where(
            Job.once_key == f"recurring:{definition.kind}",
            Job.state == JobState.PENDING.value,
        )
        .values(run_at=func.now())
    )
    ring(session, definition.queue)


# Skips a job that waits for its back-off after a failure, and a running job: it checks for more
# work before it ends, and the dispatcher checks again afterwards.
ROUSE = """
    INSERT INTO job (id, kind, payload, queue, once_key, max_attempts, organization_id)
    SELECT gen_random_uuid(), :kind, jsonb_build_object('key', waiting.key), :queue,
           :kind || ':' || waiting.key, :max_attempts, waiting.organization_id
    FROM ({waiting}) AS waiting
    WHERE NOT EXISTS (
        SELECT FROM job
        WHERE once_key = :kind || ':' || waiting.key
          AND (state = 'running' OR state = 'pending' AND (run_at <= now() OR attempts > 0))
    )
    ORDER BY waiting.key
    ON CONFLICT (once_key) DO UPDATE
    SET state = 'pending', run_at = now(), attempts = 0, finished_at = NULL
    WHERE job.state IN ('done', 'dead')
       OR job.state = 'pending' AND job.run_at > now() AND job.attempts = 0
"""


async def rouse(database: Database, queue: str, *, only_new: bool = False) -> None:
    """Make every standing job of a queue due that has work waiting, or `only_new` work."""
    for definition in registry.standing_definitions(queue):
        parameters = {
            "kind": definition.kind,
            "queue": queue,
            "max_attempts": definition.max_attempts,
        }
        async with database.reading() as connection:
            waiting = definition.new if only_new else definition.waiting
            await connection.execute(text(ROUSE.format(waiting=waiting)), parameters)
