"""A process that gets SIGTERM under load finishes its work, and no client notices."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import httpx
import pytest

from acredita.embedded.ports import HOST
from tests.chaos.customers import Customers, drawn_picture
from tests.chaos.findings import Findings
from tests.chaos.installation import Installation, plain_url

# Longer than most: the machine may be busy, and the faults take their time.
pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]
SEED = 3
STOPS_WITHIN = 15.0


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, SEED, is_calm=True).running() as installation:
        yield installation


class Failover:
    """Clients of a proxy with two upstreams: who refuses a connection is left for the other."""

    def __init__(self, installation: Installation, key: str) -> None:
        self.statuses: Counter[int] = Counter()
        # Requests that had begun, and were not answered.
        self.broken: list[str] = []
        self._headers = {"X-Api-Key": key}
        self._urls = [f"http://{HOST}:{port}" for port in installation.api_ports]

    async def ask_for_ever(self) -> None:
        async with httpx.AsyncClient(trust_env=False, timeout=20, headers=self._headers) as client:
            while True:
                for url in self._urls:
                    try:
                        answer = await client.get(f"{url}/v1/workflows")
                    except httpx.ConnectError:
                        continue
                    except httpx.TransportError as fault:
                        self.broken.append(repr(fault))
                        continue
                    self.statuses[answer.status_code] += 1
                    break
                else:
                    self.broken.append("nobody takes requests")
                await asyncio.sleep(0.01)


async def stop_an_api_under_load(installation: Installation) -> Failover:
    customers = Customers(installation, seed=SEED)
    await customers.settle_in()
    key, workflow_id = customers.keys[0], customers.workflows[0]["upload"]
    failover = Failover(installation, key)
    load = [asyncio.create_task(failover.ask_for_ever()) for _ in range(8)]
    base_url = f"http://{HOST}:{installation.api_ports[0]}"
    async with httpx.AsyncClient(
        base_url=base_url, trust_env=False, timeout=30, headers={"X-Api-Key": key}
    ) as client:
        made = await client.post("/v1/verifications", json={"workflowId": workflow_id})
        path = f"/v1/verifications/{made.json()['verification']['id']}/inputs"
        is_under_way = asyncio.Event()
        uploading = asyncio.create_task(upload_slowly(client, path, is_under_way))
        await is_under_way.wait()
        began = time.monotonic()
        code = await asyncio.to_thread(installation.apis[0].stop, STOPS_WITHIN)
        assert code is not None, "it had to be killed"
        assert time.monotonic() - began < STOPS_WITHIN
        assert (await uploading).status_code == 202
    for task in load:
        task.cancel()
    await asyncio.gather(*load, return_exceptions=True)
    await customers.close()
    return failover


async def upload_slowly(
    client: httpx.AsyncClient, path: str, is_under_way: asyncio.Event
) -> httpx.Response:
    """An upload whose body takes two seconds to arrive."""
    picture = drawn_picture()
    head = b'--x\r\nContent-Disposition: form-data; name="selfie"; filename="a.png"\r\n'
    body = head + b"Content-Type: image/png\r\n\r\n" + picture + b"\r\n--x--\r\n"

    async def pieces():
        size = len(body) // 20 + 1
        for start in range(0, len(body), size):
            yield body[start : start + size]
            await asyncio.sleep(0.1)
            is_under_way.set()

    return await client.post(
        path, content=pieces(), headers={"Content-Type": "multipart/form-data; boundary=x"}
    )


def test_an_api_that_is_told_to_stop_fails_no_request(installation):
    failover = asyncio.run(stop_an_api_under_load(installation))
    assert failover.broken == []
    assert set(failover.statuses) == {200}
    assert failover.statuses.total() > 50


async def stop_workers_under_load(installation: Installation) -> None:
    customers = Customers(installation, seed=SEED, plans=["upload", "metadata", "document"])
    await customers.settle_in()
    coming = asyncio.create_task(customers.come(60, seconds=12))
    for worker in installation.workers[:2]:
        await asyncio.sleep(5)
        began = time.monotonic()
        assert await asyncio.to_thread(worker.stop, 20) == 0
        assert time.monotonic() - began < STOPS_WITHIN
    await coming
    await customers.close()
    findings = Findings(installation, customers.account)
    assert await findings.wait_until_quiet()
    connection = await asyncpg.connect(plain_url(installation.database_url))
    try:
        needless = await connection.fetch(NEEDLESS)
    finally:
        await connection.close()
    assert needless == []
    broken = [each for each in await findings.all(asked=60) if not each.is_kept]
    assert broken == []


# What was tried twice although nothing had failed.
NEEDLESS = """
    SELECT kind, attempts, last_error FROM job
    WHERE (state = 'done' AND attempts > 1) OR last_error IS NOT NULL
    UNION ALL
    SELECT kind, attempts, last_error FROM job_finished
    WHERE attempts > 1 OR last_error IS NOT NULL
    UNION ALL
    SELECT 'attempt of a delivery', number, error FROM delivery_attempt
    WHERE number > 1 OR error IS NOT NULL
"""


def test_workers_that_are_told_to_stop_leave_nothing_to_be_done_twice(installation):
    asyncio.run(stop_workers_under_load(installation))
