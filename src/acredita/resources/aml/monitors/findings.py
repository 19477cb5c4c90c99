"""Record the result of a screening of a monitored person and announce new matches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.events import EventKind
from acredita.engines.screening import Match, Screening
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Within
from acredita.models import (
    Hit,
    HitState,
    Monitor,
    MonitorMatch,
    MonitorState,
    Verification,
    WatchlistEntity,
)
from acredita.ports import Secrets
from acredita.resources.aml.hits import memory, recording
from acredita.resources.aml.hits.recording import Customer, Found
from acredita.resources.aml.monitors import records
from acredita.resources.aml.monitors.answers import Answered, record_answer
from acredita.resources.aml.screening.service import entries_of, match_body
from acredita.resources.webhooks import events
from acredita.screener import ServedIndex

# A smaller rise of the score is not announced again.
SCORE_RISE = 0.05


@dataclass(frozen=True, slots=True)
class MonitorScreening:
    """One screening of one monitored person. `subject_sealed`: the encrypted person screened."""

    monitor_id: UUID
    verification_id: UUID
    subject_sealed: bytes
    served: ServedIndex
    screening: Screening
    cause: str
    at: datetime


async def record_screening(
    session: AsyncSession, services: Secrets, result: MonitorScreening
) -> Monitor | None:
    """Write the matches and an event for the new ones. Return the locked monitor.

    Return None and write nothing if the monitor was stopped or monitors another person by now.
    """
    keys = services.keys
    locked = await _locked(session, keys, result)
    if locked is None:
        return None
    monitor, external_id = locked
    matches = {int(match.entry_id): match for match in result.screening.matches}
    hashes = await _row_hashes(session, list(matches))
    known = await _matches_of(session, monitor.id)
    customer = Customer(
        monitor.organization_id,
        recording.question_of(external_id=external_id, **monitor.subject.open(keys)),
        external_id,
        monitor.verification_id,
    )
    hits = await _hits(session, services, customer, result, hashes)
    for entity_id, row in known.items():
        if entity_id in hits:
            hits[entity_id] = await _dismissed_before(session, row, hits[entity_id], result.at)
    announced = [
        match
        for entity_id, match in matches.items()
        if entity_id in hashes
        and _record_match(session, monitor, known.get(entity_id), match, hits[entity_id], result.at)
    ]
    for entity_id, row in known.items():
        if entity_id not in matches and row.gone_at is None:
            row.gone_at = result.at
    answered = Answered(customer, result.served, result.screening, hits, result.at)
    await record_answer(session, services, monitor, answered)
    await records.note_outcome(
        session, monitor, cause=result.cause, index_version=result.served.version
    )
    monitor.screened_at, monitor.index_version = result.at, result.served.version
    if announced:
        await _record_event(session, keys, monitor, customer, result.served, announced, hits)
    return monitor


async def _locked(
    session: AsyncSession, keys: KeyRing, result: MonitorScreening
) -> tuple[Monitor, str | None] | None:
    """Lock and return the monitor, with its customer's id; None: it monitors the person no more."""
    # The purge of a verification locks it before its monitor.
    verification = (
        select(Verification.external_id)
        .where(Verification.id == result.verification_id, Verification.purged_at.is_(None))
        .with_for_update(read=True, key_share=True)
    )
    verified = (await session.execute(verification)).one_or_none()
    query = select(Monitor).where(Monitor.id == result.monitor_id).with_for_update()
    monitor = (await session.scalars(query)).one_or_none()
    if verified is None or monitor is None or monitor.state != MonitorState.ACTIVE:
        return None
    subject = Monitor.subject.open(keys, monitor.id, result.subject_sealed)
    if monitor.subject_sealed != result.subject_sealed and monitor.subject.open(keys) != subject:
        return None
    return monitor, verified.external_id


async def _row_hashes(session: AsyncSession, entity_ids: Sequence[int]) -> Mapping[int, bytes]:
    query = select(WatchlistEntity.id, WatchlistEntity.row_hash).where(
        WatchlistEntity.id.in_(entity_ids)
    )
    return {row.id: row.row_hash for row in await session.execute(query)}


async def _hits(
    session: AsyncSession,
    services: Secrets,
    customer: Customer,
    result: MonitorScreening,
    hashes: Mapping[int, bytes],
) -> dict[int, Found]:
    """Entity id → the hit, which waits in the queue unless it was decided."""
    entries = [
        (int(match.entry_id), hashes[int(match.entry_id)], match.score)
        for match in result.screening.matches
        if int(match.entry_id) in hashes
    ]
    statements = Within(session)
    found = recording.found_of(services.signer, customer, entries)
    known = await memory.remembered(statements, services.keys, found)
    await recording.add(statements, services.keys, known, result.at)
    return {hit.entity_id: hit for hit in known}


async def _matches_of(session: AsyncSession, monitor_id: UUID) -> dict[int, MonitorMatch]:
    query = select(MonitorMatch).where(MonitorMatch.monitor_id == monitor_id)
    return {row.entity_id: row for row in await session.scalars(query)}


async def _dismissed_before(
    session: AsyncSession, row: MonitorMatch, hit: Found, now: datetime
) -> Found:
    """The hit; a false one if a former release dismissed the match and the entry is the same.

    Dismissals of former releases have no hit.
    """
    if row.hit_id is not None or row.dismissed_at is None or row.row_hash != hit.row_hash:
        return hit
    decided = (
        update(Hit)
        .where(Hit.id == hit.id, Hit.created_at == now, Hit.state == HitState.OPEN)
        .values(state=HitState.FALSE_HIT, decided_at=row.dismissed_at, decided_by=row.dismissed_by)
        .returning(Hit.id)
    )
    if await session.scalar(decided) is None:
        return hit
    return replace(
        hit,
        state=HitState.FALSE_HIT,
        decided_at=timestamp(row.dismissed_at),
        decided_by=None if row.dismissed_by is None else str(row.dismissed_by),
    )


def _record_match(
    session: AsyncSession,
    monitor: Monitor,
    row: MonitorMatch | None,
    match: Match,
    hit: Found,
    now: datetime,
) -> bool:
    """Write one match. Return whether to announce it: a false hit is remembered and silent."""
    if row is None:
        session.add(_new_match(monitor, match, hit, now))
        return not hit.is_false
    row_hash = hit.row_hash
    was_gone, was_dismissed = row.gone_at is not None, row.dismissed_at is not None
    is_reopened = row.hit_id is not None and not hit.is_false
    row.hit_id = hit.id
    if was_dismissed and (is_reopened or row.row_hash != row_hash):
        # The entry or the person changed after the reviewer's decision.
        row.dismissed_at = row.dismissed_by = None
    if row.dismissed_at is None and hit.is_false:
        row.dismissed_at, row.dismissed_by = now, hit.reviewer
    risen = match.score - row.announced_score >= SCORE_RISE
    row.score, row.row_hash, row.seen_at, row.gone_at = match.score, row_hash, now, None
    is_new = was_gone or risen or (was_dismissed and row.dismissed_at is None)
    if not is_new or row.dismissed_at is not None:
        return False
    row.announced_score, row.announced_at = match.score, now
    return True


def _new_match(monitor: Monitor, match: Match, hit: Found, now: datetime) -> MonitorMatch:
    return MonitorMatch(
        id=ids.sortable(),
        organization_id=monitor.organization_id,
        monitor_id=monitor.id,
        entity_id=int(match.entry_id),
        hit_id=hit.id,
        dismissed_at=now if hit.is_false else None,
        dismissed_by=hit.reviewer if hit.is_false else None,
        score=match.score,
        announced_score=match.score,
        announced_at=now,
        # The time of the screening, which is before the database's now().
        created_at=now,
        seen_at=now,
        row_hash=hit.row_hash,
    )


async def _record_event(
    session: AsyncSession,
    keys: KeyRing,
    monitor: Monitor,
    customer: Customer,
    served: ServedIndex,
    matches: Sequence[Match],
    hits: Mapping[int, Found],
) -> None:
    """DECISIONS, Webhooks: verificationId, fullName, newMatches; as in all events, externalId."""
    entries = await entries_of(Within(session), matches)
    data: dict[str, Any] = {
        "verificationId": str(monitor.verification_id),
        "fullName": customer.question["fullName"],
        "newMatches": [
            match_body(match, served, entries[match.entry_id]) | hits[int(match.entry_id)].body()
            for match in matches
        ],
        "externalId": customer.external_id,
        "screeningId": str(monitor.screening_id),
    }
    await events.record(
        session,
        organization_id=monitor.organization_id,
        verification_id=monitor.verification_id,
        kind=EventKind.AML_MATCH,
        data=data,
        keys=keys,
    )
