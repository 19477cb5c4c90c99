"""POST /v1/verifications/{id}/read-again: read the documents of a decided verification again.

Results and decision stay as they are. The audit log, and with it the verification's history,
records what the engines of today find differently: codes and names of fields, not their values.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NothingToReplay
from acredita.domain.steps.documents import DOCUMENT_OCR
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import DocumentRole
from acredita.jobs import JobContext, Queue, job
from acredita.kit.storage import NoSuchFile
from acredita.models import Document, Verification, VerificationStep
from acredita.resources.audit import service as audit
from acredita.resources.verifications import queries, subjects
from acredita.resources.verifications.steps import documents as judging
from acredita.resources.verifications.steps import reading


async def request(session: AsyncSession, caller: Caller, verification_id: UUID) -> None:
    """Add the job that reads the documents. Requests while it waits are served by one job.

    Raise NotFound; NothingToReplay for a verification that is not decided, whose documents no step
    has read, or whose evidence is purged.
    """
    verification = await queries.lock_owned(session, caller, verification_id)
    step = _finished(await queries.list_steps(session, verification.id))
    documents = await _documents(session, verification)
    is_decided = verification.completed_at is not None and verification.purged_at is None
    if step is None or not documents or not is_decided:
        raise NothingToReplay
    await jobs.add(
        session,
        read_again,
        {"verification_id": verification.id},
        coalesce_key=f"read_again:{verification.id}",
        organization_id=verification.organization_id,
    )
    audit.record(session, caller, Action.READING_REQUESTED, verification.id)


@job("verification.read_again", queue=Queue.ENGINES, timeout=240, max_attempts=4)
async def read_again(context: JobContext, verification_id: UUID) -> None:
    """Read and judge the documents, compare with the step's result, and record the difference."""
    services = context.services
    async with services.database.transaction() as session:
        verification = await session.get(Verification, verification_id)
        if verification is None or verification.purged_at is not None:
            return
        documents = await _documents(session, verification)
    try:
        pages = await reading.read_again(services, verification.organization_id, documents)
    except NoSuchFile:
        # Purged meanwhile.
        return
    async with context.finish() as session:
        steps = await queries.list_steps(session, verification.id)
        step = _finished(steps)
        if step is None or verification.completed_at is None:
            return
        outcome = judging.judge(
            services,
            reading.uploaded_pages(services.keys, documents, pages),
            step.config,
            mexican_date(verification.completed_at),
            subjects.load(services.keys, verification, steps),
        )
        former = step.evidence.open(services.keys) or []
        audit.record(
            session,
            audit.Actor(verification.organization_id),
            Action.READ_AGAIN,
            verification.id,
            status_before=step.status,
            status_now=outcome.status.value,
            code_before=step.code,
            code_now=outcome.code,
            same_engine=(step.judged_by or {}).get("engine") == outcome.judged_by["engine"],
            values_differ=_differences(former, outcome.evidence, "value"),
            decisions_differ=_differences(former, outcome.evidence, "decision"),
        )


def _differences(
    before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]], part: str
) -> list[str]:
    """Return the names of the fields whose value or decision differs, or that one of them lacks."""
    was = {item["field"]: item[part] for item in before}
    found = {item["field"]: item[part] for item in now}
    return sorted(name for name in was.keys() | found.keys() if was.get(name) != found.get(name))


def _finished(steps: Sequence[VerificationStep]) -> VerificationStep | None:
    """Return the step that has read the documents."""
    return next((s for s in steps if s.type == DOCUMENT_OCR and s.judged_by is not None), None)


async def _documents(session: AsyncSession, verification: Verification) -> list[Document]:
    files: Mapping[DocumentRole, Sequence[Document]] = await queries.current_files(
        session, verification.id
    )
    return reading.files_to_read(files)
