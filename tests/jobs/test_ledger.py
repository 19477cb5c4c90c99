import asyncio
import time
from datetime import UTC, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from acredita import jobs
from acredita.jobs import JobContext, LeaseLost, Priority, Queue, ledger, retries
from acredita.jobs.ledger.finishing import COLUMNS
from acredita.jobs.ledger.wake_ups import queue_name
from acredita.kit.statement_pool import Writes
from acredita.models import FinishedJob, Job, JobState
from tests.jobs import kinds


async def finish(desk, job, number=1) -> None:
    async with JobContext(desk.services, job).finish() as session:
        await session.execute(kinds.EFFECT, {"number": number})


class TestAdding:
    async def test_a_job_exists_if_and_only_if_its_transaction_commits(self, desk):
        async with desk.database.transaction() as session:
            await jobs.add(session, kinds.note, {"number": 1})
            await session.rollback()
        assert await desk.rows() == []
        job_id = await desk.add()
        assert [row.id for row in await desk.rows()] == [job_id]

    async def test_a_payload_that_the_handler_cannot_take_is_refused_where_it_is_added(self, desk):
        with pytest.raises(TypeError):
            await desk.add(payload={"nummer": 1})

    async def test_once_is_once_even_after_the_job_is_done(self, desk):
        first = await desk.add(once_key="step:1")
        assert await desk.add(once_key="step:1") is None
        await finish(desk, await desk.claim_one())
        assert await desk.add(once_key="step:1") is None
        assert (await desk.row(first)).state == JobState.DONE

    async def test_two_transactions_adding_the_same_once_key_at_a_time_make_one_job(self, desk):
        added = await asyncio.gather(*(desk.add(once_key="step:1") for _ in range(4)))
        assert sum(job_id is not None for job_id in added) == 1
        assert len(await desk.rows()) == 1

    async def test_pending_jobs_coalesce_into_the_sooner_and_the_more_urgent(self, desk):
        first = await desk.add(coalesce_key="org:1", delay=60)
        second = await desk.add(coalesce_key="org:1", priority=Priority.URGENT)
        assert first == second
        (row,) = await desk.rows()
        assert row.run_at <= datetime.now(UTC)
        assert row.priority == Priority.URGENT

    async def test_jobs_coalesce_however_often_a_connection_has_prepared_the_statement(self, desk):
        async with desk.database.transaction() as session:
            added = {
                await jobs.add(session, kinds.note, {"number": 1}, coalesce_key="org:1")
                # From the sixth time on PostgreSQL may plan without looking at the values.
                for _ in range(12)
            }
        assert len(added) == 1

    async def test_a_running_job_does_not_coalesce_for_it_may_have_read_old_data(self, desk):
        await desk.add(coalesce_key="org:1")
        await desk.claim_one()
        await desk.add(coalesce_key="org:1")
        assert [row.state for row in await desk.rows()] == [JobState.RUNNING, JobState.PENDING]

    async def test_a_coalesced_job_is_not_taken_before_its_caller_has_committed(self, desk):
        job_id = await desk.add(coalesce_key="org:1")
        async with desk.database.transaction() as session:
            assert (
                await jobs.add(session, kinds.note, {"number": 1}, coalesce_key="org:1") == job_id
            )
            # In another task, because this one holds a connection.
            assert await asyncio.create_task(desk.claim()) == []
        assert len(await desk.claim()) == 1

    async def test_once_and_coalesce_exclude_each_other(self, desk):
        with pytest.raises(ValueError, match="not both"):
            await desk.add(once_key="a", coalesce_key="b")

    async def test_the_database_refuses_a_lease_without_a_run(self, desk):
        job_id = await desk.add()
        with pytest.raises(DBAPIError, match="lease_while_running"):
            await desk.run("UPDATE job SET lease_token = gen_random_uuid() WHERE id = :id", job_id)


class TestClaiming:
    async def test_every_job_is_claimed_by_one_of_many_at_once(self, desk):
        for number in range(20):
            await desk.add(payload={"number": number})
        claims = await asyncio.gather(*(desk.claim(limit=7) for _ in range(6)))
        claimed = [job.id for claim in claims for job in claim]
        assert sorted(claimed) == sorted(row.id for row in await desk.rows())
        assert len(set(claimed)) == 20

    async def test_what_is_not_due_is_left_alone(self, desk):
        later = datetime.now(UTC) + timedelta(hours=1)
        await desk.add(run_at=later)
        await desk.add(delay=30)
        assert await desk.claim(limit=9) == []

    async def test_the_urgent_go_first_then_the_longest_waiting(self, desk):
        bulk = await desk.add(priority=Priority.BULK, run_at=datetime(2020, 1, 1, tzinfo=UTC))
        normal = await desk.add(run_at=datetime(2021, 1, 2, tzinfo=UTC))
        older = await desk.add(run_at=datetime(2021, 1, 1, tzinfo=UTC))
        urgent = await desk.add(priority=Priority.URGENT)
        order = [(await desk.claim_one()).id for _ in range(4)]
        assert order == [urgent, older, normal, bulk]

    async def test_queues_are_apart(self, desk):
        await desk.add(kinds.ids, {"thing": uuid4()})
        assert await desk.claim(Queue.LIGHT) == []
        assert len(await desk.claim(Queue.WEBHOOKS)) == 1

    async def test_a_kind_that_this_release_does_not_know_is_left_for_the_one_that_does(self, desk):
        job_id = await desk.add()
        await desk.run("UPDATE job SET kind = 'of.the.future' WHERE id = :id", job_id)
        assert await desk.claim() == []


class TestLeases:
    async def test_a_heartbeat_tells_what_is_still_held_and_renews_it(self, desk):
        await desk.add()
        await desk.add(payload={"number": 2})
        kept, stolen = await desk.claim(limit=2)
        await desk.expire(stolen.id)
        await ledger.reap(desk.services, stolen)
        before = (await desk.row(kept.id)).lease_expires_at
        assert await ledger.renew_leases(desk.database, [kept, stolen], lease=60) == {
            kept.lease_token
        }
        assert (await desk.row(kept.id)).lease_expires_at > before
        assert (await desk.row(stolen.id)).lease_expires_at is None

    async def test_a_heartbeat_does_not_wait_for_a_finishing_transaction(self, desk):
        await desk.add()
        await desk.add(payload={"number": 2})
        finishing, other = await desk.claim(limit=2)
        async with JobContext(desk.services, finishing).finish():
            async with asyncio.timeout(2):
                held = await asyncio.create_task(
                    ledger.renew_leases(desk.database, [finishing, other], lease=60)
                )
            assert held == {finishing.lease_token, other.lease_token}

    async def test_whoever_lost_the_lease_changes_nothing(self, desk):
        job_id = await desk.add()
        zombie = await desk.claim_one()
        await desk.expire(job_id)
        await ledger.reap(desk.services, zombie)
        heir = await desk.claim_one()
        for act in (
            finish(desk, zombie),
            ledger.release(desk.database, zombie),
            ledger.fail(desk.services, zombie, "late", permanent=True),
        ):
            with pytest.raises(LeaseLost):
                await act
        assert (await desk.row(job_id)).lease_token == heir.lease_token
        await finish(desk, heir)
        assert await desk.effects() == [1]

    async def test_a_job_finishes_once(self, desk):
        await desk.add()
        job = await desk.claim_one()
        results = await asyncio.gather(
            *(finish(desk, job) for _ in range(3)), return_exceptions=True
        )
        assert [type(result) for result in results if result] == [LeaseLost, LeaseLost]
        assert await desk.effects() == [1]

    async def test_done_jobs_leave_the_table_of_waiting_ones_with_what_an_operator_asks(self, desk):
        for number in (1, 2, 3, 4):
            payload = {"number": number}
            await desk.add(payload=payload, organization_id=uuid4(), request_id="req_1")
        lost, *held = await desk.claim(limit=4)
        before = {row.id: row for row in await desk.rows()}
        await ledger.fail(desk.services, lost, "no")
        assert await ledger.complete_all(desk.database, [lost, *held[:2]]) == {
            job.lease_token for job in held[:2]
        }
        await finish(desk, held[2])
        async with desk.database.transaction() as session:
            assert [job.id for job in await session.scalars(select(Job))] == [lost.id]
            finished = (await session.scalars(select(FinishedJob))).all()
        assert {row.id for row in finished} == {job.id for job in held}
        for row in finished:
            assert row.finished_at >= row.created_at
            for name in COLUMNS:
                assert getattr(row, name) == getattr(before[row.id], name), name

    async def test_effects_and_completion_roll_back_together(self, desk):
        job_id = await desk.add()
        job = await desk.claim_one()
        with pytest.raises(DBAPIError):
            await finish(desk, job, number=2**40)
        assert (await desk.row(job_id)).state == JobState.RUNNING
        assert await desk.effects() == []

    async def test_giving_back_spends_no_attempt(self, desk):
        job_id = await desk.add()
        for _ in range(5):
            await ledger.release(desk.database, await desk.claim_one())
        row = await desk.row(job_id)
        assert (row.state, row.attempts) == (JobState.PENDING, 0)


class TestFailing:
    async def test_a_failed_job_waits_and_then_is_dead_with_its_consequence(self, desk):
        job_id = await desk.add()
        assert await ledger.fail(desk.services, await desk.claim_one(), "no") == JobState.PENDING
        row = await desk.row(job_id)
        assert row.run_at > datetime.now(UTC) + timedelta(seconds=1)
        assert (row.last_error, row.attempts) == ("no", 1)
        await desk.make_due(job_id)
        assert await ledger.fail(desk.services, await desk.claim_one(), "no") == JobState.DEAD
        assert await desk.effects() == [kinds.DIED + 1]

    async def test_for_good_is_for_good(self, desk):
        await desk.add()
        job = await desk.claim_one()
        assert await ledger.fail(desk.services, job, "never", permanent=True) == JobState.DEAD
        assert await desk.effects() == [kinds.DIED + 1]

    async def test_death_and_its_consequence_roll_back_together(self, desk):
        job_id = await desk.add(kinds.unmournable)
        job = await desk.claim_one()
        with pytest.raises(RuntimeError):
            await ledger.fail(desk.services, job, "no")
        assert (await desk.row(job_id)).state == JobState.RUNNING
        assert await desk.effects() == []

    async def test_back_off_doubles_up_to_a_cap_with_jitter(self):
        for attempts in (1, 2, 3, 4):
            expected = retries.FIRST_RETRY * 2 ** (attempts - 1)
            delays = {retries.back_off(attempts) for _ in range(50)}
            assert len(delays) > 1
            assert all(0.75 * expected <= delay <= 1.25 * expected for delay in delays)
        assert retries.back_off(10_000) <= retries.LONGEST_RETRY * 1.25

    async def test_a_retry_gives_way_to_a_newer_pending_job_of_its_key(self, desk):
        old = await desk.add(coalesce_key="org:1")
        running = await desk.claim_one()
        new = await desk.add(coalesce_key="org:1")
        await ledger.fail(desk.services, running, "no", delay=0)
        states = {row.id: row.state for row in await desk.rows()}
        assert states == {old: JobState.DONE, new: JobState.PENDING}
        assert (await desk.row(old)).last_error == "superseded"

    async def test_a_job_that_runs_again_has_all_its_attempts(self, desk):
        job_id = await desk.add()
        await ledger.fail(desk.services, await desk.claim_one(), "no", delay=0)
        context = JobContext(desk.services, await desk.claim_one())
        async with context.finish():
            context.run_again(delay=0)
        row = await desk.row(job_id)
        assert (row.state, row.attempts, row.last_error) == (JobState.PENDING, 0, None)
        context = JobContext(desk.services, await desk.claim_one())
        moment = datetime(2090, 1, 1, tzinfo=UTC)
        context.run_again(at=moment)
        async with context.finish():
            pass
        assert (await desk.row(job_id)).run_at == moment

    async def test_crashes_before_a_checkpoint_do_not_end_a_job_that_advances(self, desk):
        job_id = await desk.add()

        async def crash(job):
            await desk.expire(job_id)
            expired = [each for each in await ledger.expired(desk.database) if each.id == job.id]
            return await ledger.reap(desk.services, *expired)

        job = await desk.claim_one()
        for _ in range(job.max_attempts - 1):
            await crash(job)
            job = await desk.claim_one()
        assert job.attempts == job.max_attempts
        async with JobContext(desk.services, job).checkpoint():
            pass
        assert await crash(job) is JobState.PENDING
        assert (await desk.row(job_id)).attempts == 1


class TestWakeUps:
    async def test_a_worker_hears_of_a_job_after_its_commit_and_of_a_later_one_by_polling(
        self, desk, redis
    ):
        waiting = partial(redis.zcard, queue_name(Queue.LIGHT))
        await desk.add(delay=60)
        async with desk.database.transaction() as session:
            await jobs.add(session, kinds.note, {"number": 1})
            await session.flush()
            await asyncio.sleep(0.05)
            assert await waiting() == 0
        async with asyncio.timeout(5):
            while not await waiting():  # noqa: ASYNC110
                await asyncio.sleep(0.01)

    async def test_a_flood_leaves_one_wake_up_without_any_data(self, desk, redis):
        for _ in range(20):
            await desk.add(payload={"number": 4711})
        await asyncio.sleep(0.1)
        assert await redis.zcard(queue_name(Queue.LIGHT)) == 1
        (key,) = await redis.keys("arq:job:*")
        content = await redis.get(key)
        assert content.startswith(b"{")
        assert b"4711" not in content

    async def test_without_redis_a_commit_neither_fails_nor_waits(self, desk):
        await desk.database.announcer.__aexit__(None, None, None)
        started = time.monotonic()
        await desk.add()
        assert time.monotonic() - started < 1
        assert await desk.claim()


class TestPlans:
    @pytest.mark.parametrize("queue", ["light", "webhooks"])
    async def test_a_claim_reads_neither_the_backlog_nor_the_future(self, desk, queue):
        """Five thousand waiting jobs and as many of later: a claim touches those that it takes."""
        async with desk.database.transaction() as session:
            await session.execute(
                text(
                    "INSERT INTO job (id, kind, payload, queue, run_at, max_attempts)"
                    " SELECT gen_random_uuid(), 'test.note', '{}', 'light',"
                    " now() + (n - 5000) * interval '1 s', 5 FROM generate_series(1, 10000) n"
                )
            )
        async with desk.database.reading() as connection:
            await connection.execute(text("ANALYZE job"))
        claim = (queue, 3, 30.0, ["test.note"], [])
        lines = await plan(desk, ledger.CLAIM_DUE, *claim)
        assert "Index Scan using ix_job_due" in lines
        assert "Seq Scan" not in lines
        assert "Rows Removed" not in lines

    async def test_a_claim_in_turn_steps_from_organization_to_organization(self, desk):
        async with desk.database.transaction() as session:
            await session.execute(
                text(
                    "INSERT INTO job (id, kind, payload, queue, organization_id, max_attempts)"
                    " SELECT gen_random_uuid(), 'test.engine', '{}', 'engines',"
                    " md5((n / 2000)::text)::uuid, 5 FROM generate_series(1, 10000) n"
                )
            )
        async with desk.database.reading() as connection:
            await connection.execute(text("ANALYZE job"))
        claim = (Queue.ENGINES, 3, 30.0, ["test.engine"], uuid4(), [0, 1], "{}", 2**31 - 1)
        lines = await plan(desk, ledger.CLAIM_IN_TURN[Queue.ENGINES], *claim)
        assert "using ix_job_turn" in lines
        assert "Seq Scan" not in lines
        assert "Sort Key: job.run_at" not in lines


async def plan(desk, statement, *arguments):
    explain = f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF, BUFFERS) {statement}"
    return "\n".join(row[0] for row in await Writes(desk.database).rows(explain, *arguments))
