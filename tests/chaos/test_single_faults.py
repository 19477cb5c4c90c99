"""One kind of fault at a time, often: each alone must break no promise."""

import asyncio
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.chaos.course import run
from tests.chaos.customers import ENDPOINTS, Customers
from tests.chaos.faults import Faults
from tests.chaos.installation import FROZEN, LEASE, Installation

# Longer than most: the machine may be busy, and the faults take their time.
pytestmark = [pytest.mark.faults, pytest.mark.timeout(400)]
SEED = 5
RECOVERED_WITHIN = 10.0


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Installation]:
    with Installation(tmp_path, SEED).running() as installation:
        yield installation


def suffer(
    installation,
    *,
    count,
    seconds,
    plans,
    endpoints=tuple(ENDPOINTS),
    frozen=FROZEN,
    **a_minute,
):
    customers = Customers(installation, seed=SEED, plans=plans, endpoints=endpoints)
    rates = {name.replace("_", " "): rate for name, rate in a_minute.items()}
    faults = Faults(installation, seconds=seconds, seed=SEED, a_minute=rates, frozen=frozen)
    told = asyncio.run(run(installation, customers, faults, count=count))
    assert told.is_kept, told.text()
    return told, faults


def test_workers_killed_in_the_middle_of_reading_documents(installation):
    told, _ = suffer(installation, count=20, seconds=20, plans=["document"], worker_killed=60)
    assert told.faults == {"worker killed": 20}
    assert told.figures["seconds until quiet"] <= 45


def test_api_processes_killed_right_after_they_answered(installation):
    chance = random.Random(SEED)
    killed = []

    def kill(api: int, answer: httpx.Response) -> None:
        if answer.status_code in {201, 202} and chance.random() < 0.2:
            installation.apis[api].send(signal.SIGKILL)
            killed.append(answer.status_code)

    customers = Customers(installation, seed=SEED, plans=["upload"], when_answered=kill)
    faults = Faults(installation, seconds=25, seed=SEED, a_minute={})
    told = asyncio.run(run(installation, customers, faults, count=30))
    assert told.is_kept, told.text()
    assert {201, 202} == set(killed)


def test_redis_emptied_at_random(installation):
    suffer(
        installation,
        count=500,
        seconds=30,
        plans=["metadata"],
        endpoints=["ends"],
        Redis_emptied=90,
    )


def test_workers_frozen_for_three_leases(installation):
    suffer(
        installation,
        count=60,
        seconds=20,
        plans=["upload", "upload", "metadata", "document"],
        frozen=3 * LEASE,
        worker_frozen=24,
    )


def test_postgresql_crashing_under_load(installation):
    """503 in the envelope meanwhile; no process needs a restart, and all are back in ten seconds.

    That the envelope is well-formed, and that nothing else is answered, is among the findings.
    """
    told_away = []

    def note(_api: int, answer: httpx.Response) -> None:
        if answer.status_code == 503:
            told_away.append(time.monotonic())

    customers = Customers(installation, seed=SEED, plans=["upload", "metadata"], when_answered=note)
    faults = Faults(installation, seconds=25, seed=SEED, a_minute={"PostgreSQL crashed": 7})
    told = asyncio.run(run(installation, customers, faults, count=100))
    assert told.is_kept, told.text()
    assert told.faults == {"PostgreSQL crashed": 3}
    assert told_away
    for moment in told_away:
        overcome = [end for began, end in faults.crashes if began <= moment]
        assert overcome
        assert moment - overcome[-1] < RECOVERED_WITHIN
