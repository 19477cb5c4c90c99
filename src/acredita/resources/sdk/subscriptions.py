"""Subscriptions of this process's event streams. One database connection listens for all of them.

A notification carries only a verification's id. It wakes the streams, which then read the database.
A lost notification delays a stream until its next heartbeat, when it reads the database anyway.
"""

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self
from uuid import UUID

import structlog

from acredita.domain.errors import ServiceUnavailable, TooManyStreams
from acredita.kit import ids
from acredita.kit.logging import describe
from acredita.kit.metrics import gauge
from acredita.kit.notifications import listening
from acredita.resources.verifications.pipeline import CHANNEL
from acredita.settings import Settings

log = structlog.get_logger()

OPEN = gauge("sdk_streams", "Streams of events that are open to browsers.")
# Per verification: a person has one page open, or a few.
MAX_STREAMS = 5
RETRY_SECONDS = 5
PAUSE_AFTER_FAULT = 1.0
LISTEN_TIMEOUT = 60.0


class Subscription:
    """The subscription of one stream."""

    def __init__(self) -> None:
        self.is_over = False
        self._wake_up = asyncio.Event()

    def wake(self) -> None:
        self._wake_up.set()

    async def wait(self, *, at_most: float) -> bool:
        """Wait for a notification since the last wait, at most `at_most` seconds.

        Return whether to continue.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(at_most):
                await self._wake_up.wait()
        self._wake_up.clear()
        return not self.is_over


class Subscriptions:
    """All subscriptions, as an async context manager. It listens from the first subscription on."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._by_verification: defaultdict[UUID, set[Subscription]] = defaultdict(set)
        self._by_address: Counter[str] = Counter()
        self._is_closing = False
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._is_closing = False
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def close(self) -> None:
        """End all streams, because the process ends. New streams send the status and end."""
        self._is_closing = True
        for subscriptions in self._by_verification.values():
            for subscription in subscriptions:
                subscription.is_over = True
                subscription.wake()

    @contextmanager
    def subscribe(self, verification_id: UUID, address: str) -> Iterator[Subscription]:
        """Subscribe to a verification. Raise TooManyStreams, ServiceUnavailable."""
        if self._by_address.total() >= self._settings.sdk_streams:
            raise ServiceUnavailable(retry_after=RETRY_SECONDS)
        is_full = len(self._by_verification.get(verification_id, ())) >= MAX_STREAMS
        if is_full or self._by_address[address] >= self._settings.sdk_streams_per_address:
            raise TooManyStreams(retry_after=RETRY_SECONDS)
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        subscription = Subscription()
        subscription.is_over = self._is_closing
        self._by_verification[verification_id].add(subscription)
        self._by_address[address] += 1
        OPEN.inc()
        try:
            yield subscription
        finally:
            OPEN.dec()
            self._by_verification[verification_id].discard(subscription)
            if not self._by_verification[verification_id]:
                del self._by_verification[verification_id]
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def _wake(self, text: str) -> None:
        verification_id = ids.parse(text)
        for subscription in (
            self._by_verification.get(verification_id, ()) if verification_id else ()
        ):
            subscription.wake()

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(
                    self._settings.database_url, CHANNEL, name="acredita streams", tell=self._wake
                ) as announcements:
                    # Notifications from before the connection are lost.
                    self._wake_all()
                    while True:
                        await announcements.wait(at_most=LISTEN_TIMEOUT)
            except Exception as fault:
                # Until it listens again, streams read the database at each heartbeat.
                log.warning("sdk.announcements_not_heard", error=describe(fault))
            await asyncio.sleep(PAUSE_AFTER_FAULT)

    def _wake_all(self) -> None:
        for subscriptions in self._by_verification.values():
            for subscription in subscriptions:
                subscription.wake()
