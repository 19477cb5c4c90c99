"""Notifies the workers of due jobs. Any number of dispatchers may run concurrently.

It runs when a transaction that added a job commits (LISTEN) and once a second. It sends wake-ups,
not jobs: a wake-up may be lost, repeated or late without harm, because the ledger is authoritative.
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
# Keeps every idle worker busy for a second. Workers pull the rest of a backlog as they become free;
# more wake-ups would only fill Redis.
ENOUGH_WAKE_UPS = 1000
# The pause after a dispatch, as a multiple of its duration. Under a flood of commits, dispatching
# takes a tenth of the process's time and each dispatch covers more jobs.
REST = 9


class Doorbell(Protocol):
    """Sends wake-ups to workers. All methods raise ConnectionError while it is unavailable."""

    async def has_lost_wake_ups(self) -> bool:
        """Whether earlier wake-ups may be lost. Returns True only once per loss."""
        ...

    async def waiting(self, queue: str) -> int:
        """The number of wake-ups of a queue that no worker has received yet."""
        ...

    async def ring(self, wake_ups: list[WakeUp]) -> None: ...


async def dispatch_for_ever(
    database: Database, doorbell: Doorbell, queues: Iterable[str] = tuple(Queue)
) -> None:
    """Dispatch until cancelled. End if PostgreSQL or the doorbell drops: the caller restarts it."""
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
    """Make standing jobs with work due, send the due wake-ups, and return their number."""
    for queue in queues:
        await ledger.rouse(database, queue)
    if await doorbell.has_lost_wake_ups():
        await ledger.reset_publishes(database)
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
    """Yield an event that is set when jobs are added, and the listening connection."""
    committed = asyncio.Event()

    def on_notification(*_: Any) -> None:
        committed.set()

    async with database.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection
        driver.add_termination_listener(on_notification)
        await driver.add_listener(ledger.CHANNEL, on_notification)
        try:
            yield committed, driver
        finally:
            # Close it, because a pooled connection would keep the LISTEN.
            await connection.invalidate()
