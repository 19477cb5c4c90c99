"""Measure memory and time of the export of 100,000 licences of ground truth.

    python -m acredita.embedded run -- python -m benchmarks.export [--rows 100000]

It measures the growth of the API's resident memory while one client reads the stream, as CSV and as
JSON lines. It exits with 1 if a bar is missed.
"""

import argparse
import asyncio
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import psutil
from sqlalchemy import insert

from acredita.kit import ids
from acredita.models import LicenceTruth, TrialStatus, TruthFile
from acredita.services import Services, open_services
from acredita.settings import Settings
from benchmarks.service import service_of_its_own
from tests.factories.organizations import register
from tests.factories.samples import KNOWN, LICENCES

BAR_MB = 100
BATCH = 2_000
FIELDS = KNOWN | {
    "fullName": "ANA MARÍA DE LA CRUZ RUIZ",
    "curp": "CURA900505MDFRZN03",
    "address": "AV. JUÁREZ 100, COL. CENTRO, 44100 GUADALAJARA, JAL.",
    "licenceClass": "AUTOMOVILISTA",
    "issueDate": "2024-01-31",
    "expiryDate": "2028-01-31",
}


async def fill(settings: Settings, organization_id: str, rows: int) -> None:
    async with open_services(settings, purpose="benchmark") as services:
        for start in range(0, rows, BATCH):
            licences = [
                _licence(services, organization_id) for _ in range(min(BATCH, rows - start))
            ]
            async with services.database.transaction() as session:
                await session.execute(insert(TruthFile), [file for file, _ in licences])
                await session.execute(insert(LicenceTruth), [truth for _, truth in licences])


def _licence(services: Services, organization_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    file_id, truth_id = ids.capability(), ids.sortable()
    read = {name: (value, 0.97) for name, value in FIELDS.items()}
    file = {
        "id": file_id,
        "organization_id": UUID(organization_id),
        "mime_type": "image/jpeg",
        "file_size": 1,
        "sha256": b"",
        "storage_key": str(file_id),
        "data_key_sealed": TruthFile.data_key.seal(services.keys, file_id, b""),
    }
    truth = {
        "id": truth_id,
        "organization_id": UUID(organization_id),
        "file_id": file_id,
        "state": "JC",
        "truth_sealed": LicenceTruth.truth.seal(
            services.keys, truth_id, {"fields": FIELDS, "notes": "Lote de mayo"}
        ),
        "reading_sealed": LicenceTruth.reading.seal(services.keys, truth_id, read),
        "status": TrialStatus.DONE.value,
        "compared": len(FIELDS),
        "correct": len(FIELDS),
    }
    return file, truth


@dataclass
class Memory:
    """Return the resident memory of a process in bytes."""

    before: int
    most: int = 0


@contextmanager
def watched(process: psutil.Process) -> Iterator[Memory]:
    memory = Memory(process.memory_info().rss)
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.02):
            memory.most = max(memory.most, process.memory_info().rss)

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield memory
    finally:
        ended.set()
        watcher.join()


def measure(base: str, token: str, process: psutil.Process, rows: int) -> bool:
    kept = True
    headers = {"Authorization": f"Bearer {token}"}
    with httpx.Client(base_url=base, headers=headers, trust_env=False, timeout=600) as client:
        client.get(f"{LICENCES}/states")
        for form in ("jsonl", "csv"):
            lines = size = 0
            started = time.perf_counter()
            with (
                watched(process) as memory,
                client.stream("GET", f"{LICENCES}/export?format={form}") as answer,
            ):
                for piece in answer.iter_bytes():
                    lines += piece.count(b"\n")
                    size += len(piece)
            seconds = time.perf_counter() - started
            grown = (memory.most - memory.before) / 2**20
            print(
                f"{form:<6} {lines} lines, {size / 2**20:.0f} MB in {seconds:.1f} s;"
                f" the API grew by {grown:.0f} MB, to {memory.most / 2**20:.0f} MB"
            )
            if lines < rows or grown > BAR_MB:
                print(f"{form}: misses its bar of all rows within {BAR_MB} MB")
                kept = False
    return kept


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.export", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    rows = parser.parse_args(given).rows
    with service_of_its_own() as server:
        base = server.address
        member = asyncio.run(_member(base))
        asyncio.run(fill(Settings(), member[0], rows))
        return 0 if measure(base, member[1], server.process, rows) else 1


async def _member(base: str) -> tuple[str, str]:
    """The organization's id, and a token of it."""
    async with httpx.AsyncClient(base_url=base, trust_env=False, timeout=60) as client:
        member = await register(client, "Banco Uno")
        return member.organization_id, member.token


if __name__ == "__main__":
    sys.exit(main())
