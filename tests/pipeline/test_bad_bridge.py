"""A bridge to the registries that hangs, fails, or sends rubbish: a person takes over, and nobody
else waits.
"""

import time

import pytest
from pydantic import SecretStr

from tests.factories.government_bridge import TOKEN
from tests.factories.housekeeping import hurry
from tests.factories.organizations import make_verification, make_workflow
from tests.factories.receiver import Receiver, answer, endless_body, hang, serve
from tests.pipeline.conftest import show, until
from tests.pipeline.test_registries import ACTIVE

ATTEMPTS = 5
# More than all the places of a worker.
FLOOD = 40


@pytest.fixture
async def bridge():
    async with serve(Receiver(), None) as receiver:
        yield receiver


@pytest.fixture
def timeout():
    return 0.5


@pytest.fixture
def settings(settings, bridge, timeout):
    return settings.model_copy(
        update={
            "government_provider": "bridge",
            "government_bridge_url": bridge.url("", host="127.0.0.1"),
            "government_bridge_token": SecretStr(TOKEN),
            "government_timeout": timeout,
            "worker_grace": 0.5,
            "job_longest_wait": 0.0,
        }
    )


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(hang, id="hangs"),
        pytest.param(answer(500), id="fails"),
        pytest.param(endless_body, id="sends without end"),
        pytest.param(answer(200, b'{"outcome": "found"'), id="sends half an object"),
        pytest.param(
            answer(200, b"[1]", Content_Type="application/json"), id="sends another shape"
        ),
    ],
)
@pytest.mark.usefixtures("worker")
async def test_the_step_is_tried_five_times_and_then_reviewed(banco, services, bridge, behaviour):
    bridge.otherwise = behaviour
    workflow_id = await make_workflow(banco, "GOVERNMENT_VERIFY", config={"registries": ["renapo"]})
    verification_id = await make_verification(banco, workflow_id, metadata={"curp": ACTIVE})

    async def closed():
        await hurry(services)
        shown = await show(banco, verification_id)
        return shown if shown["verification"]["status"] == "MANUAL_REVIEW" else None

    shown = await until(closed)
    assert shown["verification"]["steps"][0]["result"]["code"] == "REGISTRY_UNAVAILABLE"
    assert len(bridge.received) == ATTEMPTS
    assert len({each.headers["idempotency-key"] for each in bridge.received}) == 1


@pytest.mark.parametrize("timeout", [20.0])
@pytest.mark.usefixtures("worker")
async def test_others_do_not_wait_for_a_registry_that_hangs(banco, rival, services, bridge):
    """Work without a registry does not wait: here, a mail with a link."""
    bridge.otherwise = hang
    workflow_id = await make_workflow(banco, "GOVERNMENT_VERIFY")
    for _ in range(FLOOD):
        await make_verification(banco, workflow_id, metadata={"curp": ACTIVE})
    await bridge.wait_for(16)
    began = time.monotonic()
    email = rival.registration["user"]["email"]
    await rival.client.post("/v1/auth/forgot-password", json={"email": email})

    async def mailed():
        return list(services.settings.mailbox_folder.glob("*.json"))

    await until(mailed)
    assert time.monotonic() - began < 5
