"""Screen monitored people again every day, and when a change of a list may concern them."""

import asyncio
import tempfile
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.engines.screening import ScreeningIndex
from acredita.jobs import JobContext, Later, LeasedJob, Queue, job, recurring
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Database
from acredita.kit.storage import StorageUnavailable
from acredita.models import (
    Monitor,
    MonitorMatch,
    MonitorState,
    ScreeningIndexFile,
    WatchlistEntity,
)
from acredita.ports import IndexBuilding, JobEnding
from acredita.resources.aml.folder import WORK, folder_of
from acredita.resources.aml.index import building
from acredita.resources.aml.index.process import build_file
from acredita.resources.aml.monitors import records
from acredita.resources.aml.monitors.findings import MonitorScreening, record_screening
from acredita.screener import IndexNotReady, Screener, ServedIndex

log = structlog.get_logger()

HOUR = 3_600.0
DAY = timedelta(hours=24)
# Matches kept per monitor. A name that matches more entries is too common to be useful.
MOST_MATCHES = 500
# Lower than the usual threshold: word weights differ between an index of the few changed entries
# and the full index. People above this score are screened against the full index.
CANDIDATE_THRESHOLD = 0.5
# Monitors per SELECT.
PAGE = 500
# With more changed entries than this, all monitored people are screened again.
MOST_CHANGES = 50_000


async def queue_screening_of_changes(session: AsyncSession, index_version: int) -> None:
    """Add a job that screens monitored people against the changes of an index version."""
    await jobs.add(session, screen_changes, {"index_version": index_version})


async def queue_screening(
    session: AsyncSession, monitor_id: UUID, organization_id: UUID, *, at: datetime | None = None
) -> None:
    """Add the job that screens a monitored person, now or at `at`. It coalesces per monitor."""
    await jobs.add(
        session,
        screen_monitor,
        {"monitor_id": str(monitor_id)},
        coalesce_key=f"aml.monitor:{monitor_id}",
        organization_id=organization_id,
        run_at=at,
    )


async def _requeue(session: AsyncSession, services: JobEnding, leased: LeasedJob) -> None:
    """A dead job does not end a monitor: log an error and try again in an hour."""
    monitor = await session.get(Monitor, UUID(leased.payload["monitor_id"]))
    if monitor is not None and monitor.state == MonitorState.ACTIVE:
        log.error("aml.monitor_not_screened", monitor_id=str(monitor.id))
        at = services.clock.now() + timedelta(seconds=HOUR)
        await queue_screening(session, monitor.id, monitor.organization_id, at=at)


@job(
    "aml.screen_monitor",
    queue=Queue.LIGHT,
    timeout=60,
    max_attempts=20,
    on_dead=_requeue,
)
async def screen_monitor(context: JobContext, monitor_id: UUID) -> None:
    """Screen one monitored person. Run again in 24 hours until the 90 days are over."""
    services = context.services
    async with services.database.reading() as connection:
        query = select(Monitor.__table__).where(Monitor.id == monitor_id)
        monitor = (await connection.execute(query)).one_or_none()
    if monitor is None or monitor.state != MonitorState.ACTIVE:
        return
    now = services.clock.now()
    if now >= monitor.ends_at:
        async with context.finish() as session:
            await _end(session, monitor_id, now)
        return
    served = await _newest(services.screener)
    if served is None:
        raise Later("no watchlist is loaded", delay=HOUR)
    question = records.question_of(services.keys, monitor)
    screening = await served.screen(question, limit=MOST_MATCHES)
    found = MonitorScreening(
        monitor_id,
        monitor.verification_id,
        monitor.subject_sealed,
        served,
        screening,
        _cause(monitor, now),
        now,
    )
    async with context.finish() as session:
        kept = await record_screening(session, services, found)
        if kept is not None:
            kept.next_screening_at = _next(kept.next_screening_at or now, now)
            context.run_again(at=max(now, min(kept.next_screening_at, kept.ends_at)))


def _next(due: datetime, now: datetime) -> datetime:
    """The next due time: a multiple of 24 hours after `due`. Missed screenings are skipped."""
    if due > now:
        return due
    missed = (now - due) // DAY
    return due + (missed + 1) * DAY


def _cause(monitor: Any, now: datetime) -> str:
    if monitor.screened_at is None:
        return "enabled"
    return "daily" if monitor.next_screening_at <= now else "list_change"


async def _end(session: AsyncSession, monitor_id: UUID, now: datetime) -> None:
    query = select(Monitor).where(Monitor.id == monitor_id).with_for_update()
    monitor = (await session.scalars(query)).one_or_none()
    if monitor and monitor.state == MonitorState.ACTIVE and monitor.ends_at <= now:
        records.end(session, monitor)


async def _newest(screener: Screener) -> ServedIndex | None:
    """The newest index, after a check for a newer version. Raise Later if there is none yet."""
    try:
        await screener.refresh()
        return await screener.current()
    except (IndexNotReady, StorageUnavailable) as fault:
        raise Later(f"no index: {type(fault).__name__}") from None


@job("aml.screen_changes", queue=Queue.LIGHT, timeout=2 * HOUR, max_attempts=10)
async def screen_changes(context: JobContext, index_version: int) -> None:
    """Queue a screening of every monitored person that a change of the lists may affect."""
    services = context.services
    changed = await _condition_of_change(services.database, index_version)
    people = await _page_of_monitors(services.database, None)
    if changed is None or not people:
        return
    index = await _index_of_changes(services, changed)
    while people:
        concerned = await _with_changed_match(
            services.database, [person.id for person in people], changed
        )
        concerned |= await _possible_matches(services.keys, people, index)
        async with services.database.transaction() as session:
            for person in people:
                if person.id in concerned:
                    await queue_screening(session, person.id, person.organization_id)
        people = await _page_of_monitors(services.database, people[-1].id)


async def _condition_of_change(
    database: Database, index_version: int
) -> ColumnElement[bool] | None:
    """SQL condition for the entries that changed since the previous index; None if none did."""
    newest_two = (
        select(ScreeningIndexFile.version, ScreeningIndexFile.lists)
        .where(ScreeningIndexFile.version <= index_version)
        .order_by(ScreeningIndexFile.version.desc())
        .limit(2)
    )
    async with database.reading() as connection:
        indexes = (await connection.execute(newest_two)).all()
    before = indexes[1].lists if len(indexes) == 2 else {}
    conditions = []
    for list_id, each in (indexes[0].lists if indexes else {}).items():
        version = int(before[list_id]["version"]) if list_id in before else 0
        if each["version"] != version:
            since = or_(
                WatchlistEntity.changed_version > version,
                WatchlistEntity.removed_version > version,
            )
            conditions.append(and_(WatchlistEntity.list_id == list_id, since))
    return or_(*conditions) if conditions else None


async def _index_of_changes(
    services: IndexBuilding, changed: ColumnElement[bool]
) -> ScreeningIndex | None:
    """An index of the new and changed entries; None if there are more than MOST_CHANGES."""
    some = select(WatchlistEntity.id).where(changed).limit(MOST_CHANGES + 1).subquery()
    async with services.database.reading() as connection:
        count = (await connection.execute(select(func.count()).select_from(some))).scalar_one()
    if count > MOST_CHANGES:
        return None
    with tempfile.TemporaryDirectory(prefix=WORK, dir=folder_of(services.settings)) as work:
        spool, path = Path(work) / "entries", Path(work) / "index"
        await building.write_entries(services.database, spool, condition=changed)
        await build_file(spool, path)
        # The mapped file outlives its folder.
        return await asyncio.to_thread(ScreeningIndex.open, path)


async def _possible_matches(
    keys: KeyRing, people: Sequence[Any], index: ScreeningIndex | None
) -> set[UUID]:
    if index is None:
        return {person.id for person in people}
    if not index.entries:
        return set()
    questions = [records.question_of(keys, person) for person in people]
    screenings = await asyncio.to_thread(
        index.screen_many, questions, threshold=CANDIDATE_THRESHOLD, limit=1
    )
    return {
        person.id for person, screening in zip(people, screenings, strict=True) if screening.total
    }


async def _page_of_monitors(database: Database, after: UUID | None) -> list[Any]:
    query = (
        select(Monitor.id, Monitor.organization_id, Monitor.subject_sealed)
        .where(Monitor.state == MonitorState.ACTIVE.value)
        .order_by(Monitor.id)
        .limit(PAGE)
    )
    if after is not None:
        query = query.where(Monitor.id > after)
    async with database.reading() as connection:
        return list((await connection.execute(query)).all())


async def _with_changed_match(
    database: Database, monitor_ids: Sequence[UUID], changed: ColumnElement[bool]
) -> set[UUID]:
    """Ids of the monitors with a current match on an entry that changed or was removed."""
    query = (
        select(MonitorMatch.monitor_id)
        .join(WatchlistEntity, WatchlistEntity.id == MonitorMatch.entity_id)
        .where(MonitorMatch.monitor_id.in_(monitor_ids), MonitorMatch.gone_at.is_(None), changed)
    )
    async with database.reading() as connection:
        return set(await connection.scalars(query))


@recurring("aml.find_overdue_monitors", every=HOUR, timeout=HOUR)
async def find_overdue_monitors(context: JobContext) -> None:
    """Add the missing job of every active monitor whose screening is overdue by an hour."""
    services = context.services
    overdue = services.clock.now() - timedelta(seconds=HOUR)
    query = (
        select(Monitor.id, Monitor.organization_id)
        .where(Monitor.state == MonitorState.ACTIVE.value, Monitor.next_screening_at < overdue)
        .limit(10 * PAGE)
    )
    async with services.database.reading() as connection:
        rows = (await connection.execute(query)).all()
    async with services.database.transaction() as session:
        for row in rows:
            await queue_screening(session, row.id, row.organization_id)
