"""Redis commands that a process sends after its commits.

They only make others look sooner: a wake-up for workers, a message to event streams. While Redis is
away they are dropped, and polling finds the work. They are not part of the transaction because
PostgreSQL's NOTIFY makes all commits of the installation wait for each other.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Self

from redis.asyncio import Redis
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.redis_pipeline import RedisLink, RedisUnavailable

Command = tuple[str | bytes | int, ...]

# The key in `session.info` of the commands to send after the commit.
AFTER_COMMIT = "acredita.announcements"
# Seconds between two batches. Equal commands of a batch are sent once. Here, in Redis and in the
# listeners, a batch costs more than its commands.
SPACING = 0.03
PATIENCE = 1.0


def after_commit(session: AsyncSession, *commands: Command) -> None:
    """Send the commands when the session's transaction has committed."""
    session.info.setdefault(AFTER_COMMIT, {}).update(dict.fromkeys(commands))


class Announcer:
    """An async context manager that sends commands without waiting for Redis."""

    def __init__(self, client: Redis) -> None:
        self._link = RedisLink(client, patience=PATIENCE)
        self._waiting: dict[Command, None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._next_batch = 0.0

    async def __aenter__(self) -> Self:
        await self._link.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._send_batch()
        await self._link.__aexit__()

    def send(self, commands: Iterable[Command]) -> None:
        """Send the commands at once, or with the next batch if one was just sent."""
        self._waiting.update(dict.fromkeys(commands))
        if self._waiting and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_at(max(loop.time(), self._next_batch), self._send_batch)

    def _send_batch(self) -> None:
        self._timer = None
        self._next_batch = asyncio.get_running_loop().time() + SPACING
        commands, self._waiting = tuple(self._waiting), {}
        with suppress(RedisUnavailable):
            self._link.send(commands)
