"""Each answer and each webhook names the flow of its own verification, however many there are."""

import json

import pytest

from acredita.resources.metamap.commands import manage_alias
from tests.api.metamap.recorded import Integration
from tests.api.webhooks.conftest import working
from tests.factories.organizations import make_verification, make_workflow

CLIENT_ID = "5f0e1a2b3c4d5e6f70819202"
FIRST, FIRST_TOO = "60aa1b2c3d4e5f6071829301", "60aa1b2c3d4e5f6071829302"
SECOND, FOREIGN = "60aa1b2c3d4e5f6071829303", "60aa1b2c3d4e5f6071829304"


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


def quiet(_: str) -> None:
    pass


async def test_answers_and_webhooks_name_the_flow_of_their_verification(
    client, banco, rival, services, authority
):
    first, second, without = [await make_workflow(banco) for _ in range(3)]
    await manage_alias(services.settings, banco.organization_id, CLIENT_ID, quiet)
    for workflow, chosen in ((first, FIRST), (second, SECOND)):
        await manage_alias(services.settings, workflow, chosen, quiet)
    foreign = await make_workflow(rival)
    await manage_alias(services.settings, foreign, FOREIGN, quiet)
    flows = {first: FIRST, second: SECOND, without: without.replace("-", "")[:24]}

    integration = Integration(client, "/v1/metamap", CLIENT_ID, banco.api_key)
    await integration.authorize()
    async with authority.receiver() as receiver:
        endpoint = {
            "url": receiver.url(),
            "events": ["verification.created", "verification.completed"],
            "format": "metamap",
        }
        assert (await banco.post("/v1/webhooks", json=endpoint)).status_code == 201
        named = {}
        for workflow, flow in flows.items():
            started = await integration.start(flow)
            assert started["flow"]["id"] == flow
            of_v1 = await make_verification(banco, workflow)
            for verification in (started["id"], of_v1.replace("-", "")[:24]):
                named[verification] = flow
        for verification, flow in named.items():
            one = f"/v2/verifications/{verification}"
            assert (await integration.call("GET", one)).json()["flow"]["id"] == flow
            moved = await integration.call("PUT", f"{one}/status", json={"status": "verified"})
            assert moved.status_code == 200
        async with working(services) as worker:
            await worker.until_idle()
        # An alias that is chosen later names nothing that happened before.
        await manage_alias(services.settings, first, FIRST_TOO, quiet)
        log = (await banco.get("/v1/webhooks")).json()["webhooks"][0]["id"]
        sent = (await banco.get(f"/v1/webhooks/{log}/deliveries?limit=100")).json()["deliveries"]
        for each in sent:
            again = f"/v1/webhooks/{log}/deliveries/{each['id']}/redeliver"
            assert (await banco.post(again)).status_code in (200, 202)
        async with working(services) as worker:
            await worker.until_idle()
    notices = [json.loads(each.body) for each in receiver.received]
    assert len(notices) == 4 * len(named)
    for notice in notices:
        assert notice["flowId"] == named[notice["resource"].rpartition("/")[2]]
    for verification, flow in named.items():
        shown = (await integration.call("GET", f"/v2/verifications/{verification}")).json()
        assert shown["flow"]["id"] == (FIRST_TOO if flow == FIRST else flow)
