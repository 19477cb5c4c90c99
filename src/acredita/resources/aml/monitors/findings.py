"""Record the result of a screening of a monitored person and announce new matches."""

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
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Within
from acredita.models import Monitor, MonitorMatch, MonitorState, WatchlistEntity
from acredita.resources.aml.monitors import records
from acredita.resources.aml.screening.service import entries_of, match_body
from acredita.resources.webhooks import events
from acredita.screener import ServedIndex

# A smaller rise of the score is not announced again.
SCORE_RISE = 0.05


@dataclass(frozen=True, slots=True)
class MonitorScreening:
    """One screening of one monitored person. `subject_sealed`: the encrypted person screened."""

    monitor_id: UUID
    subject_sealed: bytes
    served: ServedIndex
    screening: Screening
    cause: str
    at: datetime


async def record_screening(
    session: AsyncSession, keys: KeyRing, result: MonitorScreening
) -> Monitor | None:
    """Write the matches and an event for the new ones. Return the locked monitor.

    Return None and write nothing if the monitor was stopped or monitors another person by now.
    """
    query = select(Monitor).where(Monitor.id == result.monitor_id).with_for_update()
    monitor = (await session.scalars(query)).one_or_none()
    if monitor is None or monitor.state != MonitorState.ACTIVE:
        return None
    if monitor.subject_sealed != result.subject_sealed and monitor.subject.open(
        keys
    ) != Monitor.subject.open(keys, monitor.id, result.subject_sealed):
        return None
    matches = {int(match.entry_id): match for match in result.screening.matches}
    hashes = await _row_hashes(session, list(matches))
    known = await _matches_of(session, monitor.id)
    announced = [
        match
        for entity_id, match in matches.items()
        if entity_id in hashes
        and _record_match(
            session, monitor, known.get(entity_id), match, hashes[entity_id], result.at
        )
    ]
    for entity_id, row in known.items():
        if entity_id not in matches and row.gone_at is None:
            row.gone_at = result.at
    await records.note_outcome(
        session, monitor, cause=result.cause, index_version=result.served.version
    )
    monitor.screened_at, monitor.index_version = result.at, result.served.version
    if announced:
        await _record_event(session, keys, monitor, result.served, announced)
    return monitor


async def _row_hashes(session: AsyncSession, entity_ids: Sequence[int]) -> Mapping[int, bytes]:
    query = select(WatchlistEntity.id, WatchlistEntity.row_hash).where(
        WatchlistEntity.id.in_(entity_ids)
    )
    return {row.id: row.row_hash for row in await session.execute(query)}


async def _matches_of(session: AsyncSession, monitor_id: UUID) -> dict[int, MonitorMatch]:
    query = select(MonitorMatch).where(MonitorMatch.monitor_id == monitor_id)
    return {row.entity_id: row for row in await session.scalars(query)}


def _record_match(
    session: AsyncSession,
    monitor: Monitor,
    row: MonitorMatch | None,
    match: Match,
    row_hash: bytes,
    now: datetime,
) -> bool:
    """Write one match. Return whether to announce it."""
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
                # The time of the screening, which is before the database's now().
                created_at=now,
                seen_at=now,
                row_hash=row_hash,
            )
        )
        return True
    was_gone, was_dismissed = row.gone_at is not None, row.dismissed_at is not None
    if was_dismissed and row.row_hash != row_hash:
        # The entry changed after the reviewer's decision.
        row.dismissed_at = row.dismissed_by = row.notes_sealed = None
    risen = match.score - row.announced_score >= SCORE_RISE
    row.score, row.row_hash, row.seen_at, row.gone_at = match.score, row_hash, now, None
    is_new = was_gone or risen or (was_dismissed and row.dismissed_at is None)
    if not is_new or row.dismissed_at is not None:
        return False
    row.announced_score, row.announced_at = match.score, now
    return True


async def _record_event(
    session: AsyncSession,
    keys: KeyRing,
    monitor: Monitor,
    served: ServedIndex,
    matches: Sequence[Match],
) -> None:
    """DECISIONS, Webhooks: verificationId, fullName, newMatches."""
    entries = await entries_of(Within(session), matches)
    data: dict[str, Any] = {
        "verificationId": str(monitor.verification_id),
        "fullName": monitor.subject.open(keys)["full_name"],
        "newMatches": [match_body(match, served, entries[match.entry_id]) for match in matches],
    }
    await events.record_sealed(
        session,
        keys,
        organization_id=monitor.organization_id,
        verification_id=monitor.verification_id,
        kind=EventKind.AML_MATCH,
        data=data,
    )
