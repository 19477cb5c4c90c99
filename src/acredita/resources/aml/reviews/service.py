"""The queue of matches: list, show, claim, decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, func, not_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.roles import Role
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.cursors import Window
from acredita.kit.db import Within
from acredita.models import Hit, HitReview, HitState, WatchlistEntity
from acredita.models.leasing import holder_of
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.ports import MatchReviewing
from acredita.resources.aml.entries import forms
from acredita.resources.aml.hits import decisions
from acredita.resources.aml.hits.recording import customer_hash
from acredita.resources.aml.monitors import reviewing as monitors
from acredita.resources.aml.reviews.schemas import ReviewRequest, SecondDecision
from acredita.resources.audit import service as audit
from acredita.resources.users.reviewers import find_reviewer
from acredita.resources.workflows.queries import requires_second_reviewer

WAITING = (HitState.OPEN, HitState.NEEDS_INFORMATION)
MOST_REVIEWS = 100
# The lease of a match that was handed over: no time ends it.
ASSIGNED = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Filters:
    """`states`: empty for those that wait. `assigned`: me, nobody, anybody, or a user. The other
    ids are as the caller wrote them.
    """

    states: tuple[str, ...]
    list_id: str | None
    assigned: str | UUID | None
    has_proposal: bool | None
    external_id: str | None
    verification_id: str | None


async def page(
    connection: AsyncConnection,
    signer: Signer,
    caller: Caller,
    filters: Filters,
    window: Window,
    now: datetime,
) -> tuple[int, Sequence[Any]]:
    """(total, the matches of one page and the next one, newest first)."""
    if filters.verification_id is not None and ids.parse(filters.verification_id) is None:
        return 0, []
    wanted = [belongs_to(Hit, caller.organization_id), *_conditions(signer, caller, filters, now)]
    place = (Hit.opened_at, Hit.id)
    query = (
        select(
            *Hit.__table__.columns,
            Hit.lease_owner.label("lease_owner"),
            Hit.lease_until.label("lease_until"),
            WatchlistEntity.list_id,
            WatchlistEntity.names[0]["text"].astext.label("entry_name"),
        )
        .join(WatchlistEntity, WatchlistEntity.id == Hit.entity_id)
        .where(*wanted)
        .order_by(*(column.desc() for column in place))
        .limit(window.limit + 1)
    )
    if window.after is not None:
        total = window.after.total
        query = query.where(tuple_(*place) < (window.after.created_at, window.after.id))
    else:
        count = (
            select(func.count())
            .select_from(Hit)
            .join(WatchlistEntity, WatchlistEntity.id == Hit.entity_id)
            .where(*wanted)
        )
        total = (await connection.scalar(count)) or 0
        query = query.offset(window.offset)
    return total, (await connection.execute(query)).all()


def _conditions(
    signer: Signer, caller: Caller, filters: Filters, now: datetime
) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [Hit.state.in_(filters.states or WAITING)]
    if filters.list_id is not None:
        conditions.append(WatchlistEntity.list_id == filters.list_id)
    if filters.assigned is not None:
        is_held = func.coalesce(Hit.lease_until > now, False)
        conditions.append(not_(is_held) if filters.assigned == "nobody" else is_held)
        if filters.assigned not in ("nobody", "anybody"):
            holder = caller.id if filters.assigned == "me" else filters.assigned
            conditions.append(Hit.lease_owner == holder)
    if filters.has_proposal is not None:
        is_proposed = Hit.proposal_id.is_not(None)
        conditions.append(is_proposed if filters.has_proposal else Hit.proposal_id.is_(None))
    if filters.external_id is not None:
        customer = ["externalId", filters.external_id]
        hashed = customer_hash(signer, caller.organization_id, customer)
        conditions.append(Hit.customer_hash == hashed)
    if filters.verification_id is not None:
        conditions.append(Hit.verification_id == ids.parse(filters.verification_id))
    return conditions


def summary_of(hit: Any, list_id: str, entry_name: str, now: datetime) -> dict[str, Any]:
    """A HitSummary as plain data. `hit`: a Hit, or a row of `page`."""
    holder = holder_of(hit.lease_owner, hit.lease_until, now)

    def moment(value: Any) -> str | None:
        return None if value is None else timestamp(value)

    def text(value: UUID | None) -> str | None:
        return None if value is None else str(value)

    return {
        "id": str(hit.id),
        "state": hit.state,
        "list": list_id,
        "entry": str(hit.entity_id),
        "entryName": entry_name,
        "score": hit.score,
        "openedAt": moment(hit.opened_at),
        "seenAt": moment(hit.seen_at),
        "screeningId": text(hit.screening_id),
        "verificationId": text(hit.verification_id),
        "claimedBy": text(holder),
        "claimedAt": None if holder is None else moment(hit.claimed_at),
        "decidedAt": moment(hit.decided_at),
        "decidedBy": text(hit.decided_by),
        "proposalId": text(hit.proposal_id),
    }


async def view(
    session: AsyncSession, services: MatchReviewing, caller: Caller, hit_id: UUID
) -> dict[str, Any]:
    """A HitShape as plain data. Record the access in the audit log. Raise NotFound."""
    hit = await _hit(session, caller, hit_id)
    audit.record(
        session, caller, Action.AML_MATCH_VIEWED, hit.id, verification_id=hit.verification_id
    )
    return await _shown(session, services, hit)


async def review(
    session: AsyncSession,
    services: MatchReviewing,
    caller: Caller,
    hit_id: UUID,
    data: ReviewRequest,
) -> dict[str, Any]:
    """Decide, or propose a final decision where the organization requires two reviewers.

    A decision that is not final renews the caller's claim. Raise NotFound, ClaimedByAnother,
    MatchChanged, SecondReviewerNeeded.
    """
    await monitors.lock_monitors(session, caller, hit_id)
    hit, now = await _hit(session, caller, hit_id, lock=True), services.clock.now()
    decisions.check_claim(caller, hit, now)
    decisions.check_seen(hit, data.opened_at)
    decision = HitState(data.decision.value)
    if decision in decisions.FINAL and await requires_second_reviewer(session, caller):
        await decisions.propose(session, services.keys, caller, hit, decision, data.note)
    else:
        await _decide(session, services, caller, hit, decision, data.note)
    if hit.holder(now) == caller.id:
        _lease(services, caller, hit, now)
    return await _shown(session, services, hit)


async def confirm(
    session: AsyncSession,
    services: MatchReviewing,
    caller: Caller,
    hit_id: UUID,
    data: SecondDecision,
) -> dict[str, Any]:
    """Apply the proposal of another reviewer. Raise NotFound, NoProposal, SecondReviewerNeeded."""
    await monitors.lock_monitors(session, caller, hit_id)
    hit = await _hit(session, caller, hit_id, lock=True)
    proposal = await decisions.proposal_of_another(session, caller, hit, data.proposal)
    decision = HitState(proposal.decision)
    await _decide(session, services, caller, hit, decision, data.note, proposal_id=proposal.id)
    return await _shown(session, services, hit)


async def decline(
    session: AsyncSession,
    services: MatchReviewing,
    caller: Caller,
    hit_id: UUID,
    data: SecondDecision,
) -> dict[str, Any]:
    """Decline the proposal of another reviewer. Raise as `confirm`."""
    hit = await _hit(session, caller, hit_id, lock=True)
    proposal = await decisions.proposal_of_another(session, caller, hit, data.proposal)
    decisions.decline(session, services.keys, caller, hit, proposal, data.note)
    return await _shown(session, services, hit)


async def claim(
    session: AsyncSession, services: MatchReviewing, caller: Caller, hit_id: UUID
) -> dict[str, Any]:
    """Lease the match to the caller, or renew its lease. Raise NotFound, ClaimedByAnother."""
    hit, now = await _hit(session, caller, hit_id, lock=True), services.clock.now()
    decisions.check_claim(caller, hit, now)
    if hit.holder(now) is None:
        hit.claimed_at = now
        audit.record(session, caller, Action.AML_MATCH_CLAIMED, hit.id)
    _lease(services, caller, hit, now)
    return await _shown(session, services, hit)


def _lease(services: MatchReviewing, caller: Caller, hit: Hit, now: datetime) -> None:
    """Lease a match to the caller that nobody else holds. An assignment stays one."""
    until = now + services.settings.review_lease
    hit.lease_to(caller.id, max(until, hit.lease_until or until))


async def release(
    session: AsyncSession, services: MatchReviewing, caller: Caller, hit_id: UUID
) -> dict[str, Any]:
    """End the claim of the caller; an ADMIN ends anybody's. Raise NotFound, ClaimedByAnother."""
    hit, now = await _hit(session, caller, hit_id, lock=True), services.clock.now()
    if not caller.role.covers(Role.ADMIN):
        decisions.check_claim(caller, hit, now)
    if hit.holder(now) is not None:
        audit.record(session, caller, Action.AML_MATCH_RELEASED, hit.id)
    decisions.end_claim(hit)
    return await _shown(session, services, hit)


async def hand_over(
    session: AsyncSession, services: MatchReviewing, caller: Caller, hit_id: UUID, user_id: str
) -> dict[str, Any]:
    """Assign the match to another user; an ADMIN also hands over what another reviewer holds.

    Raise NotFound, ClaimedByAnother, ValidationFailed.
    """
    user = await find_reviewer(session, caller, user_id)
    hit, now = await _hit(session, caller, hit_id, lock=True), services.clock.now()
    if not caller.role.covers(Role.ADMIN):
        decisions.check_claim(caller, hit, now)
    if hit.holder(now) != user.id:
        hit.claimed_at = now
        audit.record(session, caller, Action.AML_MATCH_HANDED_OVER, hit.id, to=user.id)
    hit.lease_to(user.id, ASSIGNED)
    return await _shown(session, services, hit)


async def _decide(
    session: AsyncSession,
    services: MatchReviewing,
    caller: Caller,
    hit: Hit,
    decision: HitState,
    note: str | None,
    *,
    proposal_id: UUID | None = None,
) -> None:
    decisions.decide(
        session,
        services.clock,
        services.keys,
        caller,
        hit,
        decision,
        note,
        proposal_id=proposal_id,
    )
    await monitors.apply_decision(session, services.clock, caller, hit)


async def _hit(session: AsyncSession, caller: Caller, hit_id: UUID, *, lock: bool = False) -> Hit:
    query = owned(Hit, caller.organization_id).where(Hit.id == hit_id)
    return await fetch(session, query.with_for_update() if lock else query)


async def _shown(session: AsyncSession, services: MatchReviewing, hit: Hit) -> dict[str, Any]:
    keys = services.keys
    await session.flush()
    entry = forms.body_of((await forms.read(Within(session), [hit.entity_id]))[hit.entity_id])
    query = (
        select(HitReview)
        .where(HitReview.hit_id == hit.id, belongs_to(HitReview, hit.organization_id))
        .order_by(HitReview.id.desc())
        .limit(MOST_REVIEWS)
    )
    reviews = list(await session.scalars(query))
    pending = next((each for each in reviews if each.id == hit.proposal_id), None)
    now = services.clock.now()
    return summary_of(hit, entry["list"], entry["names"][0]["text"], now) | {
        "person": hit.person.open(keys),
        "entryNow": entry,
        "proposal": None
        if pending is None
        else {
            "id": str(pending.id),
            "decision": pending.decision,
            "proposedBy": str(pending.actor_id),
        },
        "reviews": [_review(keys, hit, each) for each in reviews],
    }


def _review(keys: KeyRing, hit: Hit, review: HitReview) -> dict[str, Any]:
    is_current = (review.row_hash, review.person_hash) == (hit.row_hash, hit.person_hash)
    return {
        "id": str(review.id),
        "at": timestamp(review.created_at),
        "kind": review.kind,
        "decision": review.decision,
        "reviewer": {"type": review.actor_type, "id": str(review.actor_id)},
        "proposalId": None if review.proposal_id is None else str(review.proposal_id),
        "note": review.note.open(keys),
        "current": is_current,
    }
