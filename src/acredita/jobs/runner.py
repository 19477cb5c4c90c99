"""Runs the jobs of one process: claims them, renews their leases, records their outcomes.

Each queue has a number of places for concurrent jobs. They are filled from the ledger: after a
wake-up, once a second, and whenever a place becomes free. Wake-ups make an idle worker react
quickly. Polling alone guarantees progress.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Collection, Mapping
from enum import Enum, auto
from uuid import UUID

import structlog
from structlog.contextvars import bound_contextvars

from acredita.jobs import ledger, metrics, registry
from acredita.jobs.completion import Completion
from acredita.jobs.context import JobContext
from acredita.jobs.error_descriptions import describe
from acredita.jobs.errors import Later, LeaseLost, PermanentFailure
from acredita.jobs.ledger import LeasedJob
from acredita.jobs.registry import Queue
from acredita.kit import tracing
from acredita.kit.db import is_unavailable
from acredita.kit.dependencies import DependencyUnavailable
from acredita.models import JobState
from acredita.services import Services

log = structlog.get_logger()

# Seconds: between two polls of the ledger, at most a second with the jitter; without a poll until
# the process counts as unhealthy; to release leases when the process stops.
POLL = 0.8
LONGEST_SILENCE = 30.0
GIVE_BACK_WITHIN = 5.0
# The pause after a renewal of leases that failed is the length of a lease, divided by this number.
RETRIES = 30
# Delays up to this many seconds are exact. With polling alone, 10 s could become 11.5 s.
LONGEST_EXACT_DELAY = 30.0
# The pause after a search for the work of standing jobs, as a multiple of its duration. Under a
# flood of wake-ups searching takes a tenth of the process's time, and each search covers more work.
REST = 9
# Seconds: successful runs of jobs that recur so often are logged only at the level DEBUG.
FREQUENT = 60.0
# Seconds between two searches for all work of standing jobs. The ones between look for new work: a
# receiver that waits for its next attempt costs nothing, because its job has the time of it.
FULL_ROUSE = 15.0
# An organization may use 1/n of a queue's places at a time. Webhook jobs wait for servers that the
# organization chooses. Light jobs include signing, which takes processor time.
SHARES = {Queue.WEBHOOKS: 4, Queue.LIGHT: 2}


class Interruption(Enum):
    """Why a running job was cancelled by this process."""

    LEASE_LOST = auto()
    STOPPING = auto()


class _Run:
    """A job that this process runs."""

    def __init__(self, context: JobContext, lease_ends: float) -> None:
        self.context = context
        self.job = context.job
        self.context.lease_ends = lease_ends
        self.task: asyncio.Task[None] | None = None
        # False once the handler has returned: recording the outcome must not be interrupted.
        self.handler_running = True
        self.interruption: Interruption | None = None

    def interrupt(self, why: Interruption) -> None:
        if self.task is not None and self.handler_running and not self.context.finished:
            self.handler_running, self.interruption = False, why
            self.task.cancel()


class Runner:
    def __init__(
        self, services: Services, places: Mapping[Queue, int], *, lease: float | None = None
    ) -> None:
        self._services = services
        self._completion = Completion(services.database)
        self._lease = services.settings.job_lease if lease is None else lease
        self._places = dict(places)
        self._taking: Counter[Queue] = Counter()
        self._runs: set[_Run] = set()
        self._claims: set[asyncio.Task[int]] = set()
        # Set when there may be something to claim and a place for it.
        self._changed = {queue: asyncio.Event() for queue in places}
        self._next_rouse = dict.fromkeys(places, 0.0)
        self._earliest_rouse = dict.fromkeys(places, 0.0)
        self._next_full_rouse = dict.fromkeys(places, 0.0)
        self._turns = {queue: ledger.Turns() for queue in places if queue in ledger.TURNS}
        self._stopping = False
        self._last_polls = dict.fromkeys(places, time.monotonic())

    def is_healthy(self) -> bool:
        """Whether all queues were polled recently: PostgreSQL answers, and no loop hangs."""
        return time.monotonic() - min(self._last_polls.values()) < LONGEST_SILENCE

    def free(self, queue: Queue) -> int:
        """The number of places of a queue without a job and without a claim in progress."""
        if self._stopping:
            return 0
        running = sum(run.job.queue == queue for run in self._runs)
        return self._places[queue] - running - self._taking[queue]

    @property
    def in_flight(self) -> int:
        return len(self._runs)

    def ring(self, queue: Queue) -> None:
        """Look for work of the queue soon, also for work of standing jobs."""
        self._next_rouse[queue] = self._earliest_rouse[queue]
        self._changed[queue].set()
        self._look_in(queue, self._earliest_rouse[queue] - time.monotonic())

    def _look_in(self, queue: Queue, delay: float) -> None:
        if delay > 0:
            asyncio.get_running_loop().call_later(delay, self._changed[queue].set)

    async def pull(self, queue: Queue) -> None:
        """Fill the free places with due jobs."""
        await self._rouse(queue)
        while True:
            places, exclude = self._room(queue)
            if places <= 0:
                return
            taken = await self._take(queue, places, exclude)
            if not taken or (taken < places and queue not in self._turns):
                return
            # There may be more jobs, for another worker.
            ledger.announce(self._services.database, queue)

    async def _rouse(self, queue: Queue) -> None:
        began = time.monotonic()
        if began >= self._next_rouse[queue]:
            self._next_rouse[queue] = began + POLL
            only_new = began < self._next_full_rouse[queue]
            await ledger.rouse(self._services.database, queue, only_new=only_new)
            ended = time.monotonic()
            if not only_new:
                self._next_full_rouse[queue] = ended + FULL_ROUSE * random.uniform(0.8, 1.2)
            self._earliest_rouse[queue] = ended + REST * (ended - began)

    def _room(self, queue: Queue) -> tuple[int, list[UUID]]:
        """Return how many jobs may be claimed at once, and the organizations to exclude.

        The number is small enough that all claimed jobs may belong to one organization.
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
        exclude = [organization for organization, taken in shares.items() if taken >= share]
        return min(free, share - largest - self._taking[queue]), exclude

    async def _take(self, queue: Queue, places: int, exclude: Collection[UUID]) -> int:
        self._taking[queue] += places
        # Cancelling the caller must not leave jobs leased but not running.
        task = asyncio.create_task(self._claim_and_start(queue, places, exclude))
        self._claims.add(task)
        task.add_done_callback(self._claim_ended)
        return await asyncio.shield(task)

    def _claim_ended(self, task: asyncio.Task[int]) -> None:
        self._claims.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it if no caller is left

    async def _claim_and_start(self, queue: Queue, places: int, exclude: Collection[UUID]) -> int:
        lease_ends = time.monotonic() + self._lease
        try:
            jobs = await self._claim(queue, places, exclude)
        finally:
            self._taking[queue] -= places
        for job in jobs:
            metrics.job_claimed(job)
            run = _Run(JobContext(self._services, job), lease_ends)
            self._runs.add(run)
            run.task = asyncio.create_task(self._run(run))
        return len(jobs)

    async def _claim(self, queue: Queue, places: int, exclude: Collection[UUID]) -> list[LeasedJob]:
        database, settings = self._services.database, self._services.settings
        if (turns := self._turns.get(queue)) is None:
            return await ledger.claim_due(
                database, queue, limit=places, lease=self._lease, exclude=exclude
            )
        return await ledger.claim_in_turn(
            database,
            queue,
            turns,
            limit=places,
            lease=self._lease,
            most_of_organization=settings.job_limit_per_organization,
            weights=settings.turns_of_organizations,
        )

    async def pull_for_ever(self, queue: Queue) -> None:
        changed = self._changed[queue]
        while True:
            changed.clear()
            await self.pull(queue)
            self._last_polls[queue] = time.monotonic()
            try:
                async with asyncio.timeout(POLL * random.uniform(0.8, 1.2)):
                    await changed.wait()
            except TimeoutError:
                pass

    async def keep_leases(self) -> None:
        """Renew leases at a third of their length. Cancel jobs whose lease is lost.

        A renewal that fails is repeated soon: a slow statement, or a busy event loop, must not cost
        the jobs of the process their leases.
        """
        most = self._lease / 6
        pause = self._lease / 3
        while True:
            await asyncio.sleep(pause)
            pause = self._lease / 3
            runs = list(self._runs)
            if not runs:
                continue
            asked = time.monotonic()
            try:
                async with asyncio.timeout(most):
                    held = await ledger.renew_leases(
                        self._services.database, [run.job for run in runs], lease=self._lease
                    )
            except Exception as fault:
                log.warning("jobs.heartbeat_failed", error=describe(fault))
                pause = self._lease / RETRIES
                # Interrupt a run whose lease would expire before the next renewal can succeed.
                last_chance = time.monotonic() + pause + most
                kept = [run for run in runs if run.context.lease_ends >= last_chance]
                held = {run.job.lease_token for run in kept}
            else:
                for run in runs:
                    run.context.lease_ends = asked + self._lease
                if any(run.job.lease_token not in held for run in runs):
                    # A run that has just finished has no lease either, and is about to end.
                    await asyncio.sleep(self._lease / RETRIES)
            for run in runs:
                if run.job.lease_token not in held and run in self._runs:
                    run.interrupt(Interruption.LEASE_LOST)

    async def stop(self, *, grace: float) -> None:
        """Claim nothing more. Let running jobs finish for `grace` seconds, then release them."""
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
                await self._run_and_record(run)
        finally:
            self._runs.discard(run)
            if registry.definition(job.kind).waiting is None:
                self._changed[Queue(job.queue)].set()
            else:
                # Work may have arrived since this run last checked.
                self.ring(Queue(job.queue))

    async def _run_and_record(self, run: _Run) -> None:
        started = time.monotonic()
        try:
            outcome = await self._attempt(run)
        except LeaseLost:
            outcome = "lease_lost"
        except Exception as fault:
            # The outcome is not in the ledger. The lease will expire and the reaper decides.
            outcome = "unrecorded"
            log.warning("jobs.outcome_not_recorded", error=describe(fault))
        duration = time.monotonic() - started
        metrics.run_ended(run.job, outcome, duration)
        tracing.note(queue=run.job.queue, attempt=run.job.attempts, outcome=outcome)
        write = log.debug if outcome == "done" and _is_frequent(run.job.kind) else log.info
        write(
            "jobs.run_ended",
            outcome=outcome,
            attempt=run.job.attempts,
            seconds=round(duration, 3),
        )

    async def _attempt(self, run: _Run) -> str:
        """Run the handler once, record the result and return the outcome for the log."""
        job = run.job
        try:
            await self._perform(run)
        except asyncio.CancelledError:
            return await self._interrupted(run)
        except LeaseLost:
            raise
        except Later as fault:
            return await self._fail(job, str(fault), delay=fault.delay)
        except PermanentFailure as fault:
            return await self._fail(job, str(fault), permanent=True)
        except Exception as fault:
            if isinstance(fault, DependencyUnavailable) or is_unavailable(fault):
                return await self._wait(job, fault)
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
                run.handler_running = False
                if context.finished:
                    pass
                elif context.runs_again or job.once_key is not None:
                    async with context.finish():
                        pass
                else:
                    await self._completion.complete(job)
                    context.finished = True
                self._schedule_poll(job, context.next_run_delay)
        except TimeoutError:
            if limit.expired():
                raise Later(f"timed out after {definition.timeout:g} s") from None
            raise
        finally:
            run.handler_running = False

    def _schedule_poll(self, job: LeasedJob, delay: float | None) -> None:
        """Poll the ledger exactly when a short delay ends, instead of at the next regular poll."""
        if delay is not None and delay <= LONGEST_EXACT_DELAY:
            self._look_in(Queue(job.queue), delay)

    async def _interrupted(self, run: _Run) -> str:
        if run.interruption is Interruption.STOPPING:
            await ledger.release(self._services.database, run.job)
            return "given_back"
        if run.interruption is Interruption.LEASE_LOST:
            raise LeaseLost
        return await self._fail(run.job, "cancelled by its own handler")

    async def _wait(self, job: LeasedJob, fault: Exception) -> str:
        """Let the job wait for a dependency. This spends no attempt for job_longest_wait."""
        named = isinstance(fault, DependencyUnavailable)
        error = f"{type(fault).__name__}: {fault}" if named else describe(fault)
        state = await ledger.wait_for_dependency(
            self._services,
            job,
            error,
            longest=self._services.settings.job_longest_wait * 3600,
            retry_after=getattr(fault, "retry_after", None),
        )
        log.warning("jobs.dependency_unavailable", error=error, state=state.value)
        return "dead" if state is JobState.DEAD else "waiting"

    async def _fail(
        self, job: LeasedJob, error: str, *, delay: float | None = None, permanent: bool = False
    ) -> str:
        state = await ledger.fail(self._services, job, error, delay=delay, permanent=permanent)
        log.warning("jobs.failed", error=error, attempt=job.attempts, state=state.value)
        return "dead" if state is JobState.DEAD else "failed"


def _is_frequent(kind: str) -> bool:
    every = registry.definition(kind).every
    return every is not None and every <= FREQUENT
