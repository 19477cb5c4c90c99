import asyncio
import time
from datetime import datetime, timedelta

import httpx
import pytest
from sqlalchemy import func, select, update

from acredita.main import create_app
from acredita.models import ApiKey
from tests.factories.organizations import exchange, with_new_key

PATH = "/v1/organizations/me/api-keys"


async def test_a_key_is_shown_once_and_its_secret_nowhere_else(banco, services):
    answer = await banco.post(PATH, json={"name": "Backend", "rateLimit": 25})
    assert answer.status_code == 201
    created = answer.json()["apiKey"]
    assert set(created) == {"id", "name", "key", "prefix", "role", "rateLimit", "createdAt"}
    assert created["key"].startswith(created["prefix"] + "_")
    assert created["rateLimit"] == 25
    assert created["role"] == "ADMIN"

    listed = await banco.get(PATH)
    assert created["key"] not in listed.text
    newest, first = listed.json()["apiKeys"]
    assert set(newest) == {
        "id",
        "name",
        "prefix",
        "role",
        "rateLimit",
        "isActive",
        "lastUsedAt",
        "createdAt",
    }
    assert newest["id"] == created["id"]
    assert newest["lastUsedAt"] is None
    assert first["id"] == banco.registration["apiKey"]["id"]
    async with services.database.reading() as connection:
        digests = (await connection.scalars(select(ApiKey.digest))).all()
    assert all(created["key"].encode() not in digest for digest in digests)


async def test_what_is_left_out_or_null_takes_its_default(banco):
    for body in ({"name": "x"}, {"name": "x", "rateLimit": None, "role": None}):
        key = (await banco.post(PATH, json=body)).json()["apiKey"]
        assert (key["rateLimit"], key["role"]) == (10, "ADMIN")


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"name": None},
        {"rateLimit": -1},
        {"rateLimit": 1001},
        {"rateLimit": True},
        {"rateLimit": "5"},
        {"role": "OWNER"},
        {"role": "admin"},
        {"isActive": True},
        {"id": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"},
    ],
)
async def test_a_key_out_of_bounds_is_refused_and_not_stored(banco, change):
    answer = await banco.post(PATH, json={"name": "x"} | change)
    assert answer.status_code == 422, answer.text
    assert len((await banco.get(PATH)).json()["apiKeys"]) == 1


@pytest.mark.parametrize("rate_limit", [0, 1000])
async def test_the_bounds_of_the_rate_limit_are_admitted(banco, rate_limit):
    answer = await banco.post(PATH, json={"name": "x" * 100, "rateLimit": rate_limit})
    assert answer.json()["apiKey"]["rateLimit"] == rate_limit


@pytest.mark.parametrize("role", ["REVIEWER", "MEMBER"])
async def test_a_key_of_a_lower_role_lists_keys_and_makes_none(banco, role):
    lower = await with_new_key(banco, role)
    assert (await lower.get(PATH)).status_code == 200
    assert (await lower.post(PATH, json={"name": "x", "role": "MEMBER"})).status_code == 403
    key_id = banco.registration["apiKey"]["id"]
    assert (await lower.delete(f"{PATH}/{key_id}")).status_code == 403
    assert (await banco.get(PATH)).status_code == 200


async def test_a_revoked_key_and_its_tokens_end_within_a_second_in_every_process(
    client, services, banco
):
    """AUT-04. A second application stands for a second process: it shares nothing but servers."""
    key = await with_new_key(banco)
    other = create_app(services.settings)
    async with (
        other.router.lifespan_context(other),
        httpx.AsyncClient(
            transport=httpx.ASGITransport(app=other), base_url="http://test"
        ) as elsewhere,
    ):
        ways = [{"X-Api-Key": key.api_key}, key.headers]
        for headers in ways:
            for process in (client, elsewhere):
                assert (await process.get("/v1/workflows", headers=headers)).status_code == 200
        assert (await banco.delete(f"{PATH}/{key.registration['id']}")).status_code == 204
        revoked_at = time.monotonic()
        await asyncio.sleep(0.95)
        for headers in ways:
            for process in (client, elsewhere):
                assert (await process.get("/v1/workflows", headers=headers)).status_code == 401
        # The machine may be busy, so the limit is far above the second between checks of a key.
        assert time.monotonic() - revoked_at < 30
    again = await exchange(client, banco.organization_id, key.api_key)
    assert again.status_code == 401
    listed = (await banco.get(PATH)).json()["apiKeys"]
    assert [(k["id"] == key.registration["id"], k["isActive"]) for k in listed] == [
        (True, False),
        (False, True),
    ]


async def test_revoking_twice_changes_nothing_and_is_recorded_once(banco):
    key = await with_new_key(banco)
    for _ in range(2):
        assert (await banco.delete(f"{PATH}/{key.registration['id']}")).status_code == 204
    logs = (await banco.get("/v1/audit-logs?action=api_key.revoked")).json()
    assert logs["pagination"]["total"] == 1


async def test_a_key_cannot_revoke_itself_directly_or_by_a_token_made_from_it(client, banco):
    """AUT-05."""
    key_id = banco.registration["apiKey"]["id"]
    for headers in ({"X-Api-Key": banco.api_key}, banco.headers):
        answer = await client.delete(f"{PATH}/{key_id}", headers=headers)
        assert answer.status_code == 409
        assert answer.json()["error"]["code"] == "API_KEY_IN_USE"
    await asyncio.sleep(1)
    assert (await banco.get(PATH)).json()["apiKeys"][0]["isActive"] is True


async def test_a_foreign_key_is_not_found_and_stays(banco, rival):
    key_id = banco.registration["apiKey"]["id"]
    answer = await rival.delete(f"{PATH}/{key_id}")
    assert answer.status_code == 404
    assert (await banco.get(PATH)).json()["apiKeys"][0]["isActive"] is True


async def last_used(services, key_id):
    async with services.database.reading() as connection:
        return await connection.scalar(select(ApiKey.last_used_at).where(ApiKey.id == key_id))


async def written(app):
    await app.state.credentials.key_usage.close()


async def test_the_last_use_is_written_at_most_once_a_minute(app, client, services, banco):
    key_id = banco.registration["apiKey"]["id"]
    await written(app)
    first = await last_used(services, key_id)
    assert isinstance(first, datetime)
    # Another process, which does not know that it was noted already.
    app.state.credentials.key_usage._recorded.clear()
    assert (await banco.get(PATH)).status_code == 200
    await written(app)
    assert await last_used(services, key_id) == first
    async with services.database.transaction() as session:
        a_minute_ago = update(ApiKey).values(last_used_at=func.now() - timedelta(minutes=1))
        await session.execute(a_minute_ago)
    app.state.credentials.key_usage._recorded.clear()
    headers = {"X-Api-Key": banco.api_key}
    assert (await client.get(PATH, headers=headers)).status_code == 200
    await written(app)
    assert await last_used(services, key_id) > first


async def test_a_key_that_is_not_proven_is_not_used(app, client, services, banco):
    key = (await banco.post(PATH, json={"name": "x"})).json()["apiKey"]
    wrong = {"X-Api-Key": key["key"][:-1] + ("a" if key["key"][-1] != "a" else "b")}
    assert (await client.get(PATH, headers=wrong)).status_code == 401
    await written(app)
    assert await last_used(services, key["id"]) is None
