"""Jobs of verifications: those of the steps, and expiry."""

from datetime import timedelta
from importlib import import_module
from pkgutil import iter_modules
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.verification import VerificationStatus
from acredita.jobs import JobContext, Queue, job, recurring
from acredita.models import Verification
from acredita.resources.overview import queries as overview
from acredita.resources.verifications import (
    inputs,
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
    lifetime = timedelta(seconds=context.services.settings.verification_ttl)
    while True:
        async with context.services.database.transaction() as session:
            found = await queries.lock_expired(session, limit=EXPIRE_BATCH)
            for verification in found:
                if await _was_never_begun(session, verification, lifetime):
                    await _begin_late(session, verification)
                else:
                    await pipeline.expire(session, verification)
        if len(found) < EXPIRE_BATCH:
            return


async def _was_never_begun(
    session: AsyncSession, verification: Verification, lifetime: timedelta
) -> bool:
    """Whether a verification that needs no upload expires for the first time and is PENDING.

    A former release created it, which began it only with sufficient metadata, or no worker had the
    time. One with a link begins when the person opens it.
    """
    is_first = verification.expires_at - verification.created_at < lifetime + pipeline.OPEN_FOR
    if verification.status != VerificationStatus.PENDING or verification.has_link or not is_first:
        return False
    steps = await queries.list_steps(session, verification.id)
    return bool(steps) and inputs.need_nothing_besides(frozenset(), steps)


async def _begin_late(session: AsyncSession, verification: Verification) -> None:
    verification.expires_at = func.now() + pipeline.OPEN_FOR
    await jobs.add(
        session,
        begin,
        {"verification_id": verification.id},
        organization_id=verification.organization_id,
    )


@recurring("verification.fold_tallies", every=15)
async def fold_tallies(context: JobContext) -> None:
    async with context.services.database.transaction() as session:
        await listing.fold_tallies(session)
    async with context.services.database.transaction() as session:
        await overview.fold(session)
