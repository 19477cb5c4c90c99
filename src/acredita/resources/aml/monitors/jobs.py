"""Monitored people are screened anew: every day, and when a list changes in what may touch them."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.engines.screening import ScreeningIndex, build_index
from acredita.jobs import JobContext, Later, LeasedJob, Queue, job, recurring
from acredita.kit.storage import StorageUnavailable
from acredita.models import (
    Monitor,
    MonitorMatch,
    MonitorState,
    ScreeningIndexFile,
    Standing,
    WatchlistEntity,
)
from acredita.resources.aml.index import building
from acredita.resources.aml.index.serving import NotReady, Served
from acredita.resources.aml.monitors import records
from acredita.resources.aml.monitors.findings import Look, keep
from acredita.services import Services

log = structlog.get_logger()

HOUR = 3_600.0
DAY = timedelta(hours=24)
# A monitored name that resembles more entries than this resembles everybody.
MOST_MATCHES = 500
# Rarity counts otherwise among the few entries that changed than among all of them: whoever might
# resemble one of these is screened against all.
PERHAPS = 0.5
# Monitored people that are looked at together.
PAGE = 500
# With more changes than this at once, everybody is screened anew.
MOST_CHANGES = 50_000


async def follow_up(session: AsyncSession, index_version: int) -> None:
    """Let monitored people be held against what is new in an index."""
    await jobs.add(session, screen_changes, {"index_version": index_version})


async def screen_soon(
    session: AsyncSession, monitor_id: UUID, organization_id: UUID, *, at: datetime | None = None
) -> None:
    await jobs.add(
        session,
        screen_monitor,
        {"monitor_id": str(monitor_id)},
        coalesce_key=f"aml.monitor:{monitor_id}",
        organization_id=organization_id,
        run_at=at,
    )


async def _try_again_later(session: AsyncSession, services: Services, leased: LeasedJob) -> None:
    """A monitor that could not be screened for hours is not given up: its days go on."""
    monitor = await session.get(Monitor, UUID(leased.payload["monitor_id"]))
    if monitor is not None and monitor.state == MonitorState.ACTIVE:
        log.error("aml.monitor_not_screened", monitor_id=str(monitor.id))
        at = services.clock.now() + timedelta(seconds=HOUR)
        await screen_soon(session, monitor.id, monitor.organization_id, at=at)


@job(
    "aml.screen_monitor",
    queue=Queue.LIGHT,
    timeout=60,
    max_attempts=20,
    on_dead=_try_again_later,
)
async def screen_monitor(context: JobContext, monitor_id: UUID) -> None:
    """Screen one monitored person, and come again in 24 hours until its 90 days are over."""
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
    served = await _newest(services)
    if served is None:
        raise Later("no list is loaded", delay=HOUR)
    question = records.question_of(records.subject_of(services.keys, monitor))
    screening = await served.screen(question, limit=MOST_MATCHES)
    look = Look(monitor_id, monitor.subject_sealed, served, screening, _cause(monitor, now), now)
    async with context.finish() as session:
        kept = await keep(session, services, look)
        if kept is not None:
            kept.next_screening_at = _next(kept.next_screening_at or now, now)
            context.run_again(at=max(now, min(kept.next_screening_at, kept.ends_at)))


def _next(due: datetime, now: datetime) -> datetime:
    """24 hours after it was due; what was missed meanwhile is made up for by this one."""
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


async def _newest(services: Services) -> Served | None:
    """An index that was announced a moment ago is not missed."""
    try:
        await services.screener.look()
        return await services.screener.current()
    except (NotReady, StorageUnavailable) as fault:
        raise Later(f"no index: {type(fault).__name__}") from None


@job("aml.screen_changes", queue=Queue.LIGHT, timeout=2 * HOUR, max_attempts=10)
async def screen_changes(context: JobContext, index_version: int) -> None:
    """Find the monitored people whom the changes of the lists may concern; screen those anew."""
    services = context.services
    changed = await _condition_of_change(services, index_version)
    if changed is None:
        return
    index = await _index_of(services, changed)
    after: UUID | None = None
    while people := await _people(services, after):
        after = people[-1].id
        concerned = await _touched(services, [person.id for person in people], changed)
        concerned |= await _perhaps_listed(services, people, index)
        async with services.database.transaction() as session:
            for person in people:
                if person.id in concerned:
                    await screen_soon(session, person.id, person.organization_id)


async def _condition_of_change(
    services: Services, index_version: int
) -> ColumnElement[bool] | None:
    """Which entities changed between the index before and this one, as SQL; None: no list did."""
    newest_two = (
        select(ScreeningIndexFile.version, ScreeningIndexFile.lists)
        .where(ScreeningIndexFile.version <= index_version)
        .order_by(ScreeningIndexFile.version.desc())
        .limit(2)
    )
    async with services.database.reading() as connection:
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


async def _index_of(services: Services, changed: ColumnElement[bool]) -> ScreeningIndex | None:
    """An index of the entries that are new or changed; None: so many that it saves nothing."""
    query = (
        select(WatchlistEntity.__table__)
        .where(
            changed,
            WatchlistEntity.removed_version.is_(None),
            WatchlistEntity.standing == Standing.LISTED.value,
        )
        .limit(MOST_CHANGES + 1)
    )
    async with services.database.reading() as connection:
        rows = (await connection.execute(query)).all()
    if len(rows) > MOST_CHANGES:
        return None
    entries = [building.entry_of(row) for row in rows]
    return await asyncio.to_thread(build_index, entries)


async def _perhaps_listed(
    services: Services, people: Sequence[Any], index: ScreeningIndex | None
) -> set[UUID]:
    if index is None:
        return {person.id for person in people}
    if not index.entries:
        return set()
    questions = [
        records.question_of(records.subject_of(services.keys, person)) for person in people
    ]
    screenings = await asyncio.to_thread(index.screen_many, questions, threshold=PERHAPS, limit=1)
    return {
        person.id for person, screening in zip(people, screenings, strict=True) if screening.total
    }


async def _people(services: Services, after: UUID | None) -> list[Any]:
    query = (
        select(Monitor.id, Monitor.organization_id, Monitor.subject_sealed)
        .where(Monitor.state == MonitorState.ACTIVE.value)
        .order_by(Monitor.id)
        .limit(PAGE)
    )
    if after is not None:
        query = query.where(Monitor.id > after)
    async with services.database.reading() as connection:
        return list((await connection.execute(query)).all())


async def _touched(
    services: Services, monitor_ids: Sequence[UUID], changed: ColumnElement[bool]
) -> set[UUID]:
    """Those with a match that stands on an entity that changed or went."""
    query = (
        select(MonitorMatch.monitor_id)
        .join(WatchlistEntity, WatchlistEntity.id == MonitorMatch.entity_id)
        .where(MonitorMatch.monitor_id.in_(monitor_ids), MonitorMatch.gone_at.is_(None), changed)
    )
    async with services.database.reading() as connection:
        return set(await connection.scalars(query))


@recurring("aml.find_overdue_monitors", every=HOUR, timeout=HOUR)
async def find_overdue_monitors(context: JobContext) -> None:
    """Every active monitor has a job that waits; one without it is given it back."""
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
            await screen_soon(session, row.id, row.organization_id)
