"""How data age: what a verification leaves in PostgreSQL, and what the purge of a month costs.

    python -m acredita.embedded run -- python -m benchmarks.ageing

API and worker run in this process, so its CPU time is that of both. Bytes and WAL are PostgreSQL's
own counters, after a warm-up. Exits with 1 when a bar is missed.
"""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from uuid import UUID

import asyncpg
import httpx
import psutil
import structlog
from sqlalchemy.engine import make_url

from acredita import worker
from acredita.domain.audit import Action, ActorType
from acredita.jobs import Queue
from acredita.main import create_app
from acredita.resources.audit import service as audit
from acredita.resources.audit.chaining import chain_all
from acredita.resources.audit.service import Actor
from acredita.services import Services, open_services
from acredita.settings import Environment, Settings
from benchmarks.bars import Bar, report
from benchmarks.service import living_cpu_seconds, own_database
from tests.factories.organizations import Member, make_verification, make_workflow, register

# Seconds that the drop of a month may take.
LONGEST_DROP = 1.0
# The share of HOT updates that changes of status must reach.
LEAST_HOT = 0.7
WARM_UP = 30
CHAINED = 10_000
ACTIVE = "XUXX900101HNEXXX02"
EVENTS = ["verification.created", "verification.approved"]
ROWS = """
    SELECT relname AS name, n_tup_ins AS added, n_tup_upd AS updated, n_tup_hot_upd AS hot,
           pg_total_relation_size(relid) AS bytes
    FROM pg_stat_user_tables
"""
COMMITS = "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
# As if the month before last had had its partition, with so many events.
MONTH = """
    DO $$ DECLARE parent text; month timestamptz; BEGIN
        SET LOCAL timezone = 'UTC';
        FOREACH parent IN ARRAY ARRAY['event', 'delivery', 'delivery_attempt'] LOOP
            EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_before');
            FOR month IN SELECT generate_series(date_trunc('month', now()) - interval '3 months',
                    date_trunc('month', now()), interval '1 month') LOOP
                EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
                    parent || to_char(month, '_YYYY_MM'), parent, first_uuid7(month),
                    first_uuid7(month + interval '1 month'));
            END LOOP;
        END LOOP;
    END $$;
    CREATE TEMP TABLE made AS SELECT
        overlay(gen_random_uuid()::text PLACING left(first_uuid7(
            date_trunc('month', now()) - interval '3 months' + n * interval '1 second')::text, 13)
            FROM 1 FOR 13)::uuid AS id
        FROM generate_series(1, $ROWS) AS n;
    INSERT INTO event (id, organization_id, kind, data)
        SELECT id, '$ORGANIZATION', 'verification.created', repeat('x', 200)::bytea FROM made;
    INSERT INTO delivery (id, organization_id, event_id, receiver_id, state, finished_at)
        SELECT gen_random_uuid(), '$ORGANIZATION', id, id, 'delivered', now() FROM made;
    INSERT INTO delivery_attempt (id, delivery_id, number, duration_ms)
        SELECT event_id, id, 1, 5 FROM delivery WHERE receiver_id = event_id;
    ANALYZE event; ANALYZE delivery; ANALYZE delivery_attempt
"""
# As if so many jobs had been done three months ago.
MONTH_OF_JOBS = """
    DO $$ DECLARE month timestamptz; BEGIN
        SET LOCAL timezone = 'UTC';
        month := date_trunc('month', now()) - interval '3 months';
        EXECUTE format('CREATE TABLE %I PARTITION OF job_finished FOR VALUES FROM (%L) TO (%L)',
            'job_finished' || to_char(month, '_YYYY_MM'), month, month + interval '1 month');
    END $$;
    INSERT INTO job_finished
        (id, kind, payload, queue, attempts, organization_id, created_at, run_at, finished_at)
    SELECT gen_random_uuid(), 'verification.step', jsonb_build_object('step_id', gen_random_uuid()),
           'light', 1, '$ORGANIZATION', now(), now(),
           date_trunc('month', now(), 'UTC') - interval '3 months' + n * interval '1 ms'
    FROM generate_series(1, $ROWS) AS n
"""
# The tenth of the rows that is deleted one by one, for comparison.
DELETE = """
    WITH chosen AS (SELECT id FROM event WHERE get_byte(uuid_send(id), 15) < 25),
    attempts AS (DELETE FROM delivery_attempt WHERE delivery_id IN (
        SELECT id FROM delivery WHERE event_id IN (SELECT id FROM chosen))),
    deliveries AS (DELETE FROM delivery WHERE event_id IN (SELECT id FROM chosen))
    DELETE FROM event WHERE id IN (SELECT id FROM chosen)
"""


@dataclass(frozen=True, slots=True)
class Reading:
    """The counters at a moment."""

    tables: dict[str, asyncpg.Record]
    wal: int
    commits: int
    cpu: float
    postgres_cpu: float


async def read(connection: asyncpg.Connection) -> Reading:
    # Backends report their counters at most once a second.
    await asyncio.sleep(2)
    backend = psutil.Process(await connection.fetchval("SELECT pg_backend_pid()"))
    postmaster = backend.parent()
    assert postmaster is not None
    times = os.times()
    return Reading(
        {row["name"]: row for row in await connection.fetch(ROWS)},
        await connection.fetchval("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"),
        await connection.fetchval(COMMITS),
        times.user + times.system,
        living_cpu_seconds(postmaster.children()),
    )


@asynccontextmanager
async def receiver() -> AsyncIterator[str]:
    """A receiver that answers every POST with 200."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    int(line.partition(b":")[2])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                )
                await reader.readexactly(length)
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


@asynccontextmanager
async def installation(settings: Settings) -> AsyncIterator[tuple[Services, Member]]:
    """API and worker in this process, and an organization with a webhook."""
    for module in worker.JOB_MODULES:
        import_module(module)
    async with open_services(settings) as services, receiver() as url:

        @asynccontextmanager
        async def opened(_settings: Settings) -> AsyncIterator[Services]:
            yield services

        app = create_app(settings, services_opener=opened)
        transport = httpx.ASGITransport(app=app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://test") as client,
        ):
            stop = asyncio.Event()
            queues = (Queue.WEBHOOKS, Queue.REGISTRIES, Queue.LIGHT)
            working = asyncio.create_task(worker.serve(services, queues, stop))
            member = await register(client, "Banco Uno")
            answer = await member.post("/v1/webhooks", json={"url": url, "events": EVENTS})
            answer.raise_for_status()
            yield services, member
            stop.set()
            await working


async def verify(member: Member, connection: asyncpg.Connection, count: int) -> None:
    """Verify people by registries alone, and wait until all is decided, sent and chained."""
    workflow_id = await make_workflow(member, "GOVERNMENT_VERIFY")
    for _ in range(count):
        await make_verification(member, workflow_id, metadata={"curp": ACTIVE})
    waiting = (
        "SELECT (SELECT count(*) FROM verification WHERE status IN ('PENDING', 'IN_PROGRESS'))"
        " + (SELECT count(*) FROM delivery WHERE state = 'pending')"
        " + (SELECT count(*) FROM audit_log WHERE hash IS NULL)"
    )
    while await connection.fetchval(waiting):  # noqa: ASYNC110 (the worker commits)
        await asyncio.sleep(0.25)


def report_cost(before: Reading, after: Reading, count: int) -> float:
    """Print the cost of one verification. Return the share of HOT updates of `verification`."""
    print(f"one verification by registries, of {count}:")
    total = 0.0
    hot_share = 0.0
    for name, row in sorted(after.tables.items()):
        first = before.tables.get(name)
        added, updated, hot, size = (
            (row[key] - (first[key] if first else 0)) / count
            for key in ("added", "updated", "hot", "bytes")
        )
        total += size
        if name == "verification":
            hot_share = hot / updated
        if added >= 0.1 or updated >= 0.1:
            print(
                f"  {name:26} {added:5.1f} added  {updated:5.1f} updated"
                f"  {100 * hot / updated if updated else 0:4.0f} % HOT  {size:7,.0f} B"
            )
    wal = (after.wal - before.wal) / count
    commits = (after.commits - before.commits) / count
    print(
        f"  tables and indexes {total / 1000:.1f} kB, WAL {wal / 1000:.1f} kB,"
        f" {commits:.0f} commits"
    )
    print(
        f"  CPU of API and worker {1000 * (after.cpu - before.cpu) / count:.1f} ms,"
        f" of PostgreSQL {1000 * (after.postgres_cpu - before.postgres_cpu) / count:.1f} ms"
    )
    return hot_share


async def measure_chaining(services: Services, organization_id: str, count: int) -> None:
    """Print how long the chaining of so many audit entries takes."""
    actor = Actor(UUID(organization_id), ActorType.SERVICE)
    async with services.database.transaction() as session:
        for _ in range(count):
            audit.record(session, actor, Action.WORKFLOW_UPDATED, actor.organization_id)
    started = time.perf_counter()
    chained = await chain_all(services.database, services.signer)
    seconds = time.perf_counter() - started
    print(f"{chained:,} audit entries chained in {seconds:.2f} s: {chained / seconds:,.0f}/s")


async def measure_month(connection: asyncpg.Connection, organization_id: str, rows: int) -> float:
    """Fill a month, delete a tenth of it, drop it. Return the seconds of the drop."""
    statements = MONTH.replace("$ROWS", str(rows)).replace("$ORGANIZATION", organization_id)
    await connection.execute(statements)
    started = time.perf_counter()
    deleted = int((await connection.execute(DELETE)).split()[-1])
    deleting = time.perf_counter() - started
    await connection.execute("DROP TABLE event_before, delivery_before, delivery_attempt_before")
    started = time.perf_counter()
    added, dropped = await connection.fetchrow(
        "SELECT * FROM keep_partitions(now() - interval '60 days')"
    )
    dropping = time.perf_counter() - started
    left = await connection.fetchval("SELECT count(*) FROM event")
    print(
        f"a month of {rows:,} events, deliveries and attempts each: dropped in {dropping:.3f} s"
        f" ({dropped} partitions, {added} added, {left:,} events left)"
    )
    print(
        f"  the deletion of {deleted:,} of them: {deleting:.2f} s; a row costs"
        f" {deleting / deleted / (dropping / (rows - deleted)):.0f} times as much"
    )
    return dropping


async def measure_month_of_jobs(
    connection: asyncpg.Connection, organization_id: str, rows: int
) -> float:
    """Fill a month with done jobs and drop it. Return the seconds of the drop."""
    await connection.execute(
        MONTH_OF_JOBS.replace("$ROWS", str(rows)).replace("$ORGANIZATION", organization_id)
    )
    started = time.perf_counter()
    added, dropped = await connection.fetchrow("SELECT * FROM keep_job_partitions(now())")
    dropping = time.perf_counter() - started
    print(
        f"a month of {rows:,} done jobs: dropped in {dropping:.3f} s"
        f" ({dropped} partition, {added} added)"
    )
    return dropping


async def run(url: str, folder: Path, verifications: int, rows: int, jobs: int) -> list[Bar]:
    settings = Settings(
        _env_file=None,
        env=Environment.TEST,
        database_url=url,
        redis_url=os.environ["ACREDITA_REDIS_URL"],
        data_dir=folder,
        webhook_allow_private=True,
        org_rate_limit=100_000,
        org_rate_burst=100_000,
    )
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
    try:
        async with installation(settings) as (services, member):
            await verify(member, connection, WARM_UP)
            before = await read(connection)
            await verify(member, connection, verifications)
            after = await read(connection)
            organization_id = member.organization_id
            await measure_chaining(services, organization_id, CHAINED)
        hot = report_cost(before, after, verifications)
        dropping = await measure_month(connection, organization_id, rows)
        dropping_jobs = await measure_month_of_jobs(connection, organization_id, jobs)
    finally:
        await connection.close()
    return [
        Bar.at_least("share of HOT updates of verification", hot, LEAST_HOT),
        Bar.at_most(f"drop of a month of {rows:,} events", dropping, LONGEST_DROP, " s"),
        Bar.at_most(f"drop of a month of {jobs:,} done jobs", dropping_jobs, LONGEST_DROP, " s"),
    ]


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--verifications", type=int, default=200)
    parser.add_argument("--rows", type=int, default=300_000, help="events of the month")
    parser.add_argument("--jobs", type=int, default=1_000_000, help="done in the month")
    arguments = parser.parse_args(given)
    quiet = structlog.make_filtering_bound_logger(logging.ERROR)
    structlog.configure(wrapper_class=quiet)
    with (
        own_database(os.environ["ACREDITA_DATABASE_URL"]) as url,
        tempfile.TemporaryDirectory() as folder,
    ):
        return asyncio.run(
            run(url, Path(folder), arguments.verifications, arguments.rows, arguments.jobs)
        )


if __name__ == "__main__":
    sys.exit(main())
