"""Show a monitor with its matches; let a reviewer dismiss or restore a match."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, SecondReviewerNeeded
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.models import (
    Hit,
    HitState,
    Monitor,
    MonitorMatch,
    MonitorOutcome,
    MonitorState,
    WatchlistEntity,
)
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.resources.aml.hits import decisions
from acredita.resources.aml.monitors import records
from acredita.resources.aml.monitors.schemas import (
    MatchUpdate,
    MonitorMatchShape,
    MonitorShape,
    OutcomeShape,
)
from acredita.resources.aml.screening.schemas import EntityType
from acredita.resources.audit import service as audit
from acredita.resources.workflows.queries import requires_second_reviewer

LONGEST_HISTORY = 100
MOST_SHOWN = 500


async def show(
    session: AsyncSession, keys: KeyRing, caller: Caller, verification_id: UUID
) -> MonitorShape:
    """Raise NotFound, also if the verification never had a monitor."""
    monitor = await _monitor(session, caller, verification_id)
    matches = await _matches(session, caller, MonitorMatch.monitor_id == monitor.id)
    history = (
        select(MonitorOutcome)
        .where(MonitorOutcome.monitor_id == monitor.id)
        .order_by(MonitorOutcome.id.desc())
        .limit(LONGEST_HISTORY)
    )
    return MonitorShape(
        verification_id=verification_id,
        monitoring=monitor.state == MonitorState.ACTIVE,
        state=MonitorState(monitor.state),
        full_name=monitor.subject.open(keys)["full_name"],
        started_at=monitor.started_at,
        ends_at=monitor.ends_at,
        screened_at=monitor.screened_at,
        next_screening_at=monitor.next_screening_at,
        outcome=monitor.outcome,
        screening_id=monitor.screening_id,
        matches=[_shape_of(keys, *row) for row in matches],
        history=[
            OutcomeShape(
                at=row.created_at, outcome=row.outcome, matches=row.matches, cause=row.cause
            )
            for row in await session.scalars(history)
        ],
    )


async def review(
    session: AsyncSession,
    clock: Clock,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    match_id: UUID,
    data: MatchUpdate,
) -> MonitorMatchShape:
    """Dismiss or restore a match and replace its notes: a decision about its hit.

    Raise NotFound, ClaimedByAnother, MatchChanged, SecondReviewerNeeded if the organization
    decides with two reviewers.
    """
    monitor = await _monitor(session, caller, verification_id, lock=True)
    found = await _matches(
        session, caller, MonitorMatch.monitor_id == monitor.id, MonitorMatch.id == match_id
    )
    if not found:
        raise NotFound
    match, entity = found[0]
    await _decide_hit(session, clock, keys, caller, match, data)
    match.dismissed_at = clock.now() if data.dismissed else None
    match.dismissed_by = caller.id if data.dismissed else None
    match.notes.seal(keys, data.notes)
    action = Action.AML_MATCH_DISMISSED if data.dismissed else Action.AML_MATCH_RESTORED
    audit.record(session, caller, action, match.id, verification_id=verification_id)
    await records.note_outcome(
        session, monitor, cause="review", index_version=monitor.index_version
    )
    return _shape_of(keys, match, entity)


async def _decide_hit(
    session: AsyncSession,
    clock: Clock,
    keys: KeyRing,
    caller: Caller,
    match: MonitorMatch,
    data: MatchUpdate,
) -> None:
    """A dismissal decides for all screenings of the customer. Raise as `review`."""
    if await requires_second_reviewer(session, caller):
        raise SecondReviewerNeeded
    query = owned(Hit, caller.organization_id).where(Hit.id == match.hit_id).with_for_update()
    hit = (await session.scalars(query)).one_or_none()
    if hit is not None:
        decisions.check_claim(caller, hit, clock.now())
        if data.opened_at is not None:
            decisions.check_seen(hit, data.opened_at)
        if not data.dismissed and hit.state != HitState.FALSE_HIT:
            return
        state = HitState.FALSE_HIT if data.dismissed else HitState.OPEN
        decisions.decide(session, clock, keys, caller, hit, state, data.notes)


async def lock_monitors(session: AsyncSession, caller: Caller, hit_id: UUID) -> None:
    """Lock the monitors with this hit. Before the hit's row, in the order of their screenings."""
    of_hit = (
        owned(MonitorMatch, caller.organization_id)
        .with_only_columns(MonitorMatch.monitor_id)
        .where(MonitorMatch.hit_id == hit_id)
    )
    query = owned(Monitor, caller.organization_id).where(Monitor.id.in_(of_hit))
    await session.execute(query.order_by(Monitor.id).with_for_update())


async def apply_decision(session: AsyncSession, clock: Clock, caller: Caller, hit: Hit) -> None:
    """Dismiss the monitors' matches of a false hit; restore those of another one.

    The caller holds the locks of `lock_monitors`.
    """
    query = owned(MonitorMatch, caller.organization_id).where(MonitorMatch.hit_id == hit.id)
    is_false = hit.state == HitState.FALSE_HIT
    for match in await session.scalars(query):
        match.dismissed_at = clock.now() if is_false else None
        match.dismissed_by = caller.id if is_false else None
        monitor = await session.get_one(Monitor, match.monitor_id)
        await records.note_outcome(
            session, monitor, cause="review", index_version=monitor.index_version
        )


async def _monitor(
    session: AsyncSession, caller: Caller, verification_id: UUID, *, lock: bool = False
) -> Monitor:
    query = owned(Monitor, caller.organization_id).where(
        Monitor.verification_id == verification_id,
    )
    if lock:
        query = query.with_for_update()
    return await fetch(session, query)


async def _matches(
    session: AsyncSession, caller: Caller, *conditions: Any
) -> Sequence[Row[MonitorMatch, WatchlistEntity]]:
    query = (
        select(MonitorMatch, WatchlistEntity)
        .join(WatchlistEntity, WatchlistEntity.id == MonitorMatch.entity_id)
        .where(belongs_to(MonitorMatch, caller.organization_id), *conditions)
        .order_by(
            MonitorMatch.gone_at.is_not(None),
            MonitorMatch.dismissed_at.is_not(None),
            MonitorMatch.score.desc(),
            MonitorMatch.id,
        )
        .limit(MOST_SHOWN)
    )
    return (await session.execute(query)).all()


def _shape_of(keys: KeyRing, match: MonitorMatch, entity: WatchlistEntity) -> MonitorMatchShape:
    return MonitorMatchShape(
        id=match.id,
        list=entity.list_id,
        name=entity.names[0]["text"],
        entry_id=entity.source_id,
        entity_type=EntityType(entity.entity_type),
        country=next(iter(entity.countries), None),
        score=match.score,
        first_seen_at=match.created_at,
        seen_at=match.seen_at,
        gone_at=match.gone_at,
        dismissed=match.dismissed_at is not None,
        dismissed_at=match.dismissed_at,
        notes=match.notes.open(keys),
        match_id=match.hit_id,
    )
