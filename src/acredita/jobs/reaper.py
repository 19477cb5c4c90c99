"""Ends the leases of dead workers and keeps recurring jobs alive. Does not need Redis."""

import asyncio

import structlog

from acredita.jobs import ledger, metrics, registry
from acredita.jobs.error_descriptions import describe
from acredita.kit.db import Database
from acredita.models import JobState
from acredita.ports import JobEnding

log = structlog.get_logger()


async def reap_for_ever(services: JobEnding, *, every: float) -> None:
    while True:
        await reap(services)
        await revive_recurring(services.database)
        await asyncio.sleep(every)


async def reap(services: JobEnding) -> int:
    """End every expired lease and return their number.

    Each job has its own transaction: if `on_dead` of one job fails, the next pass retries it and
    the other jobs are not affected.
    """
    reaped = 0
    for job in await ledger.expired(services.database):
        try:
            state = await ledger.reap(services, job)
        except Exception as fault:
            log.warning("jobs.reap_failed", job_id=str(job.id), error=describe(fault))
            continue
        if state is not None:
            reaped += 1
            metrics.reaped(job, "dead" if state is JobState.DEAD else "lease_expired")
            log.warning(
                "jobs.lease_expired",
                job_id=str(job.id),
                kind=job.kind,
                attempt=job.attempts,
                state=state.value,
            )
    return reaped


async def revive_recurring(database: Database) -> None:
    for definition in registry.recurring_definitions():
        async with database.transaction() as session:
            await ledger.ensure_recurring(session, definition)
