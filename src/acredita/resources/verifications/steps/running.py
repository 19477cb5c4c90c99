"""Functions that the jobs of all step types share: load a step, finish it, give up."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.reasons import AnyStepReason
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.domain.workflow import lacking_roles
from acredita.jobs import JobContext, JobDefinition, LeasedJob, Queue, job
from acredita.jobs.registry import Handler
from acredita.models import Document, Verification, VerificationStep
from acredita.ports import JobEnding
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.outcome import StepOutcome

CHECK_UNAVAILABLE = StepOutcome(StepStatus.REVIEW, code=AnyStepReason.CHECK_UNAVAILABLE)


@dataclass(frozen=True, slots=True)
class RunningStep:
    """An unfinished step with the data that its job uses."""

    verification: Verification
    step: VerificationStep
    steps: Sequence[VerificationStep]
    # The last usable file of each role, and all of them: those of the newest request.
    documents: dict[DocumentRole, Document]
    files: dict[DocumentRole, list[Document]]


async def load(session: AsyncSession, step_id: UUID, *, lock: bool = False) -> RunningStep | None:
    """Return the step, or None if it or its verification has ended (by a reviewer or expiry)."""
    verification_id = await session.scalar(
        select(VerificationStep.verification_id).where(VerificationStep.id == step_id)
    )
    if verification_id is None:
        return None
    if lock:
        verification = await queries.lock(session, verification_id)
    else:
        verification = await session.get(Verification, verification_id)
    if verification is None or not pipeline.is_open(verification):
        return None
    steps = await queries.list_steps(session, verification_id)
    step = next(step for step in steps if step.id == step_id)
    if StepStatus(step.status).is_final:
        return None
    files = await queries.current_files(session, verification_id)
    newest = {role: rows[-1] for role, rows in files.items()}
    # Leave out images that a retake was requested for and that no newer upload replaces.
    lacking = lacking_roles(step.asked_again, queries.upload_times(newest))
    usable = {role: rows for role, rows in files.items() if role not in lacking}
    documents = {role: rows[-1] for role, rows in usable.items()}
    return RunningStep(verification, step, steps, documents, usable)


async def finish(context: JobContext, step_id: UUID, outcome: StepOutcome) -> None:
    """Finish the step in the job's final transaction, unless it has already ended."""
    async with context.finish() as session:
        running = await load(session, step_id, lock=True)
        if running is not None:
            await pipeline.finish_step(
                session, context.services, running.verification, running.step, outcome
            )


async def finish_or_wait(
    context: JobContext,
    step_id: UUID,
    judge: Callable[[AsyncSession, RunningStep], Awaitable[StepOutcome | None]],
) -> None:
    """Finish the step with the outcome of the person's act; without one (None), it waits.

    `judge` runs under the verification's lock: an act that commits later resumes the step.
    """
    async with context.finish() as session:
        running = await load(session, step_id, lock=True)
        if running is None:
            return
        outcome = await judge(session, running)
        if outcome is None:
            await pipeline.await_act(session, running.verification, running.step)
        else:
            await pipeline.finish_step(
                session, context.services, running.verification, running.step, outcome
            )


async def give_up(session: AsyncSession, services: JobEnding, job: LeasedJob) -> None:
    """After the job's last attempt, send the step to review."""
    running = await load(session, UUID(job.payload["step_id"]), lock=True)
    if running is not None:
        await pipeline.finish_step(
            session, services, running.verification, running.step, CHECK_UNAVAILABLE
        )


def step_job(
    kind: str, *, queue: Queue, timeout: float, max_attempts: int = 5
) -> Callable[[Handler], JobDefinition]:
    """Declare the job of a step (payload: `step_id`). After the last attempt it gives up."""
    return job(kind, queue=queue, timeout=timeout, max_attempts=max_attempts, on_dead=give_up)
