"""Jobs of verifications: those of the steps, and expiry."""

from importlib import import_module
from pkgutil import iter_modules
from uuid import UUID

from acredita.domain.verification import VerificationStatus
from acredita.jobs import JobContext, Queue, job, recurring
from acredita.resources.overview import queries as overview
from acredita.resources.verifications import (
    listing,
    pipeline,
    queries,
    read_again,  # noqa: F401 (has a job)
    step_table,
    steps,
)

EXPIRE_BATCH = 200

# Import every file of the folder, so that a new step type is one new file there.
for found in iter_modules(steps.__path__):
    import_module(f"{steps.__name__}.{found.name}")
step_table.check_complete()


@job("verification.begin", queue=Queue.LIGHT, timeout=30)
async def begin(context: JobContext, verification_id: UUID) -> None:
    """Start a verification that needs no upload to begin."""
    async with context.finish() as session:
        verification = await queries.lock(session, verification_id)
        if verification is not None:
            await pipeline.begin(session, context.services.keys, verification)


@job("verification.resume", queue=Queue.LIGHT, timeout=30)
async def resume(context: JobContext, verification_id: UUID) -> None:
    """Look again at the step that waits for an act of the person."""
    async with context.finish() as session:
        verification = await queries.lock(session, verification_id)
        if verification is not None and verification.status == VerificationStatus.IN_PROGRESS:
            await pipeline.advance(session, context.services.keys, verification)


@recurring("verification.expire", every=60)
async def expire_verifications(context: JobContext) -> None:
    """Expire unfinished verifications (DECISIONS: 24 hours after creation)."""
    while True:
        async with context.services.database.transaction() as session:
            found = await queries.lock_expired(session, limit=EXPIRE_BATCH)
            for verification in found:
                await pipeline.expire(session, verification)
        if len(found) < EXPIRE_BATCH:
            return


@recurring("verification.fold_tallies", every=15)
async def fold_tallies(context: JobContext) -> None:
    async with context.services.database.transaction() as session:
        await listing.fold_tallies(session)
    async with context.services.database.transaction() as session:
        await overview.fold(session)
