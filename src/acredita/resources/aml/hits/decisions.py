"""Decide a hit, propose a decision, decline a proposal. The caller has locked the hit's row."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import ClaimedByAnother, MatchChanged, NoProposal, SecondReviewerNeeded
from acredita.kit import ids
from acredita.kit.clock import Clock, timestamp
from acredita.kit.crypto import KeyRing
from acredita.models import Hit, HitReview, HitState, ReviewKind
from acredita.models.tenancy import belongs_to
from acredita.resources.audit import service as audit

FINAL = frozenset({HitState.TRUE_HIT, HitState.FALSE_HIT})


def check_claim(caller: Caller, hit: Hit, now: datetime) -> None:
    """Raise ClaimedByAnother if another reviewer works on the hit."""
    if hit.is_leased_to_another(caller.id, now):
        raise ClaimedByAnother


def end_claim(hit: Hit) -> None:
    hit.claimed_at = None
    hit.end_lease()


def check_seen(hit: Hit, opened_at: datetime) -> None:
    """Raise MatchChanged if the hit was opened again after the reviewer read it.

    `opened_at`: as the reviewer saw it, in milliseconds. The entry or the person is another one
    then, and a decision must not hold for facts that nobody saw.
    """
    if timestamp(hit.opened_at) != timestamp(opened_at):
        raise MatchChanged


def decide(
    session: AsyncSession,
    clock: Clock,
    keys: KeyRing,
    caller: Caller,
    hit: Hit,
    decision: HitState,
    note: str | None,
    *,
    proposal_id: UUID | None = None,
) -> None:
    """Set the state of the hit. A final decision ends the claim; each ends a proposal."""
    review = _add(session, keys, caller, hit, ReviewKind.DECIDED, decision, note, proposal_id)
    hit.state, hit.proposal_id = decision.value, None
    is_decided = decision is not HitState.OPEN
    hit.decided_at = clock.now() if is_decided else None
    hit.decided_by = caller.id if is_decided else None
    if not is_decided:
        hit.opened_at = clock.now()
    if decision in FINAL:
        end_claim(hit)
    _audit(session, caller, Action.AML_MATCH_REVIEWED, hit, review, decision=decision.value)


async def propose(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    hit: Hit,
    decision: HitState,
    note: str | None,
) -> None:
    """Record a proposal. It replaces one that is pending. Raise SecondReviewerNeeded for a key."""
    _check_is_person(caller)
    review = _add(session, keys, caller, hit, ReviewKind.PROPOSED, decision, note, None)
    await session.execute(
        update(Hit)
        .where(belongs_to(Hit, caller.organization_id), Hit.id == hit.id)
        .values(proposal_id=review)
    )
    _audit(session, caller, Action.AML_MATCH_PROPOSED, hit, review, decision=decision.value)


def decline(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    hit: Hit,
    proposal: HitReview,
    note: str | None,
) -> None:
    """End the proposal; the state of the hit stays."""
    decision = HitState(proposal.decision)
    review = _add(session, keys, caller, hit, ReviewKind.DECLINED, decision, note, proposal.id)
    hit.proposal_id = None
    _audit(session, caller, Action.AML_MATCH_DECLINED, hit, review, proposal=proposal.id)


def _audit(
    session: AsyncSession,
    caller: Caller,
    action: Action,
    hit: Hit,
    review: UUID,
    **details: str | UUID,
) -> None:
    verification_id = hit.verification_id
    audit.record(
        session, caller, action, hit.id, verification_id=verification_id, review=review, **details
    )


async def proposal_of_another(
    session: AsyncSession, caller: Caller, hit: Hit, written: str
) -> HitReview:
    """The pending proposal with this id. Raise NoProposal, SecondReviewerNeeded."""
    if hit.proposal_id is None or str(hit.proposal_id) != written:
        raise NoProposal
    _check_is_person(caller)
    proposal = await session.get_one(HitReview, hit.proposal_id)
    if proposal.actor_id == caller.id:
        raise SecondReviewerNeeded
    return proposal


def _check_is_person(caller: Caller) -> None:
    """Raise SecondReviewerNeeded for an API key: the proposer could also hold a key."""
    if caller.kind is not CallerKind.USER:
        raise SecondReviewerNeeded


def _add(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    hit: Hit,
    kind: ReviewKind,
    decision: HitState,
    note: str | None,
    proposal_id: UUID | None,
) -> UUID:
    review = HitReview(
        id=ids.sortable(),
        organization_id=hit.organization_id,
        hit_id=hit.id,
        kind=kind.value,
        decision=decision.value,
        actor_type=caller.kind.value,
        actor_id=caller.id,
        proposal_id=proposal_id,
        row_hash=hit.row_hash,
        person_hash=hit.person_hash,
    )
    review.note.seal(keys, note)
    session.add(review)
    return review.id
