"""PostgreSQL through SQLAlchemy. A process has one engine: sessions write, connections read.

Single statements on hot paths bypass SQLAlchemy (`kit/statement_pool`) over the same connections.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast
from uuid import UUID

import asyncpg
import orjson
from sqlalchemy import event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.postgresql.asyncpg import PGDialect_asyncpg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from acredita.kit.announcements import AFTER_COMMIT, Announcer, Command, after_commit
from acredita.kit.connection_pool import PoolBusy, SharedPool
from acredita.kit.database_url import is_pooled, resolve
from acredita.kit.keepalive import enable_keepalive
from acredita.kit.statement_pool import was_added_meanwhile

# Seconds that a request waits for a connection.
ACQUIRE_SECONDS = 5.0
# The key in `session.info` of the callbacks that run right before the commit.
BEFORE_COMMIT = "acredita.last_acts"


def before_commit(session: AsyncSession, act: Callable[[AsyncSession], Awaitable[None]]) -> None:
    """Run `act` right before the commit. Use it for a contended lock, to hold it briefly."""
    session.info.setdefault(BEFORE_COMMIT, []).append(act)


def to_json(value: Any) -> str:
    return orjson.dumps(value, default=_plain).decode()


def _plain(value: Any) -> str:
    # asyncpg returns a subclass of UUID, which orjson does not serialize.
    if isinstance(value, UUID):
        return str(value)
    raise TypeError


class PlainJson(PGDialect_asyncpg):
    """Leaves JSON to SQLAlchemy's types: single statements get it as text over the same connection.

    SQLAlchemy's own dialect makes each connection decode it, which takes two more queries to open.
    """

    supports_statement_cache = True
    supports_native_json_deserialization = False

    async def setup_asyncpg_json_codec(self, conn: Any) -> None: ...

    async def setup_asyncpg_jsonb_codec(self, conn: Any) -> None: ...


DIALECT = "postgresql.acredita"
registry.register(DIALECT, __name__, PlainJson.__name__)


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
        # Tells others of commits. None: they find out by polling.
        self.announcer: Announcer | None = None
        address, tls = resolve(url)
        self.is_pooled = is_pooled(url)
        self.engine: AsyncEngine = create_async_engine(
            address.set(drivername=DIALECT.replace(".", "+")),
            poolclass=SharedPool,
            pool_size=pool_size,
            pool_timeout=ACQUIRE_SECONDS,
            # Logs and errors show statements without their parameters: those are personal data.
            hide_parameters=True,
            json_serializer=to_json,
            json_deserializer=orjson.loads,
            connect_args={
                **tls,
                "timeout": 5,
                **(_over_pooler if self.is_pooled else _direct)(
                    application_name, statement_timeout
                ),
            },
        )
        self.pool = cast("SharedPool", self.engine.pool)
        event.listen(self.engine.sync_engine, "connect", _prepare)
        self._autocommit = self.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False, autoflush=False)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """A session that commits when the block succeeds and rolls back when it raises."""
        async with self._sessions() as session:
            async with session.begin():
                yield session
                for act in session.info.pop(BEFORE_COMMIT, ()):
                    await act(session)
            if self.announcer is not None:
                self.announcer.send(session.info.pop(AFTER_COMMIT, ()))

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """An autocommit connection for single statements, without BEGIN and COMMIT round trips."""
        async with self._autocommit.connect() as connection:
            yield connection

    async def dispose(self) -> None:
        await self.engine.dispose()


def _direct(application_name: str, statement_timeout: float) -> dict[str, Any]:
    return {
        "server_settings": {
            "application_name": application_name,
            "statement_timeout": str(int(statement_timeout * 1000)),
            # A client that disappears inside a transaction must not keep its locks.
            "idle_in_transaction_session_timeout": "30000",
            "timezone": "UTC",
            "jit": "off",
            # A request must not use several cores, and starting parallel workers takes 10 ms.
            "max_parallel_workers_per_gather": "0",
        }
    }


def _over_pooler(application_name: str, statement_timeout: float) -> dict[str, Any]:
    """A pooler refuses other settings. The next transaction may have another connection, which
    knows no statement that this one prepared. The driver cancels what takes too long.
    """
    return {
        "statement_cache_size": 0,
        "prepared_statement_cache_size": 0,
        "command_timeout": statement_timeout,
        "server_settings": {"application_name": application_name, "timezone": "UTC"},
    }


def _prepare(connection: Any, _record: object) -> None:
    enable_keepalive(connection.driver_connection)


class Statements(Protocol):
    """Executes a statement, on its own (kit.statement_pool.Writes) or in a transaction (Within)."""

    async def row(self, query: str, *arguments: Any) -> Sequence[Any] | None:
        """Return the first row or None. `$1` in the query refers to the first argument."""

    def announce(self, *commands: Command) -> None:
        """Send Redis commands when the statements have committed."""


class Within:
    """Executes statements in a session's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def row(self, query: str, *arguments: Any) -> Sequence[Any] | None:
        connection = await self._session.connection()
        return (await connection.exec_driver_sql(query, arguments)).first()

    def announce(self, *commands: Command) -> None:
        after_commit(self._session, *commands)


def is_unavailable(fault: BaseException) -> bool:
    """Whether the error means that PostgreSQL is unreachable, not that it rejected a statement."""
    if isinstance(fault, DBAPIError):
        return fault.connection_invalidated or isinstance(
            getattr(fault.orig, "__cause__", None) or fault.orig, _UNAVAILABLE
        )
    return isinstance(fault, _UNAVAILABLE)


def is_contended(fault: BaseException) -> bool:
    """Whether PostgreSQL ended a statement because of others: a deadlock, a lock, a time-out, a row
    that another transaction added at the same time.

    The transaction is rolled back, and may succeed when it is repeated.
    """
    source = fault.orig if isinstance(fault, DBAPIError) else fault
    if was_added_meanwhile(source) or was_added_meanwhile(getattr(source, "__cause__", None)):
        return True
    return getattr(source, "sqlstate", None) in _CONTENDED


# The SQLSTATE of a deadlock, of a lock that was not available in time, and of a statement time-out.
_CONTENDED = {"40P01", "55P03", "57014"}
_UNAVAILABLE = (
    PoolBusy,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InterfaceError,
    ConnectionError,
    TimeoutError,
)
