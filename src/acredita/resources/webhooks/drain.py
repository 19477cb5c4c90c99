"""Posts the due deliveries of one receiver: concurrently, read and recorded in batches.

Nothing is written before a POST. The lease of the receiver's job gives a worker all its deliveries
exclusively, or those of a part of it, and the statement that records outcomes checks the lease. A
crash leaves deliveries unchanged: due, with no attempt used up.

Two deliveries of one verification are never posted at once, so a healthy receiver gets them in the
order of their events.
"""

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from acredita.jobs import JobContext
from acredita.kit import tracing
from acredita.kit.crypto import CannotUnseal
from acredita.kit.http import Conversation
from acredita.models import DeliveryState
from acredita.resources.webhooks import delivery_rows, metrics
from acredita.resources.webhooks.breaker import Breaker
from acredita.resources.webhooks.delivery_rows import AttemptOutcome, DueDelivery
from acredita.resources.webhooks.formats import CannotRender
from acredita.resources.webhooks.parts import FAST_ANSWER, WHOLE, Part
from acredita.resources.webhooks.posting import Attempt, interrupted, not_rendered, post
from acredita.resources.webhooks.retry_delays import delay_before_retry

log = structlog.get_logger()

# Seconds of one run; then other receivers get the place.
RUN_SECONDS = 5.0
# How many deliveries one read takes at most, and below how many waiting ones it reads again: what a
# fast receiver takes in the 30 ms of one write and one read (measured: with half of it, posts wait
# for the database a tenth of their time).
MAX_WAITING, MIN_WAITING = 512, 256
# Seconds for which a delivery may be posted after it was read. A deleted endpoint gets nothing
# after that.
MAX_AGE = 1.0
# Seconds between two reads while posts are slow; seconds in which outcomes are collected.
READ_INTERVAL, BATCH_WAIT = 0.5, 0.02
# Seconds to wait for more when nothing is left. Without it, each event of a slow steady stream
# would cost a run of the job, and a connection.
IDLE_WAIT = 0.1
# A read starts this long before the first due delivery of the last one, because finished deliveries
# stay in the index until it is vacuumed. The next run finds what is committed with an older time.
OVERLAP = timedelta(seconds=5)
# How often an attempt that a crash interrupts is repeated. There is a limit because the delivery
# may cause the crash.
MOST_LOSSES = 3


class Drain:
    def __init__(
        self,
        context: JobContext,
        receiver_id: UUID,
        http: Conversation,
        breaker: Breaker,
        part: Part = WHOLE,
    ) -> None:
        self._context = context
        self._services = context.services
        self._receiver_id = receiver_id
        self._http = http
        self._breaker = breaker
        self._part = part
        self._places = part.places(context.services.settings.webhook_concurrency)
        self._posted = 0
        self._loop = asyncio.get_running_loop()
        self._ends_at = self._loop.time() + RUN_SECONDS
        # The previous run crashed: one of its deliveries may have been the cause.
        self._follows_crash = context.job.attempts > 1
        self._waiting: list[DueDelivery] = []
        self._read_at = 0.0
        self._since: datetime | None = None
        # Deliveries that are read and not recorded, and ordering keys with a POST under way.
        self._unrecorded: set[UUID] = set()
        self._busy: set[UUID] = set()
        self._posts: set[asyncio.Task[None]] = set()
        self._outcomes: list[AttemptOutcome] = []
        self._fault: BaseException | None = None
        self._changed = asyncio.Event()
        self._secrets: dict[bytes, str] = {}

    async def run(self) -> None:
        """Post until nothing is due, the run's time is over, or the breaker opens.

        Raise LeaseLost when another worker has the receiver by now.
        """
        has_waited = False
        try:
            while True:
                if await self._step():
                    has_waited = False
                    await self._wait()
                elif has_waited or self._free_places() <= 0:
                    return
                else:
                    has_waited = True
                    await asyncio.sleep(IDLE_WAIT)
        finally:
            for task in self._posts:
                task.cancel()
            await asyncio.gather(*self._posts, return_exceptions=True)

    @property
    def was_long_enough(self) -> bool:
        """Whether the run's time ended it, so that work may remain."""
        return self._loop.time() >= self._ends_at

    @property
    def was_fast(self) -> bool:
        """Whether the receiver answered fast: with all places in use, posts took FAST_ANSWER."""
        return self._posted * FAST_ANSWER >= self._places * RUN_SECONDS

    async def _step(self) -> bool:
        """Record ended attempts, read due deliveries, start posts; return whether work remains."""
        self._changed.clear()
        if self._outcomes:
            await self._record_outcomes()
        if self._fault is not None:
            raise self._fault
        if self._should_read():
            await self._read_due()
        self._launch()
        return bool(self._posts or self._outcomes)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(READ_INTERVAL):
                await self._changed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(BATCH_WAIT)

    def _free_places(self) -> int:
        """Return how many more posts may start; negative if too many are under way."""
        if not self._context.may_go_on or self._loop.time() >= self._ends_at:
            return -1
        most = self._breaker.allowed(self._places)
        return most - len(self._posts)

    def _should_read(self) -> bool:
        # Read ahead; but after a crash only what can be posted at once.
        if self._free_places() < (1 if self._follows_crash else 0):
            return False
        return len(self._waiting) < MIN_WAITING or not self._is_fresh()

    def _is_fresh(self) -> bool:
        return self._loop.time() - self._read_at < MAX_AGE

    async def _read_due(self) -> None:
        if not self._is_fresh():
            self._unrecorded.difference_update(delivery.delivery_id for delivery in self._waiting)
            self._waiting.clear()
        read_at = self._loop.time()
        limit = self._free_places() if self._follows_crash else MAX_WAITING
        due = await delivery_rows.read_due(
            self._services.reads,
            self._receiver_id,
            since=self._since,
            besides=self._unrecorded,
            limit=limit,
            part=self._part,
        )
        if due and not self._unrecorded:
            self._since = due[0].next_at - OVERLAP
        gone = [delivery.delivery_id for delivery in due if delivery.url is None]
        if gone:
            await delivery_rows.cancel(self._services.writes, gone)
        due = [delivery for delivery in due if delivery.url is not None]
        self._unrecorded.update(delivery.delivery_id for delivery in due)
        if self._follows_crash:
            due = await self._count_losses(due)
        if not self._waiting:
            self._read_at = read_at
        self._waiting += due

    async def _count_losses(self, due: list[DueDelivery]) -> list[DueDelivery]:
        """Return those to post now. MOST_LOSSES crashes end an attempt without a POST."""
        starting: dict[UUID, DueDelivery] = {}
        for delivery in due:
            if delivery.losses >= MOST_LOSSES:
                self._add_outcome(delivery, interrupted(self._services.clock))
            elif self._may_start(delivery) and delivery.ordering_key not in starting:
                starting[delivery.ordering_key] = delivery
            else:
                self._unrecorded.discard(delivery.delivery_id)
        again = list(starting.values())
        await delivery_rows.increment_losses(
            self._services.writes, [delivery.delivery_id for delivery in again]
        )
        return again

    def _launch(self) -> None:
        while self._free_places() > 0 and (delivery := self._next()) is not None:
            task = asyncio.create_task(self._post_from(delivery))
            self._posts.add(task)
            task.add_done_callback(self._on_post_end)

    def _next(self) -> DueDelivery | None:
        """Return the next delivery that may start, or None."""
        if not self._is_fresh():
            return None
        for place, delivery in enumerate(self._waiting):
            if self._may_start(delivery):
                self._busy.add(delivery.ordering_key)
                return self._waiting.pop(place)
        return None

    def _may_start(self, delivery: DueDelivery) -> bool:
        return delivery.ordering_key not in self._busy

    async def _post_from(self, delivery: DueDelivery | None) -> None:
        """Post this delivery, then others for as long as any may start."""
        while delivery is not None:
            try:
                with tracing.continued(delivery.traceparent, f"deliver {delivery.kind}", "client"):
                    attempt = await self._post(delivery)
                    tracing.note(
                        attempt=delivery.attempts + 1, outcome=attempt.reason or "delivered"
                    )
                self._add_outcome(delivery, attempt)
            finally:
                self._busy.discard(delivery.ordering_key)
            self._changed.set()
            delivery = self._next() if self._free_places() >= 0 else None

    async def _post(self, delivery: DueDelivery) -> Attempt:
        try:
            body, secret = await delivery.body(self._services), self._secret(delivery)
        except CannotUnseal:
            # A key is missing here. Others of this receiver may still be delivered.
            log.warning("webhooks.cannot_unseal", delivery_id=str(delivery.delivery_id))
            return interrupted(self._services.clock)
        except CannotRender:
            # During an upgrade, a worker of the new release may know the event. It sends it later.
            log.exception("webhooks.cannot_render", delivery_id=str(delivery.delivery_id))
            return not_rendered(self._services.clock)
        attempt = await post(
            self._http,
            self._services.clock,
            url=delivery.url or "",
            secret=secret,
            kind=delivery.kind,
            delivery_id=delivery.delivery_id,
            body=body,
            format=delivery.format,
        )
        self._breaker.record(delivered=attempt.delivered)
        self._posted += 1
        return attempt

    def _on_post_end(self, task: asyncio.Task[None]) -> None:
        self._posts.discard(task)
        if not task.cancelled():
            self._fault = self._fault or task.exception()
        self._changed.set()

    def _secret(self, delivery: DueDelivery) -> str:
        sealed = delivery.secret_sealed or b""
        if sealed not in self._secrets:
            self._secrets[sealed] = delivery.secret(self._services.keys)
        return self._secrets[sealed]

    def _add_outcome(self, delivery: DueDelivery, attempt: Attempt) -> None:
        state, next_in = DeliveryState.DELIVERED, None
        if not attempt.delivered:
            delays = self._services.settings.webhook_retry_delays
            next_in = delay_before_retry(delivery.tried, delays)
            state = DeliveryState.FAILED if next_in is None else DeliveryState.PENDING
        self._outcomes.append(AttemptOutcome(delivery, attempt, state, next_in))

    async def _record_outcomes(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        await delivery_rows.record_outcomes(self._services.writes, self._context.job, outcomes)
        self._unrecorded.difference_update(each.delivery.delivery_id for each in outcomes)
        metrics.count(outcomes)
        for each in outcomes:
            if each.state is DeliveryState.FAILED:
                log.warning(
                    "webhooks.gave_up",
                    delivery_id=str(each.delivery.delivery_id),
                    reason=each.attempt.reason,
                )
