from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import ColumnElement, RowMapping, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.caller import Caller
from acredita.kit import ids
from acredita.kit.cursors import Window
from acredita.models import AuditEntry
from acredita.models.tenancy import belongs_to

COLUMNS = (
    AuditEntry.id,
    AuditEntry.position,
    AuditEntry.actor_type,
    AuditEntry.actor_id,
    AuditEntry.action,
    AuditEntry.resource_type,
    AuditEntry.resource_id,
    AuditEntry.details,
    AuditEntry.created_at,
    AuditEntry.hash,
)


@dataclass(frozen=True, slots=True)
class Filters:
    resource_type: str | None
    resource_id: str | None
    action: str | None


async def page(
    connection: AsyncConnection, caller: Caller, filters: Filters, window: Window
) -> tuple[int, Sequence[RowMapping]]:
    """(total number of entries, the entries of one page and the next entry, newest first)."""
    resource_id = None if filters.resource_id is None else ids.parse(filters.resource_id)
    if filters.resource_id is not None and resource_id is None:
        return 0, []
    mine = belongs_to(AuditEntry, caller.organization_id)
    wanted = [
        column == value
        for column, value in (
            (AuditEntry.resource_type, filters.resource_type),
            (AuditEntry.resource_id, resource_id),
            (AuditEntry.action, filters.action),
        )
        if value is not None
    ]
    # Entries that are not chained yet are the newest. Chaining keeps the order of their ids.
    query = (
        select(*COLUMNS)
        .where(mine, *wanted)
        .order_by(AuditEntry.position.desc(), AuditEntry.id.desc())
        .limit(window.limit + 1)
    )
    if window.after is not None:
        total = window.after.total
        query = query.where(await _after(connection, mine, window.after.id))
    elif wanted:
        count = select(func.count()).select_from(AuditEntry).where(mine, *wanted)
        total = (await connection.scalar(count)) or 0
        query = query.offset(window.offset)
    else:
        # Positions have no gaps: the last one is the number of chained entries, and an offset
        # among them needs no scan.
        chained = (await connection.scalar(select(func.max(AuditEntry.position)).where(mine))) or 0
        unchained = select(func.count()).where(mine, AuditEntry.hash.is_(None))
        total = chained + ((await connection.scalar(unchained)) or 0)
        if window.offset >= total - chained:
            query = query.where(AuditEntry.position <= total - window.offset)
        else:
            query = query.offset(window.offset)
    return total, (await connection.execute(query)).mappings().all()


async def _after(
    connection: AsyncConnection, mine: ColumnElement[bool], last_id: UUID
) -> ColumnElement[bool]:
    """The condition for the entries that follow an entry in the list."""
    position = await connection.scalar(
        select(AuditEntry.position).where(mine, AuditEntry.id == last_id)
    )
    if position is None:
        return or_(AuditEntry.position.is_not(None), AuditEntry.id < last_id)
    return AuditEntry.position < position
