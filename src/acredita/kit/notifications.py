"""Listens to PostgreSQL notifications (LISTEN, NOTIFY) over a dedicated connection."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg

from acredita.kit.statement_pool import connect_arguments

CONNECT_SECONDS = 5.0


class Announcements:
    def __init__(
        self, connection: asyncpg.Connection, tell: Callable[[str], None] | None = None
    ) -> None:
        self._connection = connection
        self._received = asyncio.Event()
        self._tell = tell

    def on_termination(self, *_: object) -> None:
        self._received.set()

    def on_message(self, _connection: object, _sender: int, _channel: str, text: str) -> None:
        if self._tell is not None:
            self._tell(text)
        self._received.set()

    async def wait(self, *, at_most: float) -> None:
        """Wait for a notification since the last wait, at most `at_most` seconds.

        Raise ConnectionError if PostgreSQL has closed the connection.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(at_most):
                await self._received.wait()
        self._received.clear()
        if self._connection.is_closed():
            raise ConnectionError("PostgreSQL has closed the connection")


@asynccontextmanager
async def listening(
    url: str, channel: str, *, name: str, tell: Callable[[str], None] | None = None
) -> AsyncIterator[Announcements]:
    """Listen on `channel`. `name` is the connection's application name.

    `tell`, if given, is called with each message.
    """
    settings = {"application_name": name}
    connection = await asyncpg.connect(
        **connect_arguments(url), timeout=CONNECT_SECONDS, server_settings=settings
    )
    try:
        announcements = Announcements(connection, tell)
        connection.add_termination_listener(announcements.on_termination)
        await connection.add_listener(channel, announcements.on_message)
        yield announcements
    finally:
        await connection.close(timeout=CONNECT_SECONDS)
