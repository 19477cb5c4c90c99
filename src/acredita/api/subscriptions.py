"""Subscriptions of this process's event streams. One Redis connection listens for all of them.

Each verification and each review queue has a channel, so a process hears only of those that it has
streams of. A message wakes the streams, which then read the database.
A lost message delays a stream until its next heartbeat, when it reads the database anyway. While
Redis is away, all streams read the database every other second.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self
from uuid import UUID

import structlog

from acredita.domain.errors import ServiceUnavailable, TooManyStreams
from acredita.kit import tasks
from acredita.kit.logging import describe
from acredita.kit.metrics import gauge
from acredita.kit.notifications import Announcements, Subscription, listening
from acredita.settings import Settings

log = structlog.get_logger()

OPEN = gauge("sdk_streams", "Streams of events that are open to browsers.")
# Per channel: a person has one page open, or a few.
MAX_STREAMS = 5
# A channel to which nothing is sent.
NOTHING = "acredita:nothing"
RETRY_SECONDS = 5
PAUSE_AFTER_FAULT = 1.0
LISTEN_TIMEOUT = 15.0


class Subscriptions:
    """All subscriptions, as an async context manager. It listens from the first subscription on."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_channel: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._by_organization: Counter[UUID] = Counter()
        self._by_address: Counter[str] = Counter()
        self._is_closing = False
        self._task: asyncio.Task[None] | None = None
        # None while Redis is away.
        self._announcements: Announcements | None = None
        self._changes: set[asyncio.Future[None]] = set()

    async def __aenter__(self) -> Self:
        self._is_closing = False
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        if self._task is not None:
            await tasks.end(self._task)

    def close(self) -> None:
        """End all streams, because the process ends. New streams send the status and end."""
        self._is_closing = True
        for subscriptions in self._by_channel.values():
            for subscription in subscriptions:
                subscription.is_over = True
                subscription.wake()

    @contextmanager
    def subscribe(
        self, channel: str, organization_id: UUID, address: str, *, most: int | None = MAX_STREAMS
    ) -> Iterator[Subscription]:
        """Subscribe to a channel of Redis. Raise TooManyStreams, ServiceUnavailable.

        `most`: the limit of streams of the channel; None: only the limits of all channels.
        """
        self._require_room(channel, organization_id, address, most)
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        subscription = Subscription()
        subscription.is_over = self._is_closing
        if not self._by_channel[channel]:
            self._change(Announcements.subscribe, channel)
        self._by_channel[channel].add(subscription)
        self._by_organization[organization_id] += 1
        self._by_address[address] += 1
        OPEN.inc()
        try:
            yield subscription
        finally:
            OPEN.dec()
            self._by_channel[channel].discard(subscription)
            if not self._by_channel[channel]:
                del self._by_channel[channel]
                self._change(Announcements.unsubscribe, channel)
            _decrease(self._by_organization, organization_id)
            _decrease(self._by_address, address)

    def _require_room(
        self, channel: str, organization_id: UUID, address: str, most_of_channel: int | None
    ) -> None:
        """Each channel may have its own limit. Those of an organization and of an address apply
        only while half of all streams are open: many people may share the address of a carrier.
        """
        most, open_streams = self._settings.sdk_streams, self._by_address.total()
        if open_streams >= most:
            raise ServiceUnavailable(retry_after=RETRY_SECONDS)
        held = len(self._by_channel.get(channel, ()))
        if most_of_channel is not None and held >= most_of_channel:
            raise TooManyStreams(retry_after=RETRY_SECONDS)
        if 2 * open_streams >= most and (
            2 * self._by_organization[organization_id] >= most
            or self._by_address[address] >= self._settings.sdk_streams_per_address
        ):
            raise TooManyStreams(retry_after=RETRY_SECONDS)

    def _change(
        self, change: Callable[[Announcements, str], Awaitable[None]], channel: str
    ) -> None:
        """Subscribe to a channel, or unsubscribe, while Redis is there."""
        if self._announcements is not None:
            task = asyncio.ensure_future(change(self._announcements, channel))
            self._changes.add(task)
            task.add_done_callback(self._on_change)

    def _on_change(self, task: "asyncio.Future[None]") -> None:
        self._changes.discard(task)
        if not task.cancelled():
            # The reading task notices the loss of the connection and subscribes again.
            task.exception()

    def _wake(self, channel: str) -> None:
        for subscription in self._by_channel.get(channel, ()):
            subscription.wake()

    async def _listen(self) -> None:
        while True:
            try:
                # A connection listens to one channel at least.
                channels = [NOTHING, *self._by_channel]
                async with listening(
                    self._settings.redis_url, *channels, tell=self._wake
                ) as self._announcements:
                    for channel in self._by_channel:
                        if channel not in channels:
                            self._change(Announcements.subscribe, channel)
                    # Messages from before the connection are lost.
                    self._wake_all()
                    while True:
                        await self._announcements.wait(at_most=LISTEN_TIMEOUT)
            except Exception as fault:
                log.warning("sdk.announcements_not_heard", error=describe(fault))
                self._wake_all()
            finally:
                self._announcements = None
            await asyncio.sleep(PAUSE_AFTER_FAULT)

    def _wake_all(self) -> None:
        for subscriptions in self._by_channel.values():
            for subscription in subscriptions:
                subscription.wake()


def _decrease(counts: Counter[Any], key: object) -> None:
    counts[key] -= 1
    if not counts[key]:
        del counts[key]
