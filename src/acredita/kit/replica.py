"""A read replica for lists, while it is fresh enough. Otherwise lists read from the primary.

Freshness is measured by positions in the write-ahead log: the replica is fresh if it has replayed
what the primary had written at some moment within the longest lag. Times of the replica alone would
call a replica fresh that has lost its primary, or an old one if nothing is written.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import structlog

from acredita.kit import tasks
from acredita.kit.connection_pool import SharedPool
from acredita.kit.db import Database, is_unavailable
from acredita.kit.metrics import gauge
from acredita.kit.statement_pool import Reads

log = structlog.get_logger()

IN_USE = gauge("database_replica_in_use", "Whether lists are read from the replica.")
WRITTEN = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint"
# NULL: the replica replays no log of a primary (a logical replica, Aurora), and counts as fresh.
REPLAYED = "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')::bigint"
PAUSE = 1.0


class Replica:
    """A pool to read lists from: that of the replica, or of the primary."""

    def __init__(self, primary: Database, replica: Database | None, *, longest_lag: float) -> None:
        """`longest_lag` in seconds. Without a replica, lists are read from the primary."""
        self._primary, self._replica = primary, replica
        self._longest_lag = longest_lag
        self._positions: deque[tuple[float, int]] = deque()
        self.is_in_use = False

    @property
    def database(self) -> Database:
        return self._replica if self._replica is not None and self.is_in_use else self._primary

    @property
    def pool(self) -> SharedPool:
        return self.database.pool

    def give_up(self) -> None:
        """Read from the primary until the replica is found fresh."""
        self._use(False)

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Look at the replica every second."""
        if self._replica is None:
            yield
            return
        task = asyncio.create_task(self._watch(self._replica))
        try:
            yield
        finally:
            await tasks.end(task)

    async def _watch(self, replica: Database) -> None:
        primary, standby = Reads(self._primary), Reads(replica)
        while True:
            try:
                async with asyncio.timeout(self._longest_lag):
                    written, replayed = await primary.row(WRITTEN), await standby.row(REPLAYED)
                assert written and replayed  # noqa: S101, PT018 (both have a row)
                self._use(self.is_fresh(written[0], replayed[0], time.monotonic()))
            except Exception as fault:
                self._use(False, error=type(fault).__name__)
            await asyncio.sleep(PAUSE)

    def is_fresh(self, written: int, replayed: int | None, now: float) -> bool:
        """Note where the primary is; whether the replica was there within the longest lag."""
        self._positions.append((now, written))
        while self._positions[0][0] < now - self._longest_lag:
            self._positions.popleft()
        return replayed is None or replayed >= self._positions[0][1]

    def _use(self, is_in_use: bool, **reason: str) -> None:  # noqa: FBT001
        if is_in_use != self.is_in_use:
            log.warning("database.replica", state="in use" if is_in_use else "not used", **reason)
        self.is_in_use = is_in_use
        IN_USE.set(is_in_use)


class Lists(Reads):
    """Reads that may lag. A statement that the replica cannot finish is repeated on the primary."""

    def __init__(self, replica: Replica) -> None:
        self._source = self._replica = replica

    async def row(self, query: str, *arguments: Any) -> asyncpg.Record | None:
        try:
            return await super().row(query, *arguments)
        except Exception as fault:
            if not self._may_repeat(fault):
                raise
            return await super().row(query, *arguments)

    async def rows(self, query: str, *arguments: Any) -> list[asyncpg.Record]:
        try:
            return await super().rows(query, *arguments)
        except Exception as fault:
            if not self._may_repeat(fault):
                raise
            return await super().rows(query, *arguments)

    def _may_repeat(self, fault: Exception) -> bool:
        # A standby cancels statements that need rows which the primary has removed.
        is_of_replica = is_unavailable(fault) or isinstance(fault, asyncpg.SerializationError)
        if self._replica.is_in_use and is_of_replica:
            self._replica.give_up()
            return True
        return False
