"""The connections of one process to one PostgreSQL: SQLAlchemy's sessions and single statements
share them.

SQLAlchemy uses the pool as it uses its own. A single statement takes a connection without
SQLAlchemy (`take`, `give`), which costs a few microseconds. The pool opens a connection when a task
waits for one and the ceiling allows it. It closes a connection after a minute without use, except
for the last one: a process without a connection could find PostgreSQL full when it needs one.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import Any, Self, cast

import asyncpg
from sqlalchemy.pool import ConnectionPoolEntry, Pool, PoolProxiedConnection
from sqlalchemy.util import await_only, greenlet_spawn

from acredita.kit.metrics import counter

REFUSED = counter("database_refused", "Requests and jobs for which no connection became free.")

# Seconds that a connection may be unused.
LONGEST_REST = 60.0
# Seconds after which a full PostgreSQL is asked again.
PAUSE_WHEN_FULL = 0.2
# More waiters than connections could serve within the time that they wait.
MOST_WAITING = 500
# What PgBouncer answers when it is full, without the code of PostgreSQL.
POOLER_IS_FULL = "no more connections allowed"


class PoolBusy(Exception):
    """No connection became free in time. The text is safe to log."""


def is_full(fault: BaseException) -> bool:
    """Whether PostgreSQL or a pooler refused a connection because it has too many."""
    return isinstance(fault, asyncpg.TooManyConnectionsError) or (
        isinstance(fault, asyncpg.PostgresError) and POOLER_IS_FULL in str(fault)
    )


class SharedPool(Pool):
    """All methods are called in one event loop.

    A waiting caller gets the first connection that is returned or opened, in the order of arrival.
    A full PostgreSQL is no failure: the caller waits for a connection that the pool already has.
    """

    def __init__(
        self, creator: Any, pool_size: int = 20, timeout: float = 5.0, **options: Any
    ) -> None:
        """`pool_size` is the highest ceiling; `timeout`: seconds that a caller waits."""
        super().__init__(creator, **options)
        self.size = self._ceiling = pool_size
        self._timeout = timeout
        # Used last, taken first: the others rest, and are closed.
        self._idle: list[tuple[ConnectionPoolEntry, float]] = []
        self._waiting: deque[asyncio.Future[ConnectionPoolEntry]] = deque()
        # Connections that are open or being opened, and those being opened.
        self._open = self._opening = 0
        self._pause: asyncio.TimerHandle | None = None
        self._tending: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        # Called when PostgreSQL refuses a connection because it is full.
        self.on_full: Callable[[], None] = lambda: None

    @property
    def ceiling(self) -> int:
        return self._ceiling

    @ceiling.setter
    def ceiling(self, value: int) -> None:
        self._ceiling = value
        while self._idle and self._open > value:
            self._retire(self._idle.pop(0)[0])
        self._grow()

    def usage(self) -> tuple[int, int]:
        """The numbers of connections: (in use, idle)."""
        idle = len(self._idle)
        return self._open - self._opening - idle, idle

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def take_idle(self) -> ConnectionPoolEntry | None:
        """Return an open connection that nobody uses, if there is one."""
        while self._idle:
            entry, _ = self._idle.pop()
            if _is_usable(entry):
                return entry
            self._retire(entry)
        return None

    async def take(self) -> ConnectionPoolEntry:
        """Return a connection. Raise PoolBusy, or the error of opening one."""
        entry = self.take_idle()
        if entry is not None:
            return entry
        if len(self._waiting) >= MOST_WAITING:
            REFUSED.inc()
            raise PoolBusy(f"{MOST_WAITING} others wait for a connection")
        future: asyncio.Future[ConnectionPoolEntry] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        self._grow()
        try:
            async with asyncio.timeout(self._timeout):
                return await future
        except BaseException as fault:
            if future in self._waiting:
                self._waiting.remove(future)
            elif not future.cancelled() and future.exception() is None:
                # It arrived together with the cancellation.
                self.give(future.result())
            if isinstance(fault, TimeoutError) and future.cancelled():
                REFUSED.inc()
                raise PoolBusy(f"no connection became free in {self._timeout:g} s") from None
            raise

    def give(self, entry: ConnectionPoolEntry) -> None:
        """Return a connection that was taken."""
        if self._open > self._ceiling or not _is_usable(entry):
            self._retire(entry)
            return
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(entry)
                return
        loop = asyncio.get_running_loop()
        self._idle.append((entry, loop.time()))
        if self._tending is None and self._open > 1:
            self._tending = loop.call_later(LONGEST_REST, self._tend)

    def _tend(self) -> None:
        """Close what has rested for too long, the longest rest first."""
        loop = asyncio.get_running_loop()
        self._tending = None
        while self._idle and self._open > 1:
            entry, since = self._idle[0]
            left = since + LONGEST_REST - loop.time()
            if left > 0:
                self._tending = loop.call_later(left, self._tend)
                break
            del self._idle[0]
            self._retire(entry)

    def _grow(self) -> None:
        """Open as many connections as callers wait for, up to the ceiling."""
        while (
            self._pause is None
            and self._opening < len(self._waiting)
            and self._open < self._ceiling
        ):
            self._open += 1
            self._opening += 1
            self._run(self._connect())

    async def _connect(self) -> None:
        try:
            entry = await greenlet_spawn(self._create_connection)
        except BaseException as fault:
            self._open -= 1
            self._opening -= 1
            # SQLAlchemy's wrapper hides which error of the driver it is.
            cause = fault.__cause__ or fault
            if is_full(cause):
                self._wait_for_room()
                return
            self._fail_first(cause)
            self._grow()
            if not isinstance(fault, Exception):
                raise
        else:
            self._opening -= 1
            self.give(entry)

    def _wait_for_room(self) -> None:
        self.on_full()
        if self._pause is None:
            loop = asyncio.get_running_loop()
            self._pause = loop.call_later(PAUSE_WHEN_FULL, self._try_again)

    def _try_again(self) -> None:
        self._pause = None
        self._grow()

    def _fail_first(self, fault: BaseException) -> None:
        while self._waiting:
            future = self._waiting.popleft()
            if not future.done():
                future.set_exception(
                    fault if isinstance(fault, Exception) else ConnectionError("closed")
                )
                return

    def _retire(self, entry: ConnectionPoolEntry) -> None:
        self._open -= 1
        if entry.dbapi_connection is not None:
            self._run(greenlet_spawn(entry.invalidate))
        self._grow()

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        # A context of its own: it outlives the request that asked for a connection.
        task = asyncio.get_running_loop().create_task(work, context=Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Close the unused connections now, and the others when they are returned."""
        self._ceiling = 0
        for handle in (self._pause, self._tending):
            if handle is not None:
                handle.cancel()
        idle, self._idle = self._idle, []
        for entry, _ in idle:
            self._retire(entry)
        while self._tasks:
            await asyncio.wait(self._tasks)

    # What SQLAlchemy calls, in a greenlet.

    def _do_get(self) -> ConnectionPoolEntry:
        return self.take_idle() or await_only(self.take())

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        self.give(record)

    def _invalidate(
        self,
        connection: PoolProxiedConnection,
        exception: BaseException | None = None,
        _checkin: bool = True,  # noqa: FBT001, FBT002 (SQLAlchemy's signature)
    ) -> None:
        """Give up only this connection. asyncpg knows which others are closed."""
        if _checkin and connection.is_valid:
            connection.invalidate(exception)

    def dispose(self) -> None:
        await_only(self.close())

    def recreate(self) -> Self:
        return self

    def status(self) -> str:
        used, idle = self.usage()
        return f"{used} in use, {idle} idle, {self.waiting} waiting, ceiling {self._ceiling}"


def _is_usable(entry: ConnectionPoolEntry) -> bool:
    return entry.dbapi_connection is not None and not driver_of(entry).is_closed()


def driver_of(entry: ConnectionPoolEntry) -> asyncpg.Connection:
    return cast("asyncpg.Connection", entry.driver_connection)
