"""Read the watchlists and build their public form."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Watchlist
from acredita.resources.aml.lists.schemas import ListShape, ListStatus

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
