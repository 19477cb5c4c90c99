"""The limits that everybody has by default, and clients at addresses of their own."""

import contextlib

import httpx
import pytest

from acredita.main import create_app


@contextlib.asynccontextmanager
async def serving(settings, address="127.0.0.1"):
    """A client of an application of these settings, which it asks from `address`."""
    app = create_app(settings)
    async with app.router.lifespan_context(app):
        # On a loaded machine Redis may need longer than a request waits for it in production.
        app.state.rate_limits._buckets._link._patience = 10
        transport = httpx.ASGITransport(
            app=app, raise_app_exceptions=False, client=(address, 40_000)
        )
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            yield client


@pytest.fixture
def limited(services):
    """The settings that everybody has by default."""
    return services.settings.model_copy(
        update={
            "org_rate_limit": 10,
            "org_rate_burst": 20,
            "ip_rate_limit": 20,
            "ip_rate_burst": 100,
        }
    )


@pytest.fixture
async def client(limited):
    async with serving(limited) as client:
        yield client
