"""Gauges from the database, for all organizations together.

Every process exports the same values. Aggregate them with `max by (queue, kind)`, not with `sum`.
"""

from collections.abc import Sequence

from acredita.kit.db import Database
from acredita.kit.metrics import Metric, gauges
from acredita.kit.metrics.exposition import Source, cached
from acredita.resources.admin import queries

# Seconds. Limits the queries of each process, because many processes may be scraped at once.
CACHED_FOR = 10.0
OF_KIND = ("queue", "kind")


def of_work(database: Database) -> Source:
    """A source of gauges about jobs and deliveries."""

    async def ask() -> Sequence[Metric]:
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
