"""End the run of a job: complete, run again, release, fail, or end an expired lease."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import registry
from acredita.jobs.errors import LeaseLost
from acredita.jobs.ledger.rows import LEASED, LeasedJob, timestamp
from acredita.jobs.ledger.wake_ups import ring
from acredita.jobs.retries import back_off, pause_of_wait
from acredita.kit.db import Database
from acredita.kit.statement_pool import Writes
from acredita.models import FinishedJob, Job, JobState
from acredita.ports import JobEnding


async def lock_lease(session: AsyncSession, job: LeasedJob) -> None:
    """Lock the job's row until the transaction ends. Raise LeaseLost if the lease is gone."""
    statement = select(Job.id).where(Job.id == job.id, Job.lease_token == job.lease_token)
    if await session.scalar(statement.with_for_update()) is None:
        raise LeaseLost(f"job {job.id} is no longer leased to this run")


async def prove_progress(session: AsyncSession, job: LeasedJob) -> None:
    """Count the attempts of a locked job from this run on: earlier crashes do not end it."""
    await session.execute(update(Job).where(Job.id == job.id, Job.attempts > 1).values(attempts=1))


async def complete(session: AsyncSession, job: LeasedJob) -> None:
    await _close(session, job, JobState.DONE)


# A done job moves to the partition of its month, so `job` stays small. One with a once_key keeps
# its row: the key is unique in `job` alone.
COLUMNS = [column.name for column in FinishedJob.__table__.columns if column.name != "finished_at"]
NAMES, OF_JOB = ", ".join(COLUMNS), ", ".join(f"job.{name}" for name in COLUMNS)
COMPLETE = text(
    f"""
    WITH ended AS (DELETE FROM job WHERE id = :id RETURNING {OF_JOB})
    INSERT INTO job_finished ({NAMES}, finished_at)
    SELECT {NAMES.replace("last_error", "coalesce(CAST(:error AS text), last_error)")}, now()
    FROM ended
    """  # noqa: S608 (column names)
)
COMPLETE_ALL = f"""
    WITH ended AS (
        DELETE FROM job USING unnest($1::uuid[], $2::uuid[]) AS mine (id, token)
        WHERE job.id = mine.id AND job.lease_token = mine.token AND job.once_key IS NULL
        RETURNING {OF_JOB}, mine.token
    ), moved AS (
        INSERT INTO job_finished ({NAMES}, finished_at) SELECT {NAMES}, now() FROM ended
    )
    SELECT token FROM ended
"""  # noqa: S608 (column names)


async def complete_all(database: Database, jobs: Sequence[LeasedJob]) -> set[UUID]:
    """Complete jobs without any other effect, and without a once_key. Return the leases that were
    still held."""
    ids, tokens = [job.id for job in jobs], [job.lease_token for job in jobs]
    rows = await Writes(database).rows(COMPLETE_ALL, ids, tokens)
    return {row[0] for row in rows}


async def run_again(session: AsyncSession, job: LeasedJob, when: datetime | float) -> None:
    """Make a locked job pending again at `when` (a time, or seconds from now), with 0 attempts."""
    await _set_pending(session, job, when, attempts=0, last_error=None)


async def release(database: Database, job: LeasedJob) -> None:
    """Return the job to the queue at once. The run does not count as an attempt."""
    async with database.transaction() as session:
        await lock_lease(session, job)
        await _set_pending(session, job, 0.0, attempts=Job.attempts - 1)
        ring(session, job.queue)


async def fail(
    services: JobEnding,
    job: LeasedJob,
    error: str,
    *,
    delay: float | None = None,
    permanent: bool = False,
) -> JobState:
    """Record a failed run. The job becomes dead, or pending after `delay` s or the back-off."""
    async with services.database.transaction() as session:
        await lock_lease(session, job)
        return await _record_failure(
            session,
            services,
            job,
            error,
            delay=back_off(job.attempts) if delay is None else delay,
            permanent=permanent,
        )


async def wait_for_dependency(
    services: JobEnding,
    job: LeasedJob,
    error: str,
    *,
    longest: float,
    retry_after: float | None = None,
) -> JobState:
    """Return the job to the queue, without counting the run as an attempt, for `retry_after` s or a
    pause that grows with its wait. For a job that has waited `longest` s, record a failed run.

    The wait begins with the first run that meets the dependency away, and ends with any other run:
    after the longest wait, each run that still meets it away is a failed one.
    """
    async with services.database.transaction() as session:
        await lock_lease(session, job)
        times = select(func.now(), Job.waiting_since).where(Job.id == job.id)
        now, since = (await session.execute(times)).one()
        since = since or now
        waited = (now - since).total_seconds()
        if waited < longest:
            pause = pause_of_wait(waited) if retry_after is None else retry_after
            await _set_pending(
                session,
                job,
                pause,
                attempts=Job.attempts - 1,
                last_error=error,
                waiting_since=since,
            )
            return JobState.PENDING
        return await _record_failure(
            session,
            services,
            job,
            error,
            delay=back_off(job.attempts) if retry_after is None else retry_after,
            permanent=False,
            waiting_since=since,
        )


async def expired(database: Database, *, limit: int = 100) -> list[LeasedJob]:
    """Running jobs whose lease has expired: their worker is presumed dead."""
    statement = (
        select(*LEASED)
        .where(
            Job.state == JobState.RUNNING.value,
            Job.lease_expires_at < func.now(),
            Job.kind.in_(registry.known_kinds()),
        )
        .order_by(Job.lease_expires_at)
        .limit(limit)
    )
    async with database.reading() as connection:
        return [LeasedJob(*row) for row in await connection.execute(statement)]


async def reap(services: JobEnding, job: LeasedJob) -> JobState | None:
    """End an expired lease: the job is pending at once, or dead. None if its worker renewed it.

    The run counts as an attempt, so that a job that kills every worker ends as dead.
    """
    statement = (
        select(Job.id)
        .where(Job.id == job.id, Job.lease_token == job.lease_token)
        .where(Job.lease_expires_at < func.now())
        # A locked row means that its worker is finishing the job now.
        .with_for_update(skip_locked=True)
    )
    async with services.database.transaction() as session:
        if await session.scalar(statement) is None:
            return None
        state = await _record_failure(
            session, services, job, "lease expired", delay=0.0, permanent=False
        )
        ring(session, job.queue)
        return state


async def _record_failure(
    session: AsyncSession,
    services: JobEnding,
    job: LeasedJob,
    error: str,
    *,
    delay: float,
    permanent: bool,
    waiting_since: datetime | None = None,
) -> JobState:
    """Make a locked job pending again or dead. `on_dead` runs in the same transaction."""
    if not permanent and job.attempts < job.max_attempts:
        await _set_pending(session, job, delay, last_error=error, waiting_since=waiting_since)
        return JobState.PENDING
    await _close(session, job, JobState.DEAD, last_error=error)
    on_dead = registry.definition(job.kind).on_dead
    if on_dead is not None:
        await on_dead(session, services, job)
    return JobState.DEAD


async def _set_pending(
    session: AsyncSession,
    job: LeasedJob,
    when: datetime | float,
    *,
    waiting_since: datetime | None = None,
    **changes: Any,
) -> None:
    statement = (
        update(Job)
        .where(Job.id == job.id)
        .values(
            state=JobState.PENDING.value,
            lease_token=None,
            lease_expires_at=None,
            run_at=timestamp(when),
            waiting_since=waiting_since,
            **changes,
        )
    )
    await session.flush()  # so that only the coalesce key can cause a conflict below
    try:
        async with session.begin_nested():
            await session.execute(statement)
    except IntegrityError:
        # A newer pending job with the same coalesce key also does this job's work.
        await _close(session, job, JobState.DONE, last_error="superseded")


async def _close(session: AsyncSession, job: LeasedJob, state: JobState, **changes: Any) -> None:
    if state is JobState.DONE and job.once_key is None:
        await session.execute(COMPLETE, {"id": job.id, "error": changes.get("last_error")})
        return
    await session.execute(
        update(Job)
        .where(Job.id == job.id)
        .values(
            state=state.value,
            lease_token=None,
            lease_expires_at=None,
            waiting_since=None,
            finished_at=func.now(),
            **changes,
        )
    )
