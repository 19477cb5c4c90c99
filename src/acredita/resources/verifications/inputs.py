"""Whether all inputs of a verification are uploaded, and the event that says so once.

Callers hold the verification's row lock.
"""

from collections.abc import Iterable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import workflow
from acredita.domain.events import EventKind
from acredita.domain.verification import DocumentRole, StepType
from acredita.models import Event, EventTurn, Verification, VerificationStep
from acredita.models.tenancy import belongs_to
from acredita.resources.verifications import event_recording, queries

TURNS = (EventTurn.INPUTS_COMPLETED, EventTurn.LAST_INPUT)


async def are_complete(session: AsyncSession, verification_id: UUID) -> bool:
    present = frozenset(await queries.current_documents(session, verification_id))
    return need_nothing_besides(present, await queries.list_steps(session, verification_id))


def need_nothing_besides(
    present: frozenset[DocumentRole], steps: Iterable[VerificationStep]
) -> bool:
    """Return whether no step needs an upload besides those that are present."""
    return not any(
        workflow.missing_roles(StepType(step.type), step.config, present) for step in steps
    )


async def record_completion(session: AsyncSession, verification: Verification) -> None:
    """Record that an upload after the first one has completed the inputs, unless one did before."""
    if not await are_complete(session, verification.id):
        return
    recorded = select(Event.id).where(
        belongs_to(Event, verification.organization_id),
        Event.verification_id == verification.id,
        Event.turn.in_(TURNS),
    )
    if await session.scalar(recorded.limit(1)) is None:
        await event_recording.record(
            session,
            verification,
            EventKind.VERIFICATION_UPDATED,
            {"verificationId": str(verification.id), "changes": []},
            turn=EventTurn.LAST_INPUT,
        )
