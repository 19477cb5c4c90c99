"""Record the events of a verification: changes, finished steps, decisions."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.events import EventKind
from acredita.domain.history import HistoryKind
from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.models import EventTurn, Verification, VerificationStep
from acredita.resources.verifications import history
from acredita.resources.webhooks import events

DECISION_EVENTS = {
    VerificationStatus.APPROVED: EventKind.VERIFICATION_APPROVED,
    VerificationStatus.REJECTED: EventKind.VERIFICATION_REJECTED,
    VerificationStatus.MANUAL_REVIEW: EventKind.VERIFICATION_MANUAL_REVIEW,
}


async def record_decision(
    session: AsyncSession,
    verification: Verification,
    steps: Sequence[VerificationStep],
    before: VerificationStatus,
    *,
    was_completed: bool,
) -> None:
    """Record the events of a decision. Endpoints get verification.completed only once."""
    status = VerificationStatus(verification.status)
    completed = _completion_data(verification, steps)
    if not was_completed:
        await record(session, verification, EventKind.VERIFICATION_COMPLETED, completed)
    elif status is not before:
        await events.record_callback(
            session,
            organization_id=verification.organization_id,
            verification_id=verification.id,
            data=completed | {"externalId": verification.external_id},
        )
    await record(
        session,
        verification,
        DECISION_EVENTS[status],
        {
            "verificationId": str(verification.id),
            "previousStatus": before,
            "newStatus": status,
        },
        turn=EventTurn.REVISED if was_completed else None,
    )


def _completion_data(
    verification: Verification, steps: Sequence[VerificationStep]
) -> dict[str, Any]:
    return {
        "verificationId": str(verification.id),
        "status": verification.status,
        "steps": [{"id": str(s.id), "type": s.type, "status": s.status} for s in steps],
    }


def ending(step: VerificationStep) -> dict[str, Any]:
    """Return the details of the history's entry about a step that has ended."""
    return {
        "stepId": str(step.id),
        "stepType": step.type,
        "status": step.status,
        "code": step.code,
        "judgedBy": step.judged_by,
    }


async def record_step(
    session: AsyncSession, verification: Verification, step: VerificationStep
) -> None:
    """Record the event of a finished step, and the entry of the history."""
    await history.record(session, verification, HistoryKind.STEP_FINISHED, ending(step))
    failed = step.status == StepStatus.FAILED
    await record(
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


async def record(
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
        data=data | {"externalId": verification.external_id},
        turn=turn,
    )
