"""Hearing what PostgreSQL announces (NOTIFY), over a connection of its own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import asyncpg
from sqlalchemy.dialects.postgresql.asyncpg import dialect
from sqlalchemy.engine import make_url

from acredita.kit.reads import NOT_FOR_ASYNCPG

CONNECT_SECONDS = 5.0


class Announcements:
    def __init__(
        self, connection: asyncpg.Connection, tell: Callable[[str], None] | None = None
    ) -> None:
        self._connection = connection
        self._heard = asyncio.Event()
        self._tell = tell

    def hear(self, *_: object) -> None:
        self._heard.set()

    def hear_message(self, _connection: object, _sender: int, _channel: str, text: str) -> None:
        if self._tell is not None:
            self._tell(text)
        self._heard.set()

    async def wait(self, *, at_most: float) -> None:
        """Until something was announced since the last wait, or for so many seconds.

        Raise ConnectionError once nothing could be heard any more.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(at_most):
                await self._heard.wait()
        self._heard.clear()
        if self._connection.is_closed():
            raise ConnectionError("PostgreSQL has closed the connection")


@asynccontextmanager
async def listening(
    url: str, channel: str, *, name: str, tell: Callable[[str], None] | None = None
) -> AsyncIterator[Announcements]:
    """`name` names the connection among PostgreSQL's sessions; `tell` is told each message."""
    _, arguments = dialect().create_connect_args(make_url(url))  # type: ignore[no-untyped-call]
    for unknown in NOT_FOR_ASYNCPG:
        arguments.pop(unknown, None)
    settings = {"application_name": name}
    connection = await asyncpg.connect(
        **arguments, timeout=CONNECT_SECONDS, server_settings=settings
    )
    try:
        announcements = Announcements(connection, tell)
        connection.add_termination_listener(announcements.hear)
        await connection.add_listener(channel, announcements.hear_message)
        yield announcements
    finally:
        await connection.close(timeout=CONNECT_SECONDS)
