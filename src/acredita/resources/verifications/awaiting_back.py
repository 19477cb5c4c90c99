"""Ending DOCUMENT_OCR's wait for a document's back: its holder has none to show."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import Conflict, VerificationClosed
from acredita.domain.steps.documents import DOCUMENT_OCR, requires_back
from acredita.domain.verification import StepStatus
from acredita.resources.audit import service as audit
from acredita.resources.documents.queries import lock_verification
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.steps.documents import read_documents


async def go_on_without_back(session: AsyncSession, caller: Caller, verification_id: UUID) -> None:
    """Let the reading of documents wait for no back from now on; twice is once.

    Raise NotFound, VerificationClosed, Conflict where the workflow demands the back.
    """
    verification = await lock_verification(session, caller, verification_id)
    if not pipeline.is_open(verification):
        raise VerificationClosed
    for step in await queries.steps_of(session, verification_id):
        if step.type != DOCUMENT_OCR or StepStatus(step.status).is_final:
            continue
        if requires_back(step.config):
            raise Conflict("The workflow asks for the back of the document.")
        step.config = {**step.config, "backGraceSeconds": 0}
        waits = step.status == StepStatus.WAITING_INPUT and step.started_at is not None
        # With a code it asks for another picture; no job is on its way then.
        if waits and step.code is None:
            # Its job lies waiting for the end of the grace, and is due now instead.
            await jobs.add(
                session,
                read_documents,
                {"step_id": step.id},
                coalesce_key=f"step:{step.id}",
                organization_id=caller.organization_id,
            )
    audit.record(session, caller, Action.BACK_SKIPPED, verification_id)
