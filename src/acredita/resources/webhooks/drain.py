"""Posts what is due at one receiver: several at a time, read and settled in batches.

Nothing is written before a POST. That a worker has these deliveries follows from its lease of the
receiver's job: whoever holds that is alone with them, and settles in a statement that proves it. A
crash leaves them as they were: due, with no attempt used up.

Two deliveries of one verification are never under way at once, so a receiver that is well gets them
in the order of their events.
"""

import asyncio
import random
from datetime import datetime, timedelta
from uuid import UUID

import structlog

from acredita.jobs import JobContext
from acredita.kit import tracing
from acredita.kit.crypto import CannotUnseal
from acredita.kit.http import Conversation
from acredita.models import DeliveryState
from acredita.resources.metamap.notices import CannotRender
from acredita.resources.webhooks import deliveries, metrics
from acredita.resources.webhooks.breaker import Breaker
from acredita.resources.webhooks.deliveries import Outcome, Parcel
from acredita.resources.webhooks.posting import Attempt, Reason, interrupted, not_rendered, post

log = structlog.get_logger()

# Seconds of one run; then others have their turn.
SLICE = 5.0
# How many deliveries a look takes at the most, and how few in hand make it worth while: what a
# receiver that is quick takes in the 30 ms of a settlement and a look (measured: with half of it,
# posts wait for the database a tenth of their time).
MOST_IN_HAND, FEW_IN_HAND = 512, 256
# Seconds that what was read may be posted: a deleted endpoint gets nothing more after that.
FRESH = 1.0
# Seconds between two looks while posts are slow; seconds in which ends of attempts are collected.
LOOK_AGAIN, GATHER = 0.5, 0.02
# Seconds to wait for more when nothing is left: of a steady trickle, each event would otherwise
# cost a run of the job, and a connection.
LINGER = 0.1
# A look begins so long before the first that was found: what was settled before lies in the index
# until it is vacuumed. What commits later than that is found by the next run.
OVERLAP = timedelta(seconds=5)
# DECISIONS: delays may only stretch, by a tenth at the most. Half of that spreads the load of the
# receivers, the other half is left to the poll of the queue.
JITTER = 0.05
# An attempt that a crash interrupts is made again, but for so many times only: it may be the cause.
MOST_LOSSES = 3


class Drain:
    def __init__(
        self, context: JobContext, receiver_id: UUID, http: Conversation, breaker: Breaker
    ) -> None:
        self._context = context
        self._services = context.services
        self._receiver_id = receiver_id
        self._http = http
        self._breaker = breaker
        self._loop = asyncio.get_running_loop()
        self._ends_at = self._loop.time() + SLICE
        # The run before this one was lost: one of its deliveries may have been the cause.
        self._is_wary = context.job.attempts > 1
        self._waiting: list[Parcel] = []
        self._read_at = 0.0
        self._since: datetime | None = None
        # Deliveries that are read and not settled, and verifications with a POST under way.
        self._in_hand: set[UUID] = set()
        self._busy: set[UUID] = set()
        self._posts: set[asyncio.Task[None]] = set()
        self._outcomes: list[Outcome] = []
        self._fault: BaseException | None = None
        self._changed = asyncio.Event()
        self._secrets: dict[bytes, str] = {}

    async def run(self) -> None:
        """Until nothing is due, the slice is over, or the receiver needs a rest.

        Raise LeaseLost when somebody else has the receiver by now.
        """
        has_lingered = False
        try:
            while True:
                if await self._turn():
                    has_lingered = False
                    await self._wait()
                elif has_lingered or self._places() <= 0:
                    return
                else:
                    has_lingered = True
                    await asyncio.sleep(LINGER)
        finally:
            for task in self._posts:
                task.cancel()
            await asyncio.gather(*self._posts, return_exceptions=True)

    async def _turn(self) -> bool:
        """Settle what has ended, see what is due, send it; whether there is more to come."""
        self._changed.clear()
        if self._outcomes:
            await self._settle()
        if self._fault is not None:
            raise self._fault
        if self._should_look():
            await self._look()
        self._launch()
        return bool(self._posts or self._outcomes)

    async def _wait(self) -> None:
        try:
            async with asyncio.timeout(LOOK_AGAIN):
                await self._changed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(GATHER)

    def _places(self) -> int:
        """How many posts may begin beside those under way; less than none: too many are."""
        if not self._context.may_go_on or self._loop.time() >= self._ends_at:
            return -1
        most = self._breaker.admits(self._services.settings.webhook_concurrency)
        return most - len(self._posts)

    def _should_look(self) -> bool:
        # Ahead of need; but who is wary takes only what leaves at once.
        if self._places() < (1 if self._is_wary else 0):
            return False
        return len(self._waiting) < FEW_IN_HAND or not self._is_fresh()

    def _is_fresh(self) -> bool:
        return self._loop.time() - self._read_at < FRESH

    async def _look(self) -> None:
        if not self._is_fresh():
            self._in_hand.difference_update(parcel.delivery_id for parcel in self._waiting)
            self._waiting.clear()
        read_at = self._loop.time()
        limit = self._places() if self._is_wary else MOST_IN_HAND
        parcels = await deliveries.due(
            self._services,
            self._receiver_id,
            since=self._since,
            besides=self._in_hand,
            limit=limit,
        )
        if parcels and not self._in_hand:
            self._since = parcels[0].next_at - OVERLAP
        gone = [parcel.delivery_id for parcel in parcels if parcel.url is None]
        if gone:
            await deliveries.cancel(self._services, gone)
        parcels = [parcel for parcel in parcels if parcel.url is not None]
        self._in_hand.update(parcel.delivery_id for parcel in parcels)
        if self._is_wary:
            parcels = await self._count_losses(parcels)
        if not self._waiting:
            self._read_at = read_at
        self._waiting += parcels

    async def _count_losses(self, parcels: list[Parcel]) -> list[Parcel]:
        """Those that leave at once, once more; of others the last crash was their attempt."""
        leaving: dict[UUID, Parcel] = {}
        for parcel in parcels:
            if parcel.losses >= MOST_LOSSES:
                self._conclude(parcel, interrupted(self._services.clock))
            elif self._may_leave(parcel) and parcel.lane not in leaving:
                leaving[parcel.lane] = parcel
            else:
                self._in_hand.discard(parcel.delivery_id)
        again = list(leaving.values())
        await deliveries.count_a_loss(self._services, [parcel.delivery_id for parcel in again])
        return again

    def _launch(self) -> None:
        while self._places() > 0 and (parcel := self._next()) is not None:
            task = asyncio.create_task(self._post_from(parcel))
            self._posts.add(task)
            task.add_done_callback(self._ended)

    def _next(self) -> Parcel | None:
        """What is to leave next, if anything may."""
        if not self._is_fresh():
            return None
        for place, parcel in enumerate(self._waiting):
            if self._may_leave(parcel):
                self._busy.add(parcel.lane)
                return self._waiting.pop(place)
        return None

    def _may_leave(self, parcel: Parcel) -> bool:
        return parcel.lane not in self._busy

    async def _post_from(self, parcel: Parcel | None) -> None:
        """Post this one, and whatever may leave after it."""
        while parcel is not None:
            try:
                with tracing.continued(parcel.traceparent, f"deliver {parcel.kind}", "client"):
                    attempt = await self._post(parcel)
                    tracing.note(attempt=parcel.attempts + 1, outcome=attempt.reason or "delivered")
                self._conclude(parcel, attempt)
            finally:
                self._busy.discard(parcel.lane)
            self._changed.set()
            parcel = self._next() if self._places() >= 0 else None

    async def _post(self, parcel: Parcel) -> Attempt:
        try:
            body, secret = await parcel.body(self._services), self._secret(parcel)
        except CannotUnseal:
            # A key is missing here. Others of this receiver may still be delivered.
            log.warning("webhooks.cannot_unseal", delivery_id=str(parcel.delivery_id))
            return interrupted(self._services.clock)
        except CannotRender:
            log.exception("webhooks.cannot_render", delivery_id=str(parcel.delivery_id))
            return not_rendered(self._services.clock)
        attempt = await post(
            self._http,
            self._services.clock,
            url=parcel.url or "",
            secret=secret,
            kind=parcel.kind,
            delivery_id=parcel.delivery_id,
            body=body,
            format=parcel.format,
        )
        self._breaker.note(delivered=attempt.delivered)
        return attempt

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._posts.discard(task)
        if not task.cancelled():
            self._fault = self._fault or task.exception()
        self._changed.set()

    def _secret(self, parcel: Parcel) -> str:
        sealed = parcel.secret_sealed or b""
        if sealed not in self._secrets:
            self._secrets[sealed] = parcel.secret(self._services.keys)
        return self._secrets[sealed]

    def _conclude(self, parcel: Parcel, attempt: Attempt) -> None:
        delays = self._services.settings.webhook_retry_delays
        state, next_in = DeliveryState.DELIVERED, None
        if not attempt.delivered:
            state = DeliveryState.FAILED
            # What cannot be rendered now cannot be in a minute: it is given up at once.
            if attempt.reason is not Reason.NOT_RENDERED and parcel.tried < len(delays):
                state = DeliveryState.PENDING
                next_in = delays[parcel.tried] * random.uniform(1, 1 + JITTER)
        self._outcomes.append(Outcome(parcel, attempt, state, next_in))

    async def _settle(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        await deliveries.settle(self._services, self._context.job, outcomes)
        self._in_hand.difference_update(each.parcel.delivery_id for each in outcomes)
        metrics.count(outcomes)
        for each in outcomes:
            if each.state is DeliveryState.FAILED:
                log.warning(
                    "webhooks.gave_up",
                    delivery_id=str(each.parcel.delivery_id),
                    reason=each.attempt.reason,
                )
