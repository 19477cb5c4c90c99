"""GOVERNMENT_VERIFY on what the caller states, with the sandbox's magic CURPs."""

from uuid import UUID

import pytest
from sqlalchemy import select

from acredita.domain.errors import NothingToRunAgain
from acredita.models import Event
from acredita.providers.government import RegistryUnavailable
from acredita.resources.verifications import commands
from tests.factories.housekeeping import hurry
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, kinds_of_events, show, until

# The sandbox's magic CURPs (docs/operators/government-bridge.md).
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


async def test_too_few_data_ask_nobody_and_wait_only_for_an_upload_that_a_step_needs(banco):
    workflow_id = await make_workflow(banco, "GOVERNMENT_VERIFY", "DOCUMENT_OCR")
    waiting = await make_verification(banco, workflow_id, metadata={"curp": "not one"})
    for metadata in ({"curp": "not one"}, None):
        shown = await decided(banco, await verify(banco, metadata))
        assert shown["verification"]["status"] == "MANUAL_REVIEW"
        assert shown["verification"]["steps"][0]["result"]["code"] == "INSUFFICIENT_DATA"
    assert (await show(banco, waiting))["verification"]["status"] == "PENDING"


async def test_a_registry_that_is_named_and_cannot_be_asked_leads_to_review(banco):
    metadata = {"curp": ACTIVE}
    shown = await decided(banco, await verify(banco, metadata, registries=["renapo", "ine"]))
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
    assert shown["verification"]["steps"][0]["result"]["code"] == "INSUFFICIENT_DATA"


class Outage:
    """The registry does not answer until the test ends it."""

    def __init__(self, government) -> None:
        self.asked = 0
        self._patched = pytest.MonkeyPatch()
        self._patched.setattr(government, "lookup_curp", self._lookup_curp)

    async def _lookup_curp(self, curp, *, request_key):
        self.asked += 1
        raise RegistryUnavailable("timeout")

    def end(self) -> None:
        self._patched.undo()


@pytest.fixture
def outage(services):
    outage = Outage(services.government)
    yield outage
    outage.end()


async def test_a_registry_that_is_away_for_long_only_delays_the_approval(banco, services, outage):
    verification_id = await verify(banco, {"curp": ACTIVE})

    async def asked_often():
        await hurry(services)
        return outage.asked >= 7  # the job has five attempts

    await until(asked_often)
    outage.end()

    async def approved():
        await hurry(services)
        shown = await show(banco, verification_id)
        return shown["verification"]["status"] == "APPROVED"

    await until(approved)


async def in_review(member, services, verification_id):
    async def closed():
        await hurry(services)
        shown = await show(member, verification_id)
        return shown if shown["verification"]["status"] == "MANUAL_REVIEW" else None

    return await until(closed)


@pytest.mark.parametrize("longest_wait", [0.0])
async def test_what_an_absent_registry_sent_to_review_runs_again_and_is_approved(
    banco, rival, services, outage
):
    verification_id = await verify(banco, {"curp": ACTIVE})
    await in_review(banco, services, verification_id)
    path = f"/v1/verifications/{verification_id}/run-again"
    assert (await rival.post(path)).status_code == 404
    outage.end()
    answer = await banco.post(path)
    assert answer.status_code == 200
    assert answer.json()["verification"]["status"] == "IN_PROGRESS"
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"
    kinds = await kinds_of_events(services, verification_id)
    async with services.database.transaction() as session:
        query = select(Event.callback_only).where(Event.kind == "verification.completed")
        # Endpoints get the first one only.
        assert sorted(await session.scalars(query)) == [False, True]
    assert kinds.count("verification.manual_review") == kinds.count("verification.approved") == 1
    log = await banco.get("/v1/audit-logs", params={"action": "verification.run_again"})
    assert len(log.json()["auditLogs"]) == 1
    refused = await banco.post(path)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "NOTHING_TO_RUN_AGAIN")


@pytest.mark.parametrize("longest_wait", [0.0])
async def test_the_operators_command_runs_a_verification_again(banco, services, outage):
    verification_id = await verify(banco, {"curp": ACTIVE})
    await in_review(banco, services, verification_id)
    outage.end()
    await commands.run_again(services.settings, UUID(verification_id))
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"
    with pytest.raises(NothingToRunAgain):
        await commands.run_again(services.settings, UUID(verification_id))


async def test_a_verification_in_review_for_another_reason_does_not_run_again(banco):
    verification_id = await verify(banco, {"curp": ACTIVE}, registries=["renapo", "ine"])
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
    refused = await banco.post(f"/v1/verifications/{verification_id}/run-again")
    assert refused.status_code == 409


@pytest.mark.parametrize("longest_wait", [0.0])
async def test_a_registry_that_stays_away_leads_to_review_never_to_a_rejection(banco, services):
    verification_id = await verify(banco, {"curp": AWAY})

    async def closed():
        await hurry(services)
        shown = await show(banco, verification_id)
        return shown if shown["verification"]["status"] == "MANUAL_REVIEW" else None

    shown = await until(closed)
    assert shown["verification"]["steps"][0]["result"]["code"] == "REGISTRY_UNAVAILABLE"
