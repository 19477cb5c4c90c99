"""Add jobs, in the transaction that needs them."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, literal
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession
from structlog.contextvars import get_contextvars

from acredita.jobs.ledger.rows import timestamp
from acredita.jobs.ledger.wake_ups import ring
from acredita.jobs.registry import JobDefinition, Lane, Payload, Priority
from acredita.kit import tracing
from acredita.models import Job, JobState


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
    lane: Lane = Lane.SERVER,
    request_id: str | None = None,
) -> UUID | None:
    """Insert a job in the caller's transaction and return its id. The commit wakes a worker.

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
        run_at=timestamp(run_at if run_at is not None else delay or 0.0),
        priority=priority.value,
        max_attempts=definition.max_attempts,
        organization_id=organization_id,
        lane=lane.value,
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
    job_id: UUID | None = await session.scalar(adding.returning(Job.id))
    if job_id is not None and run_at is None and not delay:
        ring(session, definition.queue)
    return job_id


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

    All arguments are SQL expressions. The payload becomes a JSON object with these names. The
    caller wakes a worker (`wake_up`) after the commit.
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
        RETURNING id
    """


def current_request_id() -> str | None:
    return get_contextvars().get("request_id")
