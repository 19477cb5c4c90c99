"""Every job is done and every effect happens once, also when processes are killed."""

import asyncio
import logging
import signal
import time
from collections import Counter

import pytest
from sqlalchemy import select, text

from acredita import jobs
from acredita.models import Job, JobState
from tests.factories.jobs import find_jobs
from tests.loaded_processes import PROGRAM, LoadedProcess
from tests.reliability import kinds
from tests.reliability.fleet import Faults, Fleet, KillableRedis

log = logging.getLogger(__name__)

LEASE = 2.0


@pytest.fixture
async def tables(services):
    async with services.database.transaction() as session:
        for table in ("run", "effect"):
            await session.execute(text(f"DROP TABLE IF EXISTS {table}"))
            await session.execute(text(f"CREATE TABLE {table} (number integer NOT NULL)"))
    yield
    async with services.database.transaction() as session:
        await session.execute(text("DROP TABLE run, effect"))


@pytest.fixture
def redis():
    server = KillableRedis()
    server.start()
    yield server
    server.kill()


@pytest.fixture
def fleet(services, redis, tables):
    def of(size, *, redis_url=redis.url, grace=5.0):
        fleet = Fleet(
            size,
            {
                "ACREDITA_ENV": "test",
                "ACREDITA_DATABASE_URL": services.settings.database_url,
                "ACREDITA_REDIS_URL": redis_url,
                "ACREDITA_JOB_LEASE": str(LEASE),
                "ACREDITA_WORKER_GRACE": str(grace),
            },
        )
        fleets.append(fleet)
        fleet.keep_up()
        return fleet

    fleets: list[Fleet] = []
    yield of
    for each in fleets:
        each.kill()


async def add(services, definition, numbers) -> None:
    async with services.database.transaction() as session:
        for number in numbers:
            await jobs.add(session, definition, {"number": number})


async def runs_and_effects(services) -> tuple[Counter, Counter]:
    async with services.database.reading() as connection:
        return (
            Counter(await connection.scalars(text("SELECT number FROM run"))),
            Counter(await connection.scalars(text("SELECT number FROM effect"))),
        )


async def repeated_runs(services) -> int:
    runs, _ = await runs_and_effects(services)
    return sum(count - 1 for count in runs.values())


async def states(services) -> dict[str, int]:
    async with services.database.transaction() as session:
        return Counter(job.state for job in await find_jobs(session))


async def cut_connections(services) -> None:
    """As a restart of PostgreSQL does: the workers don't know whether their commits arrived."""
    async with services.database.reading() as connection:
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name LIKE 'acredita worker%'"
            )
        )


async def until(condition, *, within: float) -> None:
    async with asyncio.timeout(within):
        while not await condition():  # noqa: ASYNC110 (the processes are not ours to await)
            await asyncio.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rounds", [8, pytest.param(30, marks=pytest.mark.thorough)], ids="{} rounds".format
)
async def test_every_effect_happens_once_under_kills_and_flushes(services, redis, fleet, rounds):
    """Pairs of jobs and a poisonous one, added while a fault strikes in each round."""
    workers = fleet(3)
    faults = Faults(workers, redis, freeze=LEASE * 1.5, outage=1.5)
    began = time.monotonic()
    pairs = round_ = 0

    async def begun():
        return JobState.RUNNING in await states(services)

    # Faults strike at random: there are more rounds until enough of them have hit a running job.
    while round_ < rounds or await repeated_runs(services) <= rounds // 6:
        if not rounds // 2 <= round_ < rounds:
            await add(services, kinds.work, range(pairs, pairs + 10))
            pairs += 10
            await until(begun, within=20)
        else:
            await asyncio.sleep(0.5)
        if round_ == 5:
            await add(services, kinds.poison, [99_999])
        await asyncio.to_thread(faults.inflict_one)
        if round_ % 8 == 7:
            await cut_connections(services)
        round_ += 1
    await asyncio.to_thread(faults.heal)

    async def quiet():
        workers.keep_up()
        return set(await states(services)) == {JobState.DONE, JobState.DEAD}

    await until(quiet, within=45)
    # One that has only just begun to start does not listen to SIGTERM yet.
    assert set(await asyncio.to_thread(workers.stop)) <= {0, -signal.SIGTERM}

    runs, effects = await runs_and_effects(services)
    expected = {*range(pairs), *range(kinds.LAST, kinds.LAST + pairs), -99_999}
    assert effects == dict.fromkeys(expected, 1)
    assert await states(services) == {JobState.DONE: 2 * pairs, JobState.DEAD: 1}
    assert runs[99_999] <= 2
    # The faults did hit: jobs were begun again after their worker was lost.
    repeated = await repeated_runs(services)
    assert repeated > rounds // 6
    log.info("%s: %d runs repeated, %.0f s", faults.count, repeated, time.monotonic() - began)


async def test_a_worker_that_is_told_to_stop_gives_its_jobs_back_and_exits_well(services, fleet):
    await add(services, kinds.endless, range(20))
    workers = fleet(1, grace=0.2)

    async def all_places_are_taken():
        return (await states(services)).get(JobState.RUNNING) == 16

    await until(all_places_are_taken, within=20)
    began = time.monotonic()
    assert await asyncio.to_thread(workers.stop) == [0]
    assert time.monotonic() - began < 5
    async with services.database.reading() as connection:
        rows = await connection.execute(select(Job.state, Job.attempts))
        assert {tuple(row) for row in rows} == {(JobState.PENDING, 0)}


async def test_work_goes_on_without_any_redis(services, fleet):
    await add(services, kinds.work, range(20))
    workers = fleet(1, redis_url="redis://127.0.0.1:1/0")

    async def done():
        return await states(services) == {JobState.DONE: 40}

    await until(done, within=20)
    assert await asyncio.to_thread(workers.stop) == [0]


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [({}, 0, "acredita "), ({"ACREDITA_NONSENSE": "1"}, 2, "ACREDITA_NONSENSE")],
)
def test_a_loaded_process_has_its_own_arguments_environment_output_and_end(
    tmp_path, given, code, words
):
    option = "lists" if given else "--version"
    group = ["aml"] if given else []
    with (tmp_path / "log").open("w") as log:
        argv = [*PROGRAM, "acredita.cli", *group, option]
        process = LoadedProcess(argv, env=given, cwd=tmp_path, stdout=log, stderr=log)
        assert process.wait(30) == process.poll() == code
    assert words in (tmp_path / "log").read_text()
