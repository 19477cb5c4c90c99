"""From an event to its receivers: one job spreads it, one job a receiver delivers it."""

import random
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.jobs import JobContext, LeasedJob, Queue, job
from acredita.models import DeliveryState
from acredita.resources.webhooks import queries, wire
from acredita.resources.webhooks.posting import Attempt, post
from acredita.services import Services

log = structlog.get_logger()

# DECISIONS: delays may only stretch, by a tenth at the most. Half of that spreads the load of the
# receivers, the other half is left to the poll of the queue.
JITTER = 0.05
# Crashes and lost leases, not answers of the receiver: those are counted in the delivery's row.
MOST_RUNS_OF_AN_ATTEMPT = 10


async def give_up(session: AsyncSession, _: Services, leased: LeasedJob) -> None:
    """The service itself cannot make this delivery (it crashed on it again and again)."""
    await queries.abandon(session, UUID(leased.payload["delivery_id"]), DeliveryState.FAILED)


# Not in the queue of the deliveries: a receiver that hangs must not keep events from others.
@job("webhooks.fan_out", queue=Queue.LIGHT, timeout=30, max_attempts=20)
async def fan_out(context: JobContext, event_id: UUID) -> None:
    async with context.finish() as session:
        for delivery in await queries.add_deliveries(session, event_id):
            await jobs.add(
                session,
                deliver,
                {"delivery_id": str(delivery.id)},
                once_key=f"delivery:{delivery.id}",
                organization_id=delivery.organization_id,
            )


@job(
    "webhooks.deliver",
    queue=Queue.WEBHOOKS,
    timeout=60,
    max_attempts=MOST_RUNS_OF_AN_ATTEMPT,
    on_dead=give_up,
)
async def deliver(context: JobContext, delivery_id: UUID) -> None:
    """One attempt. The same job makes the next one, which is what `run_again` leaves behind."""
    services = context.services
    async with services.database.reading() as connection:
        parcel = await queries.pending(connection, delivery_id)
    if parcel is None:
        return
    if parcel.url is None:
        async with context.finish() as session:
            await queries.abandon(session, delivery_id, DeliveryState.CANCELLED)
        return
    secret = services.keys.unseal(parcel.secret_sealed, context=parcel.secret_context).decode()
    attempt = await post(
        services,
        url=parcel.url,
        secret=secret,
        kind=parcel.kind,
        delivery_id=delivery_id,
        body=wire.envelope(delivery_id, parcel.kind, parcel.created_at, parcel.data),
    )
    delays = services.settings.webhook_retry_delays
    state = _outcome(attempt, parcel.attempts + 1, len(delays))
    async with context.finish() as session:
        exists = await queries.conclude(session, parcel, attempt, state)
        if exists and state is DeliveryState.PENDING:
            # One that was cancelled meanwhile is found to be so when its time comes.
            context.run_again(delay=delays[parcel.attempts] * random.uniform(1, 1 + JITTER))
    if state is DeliveryState.FAILED:
        log.warning("webhooks.gave_up", delivery_id=str(delivery_id), error=attempt.error)


def _outcome(attempt: Attempt, number: int, retries: int) -> DeliveryState:
    if attempt.delivered:
        return DeliveryState.DELIVERED
    return DeliveryState.PENDING if number <= retries else DeliveryState.FAILED
