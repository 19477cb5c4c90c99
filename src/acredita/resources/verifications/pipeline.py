"""How a verification moves: every change of its status or its steps is made here.

The callers hold the verification's row lock, so of several jobs that finish at once the last one
sees all steps finished, and decides, alone.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain import workflow
from acredita.domain.audit import Action, ActorType, canonical
from acredita.domain.caller import Caller
from acredita.domain.decision import FinishedStep, decide
from acredita.domain.events import EventKind
from acredita.domain.reasons import ReasonCode, Severity
from acredita.domain.subject import Subject
from acredita.domain.verification import (
    DECIDED,
    OPEN,
    DocumentRole,
    StepStatus,
    StepType,
    VerificationStatus,
    may_move,
)
from acredita.models import Document, EventTurn, Verification, VerificationStep
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.training import items as training_items
from acredita.resources.verifications import coherence, queries, search, subjects
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.webhooks import events
from acredita.services import Services

STATUS_EVENTS = {
    VerificationStatus.APPROVED: EventKind.VERIFICATION_APPROVED,
    VerificationStatus.REJECTED: EventKind.VERIFICATION_REJECTED,
    VerificationStatus.MANUAL_REVIEW: EventKind.VERIFICATION_MANUAL_REVIEW,
}


# PostgreSQL's notification channel: of which verification there is something new to see.
CHANNEL = "acredita_verification"


def is_open(verification: Verification) -> bool:
    return VerificationStatus(verification.status) in OPEN


async def inputs_arrived(
    session: AsyncSession, services: Services, verification: Verification
) -> None:
    """Documents were added in this transaction, which holds the verification's row."""
    if VerificationStatus(verification.status) is VerificationStatus.PENDING:
        turn = EventTurn.INPUTS_COMPLETED if await _has_all_inputs(session, verification) else None
        await _move(session, verification, VerificationStatus.IN_PROGRESS, turn)
    await advance(session, services, verification)


async def _has_all_inputs(session: AsyncSession, verification: Verification) -> bool:
    present = frozenset(await queries.current_documents(session, verification.id))
    return not any(
        workflow.missing_roles(StepType(step.type), step.config, present)
        for step in await queries.steps_of(session, verification.id)
    )


async def begin(session: AsyncSession, services: Services, verification: Verification) -> None:
    """Start a verification whose first step needs no upload."""
    if VerificationStatus(verification.status) is VerificationStatus.PENDING:
        await _move(session, verification, VerificationStatus.IN_PROGRESS)
        await advance(session, services, verification)


async def finish_step(
    session: AsyncSession,
    services: Services,
    verification: Verification,
    step: VerificationStep,
    outcome: StepOutcome,
    *,
    subject: Subject | None = None,
) -> None:
    """Record how a step ended, tell of it, and go on with what follows.

    `subject` is the verification's subject with what the step learned about it. In the browser
    flow, a step that could not use a picture asks for another, and has not ended.
    """
    if await _ask_again(session, verification, step, outcome):
        return
    _record(services, step, outcome)
    if subject is not None:
        subjects.keep(services.keys, verification, subject)
    await search.enter_name(session, services.signer, verification, outcome.evidence)
    await _tell_of_step(session, verification, step)
    await session.flush()
    await advance(session, services, verification)


async def doubt_step(
    session: AsyncSession,
    services: Services,
    verification: Verification,
    step: VerificationStep,
    code: ReasonCode,
) -> None:
    """Send a step that has passed to a person, for what other evidence says against it."""
    result = step.result.open(services.keys) or {}
    step.status = StepStatus.REVIEW
    step.code = code
    result = {"code": code, "message": code.message.en, **result}
    step.result.seal(services.keys, result)
    await _tell_of_step(session, verification, step)
    await session.flush()


async def _ask_again(
    session: AsyncSession,
    verification: Verification,
    step: VerificationStep,
    outcome: StepOutcome,
) -> bool:
    """Whether the person is asked for other pictures: not of what another step has judged."""
    has_person = verification.has_session and step.retakes < workflow.MOST_RETAKES
    if not has_person or outcome.status is not StepStatus.REVIEW:
        return False
    if outcome.code is None or outcome.code.severity is not Severity.RETAKE:
        return False
    documents = await queries.current_documents(session, verification.id)
    roles = outcome.unusable or workflow.roles_to_retake(
        StepType(step.type), outcome.code, documents
    )
    settled = await queries.settled_roles(session, verification.id)
    if not roles or roles & settled.keys():
        return False
    # Under the verification's lock: whatever is uploaded after this is later.
    moment = (await queries.current_time(session)).isoformat()
    step.status = StepStatus.WAITING_INPUT
    step.code = outcome.code
    step.retakes += 1
    step.asked_again = {**(step.asked_again or {}), **{role.value: moment for role in roles}}
    verification.updated_at = func.clock_timestamp()
    await session.flush()
    await _tell(
        session,
        verification,
        EventKind.VERIFICATION_UPDATED,
        {"verificationId": str(verification.id), "changes": ["steps"]},
    )
    audit.record(
        session,
        Actor(verification.organization_id, ActorType.SERVICE),
        Action.RETAKE_ASKED,
        verification.id,
        step=step.id,
        code=outcome.code,
        roles=sorted(roles),
    )
    await announce(session, verification.id)
    return True


async def announce(session: AsyncSession, verification_id: UUID) -> None:
    """Wake who watches the verification, once the transaction has committed."""
    await session.execute(select(func.pg_notify(CHANNEL, str(verification_id))))


async def advance(session: AsyncSession, services: Services, verification: Verification) -> None:
    """Start what may run now; decide once everything has ended."""
    await announce(session, verification.id)
    steps = await queries.steps_of(session, verification.id)
    documents = await queries.current_documents(session, verification.id)
    plan = workflow.next_steps([_view(step, documents) for step in steps], frozenset(documents))
    by_id = {step.id: step for step in steps}
    for step_id in plan.skip:
        by_id[step_id].status = StepStatus.SKIPPED
        by_id[step_id].finished_at = func.now()
    if plan.wait is not None:
        by_id[plan.wait].status = StepStatus.WAITING_INPUT
    if plan.start is not None:
        await _start(session, verification, by_id[plan.start])
    elif plan.finished:
        await _conclude(session, services, verification, steps)


async def expire(session: AsyncSession, verification: Verification) -> None:
    await _move(session, verification, VerificationStatus.EXPIRED, EventTurn.EXPIRED)
    await announce(session, verification.id)


async def override(
    session: AsyncSession,
    services: Services,
    reviewer: Caller,
    verification: Verification,
    status: VerificationStatus,
    *,
    notes: str | None,
) -> None:
    """A reviewer's word: from any status, to the same one too. It ends the run.

    Jobs that still run find the verification closed and change nothing.
    """
    if status not in DECIDED:
        raise ValueError(f"a reviewer does not set {status}")
    before = VerificationStatus(verification.status)
    steps = await queries.steps_of(session, verification.id)
    for step in steps:
        if not StepStatus(step.status).is_final:
            step.status = StepStatus.SKIPPED
            step.finished_at = func.now()
    was_completed = verification.completed_at is not None
    if not was_completed:
        verification.completed_at = func.now()
    verification.updated_at = func.clock_timestamp()
    verification.notes.seal(services.keys, notes)
    if status is not before:
        await _set_status(session, verification, status)
    if not was_completed:
        completed = _completed(verification, steps)
        await _tell(session, verification, EventKind.VERIFICATION_COMPLETED, completed)
    elif status is not before:
        await events.record_callback(
            session,
            organization_id=verification.organization_id,
            verification_id=verification.id,
            data=_completed(verification, steps),
        )
    await _tell_of_status(session, verification, before)
    await announce(session, verification.id)
    audit.record(
        session,
        reviewer,
        Action.VERIFICATION_STATUS_CHANGED,
        verification.id,
        previous_status=before,
        new_status=status,
        notes=None if notes is None else services.signer.digest("audit-notes", notes.encode()),
    )


async def _start(session: AsyncSession, verification: Verification, step: VerificationStep) -> None:
    step.started_at = func.now()
    step.status = StepStatus.RUNNING
    step.code = None
    await jobs.add(
        session,
        entry_of(StepType(step.type)).job,
        {"step_id": step.id},
        coalesce_key=f"step:{step.id}",
        organization_id=verification.organization_id,
    )


async def _conclude(
    session: AsyncSession,
    services: Services,
    verification: Verification,
    steps: Sequence[VerificationStep],
) -> None:
    """Decide, once every page was read and nothing speaks against all evidence being of one
    person.
    """
    subject = subjects.subject_of(services.keys, verification, steps)
    if await coherence.reads_late_pages(session, verification, steps, subject):
        return
    for doubt in coherence.doubts_about(services, verification, steps, subject):
        for step in steps:
            if step.type == doubt.step and step.status == StepStatus.PASSED:
                await doubt_step(session, services, verification, step, doubt.code)
    decision = decide([FinishedStep(StepType(s.type), StepStatus(s.status), s.code) for s in steps])
    before = VerificationStatus(verification.status)
    verification.decision = {
        "status": decision.status,
        "reasons": list(decision.reasons),
        "rules": decision.rules,
    }
    verification.completed_at = func.now()
    await _move(session, verification, decision.status)
    audit.record(
        session,
        Actor(verification.organization_id, ActorType.SERVICE),
        Action.VERIFICATION_STATUS_CHANGED,
        verification.id,
        previous_status=before,
        new_status=decision.status,
        decision=sha256(canonical(verification.decision).encode()).digest(),
    )
    await _tell(
        session, verification, EventKind.VERIFICATION_COMPLETED, _completed(verification, steps)
    )
    await _tell_of_status(session, verification, before)


async def _move(
    session: AsyncSession,
    verification: Verification,
    to: VerificationStatus,
    turn: EventTurn | None = None,
) -> None:
    current = VerificationStatus(verification.status)
    if not may_move(current, to):
        raise RuntimeError(f"a verification cannot go from {current} to {to}")
    await _set_status(session, verification, to, turn)


async def _set_status(
    session: AsyncSession,
    verification: Verification,
    to: VerificationStatus,
    turn: EventTurn | None = None,
) -> None:
    verification.status = to
    # Not now(): a transaction that waited for the row began before the one that it waited for.
    verification.updated_at = func.clock_timestamp()
    await session.flush()
    if to is not VerificationStatus.IN_PROGRESS:
        await training_items.follow_status(session, verification)
    await _tell(
        session,
        verification,
        EventKind.VERIFICATION_UPDATED,
        {"verificationId": str(verification.id), "changes": ["status"]},
        turn=turn,
    )


async def _tell_of_status(
    session: AsyncSession, verification: Verification, before: VerificationStatus
) -> None:
    status = VerificationStatus(verification.status)
    await _tell(
        session,
        verification,
        STATUS_EVENTS[status],
        {
            "verificationId": str(verification.id),
            "previousStatus": before,
            "newStatus": status,
        },
        turn=EventTurn.REVISED if before in DECIDED else None,
    )


def _completed(verification: Verification, steps: Sequence[VerificationStep]) -> dict[str, Any]:
    return {
        "verificationId": str(verification.id),
        "status": verification.status,
        "steps": [{"id": str(s.id), "type": s.type, "status": s.status} for s in steps],
    }


async def _tell_of_step(
    session: AsyncSession, verification: Verification, step: VerificationStep
) -> None:
    failed = step.status == StepStatus.FAILED
    await _tell(
        session,
        verification,
        EventKind.STEP_FAILED if failed else EventKind.STEP_COMPLETED,
        {
            "verificationId": str(verification.id),
            "stepId": str(step.id),
            "stepType": step.type,
            "status": step.status,
        },
    )


async def _tell(
    session: AsyncSession,
    verification: Verification,
    kind: EventKind,
    data: dict[str, Any],
    *,
    turn: EventTurn | None = None,
) -> None:
    await events.record(
        session,
        organization_id=verification.organization_id,
        verification_id=verification.id,
        kind=kind,
        data=data,
        turn=turn,
    )


def _record(services: Services, step: VerificationStep, outcome: StepOutcome) -> None:
    step.status = outcome.status
    step.code = outcome.code
    step.result.seal(services.keys, outcome.result_with_code())
    step.evidence.seal(services.keys, outcome.evidence)
    step.judged_by = outcome.judged_by
    step.finished_at = func.now()


def _view(step: VerificationStep, documents: Mapping[DocumentRole, Document]) -> workflow.Step:
    return workflow.Step(
        step.id,
        StepType(step.type),
        StepStatus(step.status),
        step.config,
        workflow.lacking_roles(step.asked_again, queries.arrivals(documents)),
    )
