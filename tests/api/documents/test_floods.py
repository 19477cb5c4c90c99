"""Uploads meant to fill the memory, the disk or all connections of an API process of its own."""

import asyncio
import contextlib
import json
import statistics
import tempfile
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tests.api.documents import pictures
from tests.api.documents.live import BOUNDARY, CONTENT_TYPE, body, chunk, part, sender
from tests.factories.organizations import make_verification, register
from tests.loaded_processes import loaded_api

MEGABYTE = 1_000_000


@pytest.fixture
async def port(services, tmp_path):
    """An API process over the database that the fixture has emptied."""
    settings = services.settings
    more = {
        "ACREDITA_LOG_LEVEL": "ERROR",
        "ACREDITA_ORG_RATE_LIMIT": str(settings.org_rate_limit),
        "ACREDITA_ORG_RATE_BURST": str(settings.org_rate_burst),
    }
    with loaded_api(settings, tmp_path / "log", **more) as port:
        yield port


@pytest.fixture
async def banco(port):
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        yield await register(client, "Banco Uno")


def process_on(port):
    for process in psutil.Process().children(recursive=True):
        if any(each.laddr.port == port for each in process.net_connections() if not each.raddr):
            return process
    raise LookupError


def spooled_bytes(process):
    """What lies in the nameless temporary files of the process, its captured output apart."""
    total = 0
    for descriptor in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            target = str(descriptor.readlink())
            if (
                int(descriptor.name) > 2
                and target.startswith(tempfile.gettempdir())
                and target.endswith("(deleted)")
            ):
                total += descriptor.stat().st_size
    return total


@pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.thorough)])
async def test_endless_bodies_cost_neither_memory_nor_disk(port, banco, services, count):
    path = f"/v1/verifications/{await make_verification(banco)}/inputs"
    # Load everything now that is loaded on first use.
    warm = await banco.post(path, files=[("front", ("x", pictures.picture()))])
    assert warm.status_code == 202
    before = sum(1 for file in services.settings.storage_folder.rglob("*") if file.is_file())
    process = process_on(port)
    memory = process.memory_info().rss
    peaks = {"memory": memory, "disk": 0}
    sent = []

    async def flood():
        headers = banco.headers | {"Transfer-Encoding": "chunked"}
        async with sender(port, path, headers) as sending:
            answered = asyncio.create_task(sending.answer())
            await sending.send(chunk(part("front")[:-2]))
            number = 0
            while number < 500 and not answered.done():
                number += 1
                await sending.send(chunk(bytes(MEGABYTE)))
            sent.append(number)
            return await answered

    async def watch():
        while True:
            peaks["memory"] = max(peaks["memory"], process.memory_info().rss)
            peaks["disk"] = max(peaks["disk"], spooled_bytes(process))
            await asyncio.sleep(0.01)

    watching = asyncio.create_task(watch())
    answers = await asyncio.gather(*(flood() for _ in range(count)))
    watching.cancel()
    for status, _, content in answers:
        assert (status, json.loads(content)["error"]["code"]) == (413, "FILE_TOO_LARGE")
    assert max(sent) < 250, "of 500 megabytes"
    assert peaks["memory"] - memory < 8 * count * MEGABYTE
    assert peaks["disk"] < 25 * count * MEGABYTE
    assert spooled_bytes(process) == 0
    after = sum(1 for file in services.settings.storage_folder.rglob("*") if file.is_file())
    assert after == before


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, pytest.param(8, marks=pytest.mark.thorough)])
async def test_full_uploads_at_once_are_all_taken_in_bounded_memory(port, banco, count):
    """Ten files of ten megabytes each: 100 MB an upload."""
    paths = [f"/v1/verifications/{await make_verification(banco)}/inputs" for _ in range(count)]
    file = pictures.padded_jpeg(10_485_760)
    process = process_on(port)
    memory = process.memory_info().rss
    peak = memory

    async def whole_body():
        for _ in range(10):
            for piece in (part("front")[:-2], file, b"\r\n"):
                yield piece
        yield b"--" + BOUNDARY + b"--\r\n"

    async def upload(path):
        answer = await banco.post(
            path, content=whole_body(), headers={"Content-Type": CONTENT_TYPE}, timeout=100
        )
        return answer.status_code

    uploads = asyncio.gather(*(upload(path) for path in paths))
    while not uploads.done():
        peak = max(peak, process.memory_info().rss)
        await asyncio.sleep(0.05)
    assert await uploads == [202] * count
    assert peak - memory < min(50 * count, 200) * MEGABYTE


@pytest.mark.faults
async def test_fifty_crawling_uploads_hinder_nobody_and_are_ended_within_a_minute(port, banco):
    verification_id = await make_verification(banco)
    path = f"/v1/verifications/{verification_id}/inputs"
    started = time.monotonic()
    times = []

    async def crawl():
        headers = banco.headers | {"Content-Length": "100000"}
        async with sender(port, path, headers) as sending:
            answered = asyncio.create_task(sending.answer())
            for byte in body(part("front", bytes(1000))):
                await sending.send(bytes([byte]))
                await asyncio.wait([answered], timeout=1)
                if answered.done():
                    break
            status, headers, _ = await answered
            await sending.closed_by_server()
            return status, time.monotonic() - started

    async def others():
        while True:
            begun = time.monotonic()
            answer = await banco.get(f"/v1/verifications/{verification_id}")
            assert answer.status_code == 200
            times.append(time.monotonic() - begun)
            await asyncio.sleep(0.2)

    asking = asyncio.create_task(others())
    ended = await asyncio.gather(*(crawl() for _ in range(50)))
    asking.cancel()
    assert {status for status, _ in ended} == {408}
    assert max(seconds for _, seconds in ended) < 60
    assert statistics.quantiles(times, n=20)[-1] < 0.2
