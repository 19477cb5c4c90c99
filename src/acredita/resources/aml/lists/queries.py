"""The lists, as anyone may see them."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Watchlist
from acredita.resources.aml.lists.schemas import ListShape, ListStatus

# A source that was not heard of for so long may have published what is not here.
STALE_AFTER = timedelta(days=3)


async def loaded(session: AsyncSession) -> list[Watchlist]:
    """Those that hold something, by their ids."""
    query = (
        select(Watchlist)
        .where(Watchlist.version > 0, ~Watchlist.is_sandbox | (Watchlist.entries > 0))
        .order_by(Watchlist.id)
    )
    return list((await session.scalars(query)).all())


async def every(session: AsyncSession) -> list[Watchlist]:
    """Also those that could never be loaded, for the operator."""
    return list((await session.scalars(select(Watchlist).order_by(Watchlist.id))).all())


def shape_of(row: Watchlist, now: datetime, *, refreshed: frozenset[str]) -> ListShape:
    """`refreshed` are the lists that a daily refresh looks after; others are as old as they are."""
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
