"""While Redis is away for long, everything goes on: answers stay quick, work is done, no 5xx."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles

import httpx
import pytest
import redis as redis_client

from acredita.embedded.ports import HOST
from acredita.jobs import Queue
from tests.chaos.customers import CURPS, Customers
from tests.chaos.installation import WORKERS, Installation

# Longer than most: the machine may be busy, and the faults take their time.
pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]
SEED = 2
# What may run out meanwhile: patience of a link (2 s), pauses of loops (5 s), repeated wake-ups
# (30 s are too long for a test that runs every time; `make chaos` kills Redis more often).
AWAY_SECONDS = 20.0
SLOWEST_P95 = 0.3
# Far below the minute after which the ledger would be asked again: the poll is what carries.
DECIDED_WITHIN = 10.0
BACK_WITHIN = 15.0


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, SEED, is_calm=True).running() as installation:
        yield installation


class Caller:
    """Asks ten times a second, in turns of both processes: creates one, lists some."""

    def __init__(self, installation: Installation, customers: Customers) -> None:
        self.latencies: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.created: dict[str, float] = {}
        self._workflow_id = customers.workflows[0]["metadata"]
        self._clients = [
            httpx.AsyncClient(
                base_url=f"http://{HOST}:{port}",
                headers={"X-Api-Key": customers.keys[0]},
                trust_env=False,
            )
            for port in installation.api_ports
        ]

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()

    async def call_for(self, seconds: float) -> None:
        began = time.monotonic()
        turn = 0
        while time.monotonic() - began < seconds:
            client, turn = self._clients[turn % 2], turn + 1
            if turn % 4 == 0:
                body = {"workflowId": self._workflow_id, "metadata": {"curp": CURPS["APPROVED"]}}
                answer = await self._timed(client.post("/v1/verifications", json=body))
                self.created[answer.json()["verification"]["id"]] = time.monotonic()
            else:
                await self._timed(client.get("/v1/verifications?limit=20"))
            await asyncio.sleep(0.1)

    async def _timed(self, asking) -> httpx.Response:
        began = time.monotonic()
        answer = await asking
        self.latencies.append(time.monotonic() - began)
        self.statuses[answer.status_code] += 1
        return answer

    async def health(self) -> str:
        return (await self._clients[0].get("/health")).json()["redis"]

    async def slowest_decision(self) -> float:
        """Seconds from the answer to the decision, of the one that took longest."""
        slowest = 0.0
        for verification_id, created in self.created.items():
            while True:
                answer = await self._clients[0].get(f"/v1/verifications/{verification_id}")
                shown = answer.json()["verification"]
                if shown["status"] == "APPROVED":
                    break
                assert time.monotonic() - created < 60
                await asyncio.sleep(0.1)
            slowest = max(slowest, time.monotonic() - created)
        return slowest


def listeners(installation: Installation) -> int:
    """How many connections of Redis ask for wake-ups, which is what arq's workers do."""
    client = redis_client.Redis(port=installation.redis.port)
    try:
        return sum(each["cmd"] == "zrangebyscore" for each in client.client_list())
    finally:
        client.close()


async def course(installation: Installation) -> None:
    customers = Customers(installation, seed=SEED)
    await customers.settle_in()
    caller = Caller(installation, customers)
    try:
        await caller.call_for(3)
        caller.latencies.clear()
        installation.redis.kill()
        await caller.call_for(AWAY_SECONDS)
        assert set(caller.statuses) == {200, 201}
        assert quantiles(caller.latencies, n=20)[-1] < SLOWEST_P95
        assert await caller.health() == "down"
        last = list(caller.created)[-10:]
        caller.created = {each: caller.created[each] for each in last}
        assert await caller.slowest_decision() < DECIDED_WITHIN
        await asyncio.to_thread(installation.redis.start)
        deadline = time.monotonic() + BACK_WITHIN
        while await asyncio.to_thread(listeners, installation) < WORKERS * len(Queue):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.2)
        assert await caller.health() == "up"
    finally:
        await caller.close()
        await customers.close()
    for child in installation.children:
        child.start()
        assert child.ended == [], child.name


def test_while_redis_is_away_answers_stay_quick_and_work_is_done(installation):
    asyncio.run(course(installation))
