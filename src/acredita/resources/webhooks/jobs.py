"""The job of a receiver: it makes the deliveries that are due there, and comes again for others."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import JobContext, LeasedJob, Queue, standing
from acredita.resources.webhooks import deliveries
from acredita.resources.webhooks.drain import Drain
from acredita.services import Services


async def give_up(session: AsyncSession, _: Services, leased: LeasedJob) -> None:
    """The service itself cannot make these deliveries: run after run crashed or failed."""
    await deliveries.give_up_all(session, UUID(leased.payload["key"]))


@standing(
    "webhooks.drain",
    waiting=deliveries.WAITING,
    queue=Queue.WEBHOOKS,
    # A slice, and the longest time-out of a POST that began at its end.
    timeout=60,
    # In a row, and without a single attempt that came to an end.
    max_attempts=20,
    on_dead=give_up,
)
async def drain(context: JobContext, key: UUID) -> None:
    """Make the deliveries of the receiver `key`, for a while; the same job goes on later."""
    services, settings = context.services, context.services.settings
    breaker = await deliveries.breaker_of(services, key)
    had_failed = breaker.failures > 0
    async with services.http.conversation() as http:
        await Drain(context, key, http, breaker).run()
    first, longest = settings.webhook_retry_delays[:2]
    rest = breaker.rest(first=first, longest=longest)
    async with context.finish() as session:
        if had_failed or breaker.failures:
            organization_id = context.job.organization_id
            await deliveries.keep_breaker(session, key, organization_id, breaker, rest)
        next_in = await deliveries.next_in(session, key)
        if next_in is not None:
            context.run_again(delay=max(next_in, rest or 0.0))
