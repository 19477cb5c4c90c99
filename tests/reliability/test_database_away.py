"""While PostgreSQL is away the API says so, in the envelope, and recovers by itself."""

import asyncio
import os
import secrets
import socket
import subprocess
import sys
import time
import uuid

import httpx
import pytest
from sqlalchemy.engine import make_url

from acredita.embedded import EmbeddedPostgres
from acredita.kit.keepalive import OPTIONS
from acredita.kit.migrations import upgrade
from acredita.main import create_app
from tests.factories.organizations import make_workflow, register, with_new_key

pytestmark = pytest.mark.slow
RECOVERY_SECONDS = 10


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """The folder of a server that was migrated and stopped."""
    folder = tmp_path_factory.mktemp("migrated") / "postgres"
    with EmbeddedPostgres(folder, durable=False) as server:
        upgrade(server.database_url)
    return folder


@pytest.fixture
def folder(migrated, tmp_path):
    """A copy of it, with the owners of its files."""
    subprocess.run(["cp", "--archive", migrated, tmp_path / "postgres"], check=True)
    return tmp_path / "postgres"


async def test_requests_get_503_while_postgresql_is_away_and_work_again_afterwards(
    settings, empty_redis, folder
):
    with EmbeddedPostgres(folder, durable=False) as server:
        url = server.database_url
        port = make_url(url).port
        away = settings.model_copy(update={"database_url": url})
        app = create_app(away)
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                banco = await register(client, "Banco Uno")
                assert (await banco.get("/v1/workflows")).status_code == 200
                await asyncio.to_thread(server.stop)
                for _ in range(3):
                    answer = await banco.get("/v1/workflows")
                    assert answer.status_code == 503
                    error = answer.json()["error"]
                    assert error["code"] == "SERVICE_UNAVAILABLE"
                    assert answer.headers["retry-after"] == str(error["retryAfter"])
                health = await client.get("/health")
                assert health.status_code == 200
                full = (await client.get("/v1/health/full")).json()
                assert full["database"]["status"] == "down"
                assert full["status"] == "degraded"
                with EmbeddedPostgres(folder, port=port, durable=False) as again:
                    assert again.database_url == url
                    began = time.monotonic()
                    while (await banco.get("/v1/workflows")).status_code != 200:
                        assert time.monotonic() - began < RECOVERY_SECONDS
                        await asyncio.sleep(0.1)


async def test_after_a_restart_of_postgresql_not_even_the_first_requests_fail(
    settings, empty_redis, folder
):
    """Connections that lay idle are found dead before they are used."""
    with EmbeddedPostgres(folder, durable=False) as server:
        url = server.database_url
        app = create_app(settings.model_copy(update={"database_url": url}))
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                member = await with_new_key(await register(client, "Banco Uno"), rateLimit=0)
                workflow_id = await make_workflow(member)

                async def use_connections():
                    body = {"workflowId": workflow_id}
                    asked = [member.get("/v1/workflows") for _ in range(8)]
                    asked += [member.post("/v1/verifications", json=body) for _ in range(8)]
                    key = {"Idempotency-Key": secrets.token_hex(8)}
                    asked.append(member.post("/v1/verifications", json=body, headers=key))
                    return {answer.status_code for answer in await asyncio.gather(*asked)}

                assert await use_connections() == {200, 201}
                await asyncio.to_thread(server.stop)
                with EmbeddedPostgres(server.folder, port=make_url(url).port, durable=False):
                    assert await use_connections() == {200, 201}


async def test_whoever_finds_no_connection_in_time_is_told_when_to_come_again(app, banco):
    pool = app.state.services.database.pool
    pool._timeout = 0.1
    held = [await pool.take() for _ in range(pool.ceiling)]
    body = {"workflowId": str(uuid.uuid4())}
    for answer in (
        await banco.get("/v1/verifications"),
        await banco.get("/v1/workflows"),
        await banco.post("/v1/verifications", json=body),
        await banco.post("/v1/verifications", json=body, headers={"Idempotency-Key": "once"}),
    ):
        assert answer.status_code == 503
        assert answer.json()["error"]["code"] == "SERVICE_UNAVAILABLE"
        assert int(answer.headers["retry-after"]) >= 1
    for each in held:
        pool.give(each)
    assert (await banco.get("/v1/workflows")).status_code == 200


async def test_no_connection_waits_for_ever_for_a_host_that_is_gone(services):
    """The kernel ends it: nothing is left of a host that loses its power that could say so."""
    async with services.database.engine.connect() as connection:
        raw = await connection.get_raw_connection()
        option = raw.driver_connection._transport.get_extra_info("socket").getsockopt
        assert option(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
        for name, value in OPTIONS.items():
            assert option(socket.IPPROTO_TCP, name) == value
    assert len(OPTIONS) == 4 or sys.platform != "linux"


async def test_health_says_that_redis_is_down_and_the_api_works_on(settings, services):
    lost = settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    app = create_app(lost)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            health = await client.get("/health")
            assert health.status_code == 200
            assert (health.json()["redis"], health.json()["status"]) == ("down", "degraded")
            assert set(health.json()) == {"status", "uptime", "timestamp", "redis"}
            banco = await register(client, "Banco Uno")
            assert (await banco.get("/v1/workflows")).status_code == 200
    assert os.environ["ACREDITA_REDIS_URL"]
