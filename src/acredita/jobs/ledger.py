"""The ledger: every statement that reads or writes the job table.

A job is pending, running under a lease, done or dead. A lease is a token and an expiry by the
database's clock; whoever finishes, fails or gives back a job proves the token with the row locked,
so a worker that lost its lease (paused, partitioned, presumed dead) can change nothing.
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
from acredita.services import Services

# PostgreSQL's notification channel; the message is the queue that has new work.
CHANNEL = "acredita_jobs"

FIRST_RETRY = 2.0
LONGEST_RETRY = 300.0
REPUBLISH_AFTER = 30.0
REPUBLISH_AT_LEAST_EVERY = 120.0


@dataclass(frozen=True, slots=True)
class LeasedJob:
    """A job as it was when this process took it, and the token that proves it."""

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
    """A message to the workers of a queue that a job waits for them."""

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
    """Write a job in the caller's transaction; the dispatchers hear of it when that commits.

    `once_key`: there is one such job for ever; None is returned if it exists.
    `coalesce_key`: a pending job with that key serves this caller too, and its id is returned. Its
    row stays locked until the caller commits: claimed before that, it would read the old data.
    `run_at`, or `delay` in seconds by the database's clock: not before then.
    """
    payload = payload or {}
    definition.check(payload)
    if once_key is not None and coalesce_key is not None:
        raise ValueError("a job is once for ever or coalesced, not both")
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
            # Written out, not bound: a generic plan, which PostgreSQL may turn to after five
            # executions, would not find the partial index by a parameter.
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
    """SQL that adds a job as part of a larger statement; all that goes in is SQL, too.

    For what is asked for all the time: `add` costs a statement of its own. Payloads are JSON
    objects of these names.
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
    """SQL, made of SQL: `lease` has a row while the job is leased to this run.

    For the statements of a long run that count before it finishes: they are at worst as late as
    themselves. They also show that the run gets on, so that the crashes before it are forgotten.
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
    """A moment, or seconds from now by the database's clock (the transaction's beginning)."""
    if isinstance(when, datetime):
        return when
    moment: ColumnElement[datetime] = func.now(type_=DateTime(timezone=True))
    return moment + func.make_interval(0, 0, 0, 0, 0, 0, when) if when else moment


# Due jobs of a queue, the urgent first. Each level is a range of ix_job_due, so that neither a long
# backlog nor a million jobs of next week make it slow.
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
    " AND (organization_id IS NULL OR organization_id <> ALL(CAST(:sated AS uuid[])))"
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
    sated: Collection[UUID] = (),
) -> list[LeasedJob]:
    """Lease up to `limit` due jobs of a queue, for `lease` seconds; none of the `sated`.

    These are organizations that have their share of this process already.
    """
    parameters = {"queue": queue, "limit": limit}
    return await _claim(database, CLAIM_DUE, parameters, lease, sated)


async def claim_one(
    database: Database, job_id: UUID, *, lease: float, sated: Collection[UUID] = ()
) -> list[LeasedJob]:
    """Lease one job, if it is still due and free: a wake-up may be late, doubled or forged."""
    return await _claim(database, CLAIM_ONE, {"id": job_id}, lease, sated)


async def _claim(
    database: Database,
    statement: Any,
    parameters: dict[str, Any],
    lease: float,
    sated: Collection[UUID],
) -> list[LeasedJob]:
    parameters |= {"kinds": registry.known_kinds(), "lease": lease, "sated": list(sated)}
    async with database.reading() as connection:
        rows = await connection.execute(statement, parameters)
        return [LeasedJob(*row) for row in rows]


# One that failed waits for its back-off. One that runs, or ends just now, looks for itself before
# it ends, and is asked about again after that.
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
    """Make the standing jobs of a queue due that have work waiting."""
    for definition in registry.standing_definitions(queue):
        parameters = {
            "kind": definition.kind,
            "queue": queue,
            "max_attempts": definition.max_attempts,
        }
        async with database.reading() as connection:
            await connection.execute(text(ROUSE.format(waiting=definition.waiting)), parameters)


# A row that its own finishing transaction holds locked is skipped, not waited for: one slow
# transaction must not cost the other jobs of the process their leases.
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


async def beat(database: Database, jobs: list[LeasedJob], *, lease: float) -> set[UUID]:
    """Renew the leases of a process's jobs; the tokens of those that are still its own."""
    parameters = {
        "ids": [job.id for job in jobs],
        "tokens": [job.lease_token for job in jobs],
        "lease": lease,
    }
    async with database.reading() as connection:
        return set(await connection.scalars(BEAT, parameters))


async def hold(session: AsyncSession, job: LeasedJob) -> None:
    """Lock the job's row for the transaction, or raise LeaseLost."""
    statement = select(Job.id).where(Job.id == job.id, Job.lease_token == job.lease_token)
    if await session.scalar(statement.with_for_update()) is None:
        raise LeaseLost(f"job {job.id} is no longer leased to this run")


async def complete(session: AsyncSession, job: LeasedJob) -> None:
    await _close(session, job, JobState.DONE)


async def ring(session: AsyncSession, queue: str) -> None:
    """Let the dispatchers look at the ledger when the transaction commits."""
    await session.execute(select(func.pg_notify(CHANNEL, queue)))


async def run_again(session: AsyncSession, job: LeasedJob, when: datetime | float) -> None:
    """Leave a held job pending for a moment or for seconds from now, with all its attempts."""
    await _to_pending(session, job, when, attempts=0, last_error=None)


async def give_back(database: Database, job: LeasedJob) -> None:
    """Let another worker do the job at once, as if this one had never taken it."""
    async with database.transaction() as session:
        await hold(session, job)
        await _to_pending(session, job, 0.0, attempts=Job.attempts - 1)
        await ring(session, job.queue)


async def fail(
    services: Services,
    job: LeasedJob,
    error: str,
    *,
    delay: float | None = None,
    for_good: bool = False,
) -> JobState:
    """Record a failed run: pending again after `delay` seconds or the back-off, or dead."""
    async with services.database.transaction() as session:
        await hold(session, job)
        return await _settle(
            session,
            services,
            job,
            error,
            delay=back_off(job.attempts) if delay is None else delay,
            for_good=for_good,
        )


def back_off(attempts: int) -> float:
    """Seconds before the next attempt: doubling, capped, spread so that failures do not march."""
    return min(LONGEST_RETRY, FIRST_RETRY * 2.0 ** min(attempts - 1, 20)) * random.uniform(
        0.75, 1.25
    )


async def expired(database: Database, *, limit: int = 100) -> list[LeasedJob]:
    """Jobs whose worker gave no sign of life for the length of a lease."""
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


async def reap(services: Services, job: LeasedJob) -> JobState | None:
    """Take an expired lease away: pending at once, or dead. None: the worker came back in time.

    The run counts as an attempt: a job that kills every worker that takes it must end.
    """
    statement = (
        select(Job.id)
        .where(Job.id == job.id, Job.lease_token == job.lease_token)
        .where(Job.lease_expires_at < func.now())
        # Locked: its worker is finishing it at this moment.
        .with_for_update(skip_locked=True)
    )
    async with services.database.transaction() as session:
        if await session.scalar(statement) is None:
            return None
        state = await _settle(session, services, job, "lease expired", delay=0.0, for_good=False)
        await ring(session, job.queue)
        return state


async def _settle(
    session: AsyncSession,
    services: Services,
    job: LeasedJob,
    error: str,
    *,
    delay: float,
    for_good: bool,
) -> JobState:
    """What becomes of a held job whose run failed, with its consequence in the same transaction."""
    if not for_good and job.attempts < job.max_attempts:
        await _to_pending(session, job, delay, last_error=error)
        return JobState.PENDING
    await _close(session, job, JobState.DEAD, last_error=error)
    on_dead = registry.definition(job.kind).on_dead
    if on_dead is not None:
        await on_dead(session, services, job)
    return JobState.DEAD


async def _to_pending(
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
    await session.flush()  # so that a conflict below can only be the coalesce key's
    try:
        async with session.begin_nested():
            await session.execute(statement)
    except IntegrityError:
        # A newer pending job with the same coalesce key does this one's work as well.
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
    """Note that wake-ups are about to be sent for due jobs, and return these.

    A wake-up that is lost is repeated after 30 seconds, then after 60, then every two minutes.
    """
    parameters = {
        "queue": queue,
        "limit": limit,
        "first": REPUBLISH_AFTER,
        "longest": REPUBLISH_AT_LEAST_EVERY,
    }
    async with database.reading() as connection:
        return [WakeUp(*row) for row in await connection.execute(PUBLISH, parameters)]


async def forget_publishes(database: Database) -> None:
    """Redis has lost what it was told: let everything pending be published again."""
    async with database.transaction() as session:
        await session.execute(
            update(Job)
            .where(Job.state == JobState.PENDING.value, Job.published_at.is_not(None))
            .values(published_at=None)
        )


async def keep_recurring(session: AsyncSession, definition: JobDefinition) -> None:
    """See that the one row of a recurring job exists and is alive."""
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
    """Delete up to `limit` jobs that were done before then; how many."""
    old = (
        select(Job.id)
        .where(Job.state == JobState.DONE.value, Job.finished_at < func.now() - older_than)
        .order_by(Job.finished_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
        .cte("old")
        # A plan may run a subquery once for each row, and find other rows each time.
        .prefix_with("MATERIALIZED")
    )
    deleted = await session.scalars(
        delete(Job).where(Job.id.in_(select(old.c.id))).returning(Job.id)
    )
    return len(deleted.all())
