"""Gauges from the database, for all organizations together.

One process exports them, for as long as it is asked. Another takes over half a minute after it was
asked last. While Redis is away, every process exports the same values. So aggregate them with
`max by (queue, kind)`, not with `sum`.
"""

from collections.abc import Sequence
from uuid import uuid4

from redis.asyncio import Redis
from redis.exceptions import RedisError

from acredita.kit.db import Database
from acredita.kit.metrics import Metric, gauges
from acredita.kit.metrics.exposition import Source, cached
from acredita.resources.admin import queries

# Seconds. Limits the queries of each process, because many processes may be scraped at once.
CACHED_FOR = 10.0
EXPORTER = "acredita:exporter"
EXPORTS_FOR = 30
OF_KIND = ("queue", "kind")


async def _is_exporter(redis: Redis, process: str) -> bool:
    """Return whether this process exports, and renew that."""
    try:
        if await redis.set(EXPORTER, process, nx=True, ex=EXPORTS_FOR):
            return True
        if await redis.get(EXPORTER) != process.encode():
            return False
        await redis.expire(EXPORTER, EXPORTS_FOR)
    except (RedisError, OSError):
        pass
    return True


def of_work(database: Database, redis: Redis) -> Source:
    """A source of gauges about jobs and deliveries."""
    process = uuid4().hex

    async def ask() -> Sequence[Metric]:
        if not await _is_exporter(redis, process):
            return []
        async with database.reading() as connection:
            work = await queries.all_work(connection)
            pending = await queries.pending_deliveries(connection)
        jobs = gauges("queue_jobs", "Jobs that are not done, by what they are.", *OF_KIND, "state")
        oldest = gauges("queue_oldest_due_seconds", "The longest wait of a due job.", *OF_KIND)
        for each in work:
            of_kind = [each.queue, each.kind]
            jobs.add_metric([*of_kind, "due"], each.due)
            jobs.add_metric([*of_kind, "later"], each.depth - each.due)
            jobs.add_metric([*of_kind, "running"], each.running)
            jobs.add_metric([*of_kind, "dead"], each.dead)
            oldest.add_metric(of_kind, max(each.oldest_due, 0.0))
        deliveries = gauges("deliveries_pending", "Deliveries to be made, or tried again.")
        deliveries.add_metric([], pending)
        return [jobs, oldest, deliveries]

    return cached(ask, CACHED_FOR)
