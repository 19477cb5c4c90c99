"""A worker's jobs in numbers, and its health."""

import asyncio
from dataclasses import replace

import aiohttp
import pytest
from sqlalchemy import text

from acredita import jobs, worker
from acredita.embedded.ports import free_port
from acredita.jobs import Queue
from acredita.jobs.reaper import reap
from acredita.jobs.runner import LONGEST_SILENCE, Runner
from tests.observability import kinds
from tests.observability.conftest import HEADERS, Numbers, numbers_of
from tests.pipeline.conftest import until


@pytest.fixture
def handle():
    def set_handler(handler):
        kinds.behaviour["handler"] = handler

    yield set_handler
    kinds.behaviour.clear()


async def add(services, **terms):
    async with services.database.transaction() as session:
        return await jobs.add(session, kinds.counted, {}, **terms)


async def run_due(services):
    runner = Runner(services, {Queue.LIGHT: 4})
    await runner.pull(Queue.LIGHT)
    await runner.stop(grace=10)


def ended(before: Numbers, after: Numbers, outcome):
    labels = {"kind": kinds.counted.kind, "outcome": outcome}
    return after.of("jobs_ended_total", **labels) - before.of("jobs_ended_total", **labels)


async def test_runs_are_counted_by_how_they_end(services, handle):
    async def succeed(context):
        pass

    async def fail(context):
        raise jobs.Later("not now")

    async def fail_for_good(context):
        raise jobs.PermanentFailure("never")

    before = await numbers_of(services)
    for handler in (succeed, fail, fail_for_good):
        handle(handler)
        await add(services)
        await run_due(services)
    after = await numbers_of(services)
    assert [ended(before, after, outcome) for outcome in ("done", "failed", "dead")] == [1, 1, 1]
    labels = {"kind": kinds.counted.kind}
    for name in ("jobs_claimed_total", "job_seconds_count", "job_lag_seconds_count"):
        assert after.of(name, **labels) - before.of(name, **labels) == 3
    assert after.of("jobs_running", queue="light") == 0


async def test_a_wait_is_measured_from_the_moment_at_which_a_job_was_due(services, handle):
    async def succeed(context):
        pass

    handle(succeed)
    before = await numbers_of(services)
    job_id = await add(services)
    async with services.database.transaction() as session:
        await session.execute(
            text("UPDATE job SET run_at = now() - interval '40 s' WHERE id = :id"), {"id": job_id}
        )
    await run_due(services)
    after = await numbers_of(services)
    waited = after.of("job_lag_seconds_sum") - before.of("job_lag_seconds_sum")
    assert 40 <= waited < 100


async def test_leases_of_the_dead_are_counted(services):
    before = await numbers_of(services)
    job_id = await add(services)
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "UPDATE job SET state = 'running', attempts = 1, lease_token = gen_random_uuid(),"
                " lease_expires_at = now() - interval '1 s' WHERE id = :id"
            ),
            {"id": job_id},
        )
    assert await reap(services) == 1
    assert ended(before, await numbers_of(services), "lease_expired") == 1


async def test_a_worker_shows_its_health_and_its_numbers_on_a_port_of_its_own(services):
    port, stop = free_port(), asyncio.Event()
    services = _with_port(services, port)
    serving = asyncio.create_task(worker.serve(services, tuple(Queue), stop))
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:

        async def health():
            try:
                async with session.get("/health") as answer:
                    return answer.status
            except aiohttp.ClientConnectionError:
                return None

        assert await until(health) == 200
        async with session.get("/metrics", headers=HEADERS) as answer:
            assert "acredita_jobs_claimed_total" in await answer.text()
    stop.set()
    await serving


async def test_a_worker_that_has_not_looked_for_work_is_not_well(services):
    runner = Runner(services, {Queue.LIGHT: 1, Queue.WEBHOOKS: 1})
    assert runner.is_healthy()
    runner._last_polls[Queue.LIGHT] -= LONGEST_SILENCE + 1
    assert not runner.is_healthy()
    pulling = asyncio.create_task(runner.pull_for_ever(Queue.LIGHT))

    async def is_well():
        return runner.is_healthy()

    await until(is_well)
    pulling.cancel()


def _with_port(services, port):
    settings = services.settings.model_copy(update={"metrics_port": port})
    return replace(services, settings=settings)
