"""Tables partitioned by month. Dropping a month takes milliseconds, however many rows it has; a
deletion reads and writes each row, and leaves the space to VACUUM.
"""

from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncSession


class Partitions(NamedTuple):
    """The numbers of partitions that a run added and dropped."""

    added: int
    dropped: int


async def keep_months(session: AsyncSession, function: str, *, kept_for: timedelta) -> Partitions:
    """Add the partitions of the coming months, and drop those that ended `kept_for` ago.

    `function`: of the database, which does it, because the role of the workers does not own the
    tables. It waits at most 0.2 s for a lock, because other statements wait behind it.
    """
    keep = getattr(func, function)(func.now() - kept_for)
    return Partitions(*(await session.execute(select(text("*")).select_from(keep))).one())
