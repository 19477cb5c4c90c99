"""Late pages: uploaded after the documents were judged, before the verification is decided.

They do not replace the judged documents. But a late page of another person sends the verification
to review.
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.reasons import AnyStepReason, DocumentReason
from acredita.domain.subject import Subject, judge_pages
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, LeasedJob, Queue, job
from acredita.models import Document, Verification, VerificationStep
from acredita.ports import DocumentReading, JobEnding
from acredita.resources.files import service as files
from acredita.resources.verifications import consistency, pipeline, queries, subjects
from acredita.resources.verifications.steps import reading
from acredita.resources.verifications.steps.reading import UNREADABLE


async def give_up(session: AsyncSession, services: JobEnding, job: LeasedJob) -> None:
    """After the last attempt, mark the pages as unreadable and send the verification to review."""
    verification = await queries.lock(session, UUID(job.payload["verification_id"]))
    if verification is None or not pipeline.is_open(verification):
        return
    steps = await queries.list_steps(session, verification.id)
    judging, late = await _late_documents(session, verification, steps)
    for document in late:
        if document.reading_sealed is None:
            document.reading.seal(services.keys, [UNREADABLE])
    if judging is not None and judging.status in (StepStatus.PASSED, StepStatus.REVIEW):
        await pipeline.send_to_review(
            session, services.keys, verification, judging, AnyStepReason.CHECK_UNAVAILABLE
        )
    await pipeline.advance(session, services.keys, verification)


@job(
    "verification.read_late_pages",
    queue=Queue.ENGINES,
    timeout=240,
    max_attempts=4,
    on_dead=give_up,
)
async def read_late_pages(context: JobContext, verification_id: UUID) -> None:
    """Read the late pages, judge them with the subject's document, and advance the verification."""
    services = context.services
    async with services.database.transaction() as session:
        verification = await session.get(Verification, verification_id)
        if verification is None or not pipeline.is_open(verification):
            return
        steps = await queries.list_steps(session, verification_id)
        _, late = await _late_documents(session, verification, steps)
    fresh = await reading.read_files(services, verification.organization_id, late)
    current = None
    try:
        async with context.finish() as session:
            current = await queries.lock(session, verification_id)
            if current is not None and pipeline.is_open(current):
                await _finish(session, context, current, fresh)
            else:
                current = None
    finally:
        if current is None:
            await files.withdraw(services.storage, fresh.pictures)


async def _finish(
    session: AsyncSession,
    context: JobContext,
    verification: Verification,
    fresh: reading.FreshReadings,
) -> None:
    services = context.services
    steps = await queries.list_steps(session, verification.id)
    judging, late = await _late_documents(session, verification, steps)
    await reading.store_readings(session, services.keys, late, fresh)
    if not reading.are_all_read(late):
        context.run_again(delay=0)
        return
    subject = subjects.load(services.keys, verification, steps)
    if judging is not None and judging.status in (StepStatus.PASSED, StepStatus.REVIEW):
        code = await _most_severe_code(session, services, verification, subject, late)
        if code is not None:
            await pipeline.send_to_review(session, services.keys, verification, judging, code)
    await pipeline.advance(session, services.keys, verification)


async def _late_documents(
    session: AsyncSession, verification: Verification, steps: Sequence[VerificationStep]
) -> tuple[VerificationStep | None, Sequence[Document]]:
    """Return the step that judged the documents, and the files uploaded after it ended."""
    judging = consistency.judging_step(steps)
    if judging is None or judging.finished_at is None:
        return judging, ()
    return judging, await queries.documents_since(session, verification.id, judging.finished_at)


async def _most_severe_code(
    session: AsyncSession,
    services: DocumentReading,
    verification: Verification,
    subject: Subject,
    late: Sequence[Document],
) -> DocumentReason | None:
    """Return the most severe code of the late pages, judged with the subject's document."""
    settled = await queries.current_files(session, verification.id)
    known = [document for document in reading.files_to_read(settled) if document.reading_sealed]
    further = [document for document in late if document not in known]
    pages = reading.uploaded_pages(services.keys, [*known, *further])
    verdict = judge_pages(
        pages, mexican_date(services.clock.now()), services.calibration, former=subject
    )
    late_ids = {document.id for document in late}
    codes = {
        code for place, code in verdict.page_codes.items() if pages[place].document_id in late_ids
    }
    return next((code for code in DocumentReason if code in codes), None)
