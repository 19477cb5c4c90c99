"""DOCUMENT_OCR: read what was uploaded, then judge it."""

from datetime import timedelta
from uuid import UUID

from acredita.jobs import JobContext, Queue, job
from acredita.resources.verifications.steps import running


@job(
    "verification.read_documents",
    queue=Queue.ENGINES,
    timeout=120,
    max_attempts=4,
    on_dead=running.give_up,
)
async def read_documents(context: JobContext, step_id: UUID) -> None:
    raise NotImplementedError
