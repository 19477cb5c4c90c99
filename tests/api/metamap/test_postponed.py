"""A registry that is away: MetaMap's receivers are notified once, others are not."""

import json

import pytest

from tests.api.metamap.recorded import Integration, is_signed
from tests.api.webhooks.conftest import working
from tests.factories.organizations import make_workflow
from tests.observability.test_invariants import execute, work

SECRET = "Un-secreto-2026-largo"
# The sandbox's registry does not answer about it (docs/operators/government-bridge.md).
AWAY = {"curp": "XUXX900202HNEXXX02"}
KINDS = ["verification.created", "verification.updated", "verification.completed"]


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


async def test_a_registry_that_is_away_postpones_the_verification_once(
    client, banco, services, authority
):
    integration = Integration(client, "/v1/metamap", banco.organization_id, banco.api_key)
    await integration.authorize()
    flow = await make_workflow(banco, "GOVERNMENT_VERIFY")
    async with authority.receiver() as receiver:
        for path, more in (("/m", {"format": "metamap", "secret": SECRET}), ("/s", {})):
            body = {"url": receiver.url(path), "events": KINDS, **more}
            assert (await banco.post("/v1/webhooks", json=body)).status_code == 201
        started = await integration.start(flow, metadata=AWAY)

        async def statuses():
            one = await integration.call("GET", f"/v2/verifications/{started['id']}")
            identity = await integration.call("GET", f"/v2/identities/{started['identity']}")
            return one.json()["identity"]["status"], identity.json()["status"], one.json()

        for _ in range(3):
            await execute(services, "UPDATE job SET run_at = now() WHERE state = 'pending'")
            await work(services)
        *both, shown = await statuses()
        assert both == ["postponed", "postponed"]
        step = shown["steps"][0]
        assert (step["id"], step["status"], step["error"]) == ("mexican-curp-validation", 100, None)

        decision = {"json": {"status": "verified"}}
        path = f"/v2/verifications/{started['id']}/status"
        assert (await integration.call("PUT", path, **decision)).status_code == 200
        *both, shown = await statuses()
        assert both == ["verified", "verified"]
        # What it waited for is no finding about the person.
        assert (shown["hasProblem"], shown["steps"][0]["error"]) == (False, None)
        # The question has no verification any more that waits for it.
        await execute(services, "UPDATE job SET run_at = now() WHERE state = 'pending'")
        await work(services)
        async with working(services) as worker:
            await worker.until_idle()
    of_metamap = [each for each in receiver.received if each.path == "/m"]
    notices = [json.loads(each.body) for each in of_metamap]
    names = [each["eventName"] for each in notices]
    assert sorted(names) == [
        "verification_completed",
        "verification_postponed",
        "verification_started",
    ]
    postponed = notices[names.index("verification_postponed")]
    assert (postponed["identityStatus"], postponed["metadata"]) == ("postponed", AWAY)
    assert postponed["resource"].endswith(started["id"])
    for each in of_metamap:
        assert is_signed(SECRET, each.body, each.headers["x-signature"])
    ours = [json.loads(each.body) for each in receiver.received if each.path == "/s"]
    assert [each["data"]["changes"] for each in ours if each["event"] == KINDS[1]] == [
        ["status"],
        ["status"],
    ]
