"""Event streams of real API processes: many streams, a killed process, and a stopped process."""

import asyncio
import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import AsyncExitStack

import httpx
import pytest

from acredita.embedded.ports import HOST, free_port
from tests.api.sdk.streams import watching
from tests.factories.organizations import make_verification, make_workflow

log = logging.getLogger(__name__)

pytestmark = [pytest.mark.faults, pytest.mark.timeout(300)]
STREAMS, REQUESTS = 200, 50
SLOWEST_OF_95 = 0.2
ENDS_WITHIN = 2.0


class Api:
    """The API as it is started in production."""

    def __init__(self, settings, folder):
        self.url = f"http://{HOST}:{(port := free_port())}"
        environment = {
            "ACREDITA_ENV": "test",
            "ACREDITA_HOST": HOST,
            "ACREDITA_PORT": str(port),
            "ACREDITA_DATABASE_URL": settings.database_url,
            "ACREDITA_REDIS_URL": settings.redis_url,
            "ACREDITA_DATA_DIR": str(folder),
            "ACREDITA_ORG_RATE_LIMIT": "100000",
            "ACREDITA_ORG_RATE_BURST": "100000",
            "ACREDITA_IP_RATE_LIMIT": "100000",
            "ACREDITA_IP_RATE_BURST": "100000",
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", "acredita.cli", "api"],
            env=os.environ | environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def is_healthy(self):
        try:
            return httpx.get(f"{self.url}/health", trust_env=False).status_code == 200
        except httpx.TransportError:
            return False


@pytest.fixture
def apis(settings, services, tmp_path):
    started = [Api(settings, tmp_path) for _ in range(2)]
    deadline = time.monotonic() + 60
    while not all(api.is_healthy() for api in started):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    yield started
    for api in started:
        api.process.kill()
        api.process.wait()


async def decide(member, verification_id):
    where = f"/v1/verifications/{verification_id}/status"
    assert (await member.patch(where, json={"status": "APPROVED"})).status_code == 200


async def test_requests_are_answered_while_200_streams_are_open(apis, banco):
    """FLT-10."""
    workflow_id = await make_workflow(banco)
    ids = [await make_verification(banco, workflow_id) for _ in range(STREAMS // 5)]
    url = apis[0].url
    async with (
        AsyncExitStack() as stack,
        httpx.AsyncClient(base_url=url, trust_env=False, headers=banco.headers) as client,
    ):
        streams = [
            await stack.enter_async_context(watching(url, each)) for each in ids for _ in range(5)
        ]
        assert all([await stream.message() for stream in streams])
        took = []
        for number in range(REQUESTS):
            began = time.monotonic()
            answer = await client.get(f"/v1/verifications/{ids[number % len(ids)]}")
            took.append(time.monotonic() - began)
            assert answer.status_code == 200
        assert sorted(took)[int(0.95 * REQUESTS)] < SLOWEST_OF_95, sorted(took)
        for each in ids:
            await decide(banco, each)
        # Each ends with its verification; another process's connection delivers the change.
        ends = await asyncio.gather(*(stream.rest() for stream in streams))
    assert {last[-1].view["status"] for last in ends} == {"APPROVED"}


async def test_a_stream_goes_on_in_another_process_where_one_was_killed(apis, banco):
    verification_id = await make_verification(banco)
    async with watching(apis[0].url, verification_id) as stream:
        first = await stream.message()
        apis[0].process.kill()
        with pytest.raises(httpx.TransportError):
            await stream.rest()
    await decide(banco, verification_id)
    async with watching(apis[1].url, verification_id, after=first.id) as stream:
        rest = await stream.rest()
    assert [message.event for message in rest] == [
        "verification.updated",
        "verification.completed",
        "verification.approved",
    ]


async def test_a_process_that_is_told_to_end_does_so_with_streams_open(apis, banco):
    verification_id = await make_verification(banco)
    async with AsyncExitStack() as stack:
        streams = [
            await stack.enter_async_context(watching(apis[0].url, verification_id))
            for _ in range(5)
        ]
        for stream in streams:
            await stream.message()
        began = time.monotonic()
        apis[0].process.send_signal(signal.SIGTERM)
        ends = await asyncio.gather(*(stream.rest() for stream in streams))
        let_go = time.monotonic() - began
        assert ends == [[]] * 5, "ended in order, so that browsers come again"
    await asyncio.to_thread(apis[0].process.wait, 30)
    ended = time.monotonic() - began
    assert let_go < ENDS_WITHIN, (let_go, ended)
    log.info("streams let go after %.2f s, the process after %.2f s", let_go, ended)
