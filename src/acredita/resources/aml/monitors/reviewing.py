"""Show a monitor with its matches; let a reviewer dismiss or restore a match."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.models import Monitor, MonitorMatch, MonitorOutcome, MonitorState, WatchlistEntity
from acredita.models.tenancy import belongs_to, owned
from acredita.resources.aml.monitors import records
from acredita.resources.aml.monitors.schemas import (
    MatchUpdate,
    MonitorMatchShape,
    MonitorShape,
    OutcomeShape,
)
from acredita.resources.aml.screening.schemas import EntityType
from acredita.resources.audit import service as audit

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
    """Dismiss or restore a match and replace its notes. Raise NotFound."""
    monitor = await _monitor(session, caller, verification_id, lock=True)
    found = await _matches(
        session, caller, MonitorMatch.monitor_id == monitor.id, MonitorMatch.id == match_id
    )
    if not found:
        raise NotFound
    match, entity = found[0]
    match.dismissed_at = clock.now() if data.dismissed else None
    match.dismissed_by = caller.id if data.dismissed else None
    match.notes.seal(keys, data.notes)
    action = Action.AML_MATCH_DISMISSED if data.dismissed else Action.AML_MATCH_RESTORED
    audit.record(session, caller, action, match.id, verification_id=verification_id)
    await records.note_outcome(
        session, monitor, cause="review", index_version=monitor.index_version
    )
    return _shape_of(keys, match, entity)


async def _monitor(
    session: AsyncSession, caller: Caller, verification_id: UUID, *, lock: bool = False
) -> Monitor:
    query = owned(Monitor, caller.organization_id).where(
        Monitor.verification_id == verification_id,
    )
    if lock:
        query = query.with_for_update()
    monitor = (await session.scalars(query)).one_or_none()
    if monitor is None:
        raise NotFound
    return monitor


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
    )
