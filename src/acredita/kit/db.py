"""PostgreSQL through SQLAlchemy: one engine a process; sessions to write, connections to read."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast
from uuid import UUID

import asyncpg
import orjson
from sqlalchemy import AsyncAdaptedQueuePool, event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from acredita.kit.silence import bound_silence

# What a transaction does last, right before it commits.
LAST_ACTS = "acredita.last_acts"


def at_the_end(session: AsyncSession, act: Callable[[AsyncSession], Awaitable[None]]) -> None:
    """Let the transaction do this last: what takes a lock that others are waiting for."""
    session.info.setdefault(LAST_ACTS, []).append(act)


def to_json(value: Any) -> str:
    return orjson.dumps(value, default=_plain).decode()


def _plain(value: Any) -> str:
    # asyncpg hands out a subclass of UUID, which orjson does not take for one.
    if isinstance(value, UUID):
        return str(value)
    raise TypeError


class Database:
    def __init__(
        self,
        url: str,
        *,
        pool_size: int,
        statement_timeout: float,
        application_name: str = "acredita",
    ) -> None:
        self.url = url
        self.engine: AsyncEngine = create_async_engine(
            url,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=5,
            pool_pre_ping=False,
            pool_use_lifo=True,
            # Statements are logged and quoted in errors without the data that they carry.
            hide_parameters=True,
            json_serializer=to_json,
            json_deserializer=orjson.loads,
            connect_args={
                "timeout": 5,
                "server_settings": {
                    "application_name": application_name,
                    "statement_timeout": str(int(statement_timeout * 1000)),
                    # A client that vanishes inside a transaction must not keep its locks.
                    "idle_in_transaction_session_timeout": "30000",
                    "timezone": "UTC",
                    "jit": "off",
                },
            },
        )
        event.listen(self.engine.sync_engine, "connect", _prepare)
        event.listen(self.engine.sync_engine, "checkout", _refuse_a_closed_one)
        self._autocommit = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False, autoflush=False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A session that commits when the block ends well and rolls back otherwise."""
        async with self._sessions() as session, session.begin():
            yield session
            for act in session.info.pop(LAST_ACTS, ()):
                await act(session)

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection for single statements, without BEGIN and COMMIT round trips."""
        async with self._autocommit.connect() as connection:
            yield connection

    def usage(self) -> tuple[int, int]:
        """Connections in use, and idle ones."""
        pool = cast("AsyncAdaptedQueuePool", self.engine.pool)
        return pool.checkedout(), pool.checkedin()

    async def dispose(self) -> None:
        await self.engine.dispose()


def _prepare(connection: Any, _record: object) -> None:
    bound_silence(connection.driver_connection)


def _refuse_a_closed_one(connection: Any, _record: object, _proxy: object) -> None:
    """Let the pool connect anew where PostgreSQL has hung up meanwhile: a restart, a failover.

    Without the round trip of a ping: asyncpg knows, as the socket was closed while it lay idle.
    """
    if connection.driver_connection.is_closed():
        raise DisconnectionError


class Statements(Protocol):
    """Where a statement is executed: by itself (kit.reads.Writes) or within a transaction."""

    async def row(self, query: str, *arguments: Any) -> Sequence[Any] | None:
        """The first row, if any; `$1` in the query is the first of the arguments."""


class Within:
    """Statements of a session's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def row(self, query: str, *arguments: Any) -> Sequence[Any] | None:
        connection = await self._session.connection()
        return (await connection.exec_driver_sql(query, arguments)).first()


def is_unavailable(fault: BaseException) -> bool:
    """Whether PostgreSQL was out of reach, rather than of another opinion."""
    if isinstance(fault, PoolTimeout | ConnectionError | asyncpg.PostgresConnectionError):
        return True
    if isinstance(fault, DBAPIError):
        return fault.connection_invalidated or isinstance(
            getattr(fault.orig, "__cause__", None) or fault.orig, _UNAVAILABLE
        )
    return isinstance(fault, _UNAVAILABLE)


_UNAVAILABLE = (
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    ConnectionError,
    TimeoutError,
)
