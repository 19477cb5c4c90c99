"""Single statements on hot paths, over the connections of the process's pool.

A statement costs about 40 us of CPU, through SQLAlchemy about 250 us (measured: one row by its id).
A connection is not reset between statements, so no statement may change its settings.
"""

from typing import Any, Protocol

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from acredita.kit.announcements import Announcer, Command
from acredita.kit.connection_pool import SharedPool, driver_of
from acredita.kit.database_url import resolve

# Query parameters of a database URL that only SQLAlchemy understands.
SQLALCHEMY_ONLY = ("prepared_statement_cache_size", "prepared_statement_name_func")
# The names of unique indexes that only the former release needs begin so. A statement with
# `ON CONFLICT` looks for a row in the index that has the columns it names. If another transaction
# adds the same row after that look, this index refuses the row.
FORMER_INDEX = "former_"
ATTEMPTS = 3


def connect_arguments(url: str) -> dict[str, Any]:
    """Return the arguments of `asyncpg.connect` for a database URL."""
    address, tls = resolve(url)
    _, arguments = dialect().create_connect_args(address)  # type: ignore[no-untyped-call]
    for name in SQLALCHEMY_ONLY:
        arguments.pop(name, None)
    return {**arguments, **tls}


class Source(Protocol):
    @property
    def pool(self) -> SharedPool: ...


class StatementPool:
    # Tells others of commits. None: they find out by polling.
    announcer: Announcer | None = None

    def __init__(self, source: Source) -> None:
        self._source = source

    async def row(self, query: str, *arguments: Any) -> asyncpg.Record | None:
        """Return the first row or None. `$1` in the query refers to the first argument."""
        pool = self._source.pool
        entry = pool.take_idle() or await pool.take()
        try:
            return await driver_of(entry).fetchrow(query, *arguments)
        finally:
            pool.give(entry)

    async def rows(self, query: str, *arguments: Any) -> list[asyncpg.Record]:
        pool = self._source.pool
        entry = pool.take_idle() or await pool.take()
        try:
            rows: list[asyncpg.Record] = await driver_of(entry).fetch(query, *arguments)
            return rows
        finally:
            pool.give(entry)

    def announce(self, *commands: Command) -> None:
        """Send Redis commands about the statements that have committed."""
        if self.announcer is not None:
            self.announcer.send(commands)


class Reads(StatementPool):
    """Statements that change nothing."""


class Writes(StatementPool):
    """Each statement is its own transaction, already committed when `row` returns."""

    async def row(self, query: str, *arguments: Any) -> asyncpg.Record | None:
        for _ in range(ATTEMPTS - 1):
            try:
                return await super().row(query, *arguments)
            except asyncpg.UniqueViolationError as fault:
                if not was_added_meanwhile(fault):
                    raise
        return await super().row(query, *arguments)


def was_added_meanwhile(fault: BaseException | None) -> bool:
    """Whether a statement with `ON CONFLICT` failed because of a row that another transaction added
    at the same time. It succeeds when it is repeated."""
    name = fault.constraint_name if isinstance(fault, asyncpg.UniqueViolationError) else None
    return (name or "").startswith(FORMER_INDEX)
