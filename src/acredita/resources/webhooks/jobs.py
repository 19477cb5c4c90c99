"""The standing job of a receiver: it makes the due deliveries and is due again with the next."""

from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import JobContext, LeasedJob, Queue, recurring, standing
from acredita.ports import JobEnding
from acredita.resources.webhooks import ageing, delivery_rows
from acredita.resources.webhooks.drain import Drain

log = structlog.get_logger()


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    """Fail the due deliveries of a receiver, because every run crashed or failed."""
    await delivery_rows.fail_all_due(session, UUID(leased.payload["key"]))


@standing(
    "webhooks.drain",
    waiting=delivery_rows.WAITING,
    new=delivery_rows.NEW,
    queue=Queue.WEBHOOKS,
    # The time of one run, and the longest time-out of a POST that starts at its end.
    timeout=60,
    # Runs in a row without a single attempt that ended.
    max_attempts=20,
    on_dead=give_up,
)
async def drain(context: JobContext, key: UUID) -> None:
    """Make the due deliveries of the receiver `key` for a while; the same job continues later."""
    services, settings = context.services, context.services.settings
    breaker = await delivery_rows.read_breaker(services.reads, key)
    had_failed = breaker.failures > 0
    async with services.http.conversation() as http:
        await Drain(context, key, http, breaker).run()
    first, longest = settings.webhook_retry_delays[:2]
    rest = breaker.next_pause(first=first, longest=longest)
    async with context.finish() as session:
        if had_failed or breaker.failures:
            organization_id = context.job.organization_id
            await delivery_rows.save_breaker(session, key, organization_id, breaker, rest)
        next_in = await delivery_rows.seconds_until_due(session, key)
        if next_in is not None:
            context.run_again(delay=max(next_in, rest or 0.0))


@recurring("webhooks.keep_partitions", every=21_600, timeout=60)
async def keep_partitions(context: JobContext) -> None:
    """Add the partitions of the coming months and drop those past ACREDITA_WEBHOOK_LOG_DAYS."""
    services = context.services
    kept_for = timedelta(days=services.settings.webhook_log_days)
    async with services.database.transaction() as session:
        done = await ageing.keep_partitions(session, kept_for=kept_for)
    if done.added or done.dropped:
        log.info("webhooks.partitions", added=done.added, dropped=done.dropped)
