"""Measure the job ledger in one run, as ratios: `make bench-ledger`.

- Commits per second of creates, with the announcements to 40 listeners, to those without right
  before and after. For comparison, the same insert with PostgreSQL's NOTIFY and 40 connections that
  LISTEN.
- The time from a commit to the start of its job, with Redis and without.
- What a claim in turn, the gauges and the check of unclaimed jobs take with a thousand and with a
  million waiting jobs.
- The time that a worker and PostgreSQL take for each second while 5,000 receivers rest.
- The CPU time of a job that does nothing, next to a former ledger, procrastinate and pgqueuer.

Exits with 1 when a bar is missed: announced commits at least 0.8 of silent ones; the gauges at most
50 ms with the largest backlog; a job started within a second, also without Redis; receivers that
rest take at most a fiftieth of a core; a third of the CPU time of the former ledger.
"""

import argparse
import asyncio
import os
import statistics
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from itertools import pairwise
from pathlib import Path

import asyncpg
from sqlalchemy import text

from acredita import jobs
from acredita.jobs import JobContext, Queue, job, ledger
from acredita.jobs.arq_worker import listen, open_arq
from acredita.jobs.runner import FULL_ROUSE, POLL, Runner
from acredita.kit.notifications import Announcements, listening
from acredita.kit.statement_pool import connect_arguments
from acredita.resources.admin import queries
from acredita.resources.invariants.checks import JOB_UNCLAIMED
from acredita.resources.webhooks import delivery_rows
from acredita.services import Services, open_services
from acredita.settings import Settings
from benchmarks import ledger_contenders
from benchmarks.bars import Bar, report
from benchmarks.service import own_database

LISTENERS = 40
CLIENTS = 8
ROUNDS = 5
SECONDS = 2.0
CHANNEL = "acredita:benchmark"
STARTS = 30
BACKLOGS = (1_000, 1_000_000)
LEAST_ANNOUNCED = 0.8
MOST_MILLISECONDS_OF_GAUGES = 50.0
LONGEST_START = 1.0
RESTING = 5_000
# Of a core. Formerly each worker spent 0.2 to 0.5.
MOST_OF_CORE_FOR_RESTING = 0.02

INSERT = f"""
    WITH added AS ({
    jobs.adding(
        jobs.JobDefinition("bench.create", Queue.LIGHT, lambda _: None, 5, 5, None),
        {},
        organization_id="$1::uuid",
        request_id="NULL",
    )
}) SELECT 1 FROM added
"""  # noqa: S608 (constants)
NOTIFYING = INSERT.replace("SELECT 1", f"SELECT pg_notify('{CHANNEL}', 'light')")


@job("bench.start", queue=Queue.LIGHT, timeout=5)
async def start(_: JobContext, added: str) -> None:
    STARTED.append(time.monotonic() - float(added))


STARTED: list[float] = []


async def commits_per_second(insert: Callable[[], Awaitable[object]]) -> float:
    """How many times CLIENTS tasks together do `insert` in a second."""
    done = 0
    ends_at = time.monotonic() + SECONDS

    async def client() -> None:
        nonlocal done
        while time.monotonic() < ends_at:
            await insert()
            done += 1

    await asyncio.gather(*(client() for _ in range(CLIENTS)))
    return done / SECONDS


async def measure_commits(services: Services, url: str) -> list[Bar]:
    organization = uuid.uuid4()

    async def silent() -> None:
        await services.writes.row(INSERT, organization)

    async def announced() -> None:
        await services.writes.row(INSERT, organization)
        # As much as a change of a verification that a browser watches.
        services.writes.announce(
            *jobs.wake_up(Queue.LIGHT),
            *jobs.wake_up(Queue.WEBHOOKS),
            ("PUBLISH", f"{CHANNEL}:{uuid.uuid4()}", "changed"),
        )

    async def notified() -> None:
        await services.writes.row(NOTIFYING, organization)

    listeners = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "benchmarks.ledger", "--listen", url),
        stdout=asyncio.subprocess.PIPE,
    )
    assert listeners.stdout is not None
    await listeners.stdout.readline()
    ratio = await compared("announced", announced, silent)
    await compared("NOTIFY", notified, silent)
    listeners.terminate()
    await listeners.wait()
    name = f"commits a second with {LISTENERS} listeners, to without"
    return [Bar.at_least(name, ratio, LEAST_ANNOUNCED)]


async def compared(
    name: str, insert: Callable[[], Awaitable[object]], silent: Callable[[], Awaitable[object]]
) -> float:
    """Return the median of the rates of `insert`, each to the mean of the silent ones before and
    after it: the table grows, and neither kind follows the other more often.
    """
    rates, around = [], [await commits_per_second(silent)]
    for _ in range(ROUNDS):
        rates.append(await commits_per_second(insert))
        around.append(await commits_per_second(silent))
    ratio = statistics.median(
        rate / statistics.mean(pair) for rate, pair in zip(rates, pairwise(around), strict=True)
    )
    print(
        f"creates, {name:9}  {statistics.median(rates):7.0f}/s,"
        f" silent {statistics.median(around):7.0f}/s: {ratio:.2f}"
    )
    return ratio


async def listen_for_ever(url: str) -> None:
    """Be LISTENERS processes that stream changes, each of verifications of its own."""
    async with AsyncExitStack() as opened, asyncio.TaskGroup() as group:
        for number in range(LISTENERS):
            announcements = await opened.enter_async_context(
                listening(os.environ["ACREDITA_REDIS_URL"], f"{CHANNEL}:{number}")
            )
            group.create_task(wait_for_ever(announcements))
            connection = await asyncpg.connect(**connect_arguments(url))
            opened.push_async_callback(connection.close)
            await connection.add_listener(CHANNEL, lambda *_: None)
        print("listening", flush=True)


async def wait_for_ever(announcements: Announcements) -> None:
    while True:
        await announcements.wait(at_most=10)


async def measure_starts(services: Services) -> list[Bar]:
    runner = Runner(services, {Queue.LIGHT: 16})
    async with open_arq(services.settings.redis_url) as redis, asyncio.TaskGroup() as group:
        tasks = [group.create_task(runner.pull_for_ever(Queue.LIGHT))]
        bars = [await starts(services, "by polling")]
        tasks.append(group.create_task(listen(redis, runner, Queue.LIGHT, places=16)))
        bars.append(await starts(services, "with Redis"))
        for task in tasks:
            task.cancel()
    return bars


async def starts(services: Services, name: str) -> Bar:
    STARTED.clear()
    for number in range(STARTS):
        await asyncio.sleep(0.3 + 0.037 * (number % 7))
        async with services.database.transaction() as session:
            await jobs.add(session, start, {"added": str(time.monotonic())})
        async with asyncio.timeout(10):
            while len(STARTED) <= number:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
    quick = statistics.quantiles(STARTED, n=20)
    print(
        f"start of a job, {name}: median {1000 * statistics.median(STARTED):.0f} ms,"
        f" p95 {1000 * quick[-1]:.0f} ms, longest {1000 * max(STARTED):.0f} ms"
    )
    return Bar.at_most(f"start of a job {name}", statistics.median(STARTED), LONGEST_START, " s")


FILL = text(
    """
    INSERT INTO job (id, kind, payload, queue, organization_id, run_at, max_attempts)
    SELECT gen_random_uuid(), CAST(:kind AS text), '{}', CAST(:queue AS text),
           CAST(:organization AS uuid), now() - interval '1 hour', 5
    FROM generate_series(1, CAST(:number AS int))
    """
)


async def fill(services: Services, number: int, organization: uuid.UUID) -> None:
    values = {"kind": engine.kind, "queue": Queue.ENGINES, "number": number}
    values |= {"organization": organization}
    async with services.database.transaction() as session:
        await session.execute(text("SET LOCAL statement_timeout = 0"))
        await session.execute(FILL, values)


@job("bench.engine", queue=Queue.ENGINES, timeout=5)
async def engine(_: JobContext) -> None:
    pass


async def median_milliseconds(act: Callable[[], Awaitable[object]]) -> float:
    seconds = []
    for _ in range(ROUNDS * 3):
        started = time.perf_counter()
        await act()
        seconds.append(time.perf_counter() - started)
    return 1000 * statistics.median(seconds)


async def measure_backlogs(services: Services) -> list[Bar]:
    database, many, turns = services.database, uuid.uuid4(), ledger.Turns()
    took = {}

    async def claim() -> None:
        await ledger.claim_in_turn(database, Queue.ENGINES, turns, limit=2, lease=300)

    async def gauges() -> None:
        async with database.reading() as connection:
            await queries.all_work(connection)

    async def unclaimed() -> None:
        async with database.reading() as connection:
            await connection.execute(text(JOB_UNCLAIMED.query))

    there = 0
    for size in BACKLOGS:
        await fill(services, size - there, many)
        for _ in range(20):
            await fill(services, 5, uuid.uuid4())
        there = size
        async with database.reading() as connection:
            await connection.execute(text("ANALYZE job, work_tally"))
        for name, act in (("claim", claim), ("gauges", gauges), ("unclaimed", unclaimed)):
            took[name] = await median_milliseconds(act)
            print(f"{size:9,} waiting: {name:9} {took[name]:7.2f} ms")
    name = f"gauges at {BACKLOGS[-1]:,} waiting jobs"
    return [Bar.at_most(name, took["gauges"], MOST_MILLISECONDS_OF_GAUGES, " ms")]


# The ids of events from before the first month.
REST = text(
    """
    WITH owner AS (
        INSERT INTO organization (id, name, slug)
        VALUES (gen_random_uuid(), 'Resting', 'resting') RETURNING id
    ), receiver AS (
        INSERT INTO webhook_receiver (id, organization_id, failures, rests, resting_until)
        SELECT gen_random_uuid(), owner.id, 5, 5, now() + interval '1 hour'
        FROM owner, generate_series(1, CAST(:number AS int)) RETURNING id, organization_id
    )
    INSERT INTO delivery (id, organization_id, event_id, receiver_id, next_at)
    SELECT gen_random_uuid(), organization_id, CAST('00' || substr(CAST(id AS text), 3) AS uuid),
           id, now() - interval '1 minute'
    FROM receiver
    """
)


async def measure_resting(services: Services) -> Bar:
    """A worker looks for the new work of receivers at each poll, and for all of it now and then."""
    async with services.database.transaction() as session:
        await session.execute(REST, {"number": RESTING})
    async with services.database.reading() as connection:
        await connection.execute(text("ANALYZE delivery, webhook_receiver"))

    async def look(query: str) -> None:
        async with services.database.reading() as connection:
            assert not (await connection.execute(text(query))).all()

    new = await median_milliseconds(partial(look, delivery_rows.NEW))
    every = await median_milliseconds(partial(look, delivery_rows.WAITING))
    print(f"{RESTING:,} receivers rest: new work {new:.2f} ms, all work {every:.2f} ms")
    share = (new / POLL + every / FULL_ROUSE) / 1000
    name = f"share of a core while {RESTING:,} receivers rest"
    return Bar.at_most(name, share, MOST_OF_CORE_FOR_RESTING)


async def course(url: str) -> list[Bar]:
    settings = Settings(
        _env_file=None, database_url=url, redis_url=os.environ["ACREDITA_REDIS_URL"]
    )
    async with open_services(settings) as services:
        bars = await measure_commits(services, url)
        async with services.database.transaction() as session:
            # No worker has merged the counts of so many creates, as one does every 15 seconds.
            await session.execute(text("TRUNCATE job, work_tally"))
        bars += await measure_starts(services)
        bars += await measure_backlogs(services)
        bars.append(await measure_resting(services))
    return bars


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ledger", description=__doc__)
    parser.add_argument("--peers", type=Path, help="folder of the environment of the peers")
    parser.add_argument("--jobs", type=int, default=3000, help="that do nothing, of each run")
    arguments = parser.parse_args(given)
    server_url = os.environ["ACREDITA_DATABASE_URL"]
    with own_database(server_url) as url:
        found = asyncio.run(course(url))
    return found + ledger_contenders.measure(server_url, arguments.peers, arguments.jobs)


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--listen"]:
        asyncio.run(listen_for_ever(sys.argv[2]))
    sys.exit(main())
