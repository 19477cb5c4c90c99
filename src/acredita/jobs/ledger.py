"""The ledger: every statement that reads or writes the job table.

A job is pending, running under a lease, done or dead. A lease is a token with an expiry by the
database's clock. To finish, fail or release a job, a worker must present the token while the row is
locked. So a worker that lost its lease (paused, partitioned, presumed dead) cannot change anything.
"""

import random
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, DateTime, delete, func, literal, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.contextvars import get_contextvars

from acredita.jobs import registry
from acredita.jobs.errors import LeaseLost
from acredita.jobs.registry import JobDefinition, Payload, Priority
from acredita.kit import tracing
from acredita.kit.db import Database
from acredita.models import Job, JobState
from acredita.ports import JobEnding

# The NOTIFY channel. The message is the name of the queue that has new work.
CHANNEL = "acredita_jobs"

# Seconds.

FIRST_RETRY = 2.0
LONGEST_RETRY = 300.0
REPUBLISH_AFTER = 30.0
REPUBLISH_AT_LEAST_EVERY = 120.0


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job as it was when this process claimed it, with its lease token."""

    id: UUID
    kind: str
    queue: str
    payload: dict[str, Any]
    coalesce_key: str | None
    attempts: int
    max_attempts: int
    organization_id: UUID | None
    request_id: str | None
    traceparent: str | None
    created_at: datetime
    run_at: datetime
    lease_token: UUID


@dataclass(frozen=True, slots=True)
class WakeUp:
    """A message to the workers of a queue that a job is due."""

    job_id: UUID
    queue: str
    publishes: int


LEASED = tuple(getattr(Job, name) for name in LeasedJob.__slots__)


async def add(
    session: AsyncSession,
    definition: JobDefinition,
    payload: Payload | None = None,
    *,
    once_key: str | None = None,
    coalesce_key: str | None = None,
    run_at: datetime | None = None,
    delay: float | None = None,
    priority: Priority = Priority.NORMAL,
    organization_id: UUID | None = None,
    request_id: str | None = None,
) -> UUID | None:
    """Insert a job in the caller's transaction and return its id. The commit notifies dispatchers.

    `once_key`: only one job with this key ever exists. If it exists, return None.
    `coalesce_key`: only one pending job has this key. If there is one, return its id; it serves
    this caller too. Its row stays locked until the caller commits, because a worker that claimed it
    earlier would read the old data.
    `run_at`, or `delay` in seconds by the database's clock: the earliest time to run.

    Raise TypeError if the handler does not accept the payload; ValueError if both keys are given.
    """
    payload = payload or {}
    definition.check(payload)
    if once_key is not None and coalesce_key is not None:
        raise ValueError("a job has a once_key or a coalesce_key, not both")
    if request_id is None:
        request_id = current_request_id()
    adding = insert(Job).values(
        kind=definition.kind,
        payload=dict(payload),
        queue=definition.queue.value,
        once_key=once_key,
        coalesce_key=coalesce_key,
        run_at=_moment(run_at if run_at is not None else delay or 0.0),
        priority=priority.value,
        max_attempts=definition.max_attempts,
        organization_id=organization_id,
        request_id=request_id,
        traceparent=tracing.traceparent(),
    )
    if coalesce_key is not None:
        adding = adding.on_conflict_do_update(
            index_elements=[Job.coalesce_key],
            # A literal, not a parameter: with a parameter, a generic plan (possible after five
            # executions) cannot use the partial index.
            index_where=Job.state == literal(JobState.PENDING.value, literal_execute=True),
            set_={
                "run_at": func.least(Job.run_at, adding.excluded.run_at),
                "priority": func.greatest(Job.priority, adding.excluded.priority),
            },
        )
    elif once_key is not None:
        adding = adding.on_conflict_do_nothing(index_elements=[Job.once_key])
    added = adding.returning(Job.id).cte("added")
    result = await session.execute(
        select(added.c.id, func.pg_notify(CHANNEL, definition.queue.value))
    )
    row = result.one_or_none()
    return None if row is None else row[0]


def adding(
    definition: JobDefinition,
    payload: Mapping[str, str],
    *,
    organization_id: str,
    request_id: str,
    traceparent: str = "NULL",
    when: str = "true",
) -> str:
    """SQL that inserts a job within a larger statement, for hot paths. `add` is a statement itself.

    All arguments are SQL expressions. The payload becomes a JSON object with these names.
    """
    definition.check(payload)
    members = ", ".join(f"'{name}', {value}" for name, value in payload.items())
    return f"""
        INSERT INTO job (id, kind, payload, queue, max_attempts, organization_id, request_id,
                         traceparent)
        SELECT gen_random_uuid(), '{definition.kind}', jsonb_build_object({members}),
               '{definition.queue}', {definition.max_attempts}, {organization_id}, {request_id},
               {traceparent}
        WHERE {when}
        RETURNING pg_notify('{CHANNEL}', '{definition.queue}')
    """


def held(job_id: str, lease_token: str) -> str:
    """SQL of a CTE `lease` that has a row only while this run holds the job's lease.

    Arguments are SQL expressions. A long run uses it in statements that take effect before the run
    finishes. Such a statement also proves progress, so it resets the attempts of earlier crashes.
    """
    return f"""
        lease AS (
            SELECT id FROM job WHERE id = {job_id} AND lease_token = {lease_token}
        ), progress AS (
            UPDATE job SET attempts = 1 FROM lease WHERE job.id = lease.id AND job.attempts > 1
        )
    """  # noqa: S608 (constants)


def current_request_id() -> str | None:
    return get_contextvars().get("request_id")


def _moment(when: datetime | float) -> ColumnElement[datetime] | datetime:
    """`when` as a timestamp. A number means seconds after the database's now()."""
    if isinstance(when, datetime):
        return when
    moment: ColumnElement[datetime] = func.now(type_=DateTime(timezone=True))
    return moment + func.make_interval(0, 0, 0, 0, 0, 0, when) if when else moment


# Due jobs of a queue, urgent ones first. Each priority is a range of ix_job_due, so that neither a
# long backlog nor a million future jobs slow this down.
DUE = """
    SELECT due.id
    FROM unnest(ARRAY[1, 0, -1]) WITH ORDINALITY AS level (priority, place)
    CROSS JOIN LATERAL (
        SELECT id FROM job
        WHERE state = 'pending' AND queue = :queue AND job.priority = level.priority
          AND run_at <= now() AND {condition}
        ORDER BY run_at LIMIT :limit FOR UPDATE SKIP LOCKED
    ) AS due
    ORDER BY level.place LIMIT :limit
"""

LEASE = f"""
    UPDATE job
    SET state = 'running', attempts = attempts + 1, lease_token = gen_random_uuid(),
        lease_expires_at = clock_timestamp() + make_interval(secs => :lease)
    FROM due WHERE job.id = due.id
    RETURNING {", ".join("job." + name for name in LeasedJob.__slots__)}
"""  # noqa: S608 (column names)

CLAIMABLE = (
    "kind = ANY(:kinds)"
    " AND (organization_id IS NULL OR organization_id <> ALL(CAST(:exclude AS uuid[])))"
)
CLAIM_DUE = text(f"WITH due AS MATERIALIZED ({DUE.format(condition=CLAIMABLE)}) {LEASE}").columns(
    *LEASED
)

CLAIM_ONE = text(
    f"""
    WITH due AS MATERIALIZED (
        SELECT id FROM job
        WHERE id = :id AND state = 'pending' AND run_at <= now() AND {CLAIMABLE}
        FOR UPDATE SKIP LOCKED
    ) {LEASE}
    """  # noqa: S608 (constants)
).columns(*LEASED)


async def claim_due(
    database: Database,
    queue: str,
    *,
    limit: int,
    lease: float,
    exclude: Collection[UUID] = (),
) -> list[LeasedJob]:
    """Lease up to `limit` due jobs of a queue for `lease` seconds.

    `exclude`: organizations that already have their share of this process.
    """
    parameters = {"queue": queue, "limit": limit}
    return await _claim(database, CLAIM_DUE, parameters, lease, exclude)


async def claim_one(
    database: Database, job_id: UUID, *, lease: float, exclude: Collection[UUID] = ()
) -> list[LeasedJob]:
    """Lease one job if it is still pending and due: a wake-up may be late, repeated or forged."""
    return await _claim(database, CLAIM_ONE, {"id": job_id}, lease, exclude)


async def _claim(
    database: Database,
    statement: Any,
    parameters: dict[str, Any],
    lease: float,
    exclude: Collection[UUID],
) -> list[LeasedJob]:
    parameters |= {"kinds": registry.known_kinds(), "lease": lease, "exclude": list(exclude)}
    async with database.reading() as connection:
        rows = await connection.execute(statement, parameters)
        return [LeasedJob(*row) for row in rows]


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
    SET state = 'pending', run_at = now(), attempts = 0, finished_at = NULL, published_at = NULL
    WHERE job.state IN ('done', 'dead')
       OR job.state = 'pending' AND job.run_at > now() AND job.attempts = 0
"""


async def rouse(database: Database, queue: str) -> None:
    """Make every standing job of a queue due that has work waiting."""
    for definition in registry.standing_definitions(queue):
        parameters = {
            "kind": definition.kind,
            "queue": queue,
            "max_attempts": definition.max_attempts,
        }
        async with database.reading() as connection:
            await connection.execute(text(ROUSE.format(waiting=definition.waiting)), parameters)


# Skips rows that their finishing transactions have locked. Waiting for one slow transaction could
# cost the process's other jobs their leases.
BEAT = text(
    """
    WITH mine AS MATERIALIZED (
        SELECT * FROM unnest(CAST(:ids AS uuid[]), CAST(:tokens AS uuid[])) AS mine (id, token)
    ), free AS MATERIALIZED (
        SELECT job.id FROM job JOIN mine ON job.id = mine.id AND job.lease_token = mine.token
        FOR UPDATE OF job SKIP LOCKED
    ), beaten AS (
        UPDATE job SET lease_expires_at = clock_timestamp() + make_interval(secs => :lease)
        FROM free WHERE job.id = free.id
    )
    SELECT mine.token FROM job JOIN mine ON job.id = mine.id AND job.lease_token = mine.token
    """
)


async def renew_leases(database: Database, jobs: list[LeasedJob], *, lease: float) -> set[UUID]:
    """Renew the leases of a process's jobs. Return the tokens of the leases that it still holds."""
    parameters = {
        "ids": [job.id for job in jobs],
        "tokens": [job.lease_token for job in jobs],
        "lease": lease,
    }
    async with database.reading() as connection:
        return set(await connection.scalars(BEAT, parameters))


async def lock_lease(session: AsyncSession, job: LeasedJob) -> None:
    """Lock the job's row until the transaction ends. Raise LeaseLost if the lease is gone."""
    statement = select(Job.id).where(Job.id == job.id, Job.lease_token == job.lease_token)
    if await session.scalar(statement.with_for_update()) is None:
        raise LeaseLost(f"job {job.id} is no longer leased to this run")


async def complete(session: AsyncSession, job: LeasedJob) -> None:
    await _close(session, job, JobState.DONE)


async def ring(session: AsyncSession, queue: str) -> None:
    """Notify the dispatchers, when the transaction commits, that the queue has work."""
    await session.execute(select(func.pg_notify(CHANNEL, queue)))


async def run_again(session: AsyncSession, job: LeasedJob, when: datetime | float) -> None:
    """Make a locked job pending again at `when` (a time, or seconds from now), with 0 attempts."""
    await _set_pending(session, job, when, attempts=0, last_error=None)


async def release(database: Database, job: LeasedJob) -> None:
    """Return the job to the queue at once. The run does not count as an attempt."""
    async with database.transaction() as session:
        await lock_lease(session, job)
        await _set_pending(session, job, 0.0, attempts=Job.attempts - 1)
        await ring(session, job.queue)


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


def back_off(attempts: int) -> float:
    """Seconds until the next attempt: doubling up to a cap, with ±25 % jitter."""
    return min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(attempts - 1, 20)) * random.uniform(
        0.75, 1.25
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
        await ring(session, job.queue)
        return state


async def _record_failure(
    session: AsyncSession,
    services: JobEnding,
    job: LeasedJob,
    error: str,
    *,
    delay: float,
    permanent: bool,
) -> JobState:
    """Make a locked job pending again or dead. `on_dead` runs in the same transaction."""
    if not permanent and job.attempts < job.max_attempts:
        await _set_pending(session, job, delay, last_error=error)
        return JobState.PENDING
    await _close(session, job, JobState.DEAD, last_error=error)
    on_dead = registry.definition(job.kind).on_dead
    if on_dead is not None:
        await on_dead(session, services, job)
    return JobState.DEAD


async def _set_pending(
    session: AsyncSession, job: LeasedJob, when: datetime | float, **changes: Any
) -> None:
    statement = (
        update(Job)
        .where(Job.id == job.id)
        .values(
            state=JobState.PENDING.value,
            lease_token=None,
            lease_expires_at=None,
            published_at=None,
            run_at=_moment(when),
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
    await session.execute(
        update(Job)
        .where(Job.id == job.id)
        .values(
            state=state.value,
            lease_token=None,
            lease_expires_at=None,
            finished_at=func.now(),
            **changes,
        )
    )


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
                "run_at": _moment(definition.every or 0.0),
                "attempts": 0,
                "finished_at": None,
                "published_at": None,
            },
            where=Job.state.in_([JobState.DONE.value, JobState.DEAD.value]),
        )
    )


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
