"""How often an organization and its API keys may ask."""

import asyncio
import json
import time

import pytest
from sqlalchemy import select

from acredita.domain.errors import NotFound
from acredita.models import AuditEntry, Organization
from acredita.resources.organizations.commands import set_rate
from tests.factories.organizations import PASSWORD, register, with_new_key

ME = "/v1/organizations/me"


@pytest.fixture
async def fresh(services):
    """Forget what the making of organizations and keys has cost."""

    async def wipe():
        await services.redis.flushdb()

    return wipe


def admitted(answers):
    return sum(answer.status_code == 200 for answer in answers)


def assert_refused_properly(answer):
    assert answer.status_code == 429
    error = answer.json()["error"]
    assert error["code"] == "RATE_LIMITED"
    assert isinstance(error["retryAfter"], int)
    assert error["retryAfter"] >= 1
    assert answer.headers["retry-after"] == str(error["retryAfter"])
    assert error["requestId"] == answer.headers["x-request-id"]
    assert answer.headers["ratelimit-remaining"] == "0"


async def ask_at_once(*members, times):
    """So many requests of the members in turns; the answers and the seconds it took."""
    began = time.monotonic()
    answers = await asyncio.gather(
        *(members[number % len(members)].get(ME) for number in range(times))
    )
    return answers, time.monotonic() - began


async def test_two_keys_of_one_organization_share_its_burst_and_its_rate(banco, fresh):
    keys = [await with_new_key(banco, rateLimit=1000) for _ in range(2)]
    await fresh()
    answers, seconds = await ask_at_once(*keys, times=60)
    assert 20 <= admitted(answers) <= 21 + 10 * seconds
    refused = [answer for answer in answers if answer.status_code != 200]
    assert refused
    for answer in refused:
        assert_refused_properly(answer)


async def test_after_the_seconds_that_a_refusal_names_the_request_passes(banco):
    answers, _ = await ask_at_once(banco, times=60)
    wait = max(a.json()["error"]["retryAfter"] for a in answers if a.status_code == 429)
    assert wait <= 2
    await asyncio.sleep(wait)
    assert (await banco.get(ME)).status_code == 200


async def test_nine_a_second_are_never_refused(banco):
    began = time.monotonic()
    for number in range(36):
        await asyncio.sleep(max(0.0, began + number / 9 - time.monotonic()))
        assert (await banco.get(ME)).status_code == 200, number


async def test_one_organization_that_asks_too_much_costs_another_nothing(banco, rival):
    done = asyncio.Event()

    async def saturate():
        refusals = 0
        while not done.is_set():
            refusals += (await banco.get(ME)).status_code == 429
        return refusals

    flood = asyncio.create_task(saturate())
    began = time.monotonic()
    for number in range(15):
        await asyncio.sleep(max(0.0, began + number / 5 - time.monotonic()))
        assert (await rival.get(ME)).status_code == 200
    done.set()
    assert await flood > 0


async def test_a_key_has_its_own_rate_and_twice_that_at_once(banco, fresh):
    slow = await with_new_key(banco, rateLimit=2)
    await fresh()
    answers, seconds = await ask_at_once(slow, times=15)
    assert 4 <= admitted(answers) <= 5 + 2 * seconds
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {"4"}
    assert (await banco.get(ME)).status_code == 200


async def test_the_organizations_limit_binds_a_faster_key(banco, fresh):
    fast = await with_new_key(banco, rateLimit=1000)
    await fresh()
    answers, seconds = await ask_at_once(fast, times=60)
    assert 20 <= admitted(answers) <= 21 + 10 * seconds
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {"20"}


async def test_requests_that_the_keys_limit_refuses_cost_the_organization_nothing(banco, fresh):
    slow = await with_new_key(banco, rateLimit=1)
    await fresh()
    answers, _ = await ask_at_once(slow, times=40)
    taken = admitted(answers)
    assert taken < 20
    remaining = int((await banco.get(ME)).headers["ratelimit-remaining"])
    assert remaining >= 20 - taken - 1


async def test_a_token_counts_on_the_key_that_it_was_made_from(banco, fresh):
    slow = await with_new_key(banco, rateLimit=1)
    again = await with_new_key(banco, rateLimit=1)
    await fresh()
    with_key = {"X-Api-Key": slow.api_key}
    first = await slow.client.get(ME, headers=with_key)
    second = await slow.get(ME)
    third = await slow.client.get(ME, headers=with_key)
    assert [first.headers["ratelimit-remaining"], second.headers["ratelimit-remaining"]] == [
        "1",
        "0",
    ]
    assert third.status_code == 429 or third.headers["ratelimit-remaining"] == "0"
    assert (await again.get(ME)).status_code == 200


async def test_a_person_counts_on_the_organization_alone(client, banco, fresh):
    email = banco.registration["user"]["email"]
    login = await client.post("/v1/auth/login", json={"email": email, "password": PASSWORD})
    assert login.status_code == 200, login.text
    await fresh()
    headers = {"Authorization": f"Bearer {login.json()['access_token']}"}
    answers = await asyncio.gather(*(client.get(ME, headers=headers) for _ in range(15)))
    assert admitted(answers) == 15
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {"20"}


async def test_every_answer_of_a_limited_endpoint_tells_what_is_left(client, banco):
    low = await with_new_key(banco, role="MEMBER")
    unknown = "/v1/verifications/0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"
    answers = {
        200: await banco.get(ME),
        404: await banco.get(unknown),
        422: await banco.post("/v1/workflows", json={"name": 5}),
        415: await banco.post("/v1/workflows", content=b"x"),
        403: await low.post("/v1/workflows", json={}),
        401: await client.get(ME),
    }
    for status, answer in answers.items():
        assert answer.status_code == status, answer.text
        limit, remaining, reset = (
            int(answer.headers[f"ratelimit-{name}"]) for name in ("limit", "remaining", "reset")
        )
        assert 0 <= remaining < limit
        assert reset >= 1
    spent = [int(answers[status].headers["ratelimit-remaining"]) for status in (200, 404, 422)]
    assert spent[0] >= spent[1] - 5


async def test_an_operator_sets_an_organizations_rate(limited, services, banco, rival, fresh):
    await set_rate(limited, banco.organization_id, 200, 300)
    async with asyncio.timeout(10):
        while True:
            if (await banco.get(ME)).headers["ratelimit-limit"] == "300":
                break
            await asyncio.sleep(0.1)
    answers, _ = await ask_at_once(banco, times=60)
    assert admitted(answers) == 60
    assert (await rival.get(ME)).headers["ratelimit-limit"] == "20"
    async with services.database.reading() as connection:
        query = select(AuditEntry.details).where(AuditEntry.actor_type == "service")
        details = json.loads((await connection.execute(query)).scalar_one())
    assert (details["rate"], details["burst"]) == (200, 300)


async def test_an_organization_is_found_by_its_slug_and_an_unknown_one_is_not(
    limited, services, client
):
    await register(client, "Banco Uno")
    await set_rate(limited, "banco-uno", 50, 70)
    async with services.database.reading() as connection:
        rates = select(Organization.rate_limit, Organization.rate_burst)
        assert (await connection.execute(rates)).one() == (50, 70)
    for unknown in ("banco-dos", "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11", ""):
        with pytest.raises(NotFound):
            await set_rate(limited, unknown, 50, 70)
