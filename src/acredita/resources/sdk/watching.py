"""Who watches a verification in this process, and waking them: one connection listens for all.

What a stream shows is read from the database when it is woken; a notification carries nothing but
whom to wake. One that is lost costs the time until the next heartbeat, at which every stream looks
by itself.
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
from acredita.kit.announcements import listening
from acredita.kit.logging import describe
from acredita.kit.metrics import gauge
from acredita.resources.verifications.pipeline import CHANNEL
from acredita.settings import Settings

log = structlog.get_logger()

OPEN = gauge("sdk_streams", "Streams of events that are open to browsers.")
# Of one verification: a person has one page open, or a few.
MOST_WATCHERS = 5
RETRY_SECONDS = 5
PAUSE_AFTER_FAULT = 1.0
LOOK = 60.0


class Watch:
    """One stream's ear. It can be woken, and told to end."""

    def __init__(self) -> None:
        self.is_over = False
        self._woken = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def wait(self, *, at_most: float) -> bool:
        """Until something happened since the last wait, or so many seconds; whether to go on."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(at_most):
                await self._woken.wait()
        self._woken.clear()
        return not self.is_over


class Watching:
    """Opened and closed as an async context manager; listens once there is somebody to wake."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._watches: defaultdict[UUID, set[Watch]] = defaultdict(set)
        self._by_address: Counter[str] = Counter()
        self._is_leaving = False
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._is_leaving = False
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def leave(self) -> None:
        """The process ends: streams do at once, and those that come are told the state alone."""
        self._is_leaving = True
        for watches in self._watches.values():
            for watch in watches:
                watch.is_over = True
                watch.wake()

    @contextmanager
    def watch(self, verification_id: UUID, address: str) -> Iterator[Watch]:
        """A place among the streams. Raise TooManyStreams, ServiceUnavailable."""
        if self._by_address.total() >= self._settings.sdk_streams:
            raise ServiceUnavailable(retry_after=RETRY_SECONDS)
        is_crowded = len(self._watches.get(verification_id, ())) >= MOST_WATCHERS
        if is_crowded or self._by_address[address] >= self._settings.sdk_streams_per_address:
            raise TooManyStreams(retry_after=RETRY_SECONDS)
        if self._task is None:
            self._task = asyncio.create_task(self._listen())
        watch = Watch()
        watch.is_over = self._is_leaving
        self._watches[verification_id].add(watch)
        self._by_address[address] += 1
        OPEN.inc()
        try:
            yield watch
        finally:
            OPEN.dec()
            self._watches[verification_id].discard(watch)
            if not self._watches[verification_id]:
                del self._watches[verification_id]
            self._by_address[address] -= 1
            if not self._by_address[address]:
                del self._by_address[address]

    def _wake(self, text: str) -> None:
        verification_id = ids.parse(text)
        for watch in self._watches.get(verification_id, ()) if verification_id else ():
            watch.wake()

    async def _listen(self) -> None:
        while True:
            try:
                async with listening(
                    self._settings.database_url, CHANNEL, name="acredita streams", tell=self._wake
                ) as announcements:
                    # What was announced before is not heard any more.
                    self._wake_all()
                    while True:
                        await announcements.wait(at_most=LOOK)
            except Exception as fault:
                # Until it is heard again, streams look at each heartbeat.
                log.warning("sdk.announcements_not_heard", error=describe(fault))
            await asyncio.sleep(PAUSE_AFTER_FAULT)

    def _wake_all(self) -> None:
        for watches in self._watches.values():
            for watch in watches:
                watch.wake()
