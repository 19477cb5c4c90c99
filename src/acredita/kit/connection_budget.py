"""The share of PostgreSQL's connections that a process may take, next to its siblings.

Every process finds out by itself, at the start, every few seconds, and when PostgreSQL is full:
pg_stat_activity shows each of them by its application name. So no process needs to know how many
others are planned, and the ceilings follow when processes come and go.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import asyncpg
import structlog

from acredita.kit import tasks
from acredita.kit.connection_pool import SharedPool, driver_of

log = structlog.get_logger()

# Seconds between two looks: soon after the start, when siblings start as well, then rarely.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 15.0
# Below, a process hardly works: one connection may be needed to hand work to another.
FEWEST = 2
# What remains free for commands, migrations and processes that start: a tenth, and at least this.
SMALLEST_RESERVE = 3

# A limit of -1 is none. The pattern is that of the application names of pools.
QUERY = """
    SELECT
        least(
            current_setting('max_connections')::int
                - current_setting('superuser_reserved_connections')::int
                - coalesce(current_setting('reserved_connections', true), '0')::int,
            (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = session_user),
            (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database())
        ) AS allowed,
        count(*) FILTER (WHERE application_name ~ $1) AS ours,
        count(*) FILTER (WHERE application_name !~ $1) AS others,
        count(DISTINCT application_name) FILTER (WHERE application_name ~ $1) AS processes
    FROM pg_stat_activity
    -- Processes of PostgreSQL itself are of no database.
    WHERE datname IS NOT NULL
"""
# What PostgreSQL does for connections that a pooler opened.
EFFECTIVE = """
    SELECT array_agg(name) FROM pg_settings WHERE (name, setting) IN (
        ('statement_timeout', '0'), ('idle_in_transaction_session_timeout', '0')
    )
"""


@dataclass(frozen=True, slots=True)
class Survey:
    """Connections: `allowed` to all, and in use by processes of ours and by others."""

    allowed: int
    ours: int
    others: int
    processes: int

    def ceiling(self, *, size: int, own: int) -> int:
        """How many connections a process may have that has `own` now, at most `size`.

        Everybody may have an equal part. Who needs more may have it while connections are free.
        """
        reserve = max(SMALLEST_RESERVE, self.allowed // 10)
        usable = self.allowed - reserve - self.others
        processes = max(1, self.processes)
        equal, free = usable // processes, (usable - self.ours) // processes
        return max(FEWEST, min(size, max(equal, own + free)))


async def survey(pool: SharedPool, names: str) -> Survey:
    """Ask PostgreSQL. `names` is the regular expression of our processes' application names."""
    entry = await pool.take()
    try:
        row = await driver_of(entry).fetchrow(QUERY, names)
    finally:
        pool.give(entry)
    assert row is not None  # noqa: S101 (an aggregate always has a row)
    return Survey(**row)


@asynccontextmanager
async def kept_within_budget(
    pool: SharedPool, *, names: str, is_pooled: bool
) -> AsyncIterator[None]:
    """Keep the pool's ceiling within the process's share.

    `names` is the regular expression of our processes' application names. A pooler has the budget
    itself, and hides who takes what.
    """
    task = asyncio.create_task(_Budget(pool, names=names, is_pooled=is_pooled).keep())
    try:
        yield
    finally:
        await tasks.end(task)


class _Budget:
    def __init__(self, pool: SharedPool, *, names: str, is_pooled: bool) -> None:
        self._pool, self._names, self._is_pooled = pool, names, is_pooled
        self._is_due = asyncio.Event()
        pool.on_full = self._is_due.set

    async def keep(self) -> None:
        """Look and adapt until cancelled."""
        pause = FIRST_PAUSE
        reported: Survey | None = None
        while True:
            self._is_due.clear()
            try:
                if self._is_pooled:
                    await self._inspect_pooler()
                    return
                found = await survey(self._pool, self._names)
            except Exception as fault:
                _complain(fault)
            else:
                is_news = reported is None or reported.processes != found.processes
                self._follow(found, is_news=is_news)
                reported = found
            try:
                async with asyncio.timeout(pause):
                    await self._is_due.wait()
                # Connections that siblings give back take a moment.
                await asyncio.sleep(FIRST_PAUSE)
            except TimeoutError:
                pause = min(pause * 2, LONGEST_PAUSE)

    def _follow(self, found: Survey, *, is_news: bool) -> None:
        pool = self._pool
        own = sum(pool.usage())
        pool.ceiling = found.ceiling(size=pool.size, own=own)
        if is_news:
            log.info(
                "database.connections",
                allowed=found.allowed,
                ours=found.ours,
                others=found.others,
                processes=found.processes,
                ceiling=pool.ceiling,
            )
        if found.allowed - found.others < FEWEST * found.processes:
            log.warning("database.too_few_connections", processes=found.processes)

    async def _inspect_pooler(self) -> None:
        entry = await self._pool.take()
        try:
            lacking = await driver_of(entry).fetchval(EFFECTIVE)
        finally:
            self._pool.give(entry)
        log.info("database.pooler", ceiling=self._pool.ceiling)
        for name in lacking or ():
            log.warning("database.setting_missing", name=name, reason="ALTER ROLE ... SET it")


def _complain(fault: Exception) -> None:
    reason = "the connections of siblings are unknown"
    if isinstance(fault, asyncpg.PostgresError) and "startup parameter" in str(fault):
        reason = "the address is a pooler: add pgbouncer=true to its URL"
    log.warning("database.budget_unknown", error=type(fault).__name__, reason=reason)
