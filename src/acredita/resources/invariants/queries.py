"""Find violations, and store how far each check has progressed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.kit.db import Database
from acredita.models import CheckedUntil
from acredita.resources.invariants.checks import MOST, SETTLED_AFTER, Invariant

# The start of the first check.
FIRST_WINDOW = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Violation:
    id: UUID
    organization_id: UUID | None


@dataclass(frozen=True, slots=True)
class Window:
    since: datetime
    until: datetime


@asynccontextmanager
async def looking(database: Database) -> AsyncIterator[AsyncConnection]:
    """A read-only connection."""
    async with database.engine.connect() as connection:
        await connection.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        yield connection


async def find(
    connection: AsyncConnection,
    invariant: Invariant,
    window: Window,
    *,
    only: UUID | None = None,
) -> list[Violation]:
    """Return at most MOST violations. `only`: return this one, if it is a violation."""
    query, parameters = f"{invariant.query} LIMIT {MOST}", dict[str, object]()
    if only is not None:
        query = f"SELECT * FROM ({invariant.query}) AS found WHERE id = :only"  # noqa: S608 (constants)
        parameters["only"] = only
    if invariant.windowed:
        parameters |= {"since": window.since, "until": window.until}
    rows = await connection.execute(text(query), parameters)
    return [Violation(*row) for row in rows]


async def end_of_transactions(connection: AsyncConnection) -> datetime:
    """Return a time before which all transactions have ended, by the database's clock."""
    now: datetime = (await connection.execute(select(func.now()))).scalar_one()
    return now - timedelta(seconds=SETTLED_AFTER)


async def window_of(connection: AsyncConnection, invariant: Invariant) -> Window:
    """Return the window from the end of the last check to `end_of_transactions`."""
    until = await end_of_transactions(connection)
    query = select(CheckedUntil.moment).where(CheckedUntil.name == invariant.name)
    since = await connection.scalar(query)
    return Window(since or until - FIRST_WINDOW, until)


async def checked(session: AsyncSession, invariant: Invariant, window: Window) -> None:
    """Store where the next check begins."""
    adding = insert(CheckedUntil).values(name=invariant.name, moment=window.until)
    await session.execute(
        adding.on_conflict_do_update(
            index_elements=[CheckedUntil.name], set_={"moment": adding.excluded.moment}
        )
    )
