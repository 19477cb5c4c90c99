"""Receivers in JavaScript check a signature over JSON.stringify(req.body), not over the bytes."""

import json

import pytest

from acredita.kit.javascript_json import stringify
from acredita.resources.webhooks import signed_request
from tests.api.metamap.recorded import Integration, is_signed
from tests.api.webhooks.conftest import working
from tests.factories.javascript import running_node
from tests.factories.organizations import make_workflow

SECRET = "Un-secreto-2026-largo"
# As a customer's request writes it.
METADATA = (
    '{"monto":1500.0,"tasa":0.10,"minimo":1e-7,"maximo":1e21,"cero":-0.0,"folio":9007199254740993,'
    '"b":1,"10":"diez","9":"nueve","01":"uno","nota":"l\\u00ednea\\u2028 \\u2029\\u007f\\u001f/",'
    '"lista":[1.0,[2.50,{"3":1,"1":2}]],"cara":"\\ud83d\\ude00"}'
)


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


@pytest.fixture
async def received(client, banco, services, authority):
    """Bodies and signatures of a verification's webhooks, and of a government check."""
    integration = Integration(client, "/v1/metamap", banco.organization_id, banco.api_key)
    await integration.authorize()
    flow = await make_workflow(banco)
    async with authority.receiver() as receiver:
        endpoint = {
            "url": receiver.url(),
            "events": ["verification.created", "verification.completed"],
            "format": "metamap",
            "secret": SECRET,
        }
        webhook = (await banco.post("/v1/webhooks", json=endpoint)).json()["webhook"]
        started = await banco.post(
            "/v1/metamap/v2/verifications",
            content=f'{{"flowId":"{flow}","metadata":{METADATA}}}',
            headers={"content-type": "application/json"},
        )
        assert started.status_code == 200, started.text
        one = f"/v2/verifications/{started.json()['id']}/status"
        await integration.call("PUT", one, json={"status": "verified"})
        asked = {"curp": "CURA900505MDFRZN03", "callbackUrl": receiver.url("/curp")}
        await integration.call("POST", "/govchecks/v1/mx/curp", json=asked)
        async with working(services) as worker:
            await worker.until_idle()
        tried = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
        assert tried.json() == {"delivered": True}
    assert len(receiver.received) == 4
    return [(each.body, each.headers["x-signature"]) for each in receiver.received]


async def test_every_body_is_what_json_stringify_makes_of_it(received):
    for body, signature in received:
        assert stringify(json.loads(body)) == body
        assert is_signed(SECRET, body, signature)
    metadata = [json.loads(body)["metadata"] for body, _ in received if b"metadata" in body]
    assert len(metadata) == 3
    for each in metadata:
        assert each == json.loads(METADATA) | {"folio": 9007199254740992}
        assert list(each)[:2] == ["9", "10"]
        assert isinstance(each["monto"], int)


async def test_a_receiver_in_node_finds_the_signature_right(received):
    with running_node() as node:
        for body, signature in received:
            again = node.reserialize(body)
            assert again == body
            assert signed_request.bare_signature(SECRET, again) == signature
