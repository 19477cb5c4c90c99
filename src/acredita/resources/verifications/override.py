"""PATCH /v1/verifications/{id}/status: a reviewer's decision, or its proposal."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import NoProposal, SecondReviewerNeeded, StatusChanged
from acredita.domain.history import HistoryKind
from acredita.domain.verification import VerificationStatus
from acredita.models import HistoryEntry, Organization, Verification
from acredita.ports import CaseReviewing
from acredita.resources.audit import service as audit
from acredita.resources.reviews import cases
from acredita.resources.verifications import history, pipeline
from acredita.resources.verifications.queries import lock_owned
from acredita.resources.verifications.request_schemas import SecondReview, StatusChange
from acredita.resources.verifications.schemas import ChangedVerification, Proposal, ProposedDecision


async def override(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification_id: UUID,
    change: StatusChange,
) -> ChangedVerification | ProposedDecision:
    """Apply a reviewer's decision, or propose it where the organization requires two reviewers.

    The row lock serializes it with the automation's changes. Raise NotFound, SecondReviewerNeeded,
    AlreadyClaimed, StatusChanged.
    """
    verification = await lock_owned(session, caller, verification_id)
    if change.expected_status not in (None, VerificationStatus(verification.status)):
        raise StatusChanged
    case = await cases.begin_act(session, services.clock, caller, verification_id)
    if await _requires_second_reviewer(session, caller):
        changed = await _propose(session, services, caller, verification, change)
        await cases.set_proposal(session, case, proposed_by=caller.id)
        return changed
    await _apply(
        session,
        services,
        caller,
        verification,
        VerificationStatus(change.status),
        notes=change.notes,
        reason=change.reason,
    )
    return await _changed(session, verification)


async def confirm(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification_id: UUID,
    review: SecondReview,
) -> ChangedVerification:
    """Apply the pending proposal of another reviewer. Raise NotFound, NoProposal,
    SecondReviewerNeeded, AlreadyClaimed.
    """
    verification, proposal = await _proposal_of_another(session, caller, verification_id, review)
    case = await cases.begin_act(session, services.clock, caller, verification_id)
    await cases.set_proposal(session, case, proposed_by=None)
    await _apply(
        session,
        services,
        caller,
        verification,
        VerificationStatus(proposal.details["status"]),
        notes=review.notes,
        reason=proposal.details["reason"],
        proposal=proposal,
    )
    return await _changed(session, verification)


async def _apply(
    session: AsyncSession,
    services: CaseReviewing,
    reviewer: Caller,
    verification: Verification,
    status: VerificationStatus,
    *,
    notes: str | None,
    reason: str | None = None,
    proposal: HistoryEntry | None = None,
) -> None:
    """Apply a reviewer's decision and record it.

    `proposal`: another reviewer's proposal of this decision, which this one confirms.
    """
    before = await pipeline.end_by_reviewer(session, verification, status)
    entry_id = await history.record_with_note(
        session,
        services.keys,
        verification,
        HistoryKind.OVERRIDDEN,
        {
            "previousStatus": before,
            "newStatus": status,
            "reason": reason,
            "proposal": None if proposal is None else str(proposal.id),
            "proposedBy": None if proposal is None else str(proposal.actor_id),
        },
        actor=reviewer,
        note=notes,
    )
    audit.record(
        session,
        reviewer,
        Action.VERIFICATION_STATUS_CHANGED,
        verification.id,
        previous_status=before,
        new_status=status,
        history=entry_id,
        reason=reason,
        proposed_by=None if proposal is None else proposal.actor_id,
        notes=None if notes is None else services.signer.digest("audit-notes", notes.encode()),
    )


async def decline(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification_id: UUID,
    review: SecondReview,
) -> ChangedVerification:
    """Decline the pending proposal of another reviewer; the status stays. Raise as `confirm`."""
    verification, proposal = await _proposal_of_another(session, caller, verification_id, review)
    case = await cases.begin_act(session, services.clock, caller, verification_id)
    await cases.set_proposal(session, case, proposed_by=None)
    entry_id = await history.record_with_note(
        session,
        services.keys,
        verification,
        HistoryKind.DECISION_DECLINED,
        {"proposal": str(proposal.id), "status": proposal.details["status"]},
        actor=caller,
        note=review.notes,
    )
    audit.record(session, caller, Action.DECISION_DECLINED, verification.id, history=entry_id)
    return await _changed(session, verification)


async def _propose(
    session: AsyncSession,
    services: CaseReviewing,
    caller: Caller,
    verification: Verification,
    change: StatusChange,
) -> ProposedDecision:
    """Record a proposal. It replaces one that is pending."""
    _check_is_person(caller)
    entry_id = await history.record_with_note(
        session,
        services.keys,
        verification,
        HistoryKind.DECISION_PROPOSED,
        {"status": change.status, "reason": change.reason},
        actor=caller,
        note=change.notes,
    )
    audit.record(
        session,
        caller,
        Action.DECISION_PROPOSED,
        verification.id,
        history=entry_id,
        status=change.status,
    )
    return ProposedDecision(
        verification=await _changed(session, verification),
        proposal=Proposal(
            id=entry_id, status=change.status, reason=change.reason, proposed_by=caller.id
        ),
    )


async def _proposal_of_another(
    session: AsyncSession, caller: Caller, verification_id: UUID, review: SecondReview
) -> tuple[Verification, HistoryEntry]:
    verification = await lock_owned(session, caller, verification_id)
    proposal = await history.pending_proposal(session, verification.id)
    if proposal is None or str(proposal.id) != review.proposal:
        raise NoProposal
    _check_is_person(caller)
    if proposal.actor_id == caller.id:
        raise SecondReviewerNeeded
    return verification, proposal


def _check_is_person(caller: Caller) -> None:
    """Raise SecondReviewerNeeded for an API key: the proposer could also hold a key."""
    if caller.kind is not CallerKind.USER:
        raise SecondReviewerNeeded


async def _requires_second_reviewer(session: AsyncSession, caller: Caller) -> bool:
    query = select(Organization.requires_second_reviewer).where(
        Organization.id == caller.organization_id
    )
    return bool(await session.scalar(query))


async def _changed(session: AsyncSession, verification: Verification) -> ChangedVerification:
    await session.flush()
    await session.refresh(verification, ["updated_at"])
    return ChangedVerification(
        id=verification.id,
        status=VerificationStatus(verification.status),
        updated_at=verification.updated_at,
    )
