"""Walks all routes: what holds for one holds for each."""

import pytest
from fastapi.routing import APIRoute

from acredita.api.permissions import is_public
from acredita.main import create_app
from acredita.resources.routes import ROUTERS
from acredita.settings import Settings
from tests.factories.belongings import code_of
from tests.factories.organizations import register

ROUTES = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
UNKNOWN_ID = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"


def test_every_route_of_the_application_is_one_of_a_resource():
    app = create_app(Settings(_env_file=None))
    assert {(r.path, *sorted(r.methods)) for r in app.routes if isinstance(r, APIRoute)} == {
        (r.path, *sorted(r.methods)) for r in ROUTES
    }


def test_every_route_states_a_role_or_that_it_is_public():
    for route in ROUTES:
        assert (route.permission is None) == is_public(route.endpoint), route.path


def test_every_route_has_a_summary_and_documents_its_errors():
    described = create_app(Settings(_env_file=None)).openapi()["paths"]
    for route in ROUTES:
        assert route.summary, route.path
        for method in route.methods if route.include_in_schema else ():
            answers = set(described[route.path][method.lower()]["responses"])
            if route.permission is not None:
                assert {"401", "403"} <= answers, route.path
            if "{id}" in route.path:
                assert "404" in answers, route.path


SECURED = [(m, r.path) for r in ROUTES if r.permission is not None for m in r.methods]


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer a.b.c"},
        {"Authorization": "Basic YTpi"},
        {"X-Api-Key": "ak_unknown1_secret"},
    ],
)
async def test_without_a_valid_credential_every_secured_route_answers_401_whatever_is_sent(
    client, headers
):
    for method, path in SECURED:
        answer = await client.request(
            method,
            path.replace("{id}", UNKNOWN_ID) + "?unknown=1",
            headers=headers,
            content=b"{not json",
        )
        assert answer.status_code == 401, (method, path, answer.text)
        assert code_of(answer) in {"UNAUTHORIZED", "invalid_token"}, (method, path)
        assert answer.headers["www-authenticate"] == "Bearer", (method, path)


BY_ID = [(m, r.path) for r in ROUTES for m in r.methods if "{id}" in r.path and r.permission]


@pytest.mark.parametrize("bad", ["not-a-uuid", "x" * 10_000, "%00", "..%2f..%2f", "ñandú", "{%7d"])
async def test_an_id_of_another_form_is_an_unknown_one(client, banco, bad):
    for method, path in BY_ID:
        answer = await banco.request(method, path.replace("{id}", bad), json={})
        assert answer.status_code == 404, (method, path, answer.text)
        assert code_of(answer) == "NOT_FOUND", (method, path)


async def test_a_key_of_too_low_a_role_is_refused_on_every_route_that_names_a_role(
    client, services, banco
):
    from sqlalchemy import update

    from acredita.models import ApiKey

    member = await register(client, "Tercera")
    async with services.database.transaction() as session:
        await session.execute(
            update(ApiKey)
            .where(ApiKey.id == member.registration["apiKey"]["id"])
            .values(role="MEMBER")
        )
    app_credentials = client._transport.app.state.credentials
    app_credentials._cache.clear()
    for route in ROUTES:
        if route.permission is None or route.permission.role == "MEMBER":
            continue
        for method in route.methods:
            answer = await member.request(method, route.path.replace("{id}", UNKNOWN_ID), json={})
            assert answer.status_code == 403, (method, route.path, answer.text)
            assert code_of(answer) == "FORBIDDEN"
