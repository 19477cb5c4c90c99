"""Measure the deliveries of one worker process against a bare aiohttp loop with the same bytes.

    python -m acredita.embedded run -- python -m benchmarks.deliveries [--events 10000] [--turns 3]

There is one healthy receiver with persistent TLS connections. A worker process delivers the events
of two hundred verifications; then a bare loop posts the same requests, also eight at a time. Rates
count from the first arrival to the last. The delay from the commit of the events to the first
arrival is separate. The bare loop neither signs nor stores. At last `--workers` processes deliver
together; their rate is that of the second half, after the division of the receiver. It exits with 1
if a bar is missed, a delivery is lost, or a verification's events are out of order.
"""

import argparse
import asyncio
import os
import pickle
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from typing import cast
from uuid import UUID

import asyncpg
import httptools
import orjson
import psutil
import trustme
import uvloop
from sqlalchemy.engine import make_url

from acredita.domain.events import EventKind
from acredita.domain.verification import VerificationStatus
from acredita.kit import ids
from acredita.models import Organization, Verification, WebhookEndpoint, Workflow
from acredita.resources.webhooks import delivery_rows, receivers, secrets
from acredita.services import Services, open_services
from acredita.settings import Settings
from benchmarks.bars import Bar, report
from benchmarks.service import living_cpu_seconds, own_database

HOST = "receiver.test"
VERIFICATIONS = 200
# Deliveries per second of one worker process, and its share of the rate of the bare loop.
LEAST_RATE, LEAST_SHARE = 500.0, 0.5
LONGEST_TURN = 120.0
START_SECONDS = 60.0
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"

# As many events at once as a busy hour brings; otherwise as resources.webhooks.events records them.
RECORD_MANY = f"""
    WITH event_added AS (
        INSERT INTO event (id, organization_id, verification_id, kind, data)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::bytea[])
        RETURNING {receivers.EVENT_COLUMNS}
    ), {delivery_rows.ADDING}
    SELECT true
"""  # noqa: S608 (constants)
PENDING = "SELECT count(*) FROM delivery WHERE state = 'pending'"


@dataclass
class Arrivals:
    """The requests that reached the receiver, with times."""

    expected: int = 0
    requests: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    first: float = 0.0
    last: float = 0.0
    halfway: float = 0.0
    connections: int = 0
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    def expect(self, count: int) -> None:
        self.expected, self.connections = count, 0
        self.requests.clear()
        self.complete.clear()

    def add(self, headers: dict[str, str], body: bytes) -> None:
        self.last = time.perf_counter()
        if not self.requests:
            self.first = self.last
        self.requests.append((headers, body))
        if len(self.requests) == self.expected // 2:
            self.halfway = self.last
        if len(self.requests) == self.expected:
            self.complete.set()

    @property
    def rate(self) -> float:
        """Return the arrivals per second, after the first."""
        return (len(self.requests) - 1) / (self.last - self.first)

    @property
    def later_rate(self) -> float:
        """Return the arrivals per second of the second half."""
        return (len(self.requests) - self.expected // 2) / (self.last - self.halfway)

    async def wait(self) -> None:
        async with asyncio.timeout(LONGEST_TURN):
            await self.complete.wait()


class Reception(asyncio.Protocol):
    """Accept each request with 200."""

    def __init__(self, arrivals: Arrivals) -> None:
        self._arrivals = arrivals
        self._parser = httptools.HttpRequestParser(self)
        self._headers: dict[str, str] = {}
        self._body = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._arrivals.connections += 1

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._headers, self._body = {}, b""

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode()] = value.decode()

    def on_body(self, body: bytes) -> None:
        self._body += body

    def on_message_complete(self) -> None:
        self._arrivals.add(self._headers, self._body)
        self._transport.write(ANSWER)


@asynccontextmanager
async def receiving(arrivals: Arrivals, folder: Path) -> AsyncIterator[str]:
    """Start a receiver in this process. Yield its address. The folder has its certificate."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    (folder / "names").write_text(f"{HOST} 127.0.0.1\n")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(HOST).configure_cert(context)
    server = await asyncio.get_running_loop().create_server(
        lambda: Reception(arrivals), "127.0.0.1", 0, ssl=context
    )
    async with server:
        yield f"https://{HOST}:{server.sockets[0].getsockname()[1]}/hook"


@dataclass(frozen=True, slots=True)
class Customer:
    organization_id: UUID
    verification_ids: list[UUID]


async def make_customer(services: Services, url: str) -> Customer:
    """Make an organization with verifications, and one endpoint for all events."""
    async with services.database.transaction() as session:
        organization = Organization(name="Banco Uno", slug="banco")
        session.add(organization)
        await session.flush()
        workflow = Workflow(organization_id=organization.id, name="Alta", steps=[])
        endpoint_id = ids.sortable()
        sealed = WebhookEndpoint.secret.seal(services.keys, endpoint_id, secrets.new_secret())
        endpoint = WebhookEndpoint(
            id=endpoint_id,
            organization_id=organization.id,
            url=url,
            events=[kind.value for kind in EventKind],
            secret_sealed=sealed,
        )
        session.add_all([workflow, endpoint])
        await session.flush()
        verifications = [
            Verification(
                organization_id=organization.id,
                workflow_id=workflow.id,
                status=VerificationStatus.PENDING,
                expires_at=services.clock.now() + timedelta(days=1),
            )
            for _ in range(VERIFICATIONS)
        ]
        session.add_all(verifications)
        await session.flush()
        return Customer(organization.id, [each.id for each in verifications])


async def record(connection: asyncpg.Connection, customer: Customer, count: int) -> None:
    events = [
        (
            ids.sortable(),
            customer.organization_id,
            verification_id := customer.verification_ids[number % VERIFICATIONS],
            EventKind.VERIFICATION_APPROVED.value,
            orjson.dumps(
                {
                    "verificationId": str(verification_id),
                    "previousStatus": "IN_PROGRESS",
                    "newStatus": "APPROVED",
                    "number": number,
                }
            ),
        )
        for number in range(count)
    ]
    await connection.execute(RECORD_MANY, *map(list, zip(*events, strict=True)))


@contextmanager
def working(folder: Path, queues: str | None = "webhooks") -> Iterator[psutil.Process]:
    """`queues`: of the worker; None for all."""
    chosen = [] if queues is None else [f"--queues={queues}"]
    path = Path(tempfile.mkstemp(suffix=".log", dir=folder)[1])
    with path.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "acredita.cli", "worker", *chosen],
            stdout=log,
            stderr=log,
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while "worker.started" not in path.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the worker does not start:\n{path.read_text()}")
            time.sleep(0.1)
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=30)


@dataclass(frozen=True, slots=True)
class Turn:
    rate: float
    # CPU microseconds of the sending process for each request.
    cost: float
    connections: int
    # Seconds from the commit of the events to the first arrival; 0 for a bare turn.
    wait: float = 0.0
    # Deliveries per second of the second half.
    later_rate: float = 0.0


async def worker_turn(
    arrivals: Arrivals,
    workers: Sequence[psutil.Process],
    connection: asyncpg.Connection,
    customer: Customer,
    count: int,
) -> Turn:
    arrivals.expect(count)
    before = living_cpu_seconds(workers)
    await record(connection, customer, count)
    committed = time.perf_counter()
    await arrivals.wait()
    while await connection.fetchval(PENDING):  # noqa: ASYNC110 (the worker tells nobody)
        await asyncio.sleep(0.05)
    check(arrivals, count)
    return Turn(
        arrivals.rate,
        (living_cpu_seconds(workers) - before) / count * 1e6,
        arrivals.connections,
        max(0.0, arrivals.first - committed),
        arrivals.later_rate,
    )


def check(arrivals: Arrivals, count: int) -> None:
    """Check that each event arrived once, and those of a verification in order."""
    latest: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for _, body in arrivals.requests:
        envelope = orjson.loads(body)
        data = envelope["data"]
        seen[envelope["id"]] += 1
        if latest.get(data["verificationId"], -1) >= data["number"]:
            sys.exit("a verification's events came out of order")
        latest[data["verificationId"]] = data["number"]
    if len(seen) != count or len(arrivals.requests) != count:
        sys.exit(f"{len(seen)} of {count} events came, in {len(arrivals.requests)} requests")


async def bare_turn(arrivals: Arrivals, url: str, folder: Path) -> Turn:
    requests = list(arrivals.requests)
    (folder / "requests").write_bytes(pickle.dumps((url, requests)))
    arrivals.expect(len(requests))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.bare_posting", str(folder), stdout=subprocess.PIPE
    )
    output, _ = await process.communicate()
    if process.returncode or not arrivals.complete.is_set():
        sys.exit("the bare loop failed")
    return Turn(arrivals.rate, float(output) / len(requests) * 1e6, arrivals.connections)


async def measure(
    arrivals: Arrivals, folder: Path, count: int, turns: int, workers: int
) -> list[Bar]:
    settings = Settings()
    plain = make_url(settings.database_url).set(drivername="postgresql")
    connection = await asyncpg.connect(plain.render_as_string(hide_password=False))
    ours: list[Turn] = []
    bare: list[Turn] = []
    together: list[Turn] = []
    try:
        async with receiving(arrivals, folder) as url:
            async with open_services(settings, purpose="benchmark") as services:
                customer = await make_customer(services, url)
            with working(folder) as worker:
                await worker_turn(arrivals, [worker], connection, customer, VERIFICATIONS)
                for _ in range(turns):
                    ours.append(await worker_turn(arrivals, [worker], connection, customer, count))
                    bare.append(await bare_turn(arrivals, url, folder))
            os.environ["ACREDITA_WEBHOOK_WORKERS"] = str(workers)
            with ExitStack() as running:
                fleet = [running.enter_context(working(folder)) for _ in range(workers)]
                for _ in range(turns):
                    # Long enough that most of it follows the division.
                    turn = await worker_turn(arrivals, fleet, connection, customer, 4 * count)
                    together.append(turn)
    finally:
        await connection.close()
    print_together(ours, together, workers)
    return compare(ours, bare)


def print_together(ours: list[Turn], together: list[Turn], workers: int) -> None:
    rate, cost = median(each.later_rate for each in together), median(t.cost for t in together)
    alone, cost_alone = median(each.later_rate for each in ours), median(t.cost for t in ours)
    print(
        f"{workers} workers for the receiver: {rate:.0f} a second, {rate / alone:.2f} times one's;"
        f" {cost:.0f} us of CPU each, {cost / cost_alone:.2f} times"
    )


def compare(ours: list[Turn], bare: list[Turn]) -> list[Bar]:
    """Print the table."""
    row = "{:<9} {:>8} {:>12} {:>12}".format
    print(row("", "a second", "CPU us each", "connections"))
    for name, turns in (("bare", bare), ("acredita", ours)):
        rate = median(turn.rate for turn in turns)
        cost = median(turn.cost for turn in turns)
        connections = max(turn.connections for turn in turns)
        print(row(name, f"{rate:.0f}", f"{cost:.0f}", str(connections)))
    rate = median(turn.rate for turn in ours)
    share = median(our.rate / peer.rate for our, peer in zip(ours, bare, strict=True))
    print(f"{share:.0%} of the bare loop")
    print(f"first arrival {median(turn.wait for turn in ours) * 1000:.0f} ms after the commit")
    return [
        Bar.at_least("deliveries a second of one worker", rate, LEAST_RATE),
        Bar.at_least("deliveries to the bare loop", share, LEAST_SHARE),
    ]


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


@contextmanager
def delivery_settings(**changes: str) -> Iterator[Path]:
    """A database and a folder of this run's own. This process's environment names them, and the
    files of the folder in which `receiving` writes the receiver's authority and address.
    """
    with ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory(prefix="acredita-bench-")))
        os.environ |= {
            "ACREDITA_DATABASE_URL": running.enter_context(
                own_database(os.environ["ACREDITA_DATABASE_URL"])
            ),
            "ACREDITA_DATA_DIR": str(folder),
            "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true",
            "ACREDITA_WEBHOOK_CA_FILE": str(folder / "ca.pem"),
            "ACREDITA_WEBHOOK_RESOLVER": str(folder / "names"),
        } | changes
        yield folder


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deliveries", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="of each turn")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2, help="that deliver together at last")
    arguments = parser.parse_args(given)
    with delivery_settings(ACREDITA_WEBHOOK_WORKERS="1") as folder:
        events, turns, workers = arguments.events, arguments.turns, arguments.workers
        return uvloop.run(measure(Arrivals(), folder, events, turns, workers))


if __name__ == "__main__":
    sys.exit(main())
