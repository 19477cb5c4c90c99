import asyncio
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import text

from acredita.jobs import Priority, Queue, ledger, purge, registry
from acredita.jobs.arq_worker import SENTINEL, ArqDoorbell, listen, queue_name
from acredita.jobs.dispatcher import dispatch, dispatch_for_ever
from acredita.jobs.reaper import reap, revive_recurring
from acredita.jobs.runner import Runner
from acredita.models import JobState
from tests.jobs import kinds


@pytest.fixture
def doorbell(redis):
    return ArqDoorbell(redis)


@asynccontextmanager
async def in_background(coroutine):
    task = asyncio.create_task(coroutine)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def until(condition) -> None:
    async with asyncio.timeout(10):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class TestDispatching:
    async def test_what_is_due_is_announced_once(self, desk, doorbell, redis):
        await desk.add()
        await desk.add(delay=60)
        assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == 1
        assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == 0
        assert await redis.zcard(queue_name(Queue.LIGHT)) == 1

    async def test_many_dispatchers_do_not_announce_twice(self, desk, doorbell):
        for _ in range(30):
            await desk.add()
        sent = await asyncio.gather(
            *(dispatch(desk.database, doorbell, [Queue.LIGHT]) for _ in range(3))
        )
        assert sum(sent) == 30

    async def test_an_unheard_wake_up_is_repeated_less_and_less_often(self, desk, doorbell):
        job_id = await desk.add()
        await dispatch(desk.database, doorbell, [Queue.LIGHT])
        for publishes, seconds in ((1, 30), (2, 60), (3, 120), (4, 120), (5, 120)):
            for age, sent in ((seconds - 1, 0), (seconds + 1, 1)):
                await desk.run(
                    "UPDATE job SET published_at = now() - make_interval(secs => :age)"
                    " WHERE id = :id",
                    job_id,
                    age=age,
                )
                assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == sent
            assert (await desk.row(job_id)).publishes == publishes + 1

    async def test_a_redis_that_was_emptied_is_told_everything_again(self, desk, doorbell, redis):
        await desk.add()
        await dispatch(desk.database, doorbell, [Queue.LIGHT])
        await redis.flushdb()
        assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == 1
        assert await redis.exists(SENTINEL)
        assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == 0

    async def test_a_backlog_does_not_fill_redis(self, desk, doorbell, redis):
        async with desk.database.transaction() as session:
            await session.execute(
                text(
                    "INSERT INTO job (id, kind, payload, queue, max_attempts)"
                    " SELECT gen_random_uuid(), 'test.note', '{}', 'light', 5"
                    " FROM generate_series(1, 1300)"
                )
            )
        assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == 1000
        assert await dispatch(desk.database, doorbell, [Queue.LIGHT]) == 0

    async def test_redis_holds_ids_in_json_and_nothing_else(self, desk, doorbell, redis):
        job_id = await desk.add(payload={"number": 4711})
        await dispatch(desk.database, doorbell, [Queue.LIGHT])
        (key,) = await redis.keys("arq:job:*")
        content = await redis.get(key)
        assert content.startswith(b"{")
        assert str(job_id).encode() in content
        assert b"4711" not in content

    async def test_it_wakes_when_a_job_commits(self, desk, doorbell, redis, monkeypatch):
        monkeypatch.setattr("acredita.jobs.dispatcher.POLL", 60)
        async with in_background(dispatch_for_ever(desk.database, doorbell)):
            await until(lambda: redis.exists(SENTINEL))
            for number in (1, 2):
                await desk.add()

                async def announced(number=number):
                    return await redis.zcard(queue_name(Queue.LIGHT)) == number

                await until(announced)

    async def test_it_ends_and_is_not_deaf_when_its_connection_is_cut(
        self, desk, doorbell, redis, monkeypatch
    ):
        monkeypatch.setattr("acredita.jobs.dispatcher.POLL", 60)
        async with in_background(dispatch_for_ever(desk.database, doorbell)) as dispatching:
            await until(lambda: redis.exists(SENTINEL))
            async with desk.database.reading() as connection:
                await connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        " WHERE query ILIKE 'LISTEN%' AND datname = current_database()"
                    )
                )
            async with asyncio.timeout(5):
                await dispatching


class TestListening:
    @pytest.fixture
    def runner(self, desk):
        return Runner(desk.services, {Queue.LIGHT: 2})

    async def test_a_wake_up_starts_the_job_in_this_process(self, desk, doorbell, redis, runner):
        job_id = await desk.add()
        async with in_background(listen(redis, runner, Queue.LIGHT, places=2)):
            await dispatch(desk.database, doorbell, [Queue.LIGHT])

            async def done():
                return (await desk.row(job_id)).state == JobState.DONE

            await until(done)

    async def test_a_busy_worker_leaves_wake_ups_to_idle_ones(
        self, desk, doorbell, redis, runner, handle
    ):
        gate = asyncio.Event()

        async def wait(context):
            await gate.wait()

        handle(wait)
        for _ in range(5):
            await desk.add(kinds.patient)
        async with in_background(listen(redis, runner, Queue.LIGHT, places=2)):
            await dispatch(desk.database, doorbell, [Queue.LIGHT])

            async def both_places_are_taken():
                return runner.in_flight == 2

            await until(both_places_are_taken)
            await asyncio.sleep(0.35)  # three more looks at Redis
            assert await redis.zcard(queue_name(Queue.LIGHT)) == 3
            assert runner.in_flight == 2
            # And it hears again as soon as it has places.
            gate.set()

            async def all_are_done():
                return {row.state for row in await desk.rows()} == {JobState.DONE}

            await until(all_are_done)
        await runner.stop(grace=5)

    async def test_forged_and_stale_messages_do_nothing(self, desk, redis, runner):
        job_id = await desk.add(delay=600)
        await redis.enqueue_job("wake", str(job_id), _queue_name=queue_name("light"))
        await redis.enqueue_job("wake", "not an id", _queue_name=queue_name("light"))
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
            assert await reap(desk.services) == 0
            await ledger.complete(session, job)


class TestRecurring:
    async def only_row(self, desk):
        (row,) = [row for row in await desk.rows() if row.kind == kinds.tick.kind]
        return row

    async def test_a_recurring_job_is_one_row_that_comes_back(self, desk, monkeypatch):
        monkeypatch.setattr(registry, "recurring_definitions", lambda: [kinds.tick])
        await asyncio.gather(*(revive_recurring(desk.services.database) for _ in range(3)))
        runner = Runner(desk.services, {Queue.LIGHT: 2})
        await runner.pull(Queue.LIGHT)
        await runner.stop(grace=5)
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
