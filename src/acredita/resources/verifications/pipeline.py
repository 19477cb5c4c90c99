"""The state machine of a verification: all changes of its status and of its steps' statuses.

Callers hold the verification's row lock. If several jobs finish at once, the last one therefore
sees all steps finished, and only that one decides.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain import workflow
from acredita.domain.audit import Action, canonical
from acredita.domain.events import EventKind
from acredita.domain.history import HistoryKind
from acredita.domain.policies import PolicyDecision
from acredita.domain.reasons import ReasonCode
from acredita.domain.steps import WHEN, condition
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
from acredita.engines import digests
from acredita.kit import ids
from acredita.kit.announcements import after_commit
from acredita.kit.crypto import KeyRing
from acredita.models import Document, EventTurn, Verification, VerificationStep
from acredita.ports import StepEnding
from acredita.resources.audit import service as audit
from acredita.resources.reviews import cases
from acredita.resources.training import items as training_items
from acredita.resources.verifications import (
    circumstances,
    consistency,
    decided_evidence,
    event_recording,
    history,
    inputs,
    policy_decisions,
    queries,
    retakes,
    search,
    subjects,
)
from acredita.resources.verifications.outcome import StepOutcome, store
from acredita.resources.verifications.step_table import entry_of
from acredita.version import release

# How long a reopened verification stays open, as a new one does.
OPEN_FOR = timedelta(hours=24)


def channel_of(verification_id: UUID | str) -> str:
    """Return the Redis channel of a verification's event streams."""
    return f"acredita:verification:{verification_id}"


def is_open(verification: Verification) -> bool:
    return VerificationStatus(verification.status) in OPEN


async def handle_new_inputs(
    session: AsyncSession, keys: KeyRing, verification: Verification
) -> None:
    """Continue after the current transaction, which holds the row lock, has added documents."""
    if VerificationStatus(verification.status) is VerificationStatus.PENDING:
        has_all = await inputs.are_complete(session, verification.id)
        turn = EventTurn.INPUTS_COMPLETED if has_all else None
        await _change_status(session, verification, VerificationStatus.IN_PROGRESS, turn)
    else:
        await inputs.record_completion(session, verification)
    await advance(session, keys, verification)


async def begin(session: AsyncSession, keys: KeyRing, verification: Verification) -> None:
    """Start a verification whose first step needs no upload."""
    if VerificationStatus(verification.status) is VerificationStatus.PENDING:
        await _change_status(session, verification, VerificationStatus.IN_PROGRESS)
        await advance(session, keys, verification)


async def finish_step(
    session: AsyncSession,
    services: StepEnding,
    verification: Verification,
    step: VerificationStep,
    outcome: StepOutcome,
    *,
    subject: Subject | None = None,
) -> None:
    """Store the outcome of a step, record its event, and advance the verification.

    `subject` is the verification's subject, updated by the step. In the browser flow, a step with
    an unusable image requests a retake instead of ending.
    """
    if await retakes.request(session, verification, step, outcome):
        notify_watchers(session, verification.id)
        return
    store(services, step, outcome)
    if subject is not None:
        subjects.store(services.keys, verification, subject)
    await search.add_keys(
        session, services.signer, verification, outcome.evidence, outcome.search_hashes
    )
    await event_recording.record_step(session, services.keys, verification, step)
    await session.flush()
    await advance(session, services.keys, verification)


async def await_act(
    session: AsyncSession, verification: Verification, step: VerificationStep
) -> None:
    """Let a step wait for an act of the person. `verification.resume` then looks at it again."""
    step.status = StepStatus.WAITING_INPUT
    await session.flush()
    notify_watchers(session, verification.id)


async def send_to_review(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    step: VerificationStep,
    code: ReasonCode,
) -> None:
    """Change a passed step to REVIEW, because other evidence contradicts it."""
    result = step.result.open(keys) or {}
    step.status = StepStatus.REVIEW
    step.code = code
    result = {"code": code, "message": code.message.en, **result}
    step.result.seal(keys, result)
    await event_recording.record_step(session, keys, verification, step)
    await session.flush()


def notify_watchers(session: AsyncSession, verification_id: UUID) -> None:
    """Notify the verification's event streams when the transaction has committed."""
    after_commit(session, ("PUBLISH", channel_of(verification_id), "changed"))


async def advance(session: AsyncSession, keys: KeyRing, verification: Verification) -> None:
    """Start the next step, or decide when all steps have ended."""
    notify_watchers(session, verification.id)
    steps = await queries.list_steps(session, verification.id)
    documents = await queries.current_documents(session, verification.id)
    plan = workflow.next_steps(
        [_workflow_step(step, documents) for step in steps], frozenset(documents)
    )
    by_id = {step.id: step for step in steps}
    for step_id in plan.skip:
        by_id[step_id].status = StepStatus.SKIPPED
        by_id[step_id].finished_at = func.now()
    turn = plan.start or plan.wait
    if turn is not None and await policy_decisions.is_left_out(
        session, keys, verification, steps, by_id[turn], documents
    ):
        await _leave_out(session, verification, by_id[turn])
        await advance(session, keys, verification)
        return
    if plan.wait is not None:
        by_id[plan.wait].status = StepStatus.WAITING_INPUT
    if plan.start is not None:
        await _start(session, verification, by_id[plan.start])
    elif plan.finished:
        await _decide(session, keys, verification, steps, documents)


async def _leave_out(
    session: AsyncSession, verification: Verification, step: VerificationStep
) -> None:
    """Skip a step whose condition is false."""
    step.status = StepStatus.SKIPPED
    step.judged_by = {WHEN: condition(step.config), **digests.judging()}
    step.finished_at = func.now()
    await history.record(
        session, verification, HistoryKind.STEP_FINISHED, event_recording.ending(step)
    )


async def expire(session: AsyncSession, verification: Verification) -> None:
    await _change_status(session, verification, VerificationStatus.EXPIRED, EventTurn.EXPIRED)
    notify_watchers(session, verification.id)


async def reopen(session: AsyncSession, keys: KeyRing, verification: Verification) -> None:
    """Continue a verification in review, some of whose steps the caller has made pending again.

    `completed_at` stays: the next decision revises this one. The history keeps the decision. The
    verification does not: it follows from steps that are pending now.
    """
    if VerificationStatus(verification.status) is not VerificationStatus.MANUAL_REVIEW:
        raise ValueError("only a verification in review is reopened")
    verification.expires_at = func.now() + OPEN_FOR
    verification.decision = None
    await _set_status(session, verification, VerificationStatus.IN_PROGRESS)
    await advance(session, keys, verification)


async def end_by_reviewer(
    session: AsyncSession, verification: Verification, status: VerificationStatus
) -> VerificationStatus:
    """End the run with a reviewer's decision; return the status before.

    Works from any status, including the new one. Jobs that still run find the verification closed
    and change nothing.
    """
    if status not in DECIDED:
        raise ValueError(f"a reviewer cannot set the status {status}")
    before = VerificationStatus(verification.status)
    steps = await queries.list_steps(session, verification.id)
    for step in steps:
        if not StepStatus(step.status).is_final:
            step.status = StepStatus.SKIPPED
            step.finished_at = func.now()
    was_completed = verification.completed_at is not None
    if not was_completed:
        verification.completed_at = func.now()
    verification.updated_at = func.clock_timestamp()
    if status is not before:
        await _set_status(session, verification, status)
    await event_recording.record_decision(
        session, verification, steps, before, was_completed=was_completed
    )
    notify_watchers(session, verification.id)
    return before


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
        lane=queries.lane_of(verification),
    )


async def _decide(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    documents: Mapping[DocumentRole, Document],
) -> None:
    """Decide the verification, unless late pages must be read first. A doubt that the evidence is
    about one person sends its step to review before that.
    """
    subject = subjects.load(keys, verification, steps)
    has_policy = await policy_decisions.is_named(session, verification)
    if await consistency.enqueue_late_pages(
        session, verification, steps, subject, has_policy=has_policy
    ):
        return
    doubts = list(consistency.doubts_across_steps(keys, verification, steps, subject))
    for doubt in doubts:
        for step in steps:
            if step.type == doubt.step and step.status == StepStatus.PASSED:
                await send_to_review(session, keys, verification, step, doubt.code)
    decision = policy_decisions.default_decision(steps)
    await circumstances.take(session, verification, documents)
    basis = policy_decisions.DecisionBasis(verification, steps, subject, doubts, decision)
    by_policy = await policy_decisions.conclude(session, keys, basis)
    named = {}
    if by_policy is not None:
        concluded, about_policy = by_policy
        if concluded.step_type is not None:
            await _require_step(session, keys, verification, len(steps), concluded, about_policy)
            return
        if concluded.pictures and await retakes.request_by_policy(
            session, keys, verification, steps, concluded, about_policy
        ):
            await advance(session, keys, verification)
            return
        decision, named = concluded.decision, {"policy": about_policy}
    before = VerificationStatus(verification.status)
    verification.decision = {
        "status": decision.status,
        "reasons": list(decision.reasons),
        "rules": decision.rules,
        **named,
    }
    was_completed = verification.completed_at is not None  # it ran again
    verification.completed_at = func.now()
    await _change_status(session, verification, decision.status)
    entry_id = await history.record(
        session,
        verification,
        HistoryKind.DECIDED,
        {
            "previousStatus": before,
            "newStatus": decision.status,
            **verification.decision,
            "service": {**release(), "code": digests.code(), "libraries": digests.libraries()},
        },
    )
    audit.record(
        session,
        audit.Actor(verification.organization_id),
        Action.VERIFICATION_STATUS_CHANGED,
        verification.id,
        previous_status=before,
        new_status=decision.status,
        history=entry_id,
        decision=sha256(canonical(verification.decision).encode()).digest(),
        evidence=await decided_evidence.digest(session, keys, verification, steps),
    )
    await event_recording.record_decision(
        session, verification, steps, before, was_completed=was_completed
    )


async def _require_step(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    position: int,
    concluded: PolicyDecision,
    about_policy: Mapping[str, Any],
) -> None:
    """Add the step that the policy requires, and continue with it."""
    step = VerificationStep(
        id=ids.sortable(),
        organization_id=verification.organization_id,
        verification_id=verification.id,
        position=position,
        type=concluded.step_type,
        config=dict(concluded.step_config or {}),
        status=StepStatus.PENDING,
    )
    session.add(step)
    await history.record(
        session,
        verification,
        HistoryKind.STEP_REQUIRED,
        {"stepId": str(step.id), "stepType": step.type, "policy": about_policy},
    )
    await advance(session, keys, verification)


async def _change_status(
    session: AsyncSession,
    verification: Verification,
    to: VerificationStatus,
    turn: EventTurn | None = None,
) -> None:
    current = VerificationStatus(verification.status)
    if not may_move(current, to):
        raise RuntimeError(f"a verification cannot change from {current} to {to}")
    await _set_status(session, verification, to, turn)


async def _set_status(
    session: AsyncSession,
    verification: Verification,
    to: VerificationStatus,
    turn: EventTurn | None = None,
) -> None:
    if VerificationStatus.MANUAL_REVIEW in (verification.status, to):
        cases.notify_watchers(session, verification.organization_id)
    verification.status = to
    # Not now(), the transaction's start: it may be before the change of the transaction that this
    # one waited for.
    verification.updated_at = func.clock_timestamp()
    await session.flush()
    if to is not VerificationStatus.IN_PROGRESS:
        await training_items.follow_status(session, verification)
    await event_recording.record(
        session,
        verification,
        EventKind.VERIFICATION_UPDATED,
        {"verificationId": str(verification.id), "changes": ["status"]},
        turn=turn,
    )


def _workflow_step(
    step: VerificationStep, documents: Mapping[DocumentRole, Document]
) -> workflow.Step:
    return workflow.Step(
        step.id,
        StepType(step.type),
        StepStatus(step.status),
        step.config,
        workflow.lacking_roles(step.asked_again, queries.upload_times(documents)),
    )
