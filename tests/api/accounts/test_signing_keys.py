"""Rotation of the signing secret logs nobody out, and API keys and links outlive it."""

from contextlib import asynccontextmanager

import httpx
import pytest
from jose import jwt
from pydantic import SecretStr

from acredita.kit.crypto import Signer
from acredita.main import create_app
from tests.factories.organizations import register

ME = "/v1/organizations/me"
OLD, NEW = "an old signing secret of enough length", "a new signing secret of enough length"


@pytest.fixture
def running(services, settings):
    """The application over the same data, with these signing secrets."""

    @asynccontextmanager
    async def run(*secrets):
        keys = SecretStr(",".join(secrets))
        app = create_app(settings.model_copy(update={"signing_keys": keys}))
        async with app.router.lifespan_context(app):
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
                yield client

    return run


async def test_tokens_signed_before_a_rotation_go_on_until_the_old_secret_is_removed(running):
    async with running(OLD) as client:
        banco = await register(client, "Banco Uno")
        assert (await banco.get(ME)).status_code == 200
    async with running(NEW, OLD) as client:
        assert (await client.get(ME, headers=banco.headers)).status_code == 200
        exchange = {
            "grant_type": "client_credentials",
            "client_id": banco.organization_id,
            "client_secret": banco.api_key,
        }
        renewed = (await client.post("/v1/auth/token", json=exchange)).json()["access_token"]
        kids = {jwt.get_unverified_header(token)["kid"] for token in (banco.token, renewed)}
        assert len(kids) == 2
    async with running(NEW) as client:
        assert (await client.get(ME, headers=banco.headers)).status_code == 401
        fresh = {"Authorization": f"Bearer {renewed}"}
        assert (await client.get(ME, headers=fresh)).status_code == 200
        # The key is hashed with the secret that is never rotated.
        assert (await client.get(ME, headers={"X-Api-Key": banco.api_key})).status_code == 200


async def test_a_token_signed_with_one_secret_in_the_name_of_another_is_refused(running):
    async with running(NEW, OLD) as client:
        banco = await register(client, "Banco Uno")
        claims = jwt.get_unverified_claims(banco.token)
        kid = jwt.get_unverified_header(banco.token)["kid"]
        forged = jwt.encode(claims, OLD, algorithm="HS256", headers={"kid": kid})
        headers = {"Authorization": f"Bearer {forged}"}
        assert (await client.get(ME, headers=headers)).status_code == 401


async def test_without_signing_keys_the_secret_key_signs_as_it_always_did(running, settings):
    async with running() as client:
        banco = await register(client, "Banco Uno")
    secret = settings.secret_key.get_secret_value()
    assert jwt.decode(banco.token, secret, algorithms=["HS256"], audience="acredita-api")
    async with running(NEW, secret) as client:
        assert (await client.get(ME, headers=banco.headers)).status_code == 200


def test_a_signer_makes_with_the_newest_and_believes_all():
    former = Signer(OLD).digest("link", b"message")
    both = Signer(NEW, OLD)
    assert both.matches("link", b"message", former)
    assert both.digest("link", b"message") == Signer(NEW).digest("link", b"message") != former
    assert not both.matches("link", b"another", former)
    assert not both.matches("another", b"message", former)
    assert not Signer(NEW).matches("link", b"message", former)
