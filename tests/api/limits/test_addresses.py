"""How often an address may ask without having proved who it is."""

import asyncio
import itertools

import pytest

from tests.api.limits.conftest import serving
from tests.factories.organizations import register

ME = "/v1/organizations/me"
OPEN = (
    "/v1/auth/register",
    "/v1/auth/login",
    "/v1/auth/token",
    "/v1/auth/forgot-password",
    "/v1/auth/reset-password",
)


@pytest.fixture
def limited(limited):
    """A burst that is spent soon, and comes back slowly."""
    return limited.model_copy(update={"ip_rate_limit": 1, "ip_rate_burst": 8})


async def exhaust(client, path="/v1/auth/login", **options):
    """Ask until the address is refused; the statuses."""
    statuses = []
    async with asyncio.timeout(30):
        while statuses[-1:] != [429]:
            statuses.append((await client.post(path, content=b"{", **options)).status_code)
    return statuses


@pytest.mark.parametrize("path", OPEN)
async def test_public_endpoints_are_counted_before_anything_of_the_input_is_read(client, path):
    statuses = await exhaust(client, path)
    assert len(statuses) >= 9
    assert 200 not in statuses
    refused = await client.post(path, content=b"x" * 5_000_000)
    assert refused.status_code == 429
    assert refused.headers["ratelimit-limit"] == "8"
    assert refused.headers["retry-after"] == str(refused.json()["error"]["retryAfter"]) == "1"


async def test_public_endpoints_share_one_bucket_an_address(client):
    await exhaust(client, "/v1/auth/login")
    assert (await client.post("/v1/auth/token", content=b"{")).status_code == 429


async def test_another_address_is_counted_by_itself(client, limited):
    await exhaust(client)
    async with serving(limited, "203.0.113.9") as other:
        assert (await other.post("/v1/auth/login", content=b"{")).status_code != 429


async def test_a_forwarded_address_counts_from_trusted_proxies_alone(client, limited):
    # An untrusted client cannot get another burst by inventing addresses.
    statuses = []
    for number in range(12):
        headers = {"X-Forwarded-For": f"203.0.113.{number}"}
        statuses.append((await client.post("/v1/auth/login", headers=headers)).status_code)
    assert 429 in statuses
    trusting = limited.model_validate(limited.model_dump() | {"trusted_proxies": "198.51.100.0/24"})
    async with serving(trusting, "198.51.100.7") as proxy:
        one, other = ({"X-Forwarded-For": f"203.0.113.{number}"} for number in (50, 51))
        await exhaust(proxy, headers=one)
        assert (await proxy.post("/v1/auth/login", headers=other)).status_code != 429


async def test_the_addresses_of_one_ipv6_network_share_a_bucket(limited, client):
    async with serving(limited, "2001:db8:1:2::1") as one:
        await exhaust(one)
    async with serving(limited, "2001:db8:1:2:ffff::7") as neighbour:
        assert (await neighbour.post("/v1/auth/login", content=b"{")).status_code == 429
    async with serving(limited, "2001:db8:1:3::1") as stranger:
        assert (await stranger.post("/v1/auth/login", content=b"{")).status_code != 429


async def test_redis_learns_no_address(client, services):
    await client.post("/v1/auth/login", content=b"{")
    await client.get(ME)
    names = [name.decode() async for name in services.redis.scan_iter("acredita:rate:*")]
    assert len(names) == 2
    assert not any("127.0.0.1" in name or "127001" in name for name in names)


async def test_a_flood_of_bad_credentials_is_refused_and_asks_the_database_nothing(client, app):
    async def ask(number):
        headers = (
            {"X-Api-Key": f"ak_{number:08}_guess"}
            if number % 2
            else {"Authorization": f"Bearer a.b.{number}"}
        )
        return await client.get(ME, headers=headers)

    statuses = [(await ask(number)).status_code for number in range(40)]
    assert statuses[:8] == [401] * 8
    assert statuses.count(429) > 15
    credentials = client._transport.app.state.credentials
    asked = []
    # A second refills one, and what arrives at that moment is looked up: so of three floods, one.
    odd = itertools.count(101, 2)
    for _ in range(3):
        while (await ask(next(odd))).status_code != 429:
            pass
        before = len(credentials._cache)
        answers = await asyncio.gather(*(ask(next(odd)) for _ in range(100)))
        refused = [answer for answer in answers if answer.status_code == 429]
        # An overdue Redis lends another burst.
        assert len(refused) >= 60
        asked.append(len(credentials._cache) - before - (100 - len(refused)))
    assert min(asked) <= 0
    assert refused[0].headers["retry-after"] == "1"


async def test_a_flood_of_bad_credentials_does_not_shut_out_good_ones_of_the_address(client):
    banco = await register(client, "Banco Uno")
    assert (await client.get(ME, headers={"X-Api-Key": banco.api_key})).status_code == 200
    while (await client.get(ME, headers={"Authorization": "Bearer a.b.c"})).status_code != 429:
        pass
    assert (await banco.get(ME)).status_code == 200
    assert (await client.get(ME, headers={"X-Api-Key": banco.api_key})).status_code == 200


async def test_the_description_is_given_sixty_times_a_minute(client):
    answers = [await client.get("/v1/openapi.json") for _ in range(70)]
    assert [answer.status_code for answer in answers] == [200] * 60 + [429] * 10
    assert {answer.headers["ratelimit-limit"] for answer in answers} == {"60"}
    assert 1 <= answers[-1].json()["error"]["retryAfter"] <= 60


async def test_health_is_never_counted(client):
    await exhaust(client)
    answers = await asyncio.gather(*(client.get("/health") for _ in range(200)))
    assert {answer.status_code for answer in answers} == {200}
    assert not any("ratelimit-limit" in answer.headers for answer in answers)


async def test_pictures_count_on_the_caller_who_is_known_and_on_the_address_that_is_not(client):
    banco = await register(client, "Banco Uno")
    for place in ("documents/{}/image", "passport-image/{}"):
        path = "/v1/" + place.format("0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11")
        known = await banco.get(path)
        assert (known.status_code, known.headers["ratelimit-limit"]) == (404, "20")
        stranger = await client.get(path, params={"key": "guess"})
        assert (stranger.status_code, stranger.headers["ratelimit-limit"]) == (401, "8")
        liar = await client.get(path, headers={"Authorization": "Bearer a.b.c"})
        assert liar.status_code == 401
