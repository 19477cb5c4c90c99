"""Read the watchlists and build their public form."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import ScreeningIndexFile, Watchlist
from acredita.resources.aml.lists.schemas import (
    IndexHealth,
    ListHealth,
    ListShape,
    ListsHealth,
    ListStatus,
)

# After this time without a successful refresh, a list may miss published changes.
STALE_AFTER = timedelta(days=3)


async def loaded(session: AsyncSession) -> list[Watchlist]:
    """The lists that were loaded, ordered by id. An emptied sandbox list is left out."""
    query = (
        select(Watchlist)
        .where(Watchlist.version > 0, ~Watchlist.is_sandbox | (Watchlist.entries > 0))
        .order_by(Watchlist.id)
    )
    return list((await session.scalars(query)).all())


async def all_lists(session: AsyncSession) -> list[Watchlist]:
    """All lists, ordered by id, including those that never loaded. For the operator."""
    return list((await session.scalars(select(Watchlist).order_by(Watchlist.id))).all())


async def health(session: AsyncSession, now: datetime, *, refreshed: frozenset[str]) -> ListsHealth:
    """The age of each list and of the index. `refreshed`: as in `shape_of`."""
    rows = await loaded(session)
    query = select(ScreeningIndexFile).order_by(ScreeningIndexFile.version.desc()).limit(1)
    newest = (await session.scalars(query)).one_or_none()
    indexed = {} if newest is None else newest.lists
    lists = [
        ListHealth(
            id=row.id,
            status=shape_of(row, now, refreshed=refreshed).status,
            version=row.version,
            entries=row.entries,
            published_days=_days(now, row.as_of),
            confirmed_days=_days(now, row.confirmed_at),
            downloaded=row.id in refreshed,
            problem=row.failure,
            indexed=indexed.get(row.id, {}).get("version") == row.version,
        )
        for row in rows
    ]
    never = sorted(refreshed - {row.id for row in rows})
    is_sound = (
        lists
        and not never
        and all(each.status is ListStatus.CURRENT and each.indexed for each in lists)
    )
    return ListsHealth(
        status="ok" if is_sound else "degraded",
        timestamp=now,
        index=None
        if newest is None
        else IndexHealth(
            version=newest.version, built_at=newest.created_at, entries=newest.entries
        ),
        lists=lists,
        never_loaded=never,
    )


def _days(now: datetime, moment: datetime | None) -> int | None:
    return None if moment is None else max(0, (now - moment).days)


def shape_of(row: Watchlist, now: datetime, *, refreshed: frozenset[str]) -> ListShape:
    """`refreshed`: ids of the lists with a daily refresh. Only these become stale with age."""
    is_old = (
        row.id in refreshed
        and row.confirmed_at is not None
        and row.confirmed_at < now - STALE_AFTER
    )
    return ListShape(
        id=row.id,
        name=row.name,
        entries=row.entries,
        publisher=row.publisher,
        version=row.version,
        as_of=row.as_of,
        loaded_at=row.loaded_at,
        status=ListStatus.STALE if row.failure or is_old else ListStatus.CURRENT,
        problem=row.failure,
        sandbox=row.is_sandbox,
    )
