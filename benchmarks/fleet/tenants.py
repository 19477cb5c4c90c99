"""One organization next to another that takes all it can get: real documents and costly files.

- **documents**: one organization has `--queued` passports in the queue of one engine process; the
  time of another's single passport, from the upload to the decision, next to its time without.
- **bombs**: one organization sends files that cost much to decode; the 95th percentile of another's
  uploads, next to that without.

Idle and loaded turns alternate, so that whatever else the machine does falls on both alike. Bar: at
most three times the idle time.
"""

import argparse
import asyncio
import io
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles

import asyncpg
import httpx
import psutil
from PIL import Image
from sqlalchemy.engine import make_url

from acredita.domain.steps import DOCUMENT_OCR
from acredita_synthetic.capture import Difficulty
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from benchmarks.bars import Bar, report
from benchmarks.fleet.connections import working
from benchmarks.service import free_ports, own_database, production_settings, serving
from tests.api.documents.pictures import nested_forms_pdf
from tests.factories.organizations import Member, make_verification, make_workflow, register

MOST = 3.0
PATIENCE = 900.0
POLL_SECONDS, MOST_POLLS = 0.05, 1200
SENDERS = 6
SERVICE_UNAVAILABLE = 503
OPEN = ("PENDING", "IN_PROGRESS")
MINE = "queue = 'engines' AND organization_id = $1::uuid"
WAITING = f"SELECT count(*) FROM job WHERE state = 'pending' AND {MINE}"  # noqa: S608 (constants)
# As if nothing had been queued. The check of invariants would add the jobs of open verifications.
EXPIRE = """
    UPDATE verification SET status = 'EXPIRED'
    WHERE status IN ('PENDING', 'IN_PROGRESS') AND organization_id = $1::uuid
"""
FINISH = f"""
    UPDATE job SET state = 'done', finished_at = now() WHERE state = 'pending' AND {MINE}
"""  # noqa: S608 (constants)


@dataclass(slots=True)
class Times:
    """Seconds without and with the other organization's load."""

    idle: list[float] = field(default_factory=list)
    loaded: list[float] = field(default_factory=list)

    def report(self, name: str, of: str) -> Bar:
        """Print the row."""
        value = median if of == "median" else _p95
        idle, loaded = value(self.idle), value(self.loaded)
        print(
            f"{name}: {of} {idle:.2f} s idle ({len(self.idle)}), {loaded:.2f} s beside the other"
            f" ({len(self.loaded)}), {loaded / idle:.2f} times",
            flush=True,
        )
        return Bar.at_most(f"{name}, {of} to the idle one", loaded / idle, MOST)


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


async def send(member: Member, workflow_id: str, content: bytes) -> tuple[str, int, float]:
    """Upload a file to a new verification; its id, the status and the seconds of the upload."""
    verification_id = await make_verification(member, workflow_id)
    began = time.perf_counter()
    answer = await member.post(
        f"/v1/verifications/{verification_id}/inputs", files={"front": ("a", content)}
    )
    return verification_id, answer.status_code, time.perf_counter() - began


async def check_one(member: Member, workflow_id: str, content: bytes) -> float:
    """Return the seconds from the upload of a document to the decision."""
    began = time.perf_counter()
    verification_id, status, _ = await send(member, workflow_id, content)
    assert status == 202, status
    async with asyncio.timeout(PATIENCE):
        while True:
            answer = await member.get(f"/v1/verifications/{verification_id}")
            if answer.json()["verification"]["status"] not in OPEN:
                return time.perf_counter() - began
            await asyncio.sleep(POLL_SECONDS)


async def queue_up(member: Member, workflow_id: str, content: bytes, number: int) -> None:
    left = iter(range(number))

    async def sender() -> None:
        for _ in left:
            _, status, _ = await send(member, workflow_id, content)
            assert status == 202, status

    async with asyncio.TaskGroup() as group:
        for _ in range(SENDERS):
            group.create_task(sender())


async def empty(database: asyncpg.Connection, *members: Member) -> None:
    """Drop what waits for the engines, and wait until the last document is read."""
    for member in members:
        for statement in (EXPIRE, FINISH):
            await database.execute(statement, member.organization_id)
    running = "SELECT count(*) FROM job WHERE state = 'running' AND queue = 'engines'"
    async with asyncio.timeout(PATIENCE):
        while await database.fetchval(running):  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)


async def documents(
    quiet: Member,
    greedy: Member,
    database: asyncpg.Connection,
    worker: psutil.Process,
    queued: int,
    singles: int,
) -> Bar:
    passport = make_specimen(SpecimenKind.PASSPORT, 7, Difficulty.CLEAN).image_bytes
    ours, theirs = [await make_workflow(member, DOCUMENT_OCR) for member in (quiet, greedy)]
    mine = greedy.organization_id
    await empty(database, quiet, greedy)
    await check_one(quiet, ours, passport)  # loads the models
    times = Times()
    for _ in range(singles):
        times.idle.append(await check_one(quiet, ours, passport))
    # Nothing is read meanwhile, so that all of them wait at first.
    worker.suspend()
    try:
        await queue_up(greedy, theirs, passport, queued)
        waiting = await database.fetchval(WAITING, mine)
    finally:
        worker.resume()
    for _ in range(singles):
        times.loaded.append(await check_one(quiet, ours, passport))
    left = await database.fetchval(WAITING, mine)
    await empty(database, greedy)
    for _ in range(singles):
        times.idle.append(await check_one(quiet, ours, passport))
    print(f"documents: {waiting} wait at first, {left} at last")
    return times.report(f"documents: a single one beside {waiting} of another", "median")


def progressive(scans: int, side: int) -> bytes:
    """A grey progressive JPEG whose last scan is repeated, so that all of it is visited often."""
    file = io.BytesIO()
    Image.effect_noise((side, side), 5).save(file, "JPEG", quality=20, progressive=True)
    content = file.getvalue()
    last = content.rfind(b"\xff\xda")
    return content[:last] + content[last:-2] * scans + b"\xff\xd9"


@asynccontextmanager
async def bombarding(
    member: Member, workflow_id: str, bombs: Sequence[bytes], statuses: Counter[int]
) -> AsyncIterator[None]:
    has_ended = asyncio.Event()

    async def sender(number: int) -> None:
        while not has_ended.is_set():
            number += 1
            _, status, _ = await send(member, workflow_id, bombs[number % len(bombs)])
            statuses[status] += 1

    tasks = [asyncio.create_task(sender(number)) for number in range(SENDERS)]
    try:
        yield
    finally:
        # A cancelled request would cost a process, which the next idle turn would wait for.
        has_ended.set()
        await asyncio.gather(*tasks)


async def _until_decoded(member: Member, workflow_id: str, picture: bytes) -> None:
    """Wait for a worker that decodes, which may not have started yet. Raise TimeoutError."""
    for _ in range(MOST_POLLS):
        if (await send(member, workflow_id, picture))[1] != SERVICE_UNAVAILABLE:
            return
        await asyncio.sleep(POLL_SECONDS)
    raise TimeoutError("no worker decodes")


async def bombs(quiet: Member, greedy: Member, uploads: int, turns: int) -> Bar:
    picture = make_specimen(SpecimenKind.PASSPORT, 8, Difficulty.CLEAN).image_bytes
    # The first and the last are refused by their estimate; the others are decoded.
    costly = [progressive(440, 200), progressive(40, 2500), progressive(30, 7000)]
    costly.append(nested_forms_pdf())
    ours, theirs = [await make_workflow(member, DOCUMENT_OCR) for member in (quiet, greedy)]
    times, statuses = Times(), Counter[int]()
    await _until_decoded(quiet, ours, picture)
    for _ in range(turns):
        for _ in range(uploads):
            times.idle.append((await send(quiet, ours, picture))[2])
        async with bombarding(greedy, theirs, costly, statuses):
            await asyncio.sleep(times.idle[-1])
            for _ in range(uploads):
                times.loaded.append((await send(quiet, ours, picture))[2])
    print(f"bombs: answered with {dict(sorted(statuses.items()))}")
    return times.report("bombs: an upload beside another's", "p95")


async def course(
    arguments: argparse.Namespace, address: str, database_url: str, worker: psutil.Process
) -> list[Bar]:
    async with httpx.AsyncClient(base_url=address, trust_env=False, timeout=PATIENCE) as client:
        quiet, greedy = await register(client, "Quiet"), await register(client, "Greedy")
        database = await asyncpg.connect(
            make_url(database_url).set(drivername="postgresql").render_as_string(False)
        )
        try:
            found = [await bombs(quiet, greedy, arguments.uploads, arguments.turns)]
            queued, singles = arguments.queued, arguments.singles
            if queued:
                found.append(await documents(quiet, greedy, database, worker, queued, singles))
            return found
        finally:
            await database.close()


def main(given: Sequence[str] | None = None) -> int:
    return report(bars(given))


def bars(given: Sequence[str] | None = None) -> list[Bar]:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet.tenants", description=__doc__)
    parser.add_argument(
        "--queued", type=int, default=1000, help="documents of the other; 0: none of this part"
    )
    parser.add_argument("--singles", type=int, default=5, help="single documents per turn")
    parser.add_argument("--uploads", type=int, default=10, help="per turn of bombs")
    parser.add_argument("--turns", type=int, default=4, help="of bombs")
    parser.add_argument(
        "--worker-decodes", action="store_true", help="the worker decodes the uploads, not the API"
    )
    arguments = parser.parse_args(given)
    with (
        tempfile.TemporaryDirectory(prefix="acredita-bench-") as name,
        own_database(os.environ["ACREDITA_DATABASE_URL"]) as url,
    ):
        folder = Path(name)
        environment = production_settings(url, folder) | {"ACREDITA_ENGINE_PROCESSES": "1"}
        port, inspection = free_ports(2)
        if arguments.worker_decodes:
            environment["ACREDITA_INSPECTION_URL"] = f"http://127.0.0.1:{inspection}"
            environment["ACREDITA_INSPECTION_PORT"] = str(inspection)
        os.environ |= environment
        with (
            working(0, environment, folder, queues="engines,light") as worker,
            serving(
                "api",
                "acredita.cli",
                "api",
                f"--port={port}",
                port=port,
                environment=environment,
                folder=folder,
            ) as server,
        ):
            return asyncio.run(course(arguments, server.address, url, worker))


if __name__ == "__main__":
    sys.exit(main())
