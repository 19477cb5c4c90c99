"""/api/inngest, called as Inngest's server calls it: canonical JSON, signed by HMAC-SHA256."""

import hashlib
import hmac
import json
import time

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import text

from acredita.embedded.ports import HOST, free_port
from acredita.main import create_app
from acredita.settings import Environment
from tests.factories.belongings import MONITOR
from tests.factories.organizations import make_verification
from tests.factories.samples import add_licence
from tests.retention.conftest import count

PATH = "/api/inngest"
KEY = "signkey-test-0123456789abcdef"
TOMORROW = text(
    "INSERT INTO job (id, kind, payload, queue, once_key, max_attempts, run_at)"
    " VALUES (gen_random_uuid(), :kind, '{}', 'light', :key, 3, now() + interval '1 day')"
)


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"inngest_signing_key": SecretStr(KEY)})


def signature(body: bytes, *, key: str = KEY, at: float | None = None) -> str:
    moment = str(int(at or time.time()))
    digest = hmac.new(key.removeprefix("signkey-test-").encode(), body, hashlib.sha256)
    digest.update(moment.encode())
    return f"t={moment}&s={digest.hexdigest()}"


def canonical(value) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def call_of(name: str, data: dict) -> bytes:
    event = {"name": f"acredita/{name}", "data": data, "id": "e", "ts": 1, "user": {}}
    return canonical(
        {
            "ctx": {
                "attempt": 0,
                "disable_immediate_execution": True,
                "run_id": "run",
                "stack": {"stack": []},
                "use_api": False,
            },
            "event": event,
            "events": [event],
            "steps": {},
            "use_api": False,
        }
    )


async def run(client, function: str, event: str, data: dict, **signed):
    body = call_of(event, data)
    return await client.post(
        PATH,
        params={"fnId": f"acredita-{function}", "stepId": "step"},
        content=body,
        headers={
            "content-type": "application/json",
            "x-inngest-signature": signature(body, **signed),
            "x-inngest-server-kind": "cloud",
        },
    )


async def runs_now(services, kind: str) -> bool:
    return await count(services, "job", f"kind = '{kind}' AND run_at <= now()") == 1


async def wait_till_tomorrow(services, *kinds: str) -> None:
    """The rows of recurring jobs, as a worker leaves them."""
    async with services.database.reading() as connection:
        for kind in kinds:
            await connection.execute(TOMORROW, {"kind": kind, "key": f"recurring:{kind}"})


async def test_signed_calls_set_our_own_jobs_going(client, services):
    kinds = ("retention.purge", "aml.find_overdue_monitors")
    await wait_till_tomorrow(services, *kinds)
    for function, event, kind in (
        ("retention-purge", "retention.purge", kinds[0]),
        ("aml-rescreen", "aml.rescreen", kinds[1]),
    ):
        answer = await run(client, function, event, {})
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"queued": kind}
        assert await runs_now(services, kind)
    answer = await run(client, "delivery-sweep", "deliveries.sweep", {})
    assert answer.json() == {"queued": "webhooks.drain"}


async def test_one_person_is_screened_anew(client, banco, services):
    verification_id = await make_verification(banco)
    asked = await run(client, "aml-rescreen", "aml.rescreen", {"verificationId": verification_id})
    assert asked.status_code >= 400
    assert asked.headers["x-inngest-no-retry"] == "true"
    await banco.post("/v1/aml/monitor", json=MONITOR | {"verificationId": verification_id})
    async with services.database.reading() as connection:
        await connection.exec_driver_sql(
            "UPDATE job SET run_at = now() + interval '1 day' WHERE kind = 'aml.screen_monitor'"
        )
    await run(client, "aml-rescreen", "aml.rescreen", {"verificationId": verification_id})
    assert await runs_now(services, "aml.screen_monitor")


async def test_a_licence_of_the_organization_named_is_read_again(client, banco, rival, services):
    licence_id = (await add_licence(banco))["id"]
    async with services.database.reading() as connection:
        await connection.exec_driver_sql("DELETE FROM job")
    for data in (
        {"organizationId": rival.organization_id, "licenceId": licence_id},
        {"organizationId": banco.organization_id, "licenceId": "one"},
        {},
    ):
        refused = await run(client, "licence-reocr", "licence.reocr", data)
        assert refused.status_code >= 400
        assert refused.headers["x-inngest-no-retry"] == "true"
    assert await count(services, "job") == 0
    mine = {"organizationId": banco.organization_id, "licenceId": licence_id}
    assert (await run(client, "licence-reocr", "licence.reocr", mine)).status_code == 200
    assert await runs_now(services, "groundtruth.read_licence")


async def test_what_is_not_signed_or_not_just_now_is_refused(client, services):
    for signed in ({"key": "signkey-test-ffff"}, {"at": time.time() - 3600}):
        answer = await run(client, "retention-purge", "retention.purge", {}, **signed)
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "UNAUTHORIZED"
    for method in ("GET", "POST", "PUT"):
        answer = await client.request(method, PATH, headers={"content-type": "application/json"})
        assert answer.status_code == 401, method
    assert await count(services, "job") == 0


async def test_a_signed_look_tells_what_there_is(client):
    answer = await client.get(PATH, headers={"x-inngest-signature": signature(b"")})
    assert answer.status_code == 200, answer.text
    shown = answer.json()
    assert (shown["function_count"], shown["mode"]) == (4, "cloud")
    assert KEY not in answer.text


async def test_a_signed_registration_names_every_function(client):
    body = canonical({"url": "http://test/api/inngest"})
    answer = await client.put(
        PATH,
        content=body,
        headers={
            "content-type": "application/json",
            "x-inngest-signature": signature(body),
            "x-inngest-sync-kind": "in_band",
            "x-inngest-server-kind": "cloud",
        },
    )
    assert answer.status_code == 200, answer.text
    names = {function["id"] for function in answer.json()["functions"]}
    assert names == {
        f"acredita-{name}"
        for name in ("aml-rescreen", "retention-purge", "delivery-sweep", "licence-reocr")
    }


async def test_a_registration_while_inngest_is_away_is_503(settings, services):
    away = {"inngest_api_url": f"http://{HOST}:{free_port()}"}
    app = create_app(settings.model_copy(update=away))
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            body = canonical({"url": "http://test/api/inngest"})
            headers = {
                "content-type": "application/json",
                "x-inngest-signature": signature(body),
                "x-inngest-server-kind": "cloud",
            }
            answer = await client.put(PATH, content=body, headers=headers)
    assert answer.status_code == 503, answer.text
    assert answer.json()["error"]["code"] == "SERVICE_UNAVAILABLE"


@pytest.mark.parametrize(
    ("environment", "dev", "status"),
    [
        (Environment.TEST, False, 401),
        (Environment.TEST, True, 401),
        (Environment.DEVELOPMENT, True, 200),
    ],
)
async def test_without_a_key_only_development_is_obeyed(
    settings, services, environment, dev, status
):
    changed = settings.model_copy(
        update={
            "inngest_signing_key": SecretStr(""),
            "inngest_dev": dev,
            "env": environment,
        }
    )
    app = create_app(changed)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            for method in ("GET", "POST", "PUT"):
                if status == 401:
                    answer = await client.request(method, PATH)
                    assert answer.status_code == 401
                    assert answer.json()["error"]["code"] == "UNAUTHORIZED"
            body = call_of("deliveries.sweep", {})
            answer = await client.post(
                PATH,
                params={"fnId": "acredita-delivery-sweep", "stepId": "step"},
                content=body,
                headers={"content-type": "application/json"},
            )
            assert answer.status_code == status, answer.text
