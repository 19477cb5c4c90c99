"""/metrics: who may see it, what it counts, and that it names nobody."""

import asyncio
import time
from uuid import uuid4

import aiohttp
import httpx
import pytest
from pydantic import SecretStr

from acredita.embedded.ports import free_port
from acredita.kit import redis
from acredita.kit.metrics import gauges
from acredita.kit.metrics.exposition import Exposition, cached
from acredita.kit.metrics.server import serve
from acredita.kit.processes import ProcessPool, TaskTimedOut
from acredita.kit.redis_pipeline import RedisLink
from acredita.kit.token_bucket import Bucket, SharedBuckets
from acredita.main import create_app
from tests.factories.organizations import make_verification
from tests.observability.conftest import HEADERS, ID, TOKEN, Numbers, numbers_of


async def scrape(client) -> Numbers:
    answer = await client.get("/metrics", headers=HEADERS)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return Numbers(answer.text)


async def test_without_a_token_there_is_no_such_address(services):
    settings = services.settings.model_copy(update={"metrics_token": SecretStr("")})
    app = create_app(settings)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client,
    ):
        answer = await client.get("/metrics", headers=HEADERS)
        unknown = await client.get("/nothing")
    assert answer.status_code == unknown.status_code == 404
    assert answer.json()["error"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize(
    "headers", [{}, {"Authorization": "Bearer other"}, {"Authorization": TOKEN}]
)
async def test_the_token_is_asked_for(client, headers):
    answer = await client.get("/metrics", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert "acredita_" not in answer.text


async def test_requests_are_counted_by_template_whatever_ids_they_name(client, banco):
    path = "/v1/verifications/{id}"
    before = await scrape(client)
    for _ in range(3):
        await banco.get(f"/v1/verifications/{uuid4()}")
    await banco.get(f"/v1/verifications/{await make_verification(banco)}")
    after = await scrape(client)
    for status, number in (("404", 3), ("200", 1)):
        labels = {"route": path, "method": "GET", "status": status}
        counted = after.of("http_requests_total", **labels)
        assert counted - before.of("http_requests_total", **labels) == number
    lasted = {"route": path, "method": "GET"}
    counted = after.of("http_request_seconds_count", **lasted)
    assert counted - before.of("http_request_seconds_count", **lasted) == 4


async def test_made_up_methods_and_addresses_are_one_series_each(client):
    for number in range(20):
        await client.request(f"MADE{number}", f"/made-up/{number}")
    numbers = await scrape(client)
    assert numbers.of("http_requests_total", method="other", route="(none)") >= 20
    known = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "other"}
    assert numbers.values_of("http_requests_total", "method") <= known


async def test_nothing_is_in_progress_but_the_scrape_itself(client):
    await asyncio.gather(*(client.get("/health") for _ in range(5)))
    assert (await scrape(client)).of("http_requests_in_progress") == 1


async def test_no_label_holds_an_id_a_name_or_an_address(client, banco, services):
    verification = await make_verification(banco, externalId="cliente-7731")
    await banco.get(f"/v1/verifications/{verification}?x={verification}")
    await client.get(f"/{verification}/cliente-7731")
    numbers = await scrape(client)
    values = {value for sample in numbers.samples for value in sample.labels.values()}
    assert len(values) > 20
    for value in values:
        assert not ID.search(value), value
        assert "cliente" not in value
        assert "@" not in value
        assert len(value) < 80


async def test_requests_that_redis_did_not_count_are_told(services):
    before = await numbers_of(services)
    nobody = redis.connect(f"redis://127.0.0.1:{free_port()}/0")
    async with RedisLink(nobody) as link:
        for _ in range(3):
            await SharedBuckets(link).take([Bucket.filling("a", rate=10, burst=10)])
    await nobody.aclose()
    after = await numbers_of(services)
    counted = after.of("rate_limit_fallbacks_total") - before.of("rate_limit_fallbacks_total")
    assert counted == 3


async def test_tasks_of_processes_are_counted_by_their_parent(services):
    pool = ProcessPool(1, name="tested")
    try:
        assert await pool.run(abs, -3, timeout=30) == 3
        with pytest.raises(TypeError):
            await pool.run(abs, "text", timeout=30)
        with pytest.raises(TaskTimedOut):
            await pool.run(time.sleep, 60, timeout=0.2)
        await pool.start()
    finally:
        await pool.close()
    numbers = await numbers_of(services)

    def tasks(task, outcome):
        return numbers.of("pool_tasks_total", pool="tested", task=task, outcome=outcome)

    assert tasks("abs", "answered") == tasks("abs", "raised") == tasks("sleep", "timed_out") == 1
    assert numbers.of("pool_task_seconds_sum", pool="tested", task="sleep") >= 0.2
    assert numbers.of("pool_tasks_in_progress", pool="tested") == 0
    assert numbers.of("pool_process_starts_total", pool="tested") == 2


async def test_connections_to_the_database_are_shown(services):
    async with services.database.reading():
        numbers = await numbers_of(services)
    assert numbers.of("database_connections", state="used") >= 1
    assert numbers.of("database_connections_ceiling") == 4


async def test_a_source_that_hangs_or_fails_is_left_out_and_counted():
    async def fails():
        raise LookupError

    async def tells():
        family = gauges("told", "What was told.")
        family.add_metric([], 7)
        return [family]

    before = Numbers((await Exposition(tells).render()).decode())
    after = Numbers((await Exposition(fails, tells).render()).decode())
    assert before.of("told") == after.of("told") == 7
    failures = "metrics_source_failures_total"
    assert after.of(failures) == before.of(failures) + 1


async def test_the_database_is_not_asked_at_every_scrape():
    asked = []

    async def source():
        asked.append(1)
        return []

    ask = cached(source, 60)
    await asyncio.gather(*(ask() for _ in range(5)))
    assert len(asked) == 1


async def test_a_port_of_its_own_shows_numbers_and_health():
    port, health = free_port(), [True]
    async with (
        serve("127.0.0.1", port, Exposition(), works=lambda: health[0]),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        async with session.get("/metrics") as answer:
            assert answer.status == 200
            assert "acredita_http_requests_total" in await answer.text()
        async with session.get("/health") as answer:
            assert (answer.status, await answer.json()) == (200, {"status": "ok"})
        health[0] = False
        async with session.get("/health") as answer:
            assert (answer.status, await answer.json()) == (503, {"status": "failing"})


async def test_a_port_of_its_own_asks_for_the_token_too():
    port = free_port()
    async with (
        serve("127.0.0.1", port, Exposition(token=TOKEN), works=lambda: True),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session,
    ):
        async with session.get("/metrics") as answer:
            assert answer.status == 401
        async with session.get("/metrics", headers=HEADERS) as answer:
            assert answer.status == 200
        async with session.get("/health") as answer:
            assert answer.status == 200
