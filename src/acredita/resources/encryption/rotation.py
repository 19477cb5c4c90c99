"""Seal values of older keys again with the newest key, while the service runs.

The models declare the columns. Each value names its key, so a stopped rotation can be started again
and several can run concurrently. Files do not change: only their data keys are sealed again.
"""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ARRAY, LargeBinary, bindparam, case, func, literal, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.kit.crypto import CannotUnseal, KeyRing
from acredita.kit.db import Database
from acredita.kit.sealed import SealedColumn, sealed_columns
from acredita.models import Base

# Rows per statement, and per transaction.
BATCH = 500
# The next pass handles values that were locked or changed during a pass.
MOST_PASSES = 5


@dataclass(frozen=True, slots=True)
class Progress:
    """The counts of one batch: rows read; values sealed again, left for later, unreadable."""

    column: SealedColumn[Any]
    rows: int
    sealed: int
    missed: int
    unreadable: int


async def rotate(database: Database, keys: KeyRing) -> AsyncIterator[Progress]:
    """Seal every value with the newest key of the ring.

    A value that no key of the ring opens is counted and stays unchanged.
    """
    for column in sealed_columns(Base):
        for _ in range(MOST_PASSES):
            missed = 0
            async for progress in _one_pass(database, keys, column):
                missed += progress.missed
                yield progress
            if not missed:
                break


async def _one_pass(
    database: Database, keys: KeyRing, column: SealedColumn[Any]
) -> AsyncIterator[Progress]:
    after: Any = None
    while True:
        async with database.transaction() as session:
            rows = await _next_rows(session, keys, column, after)
            if not rows:
                return
            after = rows[-1][0]
            stale = {key: old for key, old in rows if old is not None}
            fresh, unreadable = _seal_again(keys, column, stale)
            sealed = await _replace(session, column, stale, fresh) if fresh else 0
        yield Progress(column, len(rows), sealed, len(fresh) - sealed, unreadable)


async def _next_rows(
    session: AsyncSession, keys: KeyRing, column: SealedColumn[Any], after: Any
) -> list[tuple[Any, bytes | None]]:
    """(primary key, value that an older key sealed, if the row has one), by primary key.

    The limit counts rows, not old values, so no statement reads the whole table.
    """
    mark = keys.mark
    beginning = func.substring(column.column, 1, len(mark))
    stale = case((beginning != literal(mark, LargeBinary()), column.column))
    query = select(column.key, stale).order_by(column.key).limit(BATCH)
    if after is not None:
        query = query.where(column.key > after)
    return [(row[0], row[1]) for row in await session.execute(query)]


def _seal_again(
    keys: KeyRing, column: SealedColumn[Any], stale: dict[Any, bytes]
) -> tuple[dict[Any, bytes], int]:
    fresh: dict[Any, bytes] = {}
    for key, old in stale.items():
        try:
            fresh[key] = column.reseal(keys, key, old)
        except CannotUnseal:
            continue
    return fresh, len(stale) - len(fresh)


async def _replace(
    session: AsyncSession,
    column: SealedColumn[Any],
    stale: dict[Any, bytes],
    fresh: dict[Any, bytes],
) -> int:
    """Replace values that have not changed. Return their number.

    Locked rows are skipped, so a rotation cannot cause a deadlock. The lock does not block
    references to the row.
    """
    free = (
        select(column.key)
        .where(column.key.in_(fresh))
        .with_for_update(key_share=True, skip_locked=True)
    )
    unlocked = list(await session.scalars(free))
    if not unlocked:
        return 0
    new = (
        func.unnest(
            bindparam("keys", unlocked, ARRAY(column.key.type)),
            bindparam("olds", [stale[key] for key in unlocked], ARRAY(LargeBinary())),
            bindparam("news", [fresh[key] for key in unlocked], ARRAY(LargeBinary())),
        )
        .table_valued("key", "old", "new", name="new")
        .render_derived()
    )
    replacing = (
        update(column.table)
        .where(column.key == new.c.key, column.column == new.c.old)
        .values({column.column: new.c.new})
        .returning(column.key)
    )
    return len((await session.execute(replacing)).all())


async def rows_to_look_at(connection: AsyncConnection) -> int:
    """Estimate the rows of a rotation from PostgreSQL's statistics."""
    tables = [column.table.name for column in sealed_columns(Base)]
    estimate = text(
        "SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint FROM"
        " unnest(CAST(:tables AS text[])) AS named JOIN pg_class ON oid = to_regclass(named)"
    )
    return int((await connection.execute(estimate, {"tables": tables})).scalar_one())


async def seals_by_key(connection: AsyncConnection) -> Counter[str]:
    """Count the sealed values of each key id."""
    counts: Counter[str] = Counter()
    for column in sealed_columns(Base):
        length = func.get_byte(column.column, 1)
        key_id = func.convert_from(func.substring(column.column, 3, length), "UTF8")
        query = select(key_id, func.count()).where(column.column.is_not(None)).group_by(key_id)
        for found, count in await connection.execute(query):
            counts[found] += count
    return counts
