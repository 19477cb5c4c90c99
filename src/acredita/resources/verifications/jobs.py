"""The background work of verifications: the steps' jobs, and the time-out."""

from uuid import UUID

from acredita.domain.verification import StepType
from acredita.jobs import JobContext, JobDefinition, Queue, job, recurring
from acredita.resources.verifications import listing, pipeline, queries
from acredita.resources.verifications.steps.documents import read_documents
from acredita.resources.verifications.steps.faces import match_faces
from acredita.resources.verifications.steps.liveness import judge_liveness
from acredita.resources.verifications.steps.registries import ask_registries

STEP_JOBS: dict[StepType, JobDefinition] = {
    StepType.DOCUMENT_OCR: read_documents,
    StepType.FACE_MATCH: match_faces,
    StepType.LIVENESS: judge_liveness,
    StepType.GOVERNMENT_VERIFY: ask_registries,
}
EXPIRED_AT_ONCE = 200


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
