"""Skip the back of a document: DOCUMENT_OCR no longer waits for it."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import Conflict, VerificationClosed
from acredita.domain.steps.documents import DOCUMENT_OCR, requires_back
from acredita.domain.verification import StepStatus
from acredita.resources.audit import service as audit
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.steps.documents import read_documents


async def skip_document_back(session: AsyncSession, caller: Caller, verification_id: UUID) -> None:
    """Set the wait for the back to zero and run a waiting DOCUMENT_OCR now. Idempotent.

    Raise NotFound, VerificationClosed, or Conflict if the workflow requires the back.
    """
    verification = await queries.lock_owned(session, caller, verification_id)
    if not pipeline.is_open(verification):
        raise VerificationClosed
    for step in await queries.list_steps(session, verification_id):
        if step.type != DOCUMENT_OCR or StepStatus(step.status).is_final:
            continue
        if requires_back(step.config):
            raise Conflict("The workflow requires the back of the document.")
        step.config = {**step.config, "backGraceSeconds": 0}
        waits = step.status == StepStatus.WAITING_INPUT and step.started_at is not None
        # A step with a code waits for a retake and has no job.
        if waits and step.code is None:
            # The job is due when the wait ends; make it due now.
            await jobs.add(
                session,
                read_documents,
                {"step_id": step.id},
                coalesce_key=f"step:{step.id}",
                organization_id=caller.organization_id,
                lane=queries.lane_of(verification),
            )
    audit.record(session, caller, Action.BACK_SKIPPED, verification_id)
