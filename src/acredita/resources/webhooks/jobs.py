"""The standing jobs of a receiver: they make the due deliveries and are due again with the next."""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.jobs import JobContext, LeasedJob, Queue, recurring, ring, standing
from acredita.kit.partitions import keep_months
from acredita.ports import JobEnding
from acredita.resources.webhooks import ageing, delivery_rows, parts
from acredita.resources.webhooks.breaker import Breaker
from acredita.resources.webhooks.drain import Drain
from acredita.resources.webhooks.parts import Part, Receiver

log = structlog.get_logger()


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    """Fail the due deliveries of a receiver, because every run crashed or failed."""
    await delivery_rows.fail_all_due(session, UUID(leased.payload["key"]))


# Of this process.
presence = parts.Presence()


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
    """Make the due deliveries of the receiver `key`, or of its first part, for a while; the same
    job continues later."""
    settings = context.services.settings
    with presence.serving(key):
        receiver = await parts.read(context.services.reads, key)
        if receiver.is_helped:
            context.run_again(delay=parts.LEAVE_SECONDS)
            return
        ended = await _post_due(context, key, receiver, Part(0, receiver.parts))
    workers = min(settings.webhook_workers, settings.webhook_concurrency)
    async with context.finish() as session:
        await ended.save_breaker(session)
        next_in = await delivery_rows.seconds_until_due(session, key)
        if next_in is not None:
            context.run_again(delay=max(next_in, ended.rest or 0.0))
        if receiver.parts > 1:
            if not ended.has_work or ended.breaker.failures or receiver.parts != workers:
                await parts.unite(session, key, context.job.id)
        elif workers > 1 and ended.is_busy and next_in == 0.0:
            await parts.divide(session, key, context.job.organization_id, workers)
            ring(session, Queue.WEBHOOKS)


async def leave_to_first(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    """Leave all deliveries of the receiver to its first part."""
    await parts.unite(session, UUID(leased.payload["key"].partition("/")[0]), leased.id)


@standing(
    "webhooks.help",
    waiting=parts.DIVIDED,
    new=parts.DIVIDED,
    queue=Queue.WEBHOOKS,
    timeout=60,
    max_attempts=20,
    on_dead=leave_to_first,
)
async def assist(context: JobContext, key: str) -> None:
    """Make the due deliveries of a part of a receiver for a while. `key`: its id, "/", the part."""
    name, _, number = key.partition("/")
    receiver_id = UUID(name)
    if presence.leaves(receiver_id, key):
        later = timedelta(seconds=parts.LEAVE_SECONDS)
        context.run_again(at=context.services.clock.now() + later)
        return
    with presence.serving(receiver_id):
        receiver = await parts.read(context.services.reads, receiver_id)
        if int(number) >= receiver.parts:
            return
        part = Part(int(number), receiver.parts)
        ended = await _post_due(context, receiver_id, receiver, part)
    async with context.finish() as session:
        await ended.save_breaker(session)
        if ended.has_work:
            context.run_again(delay=ended.rest or 0.0)
        else:
            await parts.unite(session, receiver_id, context.job.id)


@dataclass(frozen=True, slots=True)
class _Ended:
    """A run that has ended."""

    context: JobContext
    receiver_id: UUID
    breaker: Breaker
    had_failed: bool
    # Seconds for which the receiver is paused.
    rest: float | None
    has_work: bool
    # One worker sends less than the receiver takes.
    is_busy: bool

    async def save_breaker(self, session: AsyncSession) -> None:
        if self.had_failed or self.breaker.failures:
            organization_id = self.context.job.organization_id
            await delivery_rows.save_breaker(
                session, self.receiver_id, organization_id, self.breaker, self.rest
            )


async def _post_due(
    context: JobContext, receiver_id: UUID, receiver: Receiver, part: Part
) -> _Ended:
    services, breaker = context.services, receiver.breaker
    had_failed = breaker.failures > 0
    async with services.http.conversation() as http:
        run = Drain(context, receiver_id, http, breaker, part)
        await run.run()
    first, longest = services.settings.webhook_retry_delays[:2]
    return _Ended(
        context,
        receiver_id,
        breaker,
        had_failed,
        breaker.next_pause(first=first, longest=longest),
        has_work=run.was_long_enough,
        is_busy=run.was_long_enough and run.was_fast and not breaker.failures,
    )


@recurring("webhooks.keep_partitions", every=21_600, timeout=60)
async def keep_partitions(context: JobContext) -> None:
    """Add the partitions of the coming months and drop those past ACREDITA_WEBHOOK_LOG_DAYS."""
    services = context.services
    kept_for = timedelta(days=services.settings.webhook_log_days)
    async with services.database.transaction() as session:
        done = await keep_months(session, ageing.KEEP_MONTHS, kept_for=kept_for)
    if any(done):
        log.info("webhooks.partitions", **done._asdict())
