"""GOVERNMENT_VERIFY on what the caller states, with the sandbox's magic CURPs."""

import pytest

from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, hurry, kinds_of_events, show, until

# The sandbox's magic CURPs (docs/government-bridge.md).
ACTIVE = "XUXX900101HNEXXX02"
ANNULLED = "XUXX900106HNEXXX07"
AWAY = "XUXX900202HNEXXX02"


@pytest.fixture
def settings(settings, longest_wait):
    return settings.model_copy(update={"job_longest_wait": longest_wait})


@pytest.fixture
def longest_wait():
    return 6.0


pytestmark = pytest.mark.usefixtures("worker")


async def verify(member, metadata, **config):
    workflow_id = await make_workflow(member, "GOVERNMENT_VERIFY", config=config)
    return await make_verification(member, workflow_id, metadata=metadata)


async def test_a_verification_that_needs_no_upload_starts_by_itself(banco, services):
    verification_id = await verify(banco, {"curp": ACTIVE})
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"
    assert (await kinds_of_events(services, verification_id))[0] == "verification.created"


async def test_an_annulled_curp_rejects(banco):
    shown = await decided(banco, await verify(banco, {"curp": ANNULLED}))
    assert shown["verification"]["status"] == "REJECTED"
    assert shown["verification"]["steps"][0]["result"]["code"] == "CURP_STATUS_ANNULLED"


async def test_too_few_data_ask_nobody_and_wait_for_an_upload(banco):
    verification_id = await verify(banco, {"curp": "not one"})
    assert (await show(banco, verification_id))["verification"]["status"] == "PENDING"


async def test_a_registry_that_is_named_and_cannot_be_asked_leads_to_review(banco):
    metadata = {"curp": ACTIVE}
    shown = await decided(banco, await verify(banco, metadata, registries=["renapo", "ine"]))
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
    assert shown["verification"]["steps"][0]["result"]["code"] == "INSUFFICIENT_DATA"


@pytest.mark.parametrize("longest_wait", [0.0])
async def test_a_registry_that_stays_away_leads_to_review_never_to_a_rejection(banco, services):
    verification_id = await verify(banco, {"curp": AWAY})

    async def closed():
        await hurry(services)
        shown = await show(banco, verification_id)
        return shown if shown["verification"]["status"] == "MANUAL_REVIEW" else None

    shown = await until(closed)
    assert shown["verification"]["steps"][0]["result"]["code"] == "REGISTRY_UNAVAILABLE"
