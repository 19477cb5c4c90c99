"""Record the events of a verification: changes, finished steps, decisions."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.events import EventKind
from acredita.domain.history import HistoryKind
from acredita.domain.verification import StepStatus, StepType, VerificationStatus
from acredita.kit.crypto import KeyRing
from acredita.models import EventTurn, Verification, VerificationStep, WebhookFormat
from acredita.resources.verifications import history
from acredita.resources.verifications.step_table import entry_of
from acredita.resources.webhooks import events, receivers

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
        await record(session, verification, receivers.CALLBACK_KIND, completed, callback_only=True)
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
    session: AsyncSession, keys: KeyRing, verification: Verification, step: VerificationStep
) -> None:
    """Record the event of a finished step, and the entry of the history.

    For receivers of the compatible API, record also its further steps in this one.
    """
    await history.record(session, verification, HistoryKind.STEP_FINISHED, ending(step))
    kind = EventKind.STEP_FAILED if step.status == StepStatus.FAILED else EventKind.STEP_COMPLETED
    data = {
        "verificationId": str(verification.id),
        "stepId": str(step.id),
        "stepType": step.type,
        "status": step.status,
    }
    await record(session, verification, kind, data)
    translation = entry_of(StepType(step.type)).translation
    count = translation.count_parts(step.result.open(keys) or {}, step.config)
    # Nobody else receives these events, and each is a row.
    if count > 1 and await receivers.exist(
        session, verification.organization_id, WebhookFormat.METAMAP
    ):
        for place in range(1, count):
            further = data | {"place": place}
            await record(session, verification, kind, further, turn=EventTurn.FURTHER_STEP)


async def record(
    session: AsyncSession,
    verification: Verification,
    kind: EventKind,
    data: dict[str, Any],
    *,
    turn: EventTurn | None = None,
    callback_only: bool = False,
) -> None:
    await events.record(
        session,
        organization_id=verification.organization_id,
        verification_id=verification.id,
        kind=kind,
        data=data | {"externalId": verification.external_id},
        turn=turn,
        callback_only=callback_only,
    )
