"""asyncpg pools for single statements on hot paths.

A statement costs about 60 us of CPU, through SQLAlchemy about 250 us (measured: one row by its id).
A connection is never in a transaction and is not reset between statements, so no statement may
change its settings.
"""

from typing import Any, ClassVar, Self

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from acredita.kit.database_url import resolve
from acredita.kit.keepalive import enable_keepalive

# Query parameters of a database URL that only SQLAlchemy understands.
SQLALCHEMY_ONLY = ("prepared_statement_cache_size", "prepared_statement_name_func")
ACQUIRE_SECONDS = 5.0


def connect_arguments(url: str) -> dict[str, Any]:
    """Return the arguments of `asyncpg.connect` for a database URL."""
    address, tls = resolve(url)
    _, arguments = dialect().create_connect_args(address)  # type: ignore[no-untyped-call]
    for name in SQLALCHEMY_ONLY:
        arguments.pop(name, None)
    return {**arguments, **tls}


class StatementPool:
    """An async context manager. It connects on the first statement."""

    read_only: ClassVar[str]

    def __init__(
        self, url: str, *, pool_size: int, statement_timeout: float, application_name: str
    ) -> None:
        self._pool = asyncpg.create_pool(
            **connect_arguments(url),
            min_size=0,
            max_size=pool_size,
            max_inactive_connection_lifetime=0,
            timeout=5,
            init=_prepare,
            reset=_skip_reset,
            server_settings={
                "application_name": application_name,
                "statement_timeout": str(int(statement_timeout * 1000)),
                "default_transaction_read_only": self.read_only,
                "timezone": "UTC",
                "jit": "off",
                # A request must not use several cores, and starting parallel workers takes 10 ms.
                "max_parallel_workers_per_gather": "0",
            },
        )

    async def __aenter__(self) -> Self:
        await self._pool
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._pool.close()

    async def row(self, query: str, *arguments: Any) -> asyncpg.Record | None:
        """Return the first row or None. `$1` in the query refers to the first argument."""
        async with self._pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
            return await connection.fetchrow(query, *arguments)

    async def rows(self, query: str, *arguments: Any) -> list[asyncpg.Record]:
        async with self._pool.acquire(timeout=ACQUIRE_SECONDS) as connection:
            rows: list[asyncpg.Record] = await connection.fetch(query, *arguments)
            return rows

    def usage(self) -> tuple[int, int]:
        """The numbers of connections: (in use, idle)."""
        idle: int = self._pool.get_idle_size()
        return self._pool.get_size() - idle, idle


class Reads(StatementPool):
    read_only = "on"


class Writes(StatementPool):
    """Each statement is its own transaction, already committed when `row` returns."""

    read_only = "off"


async def _prepare(connection: asyncpg.Connection) -> None:
    enable_keepalive(connection)


async def _skip_reset(_connection: asyncpg.Connection) -> None:
    """asyncpg's default reset costs a round trip after each statement."""
