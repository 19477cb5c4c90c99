"""Listens to channels of Redis (SUBSCRIBE) over a connection of its own."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from acredita.kit import redis, tasks


class Subscription:
    """What one stream of events waits on. Its owner wakes it when a message arrives."""

    def __init__(self) -> None:
        self.is_over = False
        # Whether the last wait ended by a notification.
        self.was_woken = False
        self._wake_up = asyncio.Event()

    def wake(self) -> None:
        self._wake_up.set()

    async def wait(self, *, at_most: float) -> bool:
        """Wait for a notification since the last wait, at most `at_most` seconds.

        Return whether to continue.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(at_most):
                await self._wake_up.wait()
        self.was_woken = self._wake_up.is_set()
        self._wake_up.clear()
        return not self.is_over


class Announcements:
    def __init__(self, subscription: PubSub, tell: Callable[[str], None] | None = None) -> None:
        self._subscription = subscription
        self._tell = tell
        self._is_pinged = False

    async def wait(self, *, at_most: float) -> None:
        """Wait for a message, at most `at_most` seconds.

        Raise ConnectionError if Redis has closed the connection, or has not even answered a ping
        during the whole of the wait.
        """
        try:
            message = await self._subscription.get_message(timeout=at_most)
            if message is None:
                if self._is_pinged:
                    raise ConnectionError("Redis does not answer")
                self._is_pinged = True
                await self._subscription.ping()
                tasks.raise_if_cancelled()
                return
            while message is not None:
                self._is_pinged = False
                self._on_message(message)
                message = await self._subscription.get_message(timeout=0)
        except (RedisError, OSError) as fault:
            raise ConnectionError("Redis is unavailable") from fault

    async def subscribe(self, channel: str) -> None:
        await self._subscription.subscribe(channel)

    async def unsubscribe(self, channel: str) -> None:
        await self._subscription.unsubscribe(channel)

    def _on_message(self, message: dict[str, Any]) -> None:
        if self._tell is not None and message["type"] in ("message", "subscribe"):
            self._tell(message["channel"].decode(errors="replace"))


@asynccontextmanager
async def listening(
    url: str, *channels: str, tell: Callable[[str], None] | None = None
) -> AsyncIterator[Announcements]:
    """Listen on `channels` (at least one) of the Redis at `url`. Raise ConnectionError if that is
    not possible.

    `tell`, if given, is called with the channel of each message, and of each subscription as soon
    as it is in effect: messages from before are lost.
    """
    client = redis.connect(url)
    subscription = client.pubsub()
    try:
        try:
            await subscription.subscribe(*channels)
            confirmation = await subscription.get_message(timeout=redis.TIMEOUT)
        except (RedisError, OSError) as fault:
            raise ConnectionError("Redis is unavailable") from fault
        tasks.raise_if_cancelled()
        if confirmation is None:
            raise ConnectionError("Redis does not answer")
        yield Announcements(subscription, tell)
    finally:
        await subscription.aclose()  # type: ignore[no-untyped-call]
        await client.aclose()
