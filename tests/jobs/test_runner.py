import asyncio
import time
from contextlib import asynccontextmanager
from datetime import timedelta
from uuid import uuid4

import pytest
from sqlalchemy import func, text, update

from acredita.jobs import Later, PermanentFailure, Queue, ledger, metrics
from acredita.jobs.runner import Runner
from acredita.kit.storage import StorageUnavailable
from acredita.models import Job, JobState
from acredita.providers.email import EmailUnavailable
from acredita.providers.government import RegistryUnavailable
from tests.jobs import kinds

PLACES = {Queue.LIGHT: 2, Queue.WEBHOOKS: 2}


@asynccontextmanager
async def running(desk, *, lease=30.0, grace=0.0, places=None):
    """A runner with its loops, stopped at the end."""
    runner = Runner(desk.services, places or PLACES, lease=lease)
    loops = [asyncio.create_task(runner.keep_leases())]
    try:
        yield runner
        await settled(runner)
    finally:
        await runner.stop(grace=grace)
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)


async def settled(runner) -> None:
    async with asyncio.timeout(10):
        while runner.in_flight:  # noqa: ASYNC110 (the runner tells nobody)
            await asyncio.sleep(0.01)


async def run_once(desk, handler, handle, **terms):
    handle(handler)
    job_id = await desk.add(kinds.flexible, **terms)
    async with running(desk) as runner:
        await runner.pull(Queue.LIGHT)
    return await desk.row(job_id)


async def run_again(desk, row, *, age=None, waited=None):
    """Run a pending job now, that is `age` old and has waited for a dependency for `waited`."""
    async with desk.services.database.transaction() as session:
        due = update(Job).where(Job.id == row.id).values(run_at=func.now())
        if age is not None:
            due = due.values(created_at=func.now() - age)
        if waited is not None:
            due = due.values(waiting_since=func.now() - waited)
        await session.execute(due)
    async with running(desk) as runner:
        await runner.pull(Queue.LIGHT)
    return await desk.row(row.id)


class TestOutcomes:
    async def test_a_job_is_done_with_its_effects(self, desk):
        job_id = await desk.add()
        async with running(desk) as runner:
            await runner.pull(Queue.LIGHT)
        row = await desk.row(job_id)
        assert (row.state, row.attempts) == (JobState.DONE, 1)
        assert row.finished_at is not None
        assert await desk.effects() == [1]

    async def test_a_handler_that_has_no_effects_need_not_finish(self, desk, handle):
        async def nothing(context):
            pass

        assert (await run_once(desk, nothing, handle)).state == JobState.DONE

    async def test_a_key_is_used_once_also_if_its_job_has_no_effects(self, desk, handle):
        async def nothing(context):
            pass

        once = await run_once(desk, nothing, handle, once_key="step:1")
        assert once.state == JobState.DONE
        assert await desk.add(kinds.flexible, once_key="step:1") is None

    async def test_later_waits_as_long_as_it_says(self, desk, handle):
        async def later(context):
            raise Later("busy", delay=1000)

        row = await run_once(desk, later, handle)
        assert (row.state, row.last_error, row.attempts) == (JobState.PENDING, "busy", 1)
        assert (row.run_at - row.created_at).total_seconds() > 990

    @pytest.mark.parametrize(
        "fault",
        [
            StorageUnavailable("EIO"),
            EmailUnavailable("busy"),
            RegistryUnavailable("timeout"),
            ConnectionRefusedError(),
        ],
        ids=["storage", "mail", "registry", "database"],
    )
    async def test_a_dependency_that_is_away_spends_no_attempt(self, desk, handle, fault):
        async def away(context):
            raise fault

        row = await run_once(desk, away, handle)
        for _ in range(5):  # the kind has three attempts
            row = await run_again(desk, row)
            assert (row.state, row.attempts) == (JobState.PENDING, 0)
            assert type(fault).__name__ in row.last_error

        async def back(context):
            pass

        handle(back)
        assert (await run_again(desk, row)).state == JobState.DONE

    async def test_pauses_grow_with_the_wait_or_are_those_of_the_dependency(self, desk, handle):
        async def away(context):
            raise StorageUnavailable("EIO")

        row = await run_once(desk, away, handle)
        assert 1 < (row.run_at - row.created_at).total_seconds() < 10
        row = await run_again(desk, row, waited=timedelta(hours=1))
        assert 3600 + 200 < (row.run_at - row.waiting_since).total_seconds() < 3600 + 400

        async def busy(context):
            raise RegistryUnavailable("busy", retry_after=1000)

        row = await run_once(desk, busy, handle)
        assert (row.run_at - row.created_at).total_seconds() > 990

    async def test_a_dependency_that_stays_away_for_hours_ends_the_job(self, desk, handle):
        async def away(context):
            raise StorageUnavailable("EIO")

        row = await run_once(desk, away, handle)
        states = []
        for _ in range(3):
            row = await run_again(desk, row, waited=timedelta(hours=7))
            states.append(row.state)
        assert states == [JobState.PENDING, JobState.PENDING, JobState.DEAD]
        assert await desk.effects() == [kinds.DIED + row.payload["number"]]

    async def test_a_job_that_is_old_already_waits_as_long_for_a_dependency(self, desk, handle):
        """It had to wait for many others, or it is permanent, as that of a receiver of webhooks."""

        async def away(context):
            raise StorageUnavailable("EIO")

        row = await run_once(desk, away, handle)
        for _ in range(5):  # the kind has three attempts
            row = await run_again(desk, row, age=timedelta(days=30))
            assert (row.state, row.attempts) == (JobState.PENDING, 0)
        assert row.waiting_since is not None

        async def fails(context):
            raise ValueError

        handle(fails)
        row = await run_again(desk, row)
        assert (row.attempts, row.waiting_since) == (1, None)

    async def test_for_good_is_dead(self, desk, handle):
        async def never(context):
            raise PermanentFailure("unreadable")

        row = await run_once(desk, never, handle)
        assert (row.state, row.last_error) == (JobState.DEAD, "unreadable")
        assert await desk.effects() == [kinds.DIED + 1]

    async def test_what_nobody_foresaw_is_tried_again_and_its_message_kept_out(self, desk, handle):
        async def surprise(context):
            raise ValueError("HEGG560427MVZRRL04")

        row = await run_once(desk, surprise, handle)
        assert row.state == JobState.PENDING
        assert "ValueError at" in row.last_error
        assert "HEGG" not in row.last_error

    async def test_a_job_past_its_time_is_cancelled_and_tried_again(self, desk, handle):
        async def slow(context):
            await asyncio.sleep(60)

        row = await run_once(desk, slow, handle)
        assert (row.state, row.last_error) == (JobState.PENDING, "timed out after 0.5 s")

    async def test_a_failed_finish_leaves_nothing_behind(self, desk, handle):
        async def half(context):
            async with context.finish() as session:
                await session.execute(kinds.EFFECT, {"number": 5})
                raise ValueError

        assert (await run_once(desk, half, handle)).state == JobState.PENDING
        assert await desk.effects() == []

    async def test_a_run_that_asks_for_another_is_pending_again_with_its_effects(
        self, desk, handle
    ):
        async def again(context):
            async with context.finish() as session:
                await session.execute(kinds.EFFECT, {"number": 5})
                context.run_again(delay=100)

        row = await run_once(desk, again, handle)
        assert (row.state, row.attempts) == (JobState.PENDING, 0)
        assert await desk.effects() == [5]

    async def test_ids_reach_the_handler_as_ids(self, desk):
        thing, maybe = uuid4(), uuid4()
        job_id = await desk.add(kinds.ids, {"thing": thing, "maybe": maybe})
        async with running(desk) as runner:
            await runner.pull(Queue.WEBHOOKS)
        assert (await desk.row(job_id)).state == JobState.DONE
        assert kinds.behaviour.pop("ids") == (thing, maybe)


class TestPlaces:
    async def test_no_more_jobs_run_than_there_are_places(self, desk, handle):
        gate, started = asyncio.Event(), []

        async def wait(context):
            started.append(context.job.id)
            await gate.wait()

        handle(wait)
        for _ in range(5):
            await desk.add(kinds.flexible)
        async with running(desk) as runner:
            await asyncio.gather(*(runner.pull(Queue.LIGHT) for _ in range(3)))
            assert runner.in_flight == 2
            assert runner.free(Queue.LIGHT) == 0
            assert runner.free(Queue.WEBHOOKS) == 2
            gate.set()
        assert len(started) == 2

    async def test_a_place_that_becomes_free_is_filled_at_once(self, desk):
        for number in range(12):
            await desk.add(payload={"number": number})
        async with running(desk) as runner:
            started = time.monotonic()
            pulling = asyncio.create_task(runner.pull_for_ever(Queue.LIGHT))
            async with asyncio.timeout(10):
                while len(await desk.effects()) < 12:  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            pulling.cancel()
            # Six pairs; were a place filled once a second only, this would take five seconds.
            assert time.monotonic() - started < 3

    async def test_a_short_wait_is_not_stretched_by_the_poll(self, desk, handle, monkeypatch):
        monkeypatch.setattr("acredita.jobs.runner.POLL", 60)
        began: list[float] = []
        second = asyncio.Event()

        async def twice(context):
            began.append(time.monotonic())
            if len(began) == 1:
                context.run_again(delay=0.4)
            else:
                second.set()

        handle(twice)
        async with running(desk) as runner:
            pulling = asyncio.create_task(runner.pull_for_ever(Queue.LIGHT))
            await desk.add(kinds.flexible)
            runner.ring(Queue.LIGHT)
            async with asyncio.timeout(10):
                await second.wait()
            pulling.cancel()
        assert 0.4 <= began[1] - began[0] < 2


class TestLeases:
    async def test_a_long_job_keeps_its_lease(self, desk, handle):
        async def long(context):
            await asyncio.sleep(1.8)

        handle(long)
        job_id = await desk.add(kinds.patient)
        # A heartbeat has a sixth of it: less than this, and a busy machine fails the test.
        async with running(desk, lease=1.2) as runner:
            await runner.pull(Queue.LIGHT)
            while runner.in_flight:
                assert await ledger.expired(desk.database) == []
                await asyncio.sleep(0.02)
        assert (await desk.row(job_id)).state == JobState.DONE

    async def test_a_renewal_that_takes_too_long_is_repeated_and_costs_no_lease(
        self, desk, handle, monkeypatch
    ):
        renewals, is_third = 0, asyncio.Event()
        renew = ledger.renew_leases

        async def slow_at_first(*arguments, **terms):
            nonlocal renewals
            renewals += 1
            if renewals == 1:
                await asyncio.sleep(60)
            if renewals == 3:
                is_third.set()
            return await renew(*arguments, **terms)

        async def long(context):
            await is_third.wait()

        monkeypatch.setattr(ledger, "renew_leases", slow_at_first)
        handle(long)
        job_id = await desk.add(kinds.patient)
        async with running(desk, lease=1.2) as runner:
            await runner.pull(Queue.LIGHT)
        row = await desk.row(job_id)
        assert (row.state, row.attempts) == (JobState.DONE, 1)

    async def test_a_run_that_is_just_being_completed_has_not_lost_its_lease(
        self, desk, handle, monkeypatch
    ):
        outcomes: list[str] = []
        is_renewed = asyncio.Event()
        complete_all, renew = ledger.complete_all, ledger.renew_leases
        run_ended = metrics.run_ended

        def ended(job, outcome, seconds):
            outcomes.append(outcome)
            run_ended(job, outcome, seconds)

        async def answered_late(*arguments):
            done = await complete_all(*arguments)
            await is_renewed.wait()
            # Longer than the runner waits for runs that are about to end.
            await asyncio.sleep(0.2)
            return done

        async def renewed(*arguments, **terms):
            held = await renew(*arguments, **terms)
            is_renewed.set()
            return held

        async def short(context): ...

        monkeypatch.setattr(ledger, "complete_all", answered_late)
        monkeypatch.setattr(ledger, "renew_leases", renewed)
        monkeypatch.setattr(metrics, "run_ended", ended)
        handle(short)
        await desk.add(kinds.patient)
        async with running(desk, lease=1.2) as runner:
            await runner.pull(Queue.LIGHT)
        assert outcomes == ["done"]

    async def test_a_run_whose_lease_is_lost_is_cancelled_and_changes_nothing(self, desk, handle):
        cancelled = asyncio.Event()

        async def long(context):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                cancelled.set()
                raise

        handle(long)
        job_id = await desk.add(kinds.flexible)
        async with running(desk, lease=0.6) as runner:
            await runner.pull(Queue.LIGHT)
            await desk.run(
                "UPDATE job SET lease_token = gen_random_uuid(),"
                " lease_expires_at = now() + interval '1 hour' WHERE id = :id",
                job_id,
            )
            before = await desk.row(job_id)
            async with asyncio.timeout(5):
                await cancelled.wait()
        after = await desk.row(job_id)
        assert (after.state, after.lease_token) == (JobState.RUNNING, before.lease_token)

    async def test_a_run_ends_before_its_lease_when_the_database_is_silent(self, desk, handle):
        ended: list[float] = []

        async def long(context):
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ended.append(time.monotonic())
                raise

        handle(long)
        await desk.add(kinds.flexible)
        async with running(desk, lease=2.4) as runner:
            # A lock on the table keeps heartbeats from being answered.
            taken = time.monotonic()
            await runner.pull(Queue.LIGHT)
            async with desk.database.transaction() as session:
                await session.execute(text("LOCK TABLE job IN ACCESS EXCLUSIVE MODE"))
                async with asyncio.timeout(5):
                    while not ended:  # noqa: ASYNC110
                        await asyncio.sleep(0.02)
        assert ended[0] - taken < 2.4


class TestStopping:
    async def test_jobs_in_flight_may_finish_within_the_grace(self, desk, handle):
        async def short(context):
            await asyncio.sleep(0.3)

        handle(short)
        job_id = await desk.add(kinds.flexible)
        runner = Runner(desk.services, PLACES)
        await runner.pull(Queue.LIGHT)
        await runner.stop(grace=5)
        assert (await desk.row(job_id)).state == JobState.DONE

    async def test_those_that_do_not_are_given_back_and_spend_no_attempt(self, desk, handle):
        async def long(context):
            await asyncio.sleep(60)

        handle(long)
        job_id = await desk.add(kinds.flexible)
        runner = Runner(desk.services, PLACES)
        await runner.pull(Queue.LIGHT)
        await runner.stop(grace=0.05)
        row = await desk.row(job_id)
        assert (row.state, row.attempts, row.lease_token) == (JobState.PENDING, 0, None)
        await runner.pull(Queue.LIGHT)
        assert runner.in_flight == 0

    @pytest.mark.parametrize("when", [0.0, 0.001, 0.003])
    async def test_a_claim_in_flight_is_not_orphaned(self, desk, handle, when):
        async def long(context):
            await asyncio.sleep(60)

        handle(long)
        job_id = await desk.add(kinds.flexible)
        runner = Runner(desk.services, PLACES)
        pulling = asyncio.create_task(runner.pull(Queue.LIGHT))
        await asyncio.sleep(when)
        pulling.cancel()
        await runner.stop(grace=0)
        assert (await desk.row(job_id)).state == JobState.PENDING
