"""One pipelined Redis connection that all requests of a process share.

It serves commands on the path of every request. A command costs about 20 us of CPU, with redis-py
about 75 us (measured). A slow or absent Redis does not delay requests: a command fails after
`patience` seconds, and fails at once while a reply is overdue or the connection is lost.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

import hiredis
from redis.asyncio import Redis
from redis.exceptions import RedisError

# Seconds that a command waits for its reply.
PATIENCE = 0.05
# Seconds between connection attempts, and from an overdue reply to closing the connection.
PAUSE = 2.0


class RedisUnavailable(Exception):
    """Redis is disconnected, or did not reply in time."""


class RedisLink(asyncio.Protocol):
    """An async context manager. It connects and reconnects in the background."""

    def __init__(self, client: Redis, *, patience: float = PATIENCE, pause: float = PAUSE) -> None:
        self._client, self._patience, self._pause = client, patience, pause
        # redis-py's connection, used only for its authentication and its transport.
        self._connection: Any = None
        self._transport: asyncio.Transport | None = None
        # (time sent, reply), in the order sent, which is the order in which Redis replies. None:
        # nobody waits for the reply.
        self._in_flight: deque[tuple[float, asyncio.Future[Any] | None]] = deque()
        self._is_overdue = False
        self._timer: asyncio.TimerHandle | None = None
        self._reconnecting: asyncio.Task[None] | None = None
        self._is_closing = False

    async def __aenter__(self) -> "RedisLink":
        self._loop = asyncio.get_running_loop()
        if not await self._connect():
            self._reconnecting = self._loop.create_task(self._reconnect())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_closing = True
        if self._reconnecting is not None:
            self._reconnecting.cancel()
            await asyncio.gather(self._reconnecting, return_exceptions=True)
        self._stop_timer()
        await self._drop_connection()

    def call(self, *command: str | bytes | int) -> asyncio.Future[Any]:
        """Send a command and return its future reply.

        Raise RedisUnavailable, at once or when awaited; hiredis.ReplyError for an error reply.
        """
        answer: asyncio.Future[Any] = self._loop.create_future()
        self._write(hiredis.pack_command(command), (answer,))  # type: ignore[arg-type]
        return answer

    def send(self, commands: Sequence[tuple[str | bytes | int, ...]]) -> None:
        """Send commands at once whose replies nobody needs. Raise RedisUnavailable.

        One write, and no future for each command: 1 us of CPU instead of 5 (measured).
        """
        packed = b"".join(map(hiredis.pack_command, commands))  # type: ignore[arg-type]
        self._write(packed, (None,) * len(commands))

    def _write(self, packed: bytes, answers: Iterable[asyncio.Future[Any] | None]) -> None:
        if self._transport is None or self._is_overdue:
            raise RedisUnavailable
        now = self._loop.time()
        self._in_flight.extend((now, answer) for answer in answers)
        self._transport.write(packed)
        if self._timer is None:
            self._timer = self._loop.call_later(self._patience, self._check_oldest)

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            _, answer = self._in_flight.popleft()
            # The caller may have been cancelled or have timed out.
            if answer is None or answer.done():
                continue
            if isinstance(reply, hiredis.ReplyError):
                answer.set_exception(reply)
            else:
                answer.set_result(reply)
        if self._is_overdue and not self._in_flight:
            self._is_overdue = False
            self._stop_timer()

    def connection_lost(self, _fault: Exception | None) -> None:
        self._transport = None
        self._stop_timer()
        self._fail_all()
        self._in_flight.clear()
        self._is_overdue = False
        if not self._is_closing:
            self._reconnecting = self._loop.create_task(self._reconnect())

    def _check_oldest(self) -> None:
        # An event loop reads sockets before it runs timers. So if this process itself was stalled,
        # replies that arrived meanwhile are already processed here.
        self._timer = None
        if not self._in_flight:
            return
        left = self._in_flight[0][0] + self._patience - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._check_oldest)
            return
        self._is_overdue = True
        self._fail_all()
        self._timer = self._loop.call_later(self._pause, self._disconnect)

    def _disconnect(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _fail_all(self) -> None:
        for _, answer in self._in_flight:
            if answer is not None and not answer.done():
                answer.set_exception(RedisUnavailable())

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    async def _reconnect(self) -> None:
        await self._drop_connection()
        while True:
            if await self._connect():
                return
            await asyncio.sleep(self._pause)

    async def _connect(self) -> bool:
        """Let redis-py connect and authenticate, then take over its transport."""
        pool: Any = self._client.connection_pool
        self._connection = connection = pool.make_connection()
        try:
            await connection.connect()
        except (RedisError, OSError, TimeoutError):
            await self._drop_connection()
            return False
        transport: asyncio.Transport = connection._writer.transport  # noqa: SLF001
        if transport.is_closing():
            await self._drop_connection()
            return False
        self._reader = hiredis.Reader()
        transport.set_protocol(self)
        self._transport = transport
        return True

    async def _drop_connection(self) -> None:
        connection, self._connection, self._transport = self._connection, None, None
        if connection is not None:
            await connection.disconnect(nowait=True)
