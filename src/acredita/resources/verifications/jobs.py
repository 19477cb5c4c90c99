"""The background work of verifications: the steps' jobs, and the time-out."""

from importlib import import_module
from pkgutil import iter_modules
from uuid import UUID

from acredita.jobs import JobContext, Queue, job, recurring
from acredita.resources.verifications import listing, pipeline, queries, step_table, steps

EXPIRED_AT_ONCE = 200

# Every file of the folder, so that a new type of step is one new file there.
for found in iter_modules(steps.__path__):
    import_module(f"{steps.__name__}.{found.name}")
step_table.check_complete()


@job("verification.begin", queue=Queue.LIGHT, timeout=30)
async def begin(context: JobContext, verification_id: UUID) -> None:
    """Start a verification that can begin on its metadata alone."""
    async with context.finish() as session:
        verification = await queries.lock(session, verification_id)
        if verification is not None:
            await pipeline.begin(session, context.services, verification)


@recurring("verification.expire", every=60)
async def expire_verifications(context: JobContext) -> None:
    """End unfinished verifications past their time (DECISIONS: 24 hours after creation)."""
    while True:
        async with context.services.database.transaction() as session:
            found = await queries.expired(session, limit=EXPIRED_AT_ONCE)
            for verification in found:
                await pipeline.expire(session, verification)
        if len(found) < EXPIRED_AT_ONCE:
            return


@recurring("verification.fold_tallies", every=15)
async def fold_tallies(context: JobContext) -> None:
    async with context.services.database.transaction() as session:
        await listing.fold_tallies(session)
