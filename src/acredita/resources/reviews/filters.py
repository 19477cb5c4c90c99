"""Filters of the queue that a user saved under a name."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import FilterExists, Forbidden, NotFound, TooManyFilters
from acredita.kit import ids
from acredita.models import ReviewFilter
from acredita.models.tenancy import belongs_to, owned
from acredita.resources.reviews.schemas import FilterWrite

MOST_FILTERS = 50


async def list_all(session: AsyncSession, caller: Caller) -> Sequence[ReviewFilter]:
    """Return the caller's filters by name. An API key has none."""
    query = owned(ReviewFilter, caller.organization_id).where(ReviewFilter.user_id == caller.id)
    return (await session.scalars(query.order_by(ReviewFilter.name))).all()


async def add(session: AsyncSession, caller: Caller, data: FilterWrite) -> ReviewFilter:
    """Raise Forbidden for an API key, FilterExists, TooManyFilters."""
    if caller.kind is not CallerKind.USER:
        raise Forbidden("Only signed-in users save filters, not API keys.")
    own = (belongs_to(ReviewFilter, caller.organization_id), ReviewFilter.user_id == caller.id)
    count = await session.scalar(select(func.count()).select_from(ReviewFilter).where(*own))
    if (count or 0) >= MOST_FILTERS:
        raise TooManyFilters
    added = (
        insert(ReviewFilter)
        .values(
            id=ids.sortable(),
            organization_id=caller.organization_id,
            user_id=caller.id,
            name=data.name,
            filter=data.filter.model_dump(mode="json", by_alias=True, exclude_unset=True),
        )
        .on_conflict_do_nothing()
        .returning(ReviewFilter)
    )
    row = (await session.scalars(added)).one_or_none()
    if row is None:
        raise FilterExists
    return row


async def remove(session: AsyncSession, caller: Caller, filter_id: UUID) -> None:
    """Raise NotFound, also for another user's filter."""
    removed = delete(ReviewFilter).where(
        belongs_to(ReviewFilter, caller.organization_id),
        ReviewFilter.user_id == caller.id,
        ReviewFilter.id == filter_id,
    )
    if await session.scalar(removed.returning(ReviewFilter.id)) is None:
        raise NotFound
