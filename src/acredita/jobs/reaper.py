"""Takes jobs back from workers that died, and keeps recurring jobs alive. Needs no Redis."""

import asyncio

import structlog

from acredita.jobs import ledger, metrics, registry
from acredita.jobs.faults import describe
from acredita.models import JobState
from acredita.services import Services

log = structlog.get_logger()


async def reap_for_ever(services: Services, *, every: float) -> None:
    while True:
        await reap(services)
        await revive_recurring(services)
        await asyncio.sleep(every)


async def reap(services: Services) -> int:
    """End every lease that has expired; how many.

    One transaction a job: the consequence of one job's death may fail, and is tried again at the
    next pass, without holding up the others.
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


async def revive_recurring(services: Services) -> None:
    for definition in registry.recurring_definitions():
        async with services.database.transaction() as session:
            await ledger.keep_recurring(session, definition)
