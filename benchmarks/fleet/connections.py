"""API processes and workers that together may not have the connections that they would take.

Every API process takes requests of its part of the clients at once: reads, lists and creations in
turns. The database admits `--connections` to all processes, commands and operators, as
`max_connections` would. Bar: every request succeeds.
"""

import argparse
import asyncio
import multiprocessing
import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import quantiles

import asyncpg
import orjson
import psutil
from sqlalchemy.engine import make_url

from acredita.kit.migrations import upgrade
from acredita.settings import FASTEST_RATE, Settings
from benchmarks.bars import Bar, report
from benchmarks.load import Answers, Load, drive, request
from benchmarks.seed import Seeded, seed
from benchmarks.service import Server, free_ports, production_settings, serving

# Of max_connections = 100, three are reserved for superusers.
CONNECTIONS = 97
REFUSALS = ("TooManyConnections", "too many connections", "remaining connection slots")
# Processes find each other within seconds.
SETTLING_SECONDS = 5.0
SAMPLE_SECONDS = 0.1
QUEUES = "webhooks,registries,light"


class Watch(threading.Thread):
    """Counts the database's connections until it is stopped."""

    def __init__(self, url: str, database: str) -> None:
        super().__init__(daemon=True)
        self._url, self._database = url, database
        self.most = self.last = 0
        self._ended = threading.Event()

    def run(self) -> None:
        asyncio.run(self._watch())

    async def _watch(self) -> None:
        connection = await asyncpg.connect(self._url)
        count = "SELECT count(*) FROM pg_stat_activity WHERE datname = $1"
        while not self._ended.is_set():
            self.last = await connection.fetchval(count, self._database)
            self.most = max(self.most, self.last)
            await asyncio.sleep(SAMPLE_SECONDS)
        await connection.close()

    def stop(self) -> None:
        self._ended.set()
        self.join()


@contextmanager
def narrow_database(server_url: str, connections: int) -> Iterator[tuple[str, Watch]]:
    """A migrated database of this run's own that admits so many connections of an ordinary role."""
    server = make_url(server_url)
    name, password = f"acredita_fleet_{os.getpid()}", secrets.token_hex(8)
    admin = server.set(drivername="postgresql").render_as_string(hide_password=False)
    own = server.set(username=name, password=password, database=name)
    url = own.render_as_string(hide_password=False)
    asyncio.run(
        _on_server(
            admin,
            f"CREATE ROLE \"{name}\" LOGIN PASSWORD '{password}'",
            f'CREATE DATABASE "{name}" OWNER "{name}" CONNECTION LIMIT {connections}',
        )
    )
    try:
        upgrade(url)
        plain = own.set(drivername="postgresql").render_as_string(hide_password=False)
        fast = f"ALTER TABLE api_key ALTER COLUMN rate_limit SET DEFAULT {FASTEST_RATE}"
        asyncio.run(_on_server(plain, fast))
        yield url, Watch(admin, name)
    finally:
        asyncio.run(
            _on_server(admin, f'DROP DATABASE "{name}" WITH (FORCE)', f'DROP ROLE "{name}"')
        )


async def _on_server(url: str, *statements: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


@contextmanager
def working(
    number: int, environment: dict[str, str], folder: Path, *, queues: str = QUEUES
) -> Iterator[psutil.Process]:
    """A worker whose lines go to a file in `folder`."""
    with (folder / f"worker-{number}.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "acredita.cli", "worker", f"--queues={queues}"],
            env=os.environ | environment,
            stdout=log,
            stderr=log,
        )
    try:
        yield psutil.Process(process.pid)
        if process.poll() is not None:
            sys.exit(f"worker {number} ended with {process.returncode}")
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            # A thread of it still parses a list.
            process.kill()


@contextmanager
def fleet(
    arguments: argparse.Namespace, environment: dict[str, str], folder: Path
) -> Iterator[list[Server]]:
    with ExitStack() as running:
        for number in range(arguments.workers):
            running.enter_context(working(number, environment, folder))
        yield [
            running.enter_context(
                serving(
                    f"api-{number}",
                    "acredita.cli",
                    "api",
                    f"--port={port}",
                    port=port,
                    environment=environment,
                    folder=folder,
                )
            )
            for number, port in enumerate(free_ports(arguments.apis))
        ]


def requests_of(seeded: Seeded) -> dict[str, bytes]:
    token = {"authorization": f"Bearer {seeded.token}"}
    body = orjson.dumps({"workflowId": seeded.workflow_id})
    json = token | {"content-type": "application/json"}
    path = "/v1/verifications"
    return {
        "GET": request("GET", f"{path}/{seeded.verification_id}", token),
        "LIST": request("GET", f"{path}?limit=20", token),
        "POST": request("POST", path, json, body),
        # A transaction of a session for each.
        "KEYED": request("POST", path, json | {"idempotency-key": "the-same"}, body),
    }


def turn(
    generators: Executor, servers: list[Server], bytes_of_it: bytes, clients: int, seconds: float
) -> list[Answers]:
    """The clients, divided over the processes, send for so many seconds."""
    each = max(1, clients // len(servers))
    loads = [Load(server.port, bytes_of_it, each, seconds) for server in servers]
    return list(generators.map(drive, loads))


def print_row(name: str, answers: list[Answers]) -> int:
    """Print a row. Return how many requests failed."""
    statuses: Counter[int] = Counter()
    for answer in answers:
        statuses.update(answer.statuses)
    latencies = [latency for answer in answers for latency in answer.latencies]
    hundredths = quantiles(latencies, n=100)
    seconds = max(answer.seconds for answer in answers)
    print(
        f"{name:<6} {len(latencies) / seconds:>7.0f}/s  p50 {hundredths[49] * 1000:>6.1f} ms"
        f"  p99 {hundredths[98] * 1000:>6.1f} ms  {dict(sorted(statuses.items()))}"
    )
    return sum(count for status, count in statuses.items() if status >= 300)


def refusals_in(folder: Path) -> int:
    lines = (line for file in folder.glob("*.log") for line in file.read_text().splitlines())
    return sum(any(word in line for word in REFUSALS) for line in lines)


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fleet.connections", description=__doc__
    )
    parser.add_argument("--apis", type=int, default=8)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--connections", type=int, default=CONNECTIONS)
    parser.add_argument("--seconds", type=float, default=40.0, help="of load, all turns together")
    arguments = parser.parse_args(given)
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="acredita-bench-")))
        url, watch = running.enter_context(
            narrow_database(os.environ["ACREDITA_DATABASE_URL"], arguments.connections)
        )
        # Each process would take more than its part.
        environment = production_settings(url, folder) | {"ACREDITA_DATABASE_POOL_SIZE": "20"}
        os.environ |= environment
        watch.start()
        running.callback(watch.stop)
        servers = running.enter_context(fleet(arguments, environment, folder))
        seeded = asyncio.run(seed(Settings(), servers[0].address, others=0))
        time.sleep(min(SETTLING_SECONDS, arguments.seconds))
        print(
            f"connections: {arguments.apis} API processes, {arguments.workers} workers,"
            f" {arguments.clients} clients, at most {arguments.connections} connections;"
            f" {watch.last} at rest"
        )
        failed, requests = 0, requests_of(seeded)
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(len(servers), mp_context=context) as generators:
            for name, bytes_of_it in requests.items():
                seconds = arguments.seconds / len(requests)
                answers = turn(generators, servers, bytes_of_it, arguments.clients, seconds)
                failed += print_row(name, answers)
        refused = refusals_in(folder)
        print(f"connections: {watch.most} at most, {refused} refusals in the logs")
        return [
            Bar.at_most(f"requests of {arguments.clients} clients that failed", failed, 0),
            Bar.at_most("connections that PostgreSQL refused", refused, 0),
        ]


if __name__ == "__main__":
    sys.exit(main())
