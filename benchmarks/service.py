"""What a request costs, next to a bare FastAPI and asyncpg endpoint over the same rows.

    python -m acredita.embedded run -- python -m benchmarks.service [--seconds 60]

Both servers run at once with one process each, and take the load of eight clients in turns, many
times over, so that whatever else the machine does falls on both alike. The measure is the CPU time
of the server's process for each request; a ratio is the median over the turns. PostgreSQL's own
share is in neither figure. Rates and latencies are of the same turns; load, server and PostgreSQL
share the machine. Exits with 1 when a bar is missed.
"""

import argparse
import asyncio
import multiprocessing
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import asyncpg
import httpx
import orjson
import psutil
from sqlalchemy.engine import make_url

from acredita.kit.migrations import upgrade
from acredita.kit.processor_time import TICKS_PER_SECOND
from acredita.settings import FASTEST_RATE, Environment, Settings
from benchmarks.bars import Bar, report
from benchmarks.load import Answers, Load, drive, request
from benchmarks.seed import OTHERS, Seeded, seed

CLIENTS = 8
TURN_SECONDS = 1.5
WARM_UP_SECONDS = 1.0
START_SECONDS = 180.0
# The share of the bare endpoint's requests per CPU second that ours must reach.
LEAST = 0.4


def living_cpu_seconds(processes: Iterable[psutil.Process]) -> float:
    """The processor time of the processes that still run, of some that may end at any time."""
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += float(times.user + times.system)
    return total


@dataclass(frozen=True, slots=True)
class Server:
    name: str
    port: int
    process: psutil.Process

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cpu_seconds(self) -> float:
        return living_cpu_seconds([self.process])


@dataclass(slots=True)
class Variant:
    """One kind of request to one server, and what came of its turns."""

    method: str
    server: Server
    request: bytes
    status: int
    # CPU microseconds per request, one a turn.
    costs: list[float] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def take_turn(self, generator: Executor, seconds: float) -> None:
        before = self.server.cpu_seconds()
        load = Load(self.server.port, self.request, CLIENTS, seconds)
        answers: Answers = generator.submit(drive, load).result()
        # A turn of a tenth of a second may be shorter than a step of the clock.
        spent = max(self.server.cpu_seconds() - before, 1 / TICKS_PER_SECOND)
        if set(answers.statuses) != {self.status}:
            sys.exit(f"{self.method} of {self.server.name} was answered with {answers.statuses}")
        self.costs.append(spent / len(answers.latencies) * 1e6)
        self.latencies += answers.latencies
        self.seconds += answers.seconds

    def forget(self) -> None:
        self.costs, self.latencies, self.seconds = [], [], 0.0


@contextmanager
def own_database(server_url: str) -> Iterator[str]:
    """A migrated database of this run's own, on the server that `server_url` names."""
    server = make_url(server_url)
    name = f"acredita_benchmark_{os.getpid()}_{secrets.token_hex(4)}"
    admin = server.set(drivername="postgresql").render_as_string(hide_password=False)
    asyncio.run(_on_server(admin, f'CREATE DATABASE "{name}"'))
    try:
        url = server.set(database=name).render_as_string(hide_password=False)
        upgrade(url)
        # Requests are counted like any customer's, and never refused (see production_settings).
        plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        fast = f"ALTER TABLE api_key ALTER COLUMN rate_limit SET DEFAULT {FASTEST_RATE}"
        asyncio.run(_on_server(plain, fast))
        yield url
    finally:
        asyncio.run(_on_server(admin, f'DROP DATABASE "{name}" WITH (FORCE)'))


async def _on_server(url: str, statement: str) -> None:
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@contextmanager
def serving(
    name: str, module: str, *arguments: str, port: int, environment: dict[str, str], folder: Path
) -> Iterator[Server]:
    """A server that listens on `port`; its lines go to a file in `folder`."""
    log_path = folder / f"{name}.log"
    with log_path.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            env=os.environ | environment,
            stdout=log,
            stderr=log,
        )
    try:
        _await_answer(process, f"http://127.0.0.1:{port}/health", log_path)
        yield Server(name, port, psutil.Process(process.pid))
    except Exception:
        print(f"The last lines of {name}:\n{_tail(log_path)}", file=sys.stderr)
        raise
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextmanager
def service_of_its_own(**changes: str) -> Iterator[Server]:
    """One process of the API over a database of this run's own. Its settings, with these changes,
    are set in this process's environment, too.
    """
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="acredita-bench-")))
        database_url = running.enter_context(own_database(os.environ["ACREDITA_DATABASE_URL"]))
        environment = production_settings(database_url, folder) | changes
        os.environ |= environment
        (port,) = free_ports(1)
        yield running.enter_context(
            serving(
                "acredita",
                "acredita.cli",
                "api",
                f"--port={port}",
                port=port,
                environment=environment,
                folder=folder,
            )
        )


def _await_answer(process: subprocess.Popen[bytes], url: str, log_path: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    with httpx.Client(trust_env=False) as client:
        while True:
            try:
                client.get(url)
            except httpx.TransportError:
                if process.poll() is not None or time.monotonic() > deadline:
                    sys.exit(f"{url} does not answer:\n{_tail(log_path)}")
                time.sleep(0.1)
            else:
                return


def _tail(log_path: Path) -> str:
    return "\n".join(log_path.read_text().splitlines()[-5:])


def free_ports(count: int) -> list[int]:
    with ExitStack() as open_sockets:
        sockets = [open_sockets.enter_context(socket.socket()) for _ in range(count)]
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in sockets]


def production_settings(database_url: str, folder: Path) -> dict[str, str]:
    return {
        "ACREDITA_ENV": Environment.PRODUCTION.value,
        "ACREDITA_DATABASE_URL": database_url,
        "ACREDITA_DATABASE_POOL_SIZE": "10",
        "ACREDITA_SECRET_KEY": secrets.token_urlsafe(48),
        "ACREDITA_ENCRYPTION_KEYS": "benchmark:" + b64encode(secrets.token_bytes(32)).decode(),
        "ACREDITA_ALLOW_SANDBOX_PROVIDERS": "true",
        "ACREDITA_DATA_DIR": str(folder),
        "ACREDITA_ORG_RATE_LIMIT": str(FASTEST_RATE),
        "ACREDITA_ORG_RATE_BURST": str(FASTEST_RATE),
    }


def variants_of(service: Server, bare: Server, seeded: Seeded) -> list[Variant]:
    """Every bare variant stands before its peer of ours."""
    token = {"authorization": f"Bearer {seeded.token}"}
    json = {"content-type": "application/json"}
    body = orjson.dumps({"workflowId": seeded.workflow_id, "externalId": "customer-1"})
    path, one = "/verifications", f"/verifications/{seeded.verification_id}"
    return [
        Variant("GET", bare, request("GET", one, {}), 200),
        Variant("GET", service, request("GET", f"/v1{one}", token), 200),
        Variant("LIST", bare, request("GET", f"{path}?limit=20", {}), 200),
        Variant("LIST", service, request("GET", f"/v1{path}?limit=20", token), 200),
        Variant("POST", bare, request("POST", path, json, body), 201),
        Variant("POST", service, request("POST", f"/v1{path}", json | token, body), 201),
    ]


def measure(variants: list[Variant], seconds: float) -> None:
    # Of a short run, all turns are short.
    turn_seconds = min(TURN_SECONDS, seconds / len(variants))
    turns = max(1, round(seconds / turn_seconds / len(variants)))
    # A new process, which inherits nothing from this one.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as generator:
        for variant in variants:
            variant.take_turn(generator, min(WARM_UP_SECONDS, turn_seconds))
            variant.forget()
        for turn in range(turns):
            for number in range(0, len(variants), 2):
                # Each of a pair goes first every other time.
                pair = variants[number : number + 2]
                for variant in pair if turn % 2 == 0 else reversed(pair):
                    variant.take_turn(generator, turn_seconds)


def compare(variants: list[Variant]) -> list[Bar]:
    """Print the table."""
    row = "{:<5} {:<9} {:>14} {:>9} {:>9} {:>8} {:>8}".format
    print(row("", "", "CPU us/request", "to bare", "req/s", "p50 ms", "p99 ms"))
    found = []
    for bare, ours in zip(variants[::2], variants[1::2], strict=True):
        ratio = median(our / peer for our, peer in zip(ours.costs, bare.costs, strict=True))
        for variant, times in ((bare, 1.0), (ours, ratio)):
            hundredths = quantiles(variant.latencies, n=100)
            print(
                row(
                    variant.method,
                    variant.server.name,
                    f"{median(variant.costs):.0f}",
                    f"{times:.2f}",
                    f"{len(variant.latencies) / variant.seconds:.0f}",
                    f"{hundredths[49] * 1000:.1f}",
                    f"{hundredths[98] * 1000:.1f}",
                )
            )
        found.append(Bar.at_least(f"{ours.method} to the bare endpoint", 1 / ratio, LEAST))
    return found


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="of load, all turns together")
    parser.add_argument("--others", type=int, default=OTHERS, help="verifications beside the one")
    arguments = parser.parse_args(given)
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="acredita-bench-")))
        database_url = running.enter_context(own_database(os.environ["ACREDITA_DATABASE_URL"]))
        environment = production_settings(database_url, folder)
        os.environ |= environment
        our_port, bare_port = free_ports(2)
        service = running.enter_context(
            serving(
                "acredita",
                "acredita.cli",
                "api",
                f"--port={our_port}",
                port=our_port,
                environment=environment,
                folder=folder,
            )
        )
        bare = running.enter_context(
            serving(
                "bare",
                "benchmarks.bare",
                str(bare_port),
                port=bare_port,
                environment=environment,
                folder=folder,
            )
        )
        address = f"http://127.0.0.1:{our_port}"
        seeded = asyncio.run(seed(Settings(), address, arguments.others))
        variants = variants_of(service, bare, seeded)
        print(
            f"{CLIENTS} clients, {arguments.others} other verifications,"
            f" {arguments.seconds:.0f} s of load"
        )
        measure(variants, arguments.seconds)
        return compare(variants)


if __name__ == "__main__":
    sys.exit(main())
