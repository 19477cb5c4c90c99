"""Deliveries by real worker processes: killed, frozen, without Redis; and how fast they are."""

import asyncio
import logging
import os
import random
import signal
import time
from collections import Counter, defaultdict
from pathlib import Path

import orjson
import psutil
import pytest
from sqlalchemy import func, select

from acredita.models import Delivery, DeliveryState, Job, JobState
from acredita.resources.webhooks import signed_request
from tests.api.webhooks.conftest import add_verification, make_tenant
from tests.factories.receiver import Authority, answer
from tests.loaded_processes import PROGRAM, LoadedProcess
from tests.reliability.fleet import Faults, KillableRedis

log = logging.getLogger(__name__)
LEASE = 2.0
# Of the specified 10, 60, 300 and 1800 seconds, a hundredth or less.
DELAYS = "0.1,0.5,1,2"


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


@pytest.fixture
def redis():
    server = KillableRedis()
    server.start()
    yield server
    server.kill()


class Couriers:
    """Worker processes for webhooks alone; what is dead is replaced when `keep_up` is called."""

    def __init__(self, size: int, services, authority: Authority, redis_url: str) -> None:
        self._environment = os.environ | {
            "ACREDITA_ENV": "test",
            "ACREDITA_DATABASE_URL": services.settings.database_url,
            "ACREDITA_REDIS_URL": redis_url,
            "ACREDITA_DATA_DIR": str(services.settings.data_dir),
            "ACREDITA_JOB_LEASE": str(LEASE),
            "ACREDITA_WEBHOOK_ALLOW_PRIVATE": "true",
            "ACREDITA_WEBHOOK_CA_FILE": str(authority.ca_file),
            "ACREDITA_WEBHOOK_RESOLVER": str(authority.names),
            "ACREDITA_WEBHOOK_RETRY_DELAYS": DELAYS,
            "ACREDITA_WEBHOOK_TIMEOUT": "1.5",
        }
        self._size = size
        self._log = Path(services.settings.data_dir) / "couriers.log"
        self.workers: list[LoadedProcess] = []

    def keep_up(self) -> None:
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        while len(self.workers) < self._size:
            with self._log.open("a") as log_file:
                self.workers.append(
                    LoadedProcess(
                        [*PROGRAM, "acredita.cli", "worker", "--queues=webhooks"],
                        env=self._environment,
                        stdout=log_file,
                        stderr=log_file,
                        start_new_session=True,
                    )
                )

    def said(self, words: str) -> int:
        return self._log.read_text().count(words)

    def stop(self) -> list[int]:
        for worker in self.workers:
            worker.send_signal(signal.SIGCONT)
            worker.send_signal(signal.SIGTERM)
        return [worker.wait(30) for worker in self.workers]

    def kill(self) -> None:
        for worker in self.workers:
            worker.kill()
            worker.wait()


@pytest.fixture
def couriers(services, authority, redis):
    fleets: list[Couriers] = []

    def of(size: int) -> Couriers:
        fleets.append(Couriers(size, services, authority, redis.url))
        fleets[-1].keep_up()
        return fleets[-1]

    yield of
    for fleet in fleets:
        fleet.kill()


async def states(services) -> Counter:
    async with services.database.reading() as connection:
        rows = await connection.execute(
            select(Delivery.state, func.count()).group_by(Delivery.state)
        )
        return Counter(dict(rows.all()))


async def until(condition, *, within: float) -> None:
    async with asyncio.timeout(within):
        while not await condition():  # noqa: ASYNC110 (the processes are not ours to await)
            await asyncio.sleep(0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rounds", [12, pytest.param(30, marks=pytest.mark.thorough)], ids="{} rounds".format
)
async def test_every_event_arrives_whatever_is_killed(services, authority, redis, couriers, rounds):
    """Twenty deliveries a round to two moody endpoints; a fault in each round; then quiet."""
    chance = random.Random(20_260_101)
    taken: Counter[tuple[str, str]] = Counter()

    async def moody(receiver, request):
        mood = chance.random()
        if mood < 0.05:
            return await answer(500)(receiver, request)
        if mood < 0.07:
            await asyncio.sleep(3)
        if mood < 0.08:
            request.transport.abort()
        taken[request.path, request.headers["webhook-id"]] += 1
        return await answer(200)(receiver, request)

    async with authority.receiver() as receiver:
        receiver.otherwise = moody
        tenant = await make_tenant(services, "Uno")
        endpoints = [await tenant.register(receiver.url(path)) for path in ("/one", "/two")]
        secrets = {
            f"/{name}": each.secret for name, each in zip(("one", "two"), endpoints, strict=True)
        }
        verifications = [await add_verification(services, tenant.id) for _ in range(30)]
        workers = couriers(2)
        faults = Faults(workers, redis, freeze=LEASE * 1.5, outage=1.0)
        for round_ in range(rounds):
            if round_ < rounds // 3:
                for verification in verifications:
                    await verification.record(number=round_)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(faults.inflict_one)
        await asyncio.to_thread(faults.heal)

        async def quiet():
            workers.keep_up()
            return not (await states(services))[DeliveryState.PENDING]

        await until(quiet, within=60)
        assert set(await asyncio.to_thread(workers.stop)) <= {0, -signal.SIGTERM}
        requests = list(receiver.received)

    # Each came, with the same bytes and a good signature every time.
    bodies = defaultdict(set)
    for request in requests:
        bodies[request.path, request.headers["webhook-id"]].add(request.body)
        signature = signed_request.signature(secrets[request.path], request.body)
        assert request.headers["x-service-signature"] == signature
    assert len(bodies) == 20 * rounds
    assert all(len(each) == 1 for each in bodies.values())
    assert set(await states(services)) <= {DeliveryState.DELIVERED, DeliveryState.FAILED}
    async with services.database.reading() as connection:
        drains = await connection.scalars(select(Job.state).where(Job.kind == "webhooks.drain"))
        assert drains.all() == [JobState.DONE] * 2
    repeated = sum(count - 1 for count in taken.values())
    log.info("%s: %d of %d taken twice", faults.count, repeated, len(taken))
    assert faults.count["kill"] > rounds // 6
    assert repeated <= 0.1 * 20 * rounds


@pytest.mark.faults
async def test_two_thousand_events_cost_less_than_five_hundred_a_second_would(
    services, authority, couriers
):
    """WH-13. By the worker's CPU time: what else the machine does is not its fault."""
    async with authority.receiver() as receiver:
        tenant = await make_tenant(services, "Uno")
        await tenant.register(receiver.url())
        verifications = [await add_verification(services, tenant.id) for _ in range(50)]
        workers = couriers(1)

        async def started():
            return workers.said("worker.started") == 1

        await until(started, within=30)
        process = psutil.Process(workers.workers[0].pid)
        process.suspend()
        for number in range(40):
            for verification in verifications:
                await verification.record(number=number)
        process.resume()
        before, began = process.cpu_times(), time.monotonic()
        await receiver.wait_for(2000, within=60)

        async def settled():
            return (await states(services)) == {DeliveryState.DELIVERED: 2000}

        await until(settled, within=20)
        after = process.cpu_times()
        assert await asyncio.to_thread(workers.stop) == [0]
        requests = list(receiver.received)
    assert len(requests) == 2000
    numbers = defaultdict(list)
    for request in requests:
        data = orjson.loads(request.body)["data"]
        numbers[data["verificationId"]].append(data["number"])
    assert all(each == list(range(40)) for each in numbers.values())
    spent = after.user + after.system - before.user - before.system
    log.info("%.2f s of CPU, %.1f s of time", spent, time.monotonic() - began)
    assert spent < 2000 / 500
