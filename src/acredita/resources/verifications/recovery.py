"""Resume a verification whose job was lost."""

from uuid import UUID

from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.ports import JobEnding
from acredita.resources.verifications import pipeline, queries


async def resume(services: JobEnding, verification_id: UUID) -> None:
    """Restart the running step. If its job still exists, no second one is added.

    A step that waits for a retake keeps waiting.
    """
    async with services.database.transaction() as session:
        verification = await queries.lock(session, verification_id)
        if verification is None or not pipeline.is_open(verification):
            return
        if verification.status == VerificationStatus.PENDING:
            await pipeline.begin(session, services.keys, verification)
            return
        for step in await queries.list_steps(session, verification_id):
            if step.status == StepStatus.WAITING_INPUT and step.code is not None:
                return
            if step.status == StepStatus.RUNNING:
                step.status = StepStatus.PENDING
        await session.flush()
        await pipeline.advance(session, services.keys, verification)
