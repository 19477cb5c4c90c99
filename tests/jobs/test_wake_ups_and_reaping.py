import asyncio
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from acredita.jobs import Priority, Queue, ledger, purge, registry
from acredita.jobs.arq_worker import listen
from acredita.jobs.ledger.wake_ups import queue_name
from acredita.jobs.reaper import reap, revive_recurring
from acredita.jobs.runner import Runner
from acredita.models import JobState
from tests.jobs import kinds


@asynccontextmanager
async def in_background(coroutine):
    task = asyncio.create_task(coroutine)
    try:
        yield task
    finally:
        # Again and again, as in the worker: arq may ignore a cancellation.
        while not task.done():
            task.cancel()
            await asyncio.wait({task}, timeout=0.5)


async def until(condition) -> None:
    async with asyncio.timeout(10):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class TestListening:
    @pytest.fixture
    async def runner(self, desk):
        runner = Runner(desk.services, {Queue.LIGHT: 2})
        async with in_background(runner.pull_for_ever(Queue.LIGHT)):
            yield runner
        await runner.stop(grace=5)

    @pytest.fixture(autouse=True)
    def polling_finds_nothing(self, monkeypatch):
        monkeypatch.setattr("acredita.jobs.runner.POLL", 60)

    async def states(self, desk):
        return [row.state for row in await desk.rows()]

    async def test_a_wake_up_starts_jobs_that_were_added_since_the_last_one(
        self, desk, redis, runner
    ):
        async with in_background(listen(redis, runner, Queue.LIGHT, places=2)):
            for number in (1, 2, 3):
                await desk.add()

                async def all_are_done(number=number):
                    return await self.states(desk) == [JobState.DONE] * number

                await until(all_are_done)

            # arq removes a wake-up after the job that it started.
            async def no_wake_up_is_left():
                return await redis.zcard(queue_name(Queue.LIGHT)) == 0

            await until(no_wake_up_is_left)

    async def test_a_busy_worker_leaves_the_wake_up_to_an_idle_one(
        self, desk, redis, runner, handle
    ):
        gate = asyncio.Event()

        async def wait(context):
            await gate.wait()

        handle(wait)
        for _ in range(5):
            await desk.add(kinds.patient)
        async with in_background(listen(redis, runner, Queue.LIGHT, places=2)):

            async def both_places_are_taken():
                return runner.in_flight == 2

            await until(both_places_are_taken)
            await asyncio.sleep(0.35)  # three more looks at Redis
            # Full, it has rung for the others.
            assert await redis.zcard(queue_name(Queue.LIGHT)) == 1
            assert runner.in_flight == 2
            gate.set()

            async def all_are_done():
                return set(await self.states(desk)) == {JobState.DONE}

            await until(all_are_done)

    async def test_a_wake_up_whose_message_expired_still_wakes(self, desk, redis, runner):
        await redis.zadd(queue_name(Queue.LIGHT), {"expired": 1})
        await desk.run("UPDATE job SET run_at = now() WHERE id = :id", await desk.add(delay=60))
        async with in_background(listen(redis, runner, Queue.LIGHT, places=2)):

            async def done():
                return await self.states(desk) == [JobState.DONE]

            await until(done)

    async def test_forged_and_stale_messages_do_nothing(self, desk, redis, runner):
        job_id = await desk.add(delay=600)
        await redis.enqueue_job("wake", str(job_id), _queue_name=queue_name("light"))
        await redis.enqueue_job("wake", {"a": 1}, _queue_name=queue_name("light"))
        await redis.enqueue_job("os.system", "true", _queue_name=queue_name("light"))
        pickled = b"cos\nsystem\n(S'touch /tmp/acredita-evil'\ntR."
        await redis.set("arq:job:pickled", pickled)
        await redis.zadd(queue_name("light"), {"pickled": 1})
        async with in_background(listen(redis, runner, Queue.LIGHT, places=2)) as listening:

            async def heard():
                return await redis.zcard(queue_name("light")) == 0

            await until(heard)
            assert not listening.done()
        assert runner.in_flight == 0
        assert (await desk.row(job_id)).state == JobState.PENDING


class TestReaping:
    async def test_a_job_whose_worker_died_is_pending_again_and_in_the_end_dead(self, desk):
        job_id = await desk.add()
        for state in (JobState.PENDING, JobState.DEAD):
            await desk.claim_one()
            assert await reap(desk.services) == 0
            await desk.expire(job_id)
            assert await reap(desk.services) == 1
            assert (await desk.row(job_id)).state == state
        assert await desk.effects() == [kinds.DIED + 1]

    async def test_one_death_that_cannot_be_recorded_holds_up_no_other(self, desk):
        stuck = await desk.add(kinds.unmournable, priority=Priority.URGENT)
        other = await desk.add()
        for job in await desk.claim(limit=2):
            await desk.expire(job.id)
        assert await reap(desk.services) == 1
        assert (await desk.row(stuck)).state == JobState.RUNNING
        assert (await desk.row(other)).state == JobState.PENDING
        assert await desk.effects() == []

    async def test_reapers_do_not_reap_twice(self, desk):
        await desk.add()
        job = await desk.claim_one()
        await desk.expire(job.id)
        assert sum(await asyncio.gather(*(reap(desk.services) for _ in range(4)))) == 1

    async def test_a_worker_that_is_finishing_at_the_moment_is_not_robbed(self, desk):
        await desk.add()
        job = await desk.claim_one()
        await desk.expire(job.id)
        async with desk.database.transaction() as session:
            await ledger.lock_lease(session, job)
            assert await asyncio.create_task(reap(desk.services)) == 0
            await ledger.complete(session, job)


class TestRecurring:
    async def only_row(self, desk):
        (row,) = [row for row in await desk.rows() if row.kind == kinds.tick.kind]
        return row

    async def test_a_recurring_job_is_one_row_that_comes_back(self, desk, monkeypatch):
        monkeypatch.setattr(registry, "recurring_definitions", lambda: [kinds.tick])
        await asyncio.gather(*(revive_recurring(desk.services.database) for _ in range(3)))
        runner = Runner(desk.services, {Queue.LIGHT: 2})
        with capture_logs() as lines:
            await runner.pull(Queue.LIGHT)
            await runner.stop(grace=5)
        # Otherwise a process without work would fill the log.
        assert [line for line in lines if line["log_level"] != "debug"] == []
        row = await self.only_row(desk)
        assert await desk.effects() == [7]
        assert row.state == JobState.PENDING
        assert 55 < (row.run_at - row.created_at).total_seconds() < 70
        before = row.run_at
        await revive_recurring(desk.services.database)
        assert (await self.only_row(desk)).run_at == before

    async def test_one_that_died_comes_back_at_its_next_time(self, desk, monkeypatch):
        monkeypatch.setattr(registry, "recurring_definitions", lambda: [kinds.tick])
        await revive_recurring(desk.services.database)
        await ledger.fail(desk.services, await desk.claim_one(), "no", permanent=True)
        assert (await self.only_row(desk)).state == JobState.DEAD
        await revive_recurring(desk.services.database)
        row = await self.only_row(desk)
        assert (row.state, row.attempts) == (JobState.PENDING, 0)
        assert (row.run_at - row.created_at).total_seconds() > 55


async def test_jobs_done_long_ago_are_purged_and_no_others(desk):
    rows = {
        "done long ago": ("done", 31),
        "done lately": ("done", 29),
        "dead": ("dead", 31),
    }
    for number, (state, days) in enumerate(rows.values()):
        job_id = await desk.add(payload={"number": number})
        await desk.run(
            "UPDATE job SET state = :state, finished_at = now() - make_interval(days => :days)"
            " WHERE id = :id",
            job_id,
            state=state,
            days=days,
        )
    await desk.add(payload={"number": 3})
    await desk.add(purge.purge, {}, delay=0)
    runner = Runner(desk.services, {Queue.LIGHT: 5})
    left = await desk.claim()
    await runner.pull(Queue.LIGHT)
    await runner.stop(grace=5)
    assert [job.payload["number"] for job in left] == [3]
    kept = [row.payload["number"] for row in await desk.rows() if row.kind == kinds.note.kind]
    assert kept == [1, 2, 3]
