"""Rate limits over several processes, and while Redis hangs, dies and comes back."""

import asyncio
import contextlib
import os
import signal
import time

import httpx
import pytest

from acredita.embedded.ports import free_port
from acredita.main import create_app
from tests.factories.organizations import Member, register
from tests.loaded_processes import PROGRAM, LoadedProcess
from tests.reliability.fleet import KillableRedis

pytestmark = pytest.mark.slow
ME = "/v1/organizations/me"
RATE, BURST = 10, 20


@contextlib.asynccontextmanager
async def api_processes(settings, tmp_path, count):
    """Clients of so many API processes that share PostgreSQL and Redis, and their logs."""
    async with contextlib.AsyncExitStack() as running:
        clients, logs = [], []
        for number in range(count):
            port, log = free_port(), tmp_path / f"api{number}.log"
            environment = os.environ | {
                "ACREDITA_ENV": "test",
                "ACREDITA_DATABASE_URL": settings.database_url,
                "ACREDITA_DATABASE_POOL_SIZE": "4",
                "ACREDITA_REDIS_URL": settings.redis_url,
                "ACREDITA_DATA_DIR": str(tmp_path),
                "ACREDITA_ORG_RATE_LIMIT": str(RATE),
                "ACREDITA_ORG_RATE_BURST": str(BURST),
            }
            command = [*PROGRAM, "acredita.cli", "api", f"--port={port}"]
            output = running.enter_context(log.open("w"))
            process = LoadedProcess(command, env=environment, stderr=output)
            running.callback(process.wait, 20)
            running.callback(process.terminate)
            client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False)
            clients.append(await running.enter_async_context(client))
            logs.append(log)
        for client in clients:
            await until_it_answers(client)
        yield clients, logs


async def until_it_answers(client):
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(httpx.TransportError):
                return await client.get("/health")
            await asyncio.sleep(0.1)


async def ask_at_once(*members, times):
    began = time.monotonic()
    answers = await asyncio.gather(
        *(members[number % len(members)].get(ME) for number in range(times))
    )
    return [answer.status_code for answer in answers], time.monotonic() - began


async def test_the_processes_of_the_api_share_an_organizations_bucket(services, tmp_path):
    async with api_processes(services.settings, tmp_path, 2) as (clients, logs):
        banco = await register(clients[0], "Banco Uno")
        views = [
            Member(client, banco.organization_id, banco.api_key, banco.token) for client in clients
        ]
        for _ in range(5):
            await services.redis.flushdb()
            outages = sum(log.read_text().count("this process's own") for log in logs)
            statuses, seconds = await ask_at_once(*views, times=60)
            # Where Redis itself got no CPU in time, each process has counted alone.
            if outages == sum(log.read_text().count("this process's own") for log in logs):
                break
            await asyncio.sleep(BURST / RATE)
        else:
            pytest.fail("Redis was too slow in every attempt")
        assert set(statuses) == {200, 429}
        assert BURST <= statuses.count(200) <= BURST + 1 + RATE * seconds


async def test_while_redis_hangs_or_is_gone_limits_hold_and_nothing_fails(services):
    redis = KillableRedis()
    redis.start()
    settings = services.settings.model_copy(
        update={"redis_url": redis.url, "org_rate_limit": RATE, "org_rate_burst": BURST}
    )
    app = create_app(settings)
    try:
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                banco = await register(client, "Banco Uno")
                assert (await banco.get(ME)).status_code == 200
                redis._process.send_signal(signal.SIGSTOP)
                await limits_hold(banco)
                health = await client.get("/health")
                assert (health.status_code, health.json()["redis"]) == (200, "down")
                redis._process.send_signal(signal.SIGCONT)
                redis.kill()
                await asyncio.sleep(BURST / RATE)
                await limits_hold(banco)
                health = await client.get("/health")
                assert (health.status_code, health.json()["redis"]) == (200, "down")
                redis.start()
                async with asyncio.timeout(30):
                    while True:
                        assert (await banco.get(ME)).status_code in {200, 429}
                        if not app.state.rate_limits._buckets._is_away:
                            break
                        await asyncio.sleep(0.2)
                assert (await client.get("/health")).json()["redis"] == "up"
    finally:
        redis.kill()


async def limits_hold(member):
    statuses, seconds = await ask_at_once(member, times=60)
    assert set(statuses) == {200, 429}
    assert BURST / 2 <= statuses.count(200) <= BURST + 1 + RATE * seconds
    for _ in range(5):
        began = time.monotonic()
        assert (await member.get(ME)).status_code in {200, 429}
        assert time.monotonic() - began < 2
