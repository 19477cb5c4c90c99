"""MetaMap's reference prints addresses with a slash at the end, its clients without one."""

import json

import httpx
import pytest
from fastapi.routing import APIRoute

from acredita.api.metamap import PREFIX, is_compatible_path
from tests.api.metamap.recorded import Integration, photo
from tests.factories.belongings import picture
from tests.factories.organizations import make_workflow

NAMED = "0b6a4c3e1f7b4c559a512f9b"


@pytest.fixture
async def integration(client, banco):
    calls = Integration(client, PREFIX, banco.organization_id, banco.api_key)
    await calls.authorize()
    return calls


def compatible(app):
    """Every method and path of the compatible API."""
    return {
        (method, route.path.format(id=NAMED))
        for route in app.routes
        if isinstance(route, APIRoute) and is_compatible_path(route.path)
        for method in route.methods
    }


def outcome(answer: httpx.Response) -> tuple[int, dict]:
    assert not answer.is_redirect
    return answer.status_code, answer.json()


async def test_every_call_answers_the_same_with_a_slash(app, integration, client):
    calls = compatible(app)
    assert len(calls) >= 18
    for method, path in sorted(calls):
        for ask in (integration.call, client.request):
            plain, slashed = await ask(method, path), await ask(method, f"{path}/")
            assert outcome(slashed) == outcome(plain), (method, path)
    wrong = await client.put(f"{PREFIX}/v2/verifications/")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    assert (await client.post(f"{PREFIX}/oauth//")).status_code == 404


async def test_a_flow_runs_with_a_slash_at_every_address(integration, banco):
    flow = await make_workflow(banco)
    started = await integration.call("POST", "/v2/verifications/", json={"flowId": flow})
    assert started.status_code == 200, started.text
    parts = [
        ("inputs", (None, json.dumps([photo("front", "INE.jpg")]))),
        ("document", ("INE.jpg", picture())),
    ]
    identity, one = started.json()["identity"], f"/v2/verifications/{started.json()['id']}"
    sent = await integration.call("POST", f"/v2/identities/{identity}/send-input/", files=parts)
    assert sent.json()[0]["result"] is True
    moved = await integration.call("PUT", f"{one}/status/", json={"status": "verified"})
    assert moved.status_code == 200
    shown = await integration.call("GET", f"{one}/")
    assert shown.json()["identity"]["status"] == "verified"
    assert (await integration.call("DELETE", f"{one}/")).status_code == 200


async def test_v1_takes_no_slash(app, banco):
    ours = {
        route.path.format(id=NAMED)
        for route in app.routes
        if isinstance(route, APIRoute)
        and route.path.startswith("/v1/")
        and not is_compatible_path(route.path)
        and route.path.count("{") == route.path.count("{id}")
    }
    assert len(ours) > 30
    for path in sorted(ours):
        assert (await banco.get(f"{path}/")).status_code == 404, path
