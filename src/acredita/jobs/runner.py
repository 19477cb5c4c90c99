"""Runs the jobs of one process: takes them, keeps their leases, ends them one way or another.

Each queue has so many places. A place is filled when a wake-up arrives, and whenever the ledger,
looked at once a second and as soon as a place is free, has something due. The first makes an idle
worker quick; the second alone is enough for progress.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from enum import Enum, auto
from functools import partial
from uuid import UUID

import structlog
from structlog.contextvars import bound_contextvars

from acredita.jobs import ledger, metrics, registry
from acredita.jobs.context import JobContext
from acredita.jobs.errors import ForGood, Later, LeaseLost
from acredita.jobs.faults import describe
from acredita.jobs.ledger import LeasedJob
from acredita.jobs.registry import Queue
from acredita.kit import tracing
from acredita.models import JobState
from acredita.services import Services

log = structlog.get_logger()

Claim = Callable[..., Awaitable[list[LeasedJob]]]

# Seconds between two looks at the ledger, and those a stopping process has to give leases back.
POLL = 1.0
LONGEST_SILENCE = 30.0
GIVE_BACK_WITHIN = 5.0
# A second attempt after ten seconds should not come after eleven and a half.
WAITED_FOR_EXACTLY = 30.0
# Of the places of a queue, an organization has no more than one in so many at a time. Engine jobs
# end by themselves; these wait for servers of the organization's own choice.
SHARES = {Queue.WEBHOOKS: 4}


class Interruption(Enum):
    """Why a running job was cancelled by this process."""

    LEASE_LOST = auto()
    STOPPING = auto()


class _Run:
    """A job in flight."""

    def __init__(self, context: JobContext, lease_ends: float) -> None:
        self.context = context
        self.job = context.job
        self.context.lease_ends = lease_ends
        self.task: asyncio.Task[None] | None = None
        # False as soon as the handler is through: its outcome is recorded undisturbed.
        self.performing = True
        self.interruption: Interruption | None = None

    def interrupt(self, why: Interruption) -> None:
        if self.task is not None and self.performing and not self.context.finished:
            self.performing, self.interruption = False, why
            self.task.cancel()


class Runner:
    def __init__(
        self, services: Services, places: Mapping[Queue, int], *, lease: float | None = None
    ) -> None:
        self._services = services
        self._lease = services.settings.job_lease if lease is None else lease
        self._places = dict(places)
        self._taking: Counter[Queue] = Counter()
        self._runs: set[_Run] = set()
        self._claims: set[asyncio.Task[int]] = set()
        self._vacated = {queue: asyncio.Event() for queue in places}
        self._next_rousing = dict.fromkeys(places, 0.0)
        self._stopping = False
        self._looked_at = dict.fromkeys(places, time.monotonic())

    def gets_on(self) -> bool:
        """Whether what is due was looked for lately: PostgreSQL answers, and no loop hangs."""
        return time.monotonic() - min(self._looked_at.values()) < LONGEST_SILENCE

    def free(self, queue: Queue) -> int:
        """Places of a queue that no job has and no claim in flight may fill."""
        if self._stopping:
            return 0
        running = sum(run.job.queue == queue for run in self._runs)
        return self._places[queue] - running - self._taking[queue]

    @property
    def in_flight(self) -> int:
        return len(self._runs)

    async def wake(self, queue: Queue, job_id: UUID) -> None:
        """Take this job, if it is due, free, and there is a place for it."""
        places, sated = self._room(queue)
        if places > 0:
            await self._take(queue, 1, sated, partial(ledger.claim_one, job_id=job_id))

    async def pull(self, queue: Queue) -> None:
        """Fill the free places with what is due."""
        if time.monotonic() >= self._next_rousing[queue]:
            self._next_rousing[queue] = time.monotonic() + POLL
            await ledger.rouse(self._services.database, queue)
        while True:
            places, sated = self._room(queue)
            claim = partial(ledger.claim_due, queue=queue, limit=places)
            if places <= 0 or await self._take(queue, places, sated, claim) < places:
                return

    def _room(self, queue: Queue) -> tuple[int, list[UUID]]:
        """How many jobs may be taken at once, and which organizations have their share already.

        So few that all of them may be of one organization that had nearly its share.
        """
        free = self.free(queue)
        if queue not in SHARES:
            return free, []
        share = max(1, self._places[queue] // SHARES[queue])
        shares = Counter(
            run.job.organization_id
            for run in self._runs
            if run.job.queue == queue and run.job.organization_id is not None
        )
        largest = max((taken for taken in shares.values() if taken < share), default=0)
        sated = [organization for organization, taken in shares.items() if taken >= share]
        return min(free, share - largest - self._taking[queue]), sated

    async def _take(self, queue: Queue, places: int, sated: Collection[UUID], claim: Claim) -> int:
        self._taking[queue] += places
        # A caller that is cancelled must not leave jobs that are leased and that nobody runs.
        task = asyncio.create_task(
            self._claim_and_start(queue, places, partial(claim, sated=sated))
        )
        self._claims.add(task)
        task.add_done_callback(self._claim_ended)
        return await asyncio.shield(task)

    def _claim_ended(self, task: asyncio.Task[int]) -> None:
        self._claims.discard(task)
        if not task.cancelled():
            task.exception()  # noted, should the caller be gone

    async def _claim_and_start(self, queue: Queue, places: int, claim: Claim) -> int:
        lease_ends = time.monotonic() + self._lease
        try:
            jobs = await claim(self._services.database, lease=self._lease)
        finally:
            self._taking[queue] -= places
        for job in jobs:
            metrics.taken(job)
            run = _Run(JobContext(self._services, job), lease_ends)
            self._runs.add(run)
            run.task = asyncio.create_task(self._run(run))
        return len(jobs)

    async def pull_for_ever(self, queue: Queue) -> None:
        vacated = self._vacated[queue]
        while True:
            vacated.clear()
            await self.pull(queue)
            self._looked_at[queue] = time.monotonic()
            try:
                async with asyncio.timeout(POLL * random.uniform(0.8, 1.2)):
                    await vacated.wait()
            except TimeoutError:
                pass

    async def keep_leases(self) -> None:
        """Renew the leases at a third of their length; cancel the jobs whose lease is lost."""
        while True:
            await asyncio.sleep(self._lease / 3)
            runs = list(self._runs)
            if not runs:
                continue
            asked = time.monotonic()
            try:
                async with asyncio.timeout(self._lease / 6):
                    held = await ledger.beat(
                        self._services.database, [run.job for run in runs], lease=self._lease
                    )
            except Exception as fault:
                log.warning("jobs.heartbeat_failed", error=describe(fault))
                # A run ends before its lease does, unless the next heartbeat can still save it.
                last_chance = time.monotonic() + self._lease / 2
                kept = [run for run in runs if run.context.lease_ends >= last_chance]
                held = {run.job.lease_token for run in kept}
            else:
                for run in runs:
                    run.context.lease_ends = asked + self._lease
            for run in runs:
                if run.job.lease_token not in held:
                    run.interrupt(Interruption.LEASE_LOST)

    async def stop(self, *, grace: float) -> None:
        """Take nothing more; give jobs in flight `grace` seconds, then back to the others."""
        self._stopping = True
        await asyncio.gather(*self._claims, return_exceptions=True)
        for run in self._runs:
            run.context.stopping = True
        tasks = [run.task for run in self._runs if run.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        for run in self._runs:
            run.interrupt(Interruption.STOPPING)
        if tasks:
            await asyncio.wait(tasks, timeout=GIVE_BACK_WITHIN)

    async def _run(self, run: _Run) -> None:
        job = run.job
        try:
            with (
                tracing.continued(job.traceparent, f"job {job.kind}", "consumer"),
                bound_contextvars(
                    job_id=str(job.id),
                    kind=job.kind,
                    request_id=job.request_id,
                    **tracing.log_ids(),
                ),
            ):
                await self._run_and_settle(run)
        finally:
            self._runs.discard(run)
            self._vacated[Queue(job.queue)].set()

    async def _run_and_settle(self, run: _Run) -> None:
        started = time.monotonic()
        try:
            outcome = await self._attempt(run)
        except LeaseLost:
            outcome = "lease_lost"
        except Exception as fault:
            # The ledger could not be told. The lease expires and the reaper decides.
            outcome = "unrecorded"
            log.warning("jobs.outcome_not_recorded", error=describe(fault))
        duration = time.monotonic() - started
        metrics.let_go(run.job, outcome, duration)
        tracing.note(queue=run.job.queue, attempt=run.job.attempts, outcome=outcome)
        log.info(
            "jobs.run_ended",
            outcome=outcome,
            attempt=run.job.attempts,
            seconds=round(duration, 3),
        )

    async def _attempt(self, run: _Run) -> str:
        """Run the handler once and record what came of it; a word for the log."""
        job = run.job
        try:
            await self._perform(run)
        except asyncio.CancelledError:
            return await self._interrupted(run)
        except LeaseLost:
            raise
        except Later as fault:
            return await self._fail(job, str(fault), delay=fault.delay)
        except ForGood as fault:
            return await self._fail(job, str(fault), for_good=True)
        except Exception as fault:
            return await self._fail(job, describe(fault))
        return "done"

    async def _perform(self, run: _Run) -> None:
        job, context = run.job, run.context
        definition = registry.definition(job.kind)
        if definition.every is not None:
            context.run_again(delay=definition.every)
        try:
            async with asyncio.timeout(definition.timeout) as limit:
                await definition(context, **job.payload)
                if not context.finished:
                    async with context.finish():
                        pass
                self._look_again(job, context.again_after)
        except TimeoutError:
            if limit.expired():
                raise Later(f"timed out after {definition.timeout:g} s") from None
            raise
        finally:
            run.performing = False

    def _look_again(self, job: LeasedJob, delay: float | None) -> None:
        """Look at the ledger the moment that a short delay is over, instead of at the next poll."""
        if delay is not None and delay <= WAITED_FOR_EXACTLY:
            asyncio.get_running_loop().call_later(delay, self._vacated[Queue(job.queue)].set)

    async def _interrupted(self, run: _Run) -> str:
        if run.interruption is Interruption.STOPPING:
            await ledger.give_back(self._services.database, run.job)
            return "given_back"
        if run.interruption is Interruption.LEASE_LOST:
            raise LeaseLost
        return await self._fail(run.job, "cancelled by its own handler")

    async def _fail(
        self, job: LeasedJob, error: str, *, delay: float | None = None, for_good: bool = False
    ) -> str:
        state = await ledger.fail(self._services, job, error, delay=delay, for_good=for_good)
        log.warning("jobs.failed", error=error, attempt=job.attempts, state=state.value)
        return "dead" if state is JobState.DEAD else "failed"
