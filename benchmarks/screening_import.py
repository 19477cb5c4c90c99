"""What the import of a million names does to the worker that runs it, and to its other jobs.

    python -m acredita.embedded run -- python -m benchmarks.screening_import [--rows 1000000]

A worker downloads lists of invented persons from a server of this run, loads them and has the index
built: first all rows are new, then one row in a hundred has changed, then a second list has one
person in five again, so that its entries are linked. Meanwhile, jobs that do nothing are added: the
time until they are done is what any other job waits. Memory is private (USS): neither pages that
processes share nor the mapped index. Exits with 1 when a bar is missed.
"""

import argparse
import asyncio
import csv
import os
import random
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import quantiles
from typing import Any

import psutil
from sqlalchemy import text

from acredita import jobs
from acredita.kit import ids
from acredita.resources.aml.index import building
from acredita.resources.aml.lists.jobs import refresh_list
from acredita.resources.aml.monitors.jobs import screen_monitor
from acredita.services import Services, open_services
from acredita.settings import Settings
from acredita_synthetic import name_lists
from benchmarks.bars import Bar, report
from benchmarks.fleet.connections import working
from benchmarks.screening_data import misspelt
from benchmarks.service import living_cpu_seconds, own_database, production_settings

ROWS = 1_000_000
LISTS = ("persons", "again")
CHANGED_IN = 100
AGAIN_IN = 5
HEADER = ("id", "family_names", "given_names", "dates_of_birth", "countries", "programs")
SAMPLE_SECONDS = 0.25
# Between two jobs that do nothing.
PAUSE = 0.2
# After the last job, until the worker's memory is read.
SETTLING_SECONDS = 5.0
LONGEST_PHASE = 3_600.0
MOST_MEGABYTES = 600.0
MOST_KEPT_MEGABYTES = 100.0
# Of the 30 of a lease, which is renewed every ten.
LEAST_LEASE_SECONDS = 10.0
# For the 99th percentile, or if that is more, for a multiple of the one without an import.
MOST_WAIT_SECONDS, MOST_TIMES = 0.5, 3.0
IDLE_JOBS = 60

RUNNING = """
    SELECT extract(epoch FROM min(lease_expires_at) - clock_timestamp())::float
    FROM job WHERE state = 'running' AND kind LIKE 'aml.%' AND kind <> :probe
"""
UNFINISHED = """
    SELECT count(*) FROM job WHERE kind LIKE 'aml.%'
    AND (state = 'running' OR state = 'pending' AND run_at < now() + interval '30 seconds')
    AND kind NOT IN ('aml.keep_index', 'aml.find_overdue_monitors', :probe)
"""
WAITS = """
    SELECT extract(epoch FROM finished_at - created_at)::float FROM job_finished
    WHERE kind = :probe AND created_at > :since
"""
LOADED = "SELECT count(*) FROM aml_list WHERE version > 0 AND NOT is_sandbox"
ATTEMPTS = "SELECT coalesce(max(attempts), 0) FROM job_finished WHERE kind LIKE 'aml.%'"


@dataclass
class Watch(threading.Thread):
    """Samples the memory of a process and of its own processes until it is stopped; megabytes."""

    process: psutil.Process
    most: float = 0.0
    most_of_children: float = 0.0
    seconds_of_children: float = 0.0
    _children: dict[int, float] = field(default_factory=dict)
    _ended: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    __hash__ = threading.Thread.__hash__

    def run(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self.most = max(self.most, private_megabytes(self.process))
            for child in self.process.children(recursive=True):
                try:
                    self.most_of_children = max(self.most_of_children, private_megabytes(child))
                    self._children[child.pid] = living_cpu_seconds([child])
                except (psutil.Error, OSError):  # it ended just now
                    continue

    def stop(self) -> None:
        self._ended.set()
        self.join()
        self.seconds_of_children = sum(self._children.values())


def private_megabytes(process: psutil.Process) -> float:
    return float(process.memory_full_info().uss) / 1e6


def write_rows(
    path: Path, rows: int, *, version: int = 0, each: int = 1, prefix: str = "p"
) -> None:
    """A list of invented persons with common Mexican names, one word in eight of them misspelt.

    `version`: one row in CHANGED_IN has another remark in each. `each`: only one row in so many.
    """
    chance = random.Random(1)
    given, surnames = (*name_lists.WOMEN, *name_lists.MEN), name_lists.COMMON_SURNAMES
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for number in range(rows):
            family = misspelt(chance, [chance.choice(surnames), chance.choice(surnames)])
            first = misspelt(chance, chance.choice(given).split())
            born = f"{chance.randrange(1930, 2005)}-{chance.randrange(1, 13):02}"
            born += f"-{chance.randrange(1, 29):02}"
            if number % each == 0:
                changed = version if number % CHANGED_IN == 0 else 0
                program = f"PEP {changed}"
                writer.writerow((f"{prefix}{number}", family, first, born, "MX", program))
    part.replace(path)


@contextmanager
def publisher(folder: Path) -> Any:
    """A server of the files in `folder`; its address."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    handler = partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


async def probe(services: Services) -> None:
    """Add a job that finds nothing to do."""
    async with services.database.transaction() as session:
        await jobs.add(session, screen_monitor, {"monitor_id": str(ids.sortable())})


async def value(services: Services, query: str, **parameters: Any) -> Any:
    async with services.database.reading() as connection:
        return await connection.scalar(text(query), parameters)


async def until_idle(services: Services) -> float:
    """Add jobs until all others are done and the index has all lists; the shortest lease seen."""
    shortest = float("inf")
    async with asyncio.timeout(LONGEST_PHASE):
        while True:
            await probe(services)
            left = await value(services, RUNNING, probe=screen_monitor.kind)
            shortest = shortest if left is None else min(shortest, left)
            unfinished = await value(services, UNFINISHED, probe=screen_monitor.kind)
            if not unfinished and not await building.is_due(services.database):
                return shortest
            await asyncio.sleep(PAUSE)


async def waits_since(services: Services, since: Any) -> tuple[float, float, float]:
    """The median, the 99th percentile and the longest wait of the added jobs, in seconds."""
    async with services.database.reading() as connection:
        terms = {"probe": screen_monitor.kind, "since": since}
        waits = sorted((await connection.scalars(text(WAITS), terms)).all())
    return waits[len(waits) // 2], quantiles(waits, n=100, method="inclusive")[-1], waits[-1]


async def idle_waits(services: Services) -> float:
    """The 99th percentile of the waits without an import, in seconds."""
    since = await value(services, "SELECT now()")
    for _ in range(IDLE_JOBS):
        await probe(services)
        await asyncio.sleep(PAUSE)
    await asyncio.sleep(SETTLING_SECONDS)
    p50, p99, longest = await waits_since(services, since)
    print(
        f"without an import, a job waits p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, at most"
        f" {longest * 1000:.0f} ms; load average {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return p99


async def phase(
    services: Services, worker: psutil.Process, title: str, list_id: str, idle: float
) -> tuple[list[Bar], float]:
    """Refresh the list: (bars, megabytes of the worker afterwards). `idle`: of `idle_waits`."""
    since = await value(services, "SELECT now()")
    before, began = private_megabytes(worker), time.perf_counter()
    spent = living_cpu_seconds([worker])
    watch = Watch(worker)
    watch.start()
    async with services.database.transaction() as session:
        await jobs.add(session, refresh_list, {"list_id": list_id})
    shortest = await until_idle(services)
    took = time.perf_counter() - began
    await asyncio.sleep(SETTLING_SECONDS)
    watch.stop()
    after, spent = private_megabytes(worker), living_cpu_seconds([worker]) - spent
    p50, p99, longest = await waits_since(services, since)
    print(
        f"{title}: {took:.0f} s; CPU of the worker {spent:.0f} s, of its processes "
        f"{watch.seconds_of_children:.0f} s; worker {before:.0f} MB before, {watch.most:.0f} at "
        f"most, {after:.0f} after; its processes {watch.most_of_children:.0f} MB at most; "
        f"another job waits p50 {p50 * 1000:.0f} ms, p99 {p99 * 1000:.0f} ms, at most "
        f"{longest * 1000:.0f} ms; shortest lease {shortest:.1f} s",
        flush=True,
    )
    most_wait = max(MOST_WAIT_SECONDS, idle * MOST_TIMES)
    return [
        Bar.at_most(f"{title}: worker's memory", watch.most, MOST_MEGABYTES, " MB"),
        Bar.at_most(
            f"{title}: its processes' memory", watch.most_of_children, MOST_MEGABYTES, " MB"
        ),
        Bar.at_most(f"{title}: the wait of a job, p99", p99, most_wait, " s"),
        Bar.at_least(f"{title}: the shortest lease", shortest, LEAST_LEASE_SECONDS, " s"),
    ], after


async def run(worker: psutil.Process, published: Path, rows: int) -> list[Bar]:
    async with open_services(Settings(), purpose="benchmark") as services:
        # The worker itself loads the small lists that are published first.
        while await value(services, LOADED) < len(LISTS):  # noqa: ASYNC110 (another process loads them)
            await asyncio.sleep(PAUSE)
        await until_idle(services)
        await asyncio.sleep(SETTLING_SECONDS)
        before = private_megabytes(worker)
        idle = await idle_waits(services)
        write_rows(published / "persons.csv", rows)
        bars, _ = await phase(services, worker, f"{rows:,} new rows", "persons", idle)
        write_rows(published / "persons.csv", rows, version=1)
        more, _ = await phase(services, worker, "one row in 100 changed", "persons", idle)
        bars += more
        write_rows(published / "again.csv", rows, each=AGAIN_IN, prefix="a")
        more, after = await phase(services, worker, "one person in 5 on two lists", "again", idle)
        bars += more
        linked = await value(services, "SELECT count(*) FROM aml_entity WHERE cluster_id > 0")
        print(f"{linked:,} entries are linked")
        attempts = await value(services, ATTEMPTS)
    return [
        *bars,
        Bar.at_most("what the worker keeps", after - before, MOST_KEPT_MEGABYTES, " MB"),
        Bar.at_most("attempts of a job", attempts, 1),
    ]


def lost_leases(log: Path) -> int:
    lines = log.read_text().splitlines()
    return sum("lease_lost" in line or "heartbeat_failed" in line for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=ROWS)
    options = parser.parse_args(arguments)
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="acredita-bench-")))
        published = folder / "published"
        published.mkdir()
        for name in LISTS:
            write_rows(published / f"{name}.csv", 1, prefix=name)
        address = running.enter_context(publisher(published))
        database_url = running.enter_context(own_database(os.environ["ACREDITA_DATABASE_URL"]))
        environment = production_settings(database_url, folder) | {
            "ACREDITA_AML_REFRESH": ",".join(f"{name}={address}/{name}.csv" for name in LISTS)
        }
        os.environ |= environment
        with working(0, environment, folder) as worker:
            bars = asyncio.run(run(worker, published, options.rows))
        bars.append(Bar.at_most("leases lost", lost_leases(folder / "worker-0.log"), 0))
        return report(bars)


if __name__ == "__main__":
    sys.exit(main())
