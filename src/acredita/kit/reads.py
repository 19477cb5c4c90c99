"""Single statements that are executed all the time, over pools of asyncpg's own.

SQLAlchemy's checkout, execution and result cost about 250 us of CPU a statement, this about 60 us
(measured, the same row by its id). A connection is never in a transaction and is handed on as it
is: nobody may set anything on it.
"""

from typing import Any, ClassVar, Self

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.engine import make_url

from acredita.kit.silence import bound_silence

# What only SQLAlchemy's side of a URL's query understands.
NOT_FOR_ASYNCPG = ("prepared_statement_cache_size", "prepared_statement_name_func")
ACQUIRE_SECONDS = 5.0


class StatementPool:
    """Opened and closed as an async context manager; connects when first asked."""

    read_only: ClassVar[str]

    def __init__(
        self, url: str, *, pool_size: int, statement_timeout: float, application_name: str
    ) -> None:
        _, arguments = dialect().create_connect_args(make_url(url))  # type: ignore[no-untyped-call]
        for name in NOT_FOR_ASYNCPG:
            arguments.pop(name, None)
        self._pool = asyncpg.create_pool(
            **arguments,
            min_size=0,
            max_size=pool_size,
            max_inactive_connection_lifetime=0,
            timeout=5,
            init=_prepare,
            reset=_nothing,
            server_settings={
                "application_name": application_name,
                "statement_timeout": str(int(statement_timeout * 1000)),
                "default_transaction_read_only": self.read_only,
                "timezone": "UTC",
                "jit": "off",
                # One request takes no more than one core; starting helpers costs 10 ms, besides.
                "max_parallel_workers_per_gather": "0",
            },
        )

    async def __aenter__(self) -> Self:
        await self._pool
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pool.close()

    async def row(self, query: str, *arguments: Any) -> asyncpg.Record | None:
        """The first row, if any; `$1` in the query is the first of the arguments."""
        async with self._pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
            return await connection.fetchrow(query, *arguments)

    async def rows(self, query: str, *arguments: Any) -> list[asyncpg.Record]:
        async with self._pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
            rows: list[asyncpg.Record] = await connection.fetch(query, *arguments)
            return rows

    def usage(self) -> tuple[int, int]:
        """Connections in use, and idle ones."""
        idle: int = self._pool.get_idle_size()
        return self._pool.get_size() - idle, idle


class Reads(StatementPool):
    read_only = "on"


class Writes(StatementPool):
    """Each statement is a transaction of its own, and committed once its row is there."""

    read_only = "off"


async def _prepare(connection: asyncpg.Connection) -> None:
    bound_silence(connection)


async def _nothing(_connection: asyncpg.Connection) -> None:
    """Resetting a connection would cost a round trip of its own after each statement."""
