"""What a screening of a monitored person found, held against what was known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.events import EventKind
from acredita.engines.screening import Match, Screening
from acredita.kit import ids
from acredita.models import Monitor, MonitorMatch, MonitorState, WatchlistEntity
from acredita.resources.aml.index.serving import Served
from acredita.resources.aml.monitors import records
from acredita.resources.aml.screening.service import entries_of, shown
from acredita.resources.webhooks import events
from acredita.services import Services

# A score that rises by less is the same finding.
MATERIAL_RISE = 0.05


@dataclass(frozen=True, slots=True)
class Look:
    """One screening of one monitored person. `subject_sealed` is whom it was about."""

    monitor_id: UUID
    subject_sealed: bytes
    served: Served
    screening: Screening
    cause: str
    at: datetime


async def keep(session: AsyncSession, services: Services, look: Look) -> Monitor | None:
    """Write what was found, and tell of what is new; the monitor, locked.

    None if it is monitored no longer, or somebody else is: then nothing is written.
    """
    query = select(Monitor).where(Monitor.id == look.monitor_id).with_for_update()
    monitor = (await session.scalars(query)).one_or_none()
    if monitor is None or monitor.state != MonitorState.ACTIVE:
        return None
    if monitor.subject_sealed != look.subject_sealed and records.subject_of(
        services.keys, monitor
    ) != records.subject_in(services.keys, monitor.id, look.subject_sealed):
        return None
    found = {int(match.entry_id): match for match in look.screening.matches}
    hashes = await _row_hashes(session, list(found))
    known = await _matches_of(session, monitor.id)
    announced = [
        match
        for entity_id, match in found.items()
        if entity_id in hashes
        and _note(session, monitor, known.get(entity_id), match, hashes[entity_id], look.at)
    ]
    for entity_id, row in known.items():
        if entity_id not in found and row.gone_at is None:
            row.gone_at = look.at
    await records.note_outcome(
        session, monitor, cause=look.cause, index_version=look.served.version
    )
    monitor.screened_at, monitor.index_version = look.at, look.served.version
    if announced:
        await _tell(session, services, monitor, look.served, announced)
    return monitor


async def _row_hashes(session: AsyncSession, entity_ids: Sequence[int]) -> Mapping[int, bytes]:
    query = select(WatchlistEntity.id, WatchlistEntity.row_hash).where(
        WatchlistEntity.id.in_(entity_ids)
    )
    return {row.id: row.row_hash for row in await session.execute(query)}


async def _matches_of(session: AsyncSession, monitor_id: UUID) -> dict[int, MonitorMatch]:
    query = select(MonitorMatch).where(MonitorMatch.monitor_id == monitor_id)
    return {row.entity_id: row for row in await session.scalars(query)}


def _note(
    session: AsyncSession,
    monitor: Monitor,
    row: MonitorMatch | None,
    match: Match,
    row_hash: bytes,
    now: datetime,
) -> bool:
    """Write one match; whether it is to be told of."""
    if row is None:
        session.add(
            MonitorMatch(
                id=ids.sortable(),
                organization_id=monitor.organization_id,
                monitor_id=monitor.id,
                entity_id=int(match.entry_id),
                score=match.score,
                announced_score=match.score,
                announced_at=now,
                # Not the database's moment, which is after that of the screening.
                created_at=now,
                seen_at=now,
                row_hash=row_hash,
            )
        )
        return True
    was_gone, was_dismissed = row.gone_at is not None, row.dismissed_at is not None
    if was_dismissed and row.row_hash != row_hash:
        # What the reviewer looked at is no longer what is listed.
        row.dismissed_at = row.dismissed_by = row.notes_sealed = None
    risen = match.score - row.announced_score >= MATERIAL_RISE
    row.score, row.row_hash, row.seen_at, row.gone_at = match.score, row_hash, now, None
    is_new = was_gone or risen or (was_dismissed and row.dismissed_at is None)
    if not is_new or row.dismissed_at is not None:
        return False
    row.announced_score, row.announced_at = match.score, now
    return True


async def _tell(
    session: AsyncSession,
    services: Services,
    monitor: Monitor,
    served: Served,
    matches: Sequence[Match],
) -> None:
    """DECISIONS, Webhooks: verificationId, fullName, newMatches."""
    entries = await entries_of(services, matches)
    data: dict[str, Any] = {
        "verificationId": str(monitor.verification_id),
        "fullName": records.subject_of(services.keys, monitor)["full_name"],
        "newMatches": [shown(match, served, entries[match.entry_id]) for match in matches],
    }
    await events.record_sealed(
        session,
        services.keys,
        organization_id=monitor.organization_id,
        verification_id=monitor.verification_id,
        kind=EventKind.AML_MATCH,
        data=data,
    )
