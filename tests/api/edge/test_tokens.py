"""AUT-01 to AUT-03: tokens that must not open anything."""

import asyncio
import base64
import json
from datetime import timedelta

import pytest
from jose import jwt

from acredita.access import tokens

ME = "/v1/organizations/me"


@pytest.fixture
def claims(banco, settings):
    return jwt.get_unverified_claims(banco.token)


@pytest.fixture
def forge(settings, banco):
    secret = settings.secret_key.get_secret_value()
    header = jwt.get_unverified_header(banco.token)

    def make(claims, *, key=secret, algorithm="HS256", **headers):
        return jwt.encode(
            claims, key, algorithm=algorithm, headers={"kid": header["kid"], **headers}
        )

    return make


def encoded(part):
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


async def status_with(client, token):
    answer = await client.get(ME, headers={"Authorization": f"Bearer {token}"})
    assert answer.json().get("error", {}).get("requestId") or answer.status_code == 200
    return answer.status_code


async def test_a_forged_token_with_all_claims_shows_that_the_forgery_itself_is_sound(
    client, claims, forge
):
    assert await status_with(client, forge(claims)) == 200


async def test_tokens_signed_otherwise_are_refused(client, claims, forge, banco):
    head, body, signature = banco.token.split(".")
    kid = jwt.get_unverified_header(banco.token)["kid"]
    for token in (
        f"{encoded({'alg': 'none', 'typ': 'JWT', 'kid': kid})}.{body}.",
        f"{encoded({'alg': 'HS256', 'kid': '../../dev/null'})}.{body}.{signature}",
        f"{head}.{body}.",
        f"{head}.{body}",
        forge(claims, algorithm="HS384"),
        forge(claims, key="another secret of the same length as ours"),
        forge(claims, kid="0123456789ab"),
        banco.token[:-2] + ("AA" if not banco.token.endswith("AA") else "BB"),
        "\x7f" * 30,
        "a" * 20_000,
        f"{banco.token} {banco.token}",
    ):
        assert await status_with(client, token) == 401, token[:80]


@pytest.mark.parametrize("claim", ["exp", "iat", "iss", "aud", "sub", "jti", "org", "role", "typ"])
async def test_a_token_without_one_of_its_claims_is_refused(client, claims, forge, claim):
    del claims[claim]
    assert await status_with(client, forge(claims)) == 401


@pytest.mark.parametrize(
    "change",
    [
        {"aud": "another"},
        {"iss": "another"},
        {"exp": 1},
        {"nbf": 4_000_000_000},
        {"typ": "sdk"},
        {"org": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"},
        {"sub": "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"},
        {"sub": 5},
        {"exp": "soon"},
    ],
)
async def test_a_token_with_a_wrong_claim_is_refused(client, claims, forge, change):
    assert await status_with(client, forge(claims | change)) == 401


async def test_a_role_in_a_token_gives_nothing_that_the_key_does_not_have(
    client, banco, claims, forge, services
):
    from sqlalchemy import update

    from acredita.models import ApiKey

    async with services.database.transaction() as session:
        await session.execute(update(ApiKey).values(role="MEMBER"))
    client._transport.app.state.credentials._cache.clear()
    token = forge(claims | {"role": "OWNER"})
    answer = await client.post(
        "/v1/workflows", headers={"Authorization": f"Bearer {token}"}, json={}
    )
    assert answer.status_code == 403


async def test_the_scheme_is_case_insensitive_and_may_come_once(client, banco):
    answer = await client.get(ME, headers={"Authorization": f"bearer {banco.token}"})
    assert answer.status_code == 200
    twice = [("Authorization", f"Bearer {banco.token}")] * 2
    assert (await client.get(ME, headers=twice)).status_code == 401


def test_a_token_expires_although_its_signature_was_checked_before(settings):
    from uuid import uuid4

    from acredita.domain.roles import Role
    from acredita.domain.token_types import TokenType
    from acredita.kit.clock import SystemClock

    keys = tokens.TokenKeys(["s" * 40], lifetime=60)
    now = SystemClock().now()
    token = keys.issue(
        token_type=TokenType.CLIENT,
        subject_id=uuid4(),
        organization_id=uuid4(),
        role=Role.ADMIN,
        now=now,
    )
    assert keys.read(token, now=now + timedelta(seconds=59))
    with pytest.raises(tokens.InvalidToken):
        keys.read(token, now=now + timedelta(seconds=61))


async def test_requests_at_once_wait_for_one_look_up_of_their_caller(app, banco, monkeypatch):
    credentials, asked = app.state.credentials, []
    look_up = credentials._look_up

    async def counted(*arguments):
        asked.append(arguments)
        return await look_up(*arguments)

    monkeypatch.setattr(credentials, "_look_up", counted)
    credentials._cache.clear()
    answers = await asyncio.gather(*(banco.get(ME) for _ in range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len(asked) == 1
    assert credentials._looking_up == {}
