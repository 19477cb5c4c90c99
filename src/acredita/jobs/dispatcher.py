"""Tells the workers what is due. Any number of dispatchers may run at once.

It wakes when a transaction that added a job commits (LISTEN) and once a second. What it sends are
wake-ups, not jobs: each may be lost, doubled or late, and the ledger is right all the same.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Protocol

from acredita.jobs import ledger
from acredita.jobs.ledger import WakeUp
from acredita.jobs.registry import Queue
from acredita.kit.db import Database

POLL = 1.0
BATCH = 200
# Enough to keep every idle worker busy for a second; the rest of a backlog is pulled by workers
# as they become free, and would only fill Redis.
ENOUGH_WAKE_UPS = 1000
# So many times as long as a look took, the next one waits: under a flood of commits this takes a
# tenth of the process's time, and each wake-up says more.
REST = 9


class Doorbell(Protocol):
    """How wake-ups reach the workers. Raises ConnectionError while it is out of order."""

    async def has_forgotten(self) -> bool:
        """Whether the wake-ups sent before may be lost. Asked again, it says no."""
        ...

    async def waiting(self, queue: str) -> int:
        """How many wake-ups of a queue no worker has heard yet."""
        ...

    async def ring(self, wake_ups: list[WakeUp]) -> None: ...


async def dispatch_for_ever(
    database: Database, doorbell: Doorbell, queues: Iterable[str] = tuple(Queue)
) -> None:
    """Dispatch until cancelled, or until PostgreSQL or the doorbell drops; start it again then."""
    queues = [str(queue) for queue in queues]
    async with _listening(database) as (committed, connection):
        while not connection.is_closed():
            committed.clear()
            began = time.monotonic()
            await dispatch(database, doorbell, queues)
            await asyncio.sleep(min(POLL, REST * (time.monotonic() - began)))
            try:
                async with asyncio.timeout(POLL):
                    await committed.wait()
            except TimeoutError:
                pass


async def dispatch(database: Database, doorbell: Doorbell, queues: Iterable[str]) -> int:
    """Rouse the standing jobs that have work, and send the wake-ups that are due; how many."""
    for queue in queues:
        await ledger.rouse(database, queue)
    if await doorbell.has_forgotten():
        await ledger.forget_publishes(database)
    sent = 0
    for queue in queues:
        room = ENOUGH_WAKE_UPS - await doorbell.waiting(queue)
        while room > 0:
            wake_ups = await ledger.publish(database, queue, limit=min(BATCH, room))
            await doorbell.ring(wake_ups)
            sent += len(wake_ups)
            room -= len(wake_ups)
            if len(wake_ups) < BATCH:
                break
    return sent


@asynccontextmanager
async def _listening(database: Database) -> AsyncIterator[tuple[asyncio.Event, Any]]:
    """An event that is set when jobs were added, and the connection that tells of them."""
    committed = asyncio.Event()

    def heard(*_: Any) -> None:
        committed.set()

    async with database.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection
        driver.add_termination_listener(heard)
        await driver.add_listener(ledger.CHANNEL, heard)
        try:
            yield committed, driver
        finally:
            # Closed, not pooled: the next user must not inherit the subscription.
            await connection.invalidate()
