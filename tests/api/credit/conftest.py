"""The whole application with Círculo de Crédito as its bureau, at a server of the same shape."""

from contextlib import asynccontextmanager

import httpx
import pytest

from acredita.main import create_app
from tests.factories.circulo import (
    API_KEY,
    KEY_PASSWORD,
    PASSWORD,
    USERNAME,
    circulo,
    make_keys,
)
from tests.factories.organizations import Member


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    return make_keys(tmp_path_factory.mktemp("circulo"))


def settings_of_bureau(keys, url, **changes):
    return {
        "credit_provider": "circulo",
        "credit_timeout": 5.0,
        "circulo_url": url,
        "circulo_api_key": API_KEY,
        "circulo_username": USERNAME,
        "circulo_password": PASSWORD,
        "circulo_key_file": keys.key_file,
        "circulo_key_password": KEY_PASSWORD,
        "circulo_certificate_file": keys.certificate_file,
    } | changes


@pytest.fixture
def with_bureau(settings, banco, keys):
    """`async with with_bureau(behaviour, ...) as (member, server)`: banco at such a bureau."""

    @asynccontextmanager
    async def opened(*script, otherwise=None, **changes):
        async with circulo(*script, otherwise=otherwise) as server:
            told = settings_of_bureau(keys, server.url("", host="127.0.0.1"), **changes)
            app = create_app(type(settings)(**settings.model_dump() | told, _env_file=None))
            transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(transport=transport, base_url="http://test") as client,
            ):
                yield Member(client, banco.organization_id, banco.api_key, banco.token), server

    return opened
