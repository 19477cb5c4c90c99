"""PATCH /v1/verifications/{id}, and the notes that reviewers add: what is kept, and how long."""

from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.history import HistoryKind
from acredita.ports import CaseReviewing
from acredita.resources.audit import service as audit
from acredita.resources.reviews import cases
from acredita.resources.verifications import history
from acredita.resources.verifications.queries import lock_owned
from acredita.resources.verifications.request_schemas import NoteCreate, VerificationUpdate
from acredita.resources.verifications.schemas import AddedNote, UpdatedVerification


async def update(
    session: AsyncSession, caller: Caller, verification_id: UUID, data: VerificationUpdate
) -> UpdatedVerification:
    """Set or clear the end of the relationship with the person. Raise NotFound."""
    verification = await lock_owned(session, caller, verification_id)
    if "relationship_ended_at" in data.model_fields_set:
        verification.relationship_ended_at = data.relationship_ended_at
        verification.updated_at = func.clock_timestamp()
        ended_at = data.relationship_ended_at
        # The log takes numbers, not dates: seconds since 1970.
        audit.record(
            session,
            caller,
            Action.VERIFICATION_UPDATED,
            verification.id,
            changes=["relationshipEndedAt"],
            relationship_ended_at=None if ended_at is None else int(ended_at.timestamp()),
        )
        await session.flush()
        await session.refresh(verification, ["updated_at", "relationship_ended_at"])
    return UpdatedVerification.model_validate(verification, from_attributes=True)


async def add_note(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification_id: UUID,
    data: NoteCreate,
) -> AddedNote:
    """Add a note to the history, and renew the caller's lease. Raise NotFound."""
    verification = await lock_owned(session, caller, verification_id)
    await cases.renew(session, services.clock, services.settings, caller, verification_id)
    entry_id = await history.record_with_note(
        session,
        services.keys,
        verification,
        HistoryKind.NOTE_ADDED,
        {},
        actor=caller,
        note=data.note,
    )
    audit.record(
        session,
        caller,
        Action.NOTE_ADDED,
        verification.id,
        history=entry_id,
        note=services.signer.digest("audit-notes", data.note.encode()),
    )
    return AddedNote(id=entry_id)
