"""The list of an organization's monitors. It names no person."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import RowMapping, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.domain.caller import Caller
from acredita.kit.cursors import Window
from acredita.models import Monitor, MonitorMatch, MonitorState, Outcome
from acredita.models.tenancy import belongs_to, owned


@dataclass(frozen=True, slots=True)
class Filters:
    """None filters nothing."""

    state: MonitorState | None
    outcome: Outcome | None


async def page(
    connection: AsyncConnection, caller: Caller, filters: Filters, window: Window
) -> tuple[int, Sequence[RowMapping]]:
    """(number of monitors, those of one page and the next one, newest first).

    A row has the fields of a MonitorSummary, `id` and `created_at`.
    """
    wanted = owned(Monitor, caller.organization_id)
    if filters.state is not None:
        wanted = wanted.where(Monitor.state == filters.state)
    if filters.outcome is not None:
        wanted = wanted.where(Monitor.outcome == filters.outcome)
    standing = (
        select(func.count())
        .where(
            belongs_to(MonitorMatch, caller.organization_id),
            MonitorMatch.monitor_id == Monitor.id,
            MonitorMatch.gone_at.is_(None),
            MonitorMatch.dismissed_at.is_(None),
        )
        .scalar_subquery()
    )
    query = (
        wanted.with_only_columns(
            Monitor.id,
            Monitor.created_at,
            Monitor.verification_id,
            Monitor.state,
            Monitor.outcome,
            Monitor.screening_id,
            Monitor.started_at,
            Monitor.ends_at,
            Monitor.screened_at,
            Monitor.next_screening_at,
            standing.label("open_matches"),
        )
        .order_by(Monitor.created_at.desc(), Monitor.id.desc())
        .limit(window.limit + 1)
    )
    if window.after is not None:
        total, after = window.after.total, (window.after.created_at, window.after.id)
        query = query.where(tuple_(Monitor.created_at, Monitor.id) < after)
    else:
        counted = select(func.count()).select_from(wanted.with_only_columns(Monitor.id).subquery())
        total = await connection.scalar(counted) or 0
        query = query.offset(window.offset)
    return total, (await connection.execute(query)).mappings().all()
