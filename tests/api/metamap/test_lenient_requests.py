"""Requests as MetaMap's reference and its clients write them, where it has several forms."""

import json

import pytest

from tests.api.metamap.recorded import Integration, photo
from tests.factories.belongings import picture
from tests.factories.films import make_film, shades
from tests.factories.organizations import make_workflow

BASE = "/v1/metamap"
CURP = "CURA900505MDFRZN03"
FORM = "application/x-www-form-urlencoded"


@pytest.fixture
async def integration(client, banco):
    calls = Integration(client, BASE, banco.organization_id, banco.api_key)
    await calls.authorize()
    return calls


async def test_metadata_may_be_an_object_or_its_json_text(integration, banco):
    flow = await make_workflow(banco)
    given = {"user": "4711", "a": {"b": [1]}}
    for written in (given, json.dumps(given)):
        started = await integration.start(flow, metadata=written)
        shown = (await integration.call("GET", f"/v2/verifications/{started['id']}")).json()
        assert started["metadata"] == shown["metadata"] == given
    assert (await integration.start(flow, metadata=""))["metadata"] == {}
    older = await integration.call("POST", "/v2/identities", json={"metadata": json.dumps(given)})
    assert older.json()["metadata"] == given
    button = {"clientId": banco.organization_id, "flowId": flow, "metadata": json.dumps(given)}
    assert (await integration.call("POST", "/sdk/session", json=button)).status_code == 201
    for wrong in ("abc", "[1]", '"text"', "1", '{"a":NaN}', json.dumps({"a": "x" * 2**14}), 1, []):
        refused = await integration.call(
            "POST", "/v2/verifications", json={"flowId": flow, "metadata": wrong}
        )
        assert refused.status_code == 422, wrong
        assert refused.json()["data"][0]["dataPath"].startswith(".metadata")
    assert len((await banco.get("/v1/verifications")).json()["verifications"]) == 5


async def test_a_body_may_be_a_form_or_json_of_another_type(integration, client, banco):
    flow = await make_workflow(banco)
    curp = json.dumps({"curp": CURP}).encode()
    # curl says FORM unless it is told otherwise, fetch says text/plain; some say nothing.
    for kind in (FORM, "text/plain;charset=UTF-8", None, "application/json"):
        headers = {} if kind is None else {"Content-Type": kind}
        checked = await integration.call(
            "POST", "/govchecks/v1/mx/curp", content=curp, headers=headers
        )
        assert checked.status_code == 200, (kind, checked.text)
        assert checked.json()["data"]["curp"] == CURP
    fields = {"flowId": flow, "metadata": json.dumps({"user": "4711"})}
    started = await integration.call("POST", "/v2/verifications", data=fields)
    assert (started.status_code, started.json()["metadata"]) == (200, {"user": "4711"})
    twice = await integration.call(
        "POST",
        "/v2/verifications",
        content=f"flowId={flow}&flowId={flow}",
        headers={"Content-Type": FORM},
    )
    empty = await integration.call("POST", "/v2/verifications", content=b"")
    assert twice.status_code == empty.status_code == 422
    assert empty.json()["data"][0]["dataPath"] == ".flowId"
    other = await integration.call(
        "POST", "/v2/verifications", content=b"<a/>", headers={"Content-Type": "application/xml"}
    )
    assert other.status_code == other.json()["code"] == 400
    # /v1 takes JSON alone.
    strict = await banco.post("/v1/verifications", data={"workflowId": flow})
    assert strict.status_code == 415


async def test_the_reference_writes_token_requests_in_several_ways(client, banco, rival):
    basic = (banco.organization_id, banco.api_key)
    asked = {
        "grant_type": "application_key",
        "application_key": banco.organization_id,
        "scope": "verification_flow",
        "flow_id": "x",
    }
    body = json.dumps(asked).encode()
    for options in (
        {"data": asked},
        {"json": asked},
        {"content": body},
        {"content": body, "headers": {"Content-Type": FORM}},
        {"content": b"grant_type=client_credentials"},
    ):
        answer = await client.post(f"{BASE}/oauth/token", auth=basic, **options)
        assert answer.status_code == 200, (options, answer.text)
        assert answer.json()["scope"] == "verification_flow"
    # The key of the application is public: it needs the secret beside it, and its own.
    for auth in (None, (rival.organization_id, banco.api_key), (banco.organization_id, "ak_none")):
        refused = await client.post(f"{BASE}/oauth/token", auth=auth, json=asked)
        assert refused.json()["name"] == "invalid_client"
    for broken in (b"{", b"x", b'["a"]'):
        refused = await client.post(f"{BASE}/oauth", auth=basic, content=broken)
        assert (refused.status_code, refused.json()["name"]) == (400, "invalid_request")


async def test_the_official_python_client_sends_its_requests(client, banco, tmp_path):
    """It is in no package registry: these are the requests that it writes."""
    await make_workflow(banco, "DOCUMENT_OCR", "LIVENESS")
    form = {"content-type": FORM}
    basic = (banco.organization_id, banco.api_key)
    # Both its versions of a request without the grant type: an empty form, and the key's scope.
    plain = await client.post(f"{BASE}/oauth", auth=basic, headers=form)
    scoped = await client.post(
        f"{BASE}/oauth/token",
        auth=basic,
        headers=form,
        content=b"grant_type=client_credentials&scope=identity",
    )
    assert (plain.json()["expiresIn"], scoped.json()["expires_in"]) == (3600, 3600)
    bearer = {"Authorization": f"Bearer {plain.json()['access_token']}"}
    given = {"email": "john@gmail.com"}
    made = await client.post(
        f"{BASE}/v2/identities", headers=bearer, content=json.dumps({"metadata": given}).encode()
    )
    shown = await client.get(f"{BASE}/v2/identities/{made.json()['_id']}", headers=bearer)
    for identity in (made.json(), shown.json()):
        # Its class takes `_id` and these, and no other.
        known = {"dateCreated", "dateUpdated", "alive", "status", "user", "metadata"}
        assert set(identity) - known == {"_id"}
        assert identity["metadata"] == given
    # Inputs of a film have a type and a country without a value. All files are in one field.
    film = {"type": None, "country": None, "page": "front", "filename": "vida.MOV", "region": ""}
    inputs = [photo("front", "ine.jpg"), {"inputType": "selfie-video", "group": 0, "data": film}]
    parts = [
        ("inputs", (None, json.dumps(inputs))),
        ("document", ("ine.jpg", picture())),
        ("document", ("vida.MOV", make_film(tmp_path, shades(9)))),
    ]
    address = f"{BASE}/v2/identities/{made.json()['_id']}/send-input"
    sent = await client.post(address, headers=bearer, files=parts)
    assert [each.get("result") for each in sent.json()] == [True, True], sent.text


async def test_the_wait_for_a_back_is_skipped_at_each_address_of_the_reference(integration, banco):
    started = await integration.start(await make_workflow(banco))
    for path in (f"/v2/verifications/{started['id']}", f"/verifications/{started['id']}"):
        for method in ("PUT", "POST"):
            skipped = await integration.call(method, f"{path}/inputs/document-photo/skip/")
            assert (skipped.status_code, skipped.json()) == (200, {}), (method, path)
    log = (await banco.get("/v1/audit-logs?limit=100")).text
    assert log.count("back_skipped") == 4
