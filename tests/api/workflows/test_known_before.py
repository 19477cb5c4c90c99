"""Policies know other verifications of the same person, and where pictures come from."""

import asyncio
from uuid import UUID

from sqlalchemy import text, update

from acredita.domain.verification import StepStatus
from acredita.engines.evidence.verification import verify
from acredita.models import Document, PersonIdentifier
from acredita.resources.verifications import pipeline, search
from acredita.resources.verifications.commands import index_identifiers
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from tests.api.verifications.test_evidence_file import chain, download, members_of
from tests.api.verifications.test_history import history_of
from tests.api.verifications.test_override import begin, decide
from tests.api.workflows.test_policy_routes import publish, rules, with_policy
from tests.api.workflows.test_policy_simulations import cells, found, save, start, work
from tests.factories.organizations import make_verification, make_workflow
from tests.factories.samples import picture

ANA, LUIS = "GOPA900101MDFMRN09", "MARL850505HDFRZS05"
PHONE = {"phone": "5512345678"}


async def verified(
    member, services, workflow_id, curp, status=StepStatus.PASSED, with_file=False, **body
):
    """A verification whose document names this CURP: its id, and what its decision says of the
    policy.
    """
    verification_id = await make_verification(member, workflow_id, **body)
    if with_file:
        files = [("front", ("x.jpg", picture(), "image/jpeg"))]
        await member.post(f"/v1/verifications/{verification_id}/inputs", files=files)
    step_id = await begin(services, UUID(verification_id))
    read = {"field": "curp", "value": curp, "decision": "ACCEPTED", "confidence": 0.9}
    async with services.database.transaction() as session:
        sources = update(Document).where(Document.verification_id == UUID(verification_id))
        await session.execute(sources.values(source="file"))
        step = await running.load(session, step_id, lock=True)
        outcome = StepOutcome(status, None, {}, [read], {"rules": "r/1"})
        await pipeline.finish_step(session, services, step.verification, step.step, outcome)
    decided = (await history_of(member, verification_id))["history"][-1]["details"]
    return verification_id, decided.get("policy")


async def test_a_policy_knows_the_person_from_before_and_its_decision_stays_provable(
    banco, rival, services, settings
):
    plain = await make_workflow(banco)
    first, _ = await verified(banco, services, plain, ANA, StepStatus.FAILED, metadata=PHONE)
    await verified(rival, services, await make_workflow(rival), ANA, metadata=PHONE)
    policy_id = await publish(
        banco, rules("earlier.rejected > 0", "contact.people > 0", "'front' in pictures.camera")
    )
    workflow_id = await with_policy(banco, policy_id)
    again, about = await verified(banco, services, workflow_id, ANA, with_file=True)
    assert about["rule"] == "rule 0"
    assert about["circumstances"] == {
        "earlier": {"known": True, "total": 1, "rejected": 1, "recent": 1},
        "pictures": {"file": ["front"]},
    }
    # Another person with the phone of the first one.
    _, about = await verified(banco, services, workflow_id, LUIS, metadata=PHONE)
    assert about["rule"] == "rule 1"
    contact = {"known": True, "total": 1, "people": 1}
    assert about["circumstances"]["contact"] == contact
    # What a person says of itself in a browser is no evidence of whose phone it is.
    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM person_identifier WHERE kind = 'CONTACT'"))
        await session.execute(text("UPDATE verification SET has_session = true"))
    await index_identifiers(settings, lambda _: None)
    async with services.database.transaction() as session:
        kinds = set(await session.scalars(text("SELECT kind FROM person_identifier")))
        assert kinds == {"CURP"}
        # The purge deletes the identifiers.
        await search.delete_entries(session, [UUID(first)])
        assert await session.get(PersonIdentifier, (UUID(first), 0)) is None
    _, about = await verified(banco, services, workflow_id, ANA)
    assert (about["rule"], about["circumstances"]["earlier"]["total"]) == (None, 1)
    # Decisions stay what they were, by what is stored with them.
    replayed = (await banco.post(f"/v1/verifications/{again}/replay", json={})).json()
    assert replayed["isSame"] is True, replayed
    await chain(services)
    content = await download(banco, again)
    assert b'"earlier.rejected":1' in members_of(content)["record.json"]
    assert not (await asyncio.to_thread(verify, content)).faults
    draft = await save(banco, rules("earlier.rejected > 0", then={"outcome": "REJECT"}))
    address = await start(banco, draft, workflowId=workflow_id)
    await work(services)
    simulated = cells((await found(banco, address))["matrix"], "decided", "simulated")
    assert simulated == {
        ("MANUAL_REVIEW", "REJECTED"): 1,
        ("MANUAL_REVIEW", "APPROVED"): 1,
        ("APPROVED", "APPROVED"): 1,
    }
    # A reviewer's rejection counts from then on.
    assert (await decide(banco, again, "REJECTED")).is_success
    _, about = await verified(banco, services, workflow_id, ANA)
    assert about["circumstances"]["earlier"]["rejected"] == 1
