from uuid import UUID

import pytest
from sqlalchemy import func, select, update

from acredita.domain.verification import StepStatus
from acredita.kit.sealed import SealedBytes
from acredita.models import Delivery, Document, Event, Verification, VerificationStep, Workflow
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.schemas import VerificationAnswer
from tests.factories.organizations import make_verification, make_workflow

UNKNOWN_ID = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"
CREATED = {
    "id", "status", "workflowId", "externalId", "metadata", "ipAddress",
    "createdAt", "updatedAt", "callbackSecret", "capture",
}  # fmt: skip


async def test_a_created_verification_is_pending_and_told_of_in_an_event(banco, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    answer = await banco.post(
        "/v1/verifications",
        json={"workflowId": workflow_id, "externalId": "cliente-1", "metadata": {"plan": "oro"}},
    )
    assert answer.status_code == 201
    created = answer.json()["verification"]
    assert set(created) == CREATED
    assert created["status"] == "PENDING"
    assert (created["externalId"], created["metadata"]) == ("cliente-1", {"plan": "oro"})
    assert created["ipAddress"] == "127.0.0.1"
    assert created["callbackSecret"] is None
    async with services.database.transaction() as session:
        event = (await session.scalars(select(Event))).one()
    assert event.kind == "verification.created"
    assert event.data.decode() == (
        f'{{"verificationId":"{created["id"]}","workflowId":"{workflow_id}","status":"PENDING",'
        '"externalId":"cliente-1"}'
    )


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "order-1"}])
async def test_a_creation_is_told_to_those_who_asked_for_it(banco, rival, services, headers):
    asked = {"url": "https://127.0.0.1/events", "events": ["verification.created"]}
    workflow_id = await make_workflow(banco)
    for member, events in ((rival, asked["events"]), (banco, ["verification.completed"])):
        webhook = asked | {"events": events}
        assert (await member.post("/v1/webhooks", json=webhook)).status_code == 201
    await make_verification(banco, workflow_id)
    assert await deliveries(services) == []
    assert (await banco.post("/v1/webhooks", json=asked)).status_code == 201
    answer = await banco.post(
        "/v1/verifications",
        json={"workflowId": workflow_id},
        headers=headers | {"X-Request-Id": "theirs"},
    )
    async with services.database.transaction() as session:
        newest = Event.verification_id == UUID(answer.json()["verification"]["id"])
        event_id = await session.scalar(select(Event.id).where(newest))
    (delivery,) = await deliveries(services)
    assert (delivery.event_id, delivery.state) == (event_id, "pending")
    assert delivery.receiver_id == delivery.endpoint_id
    assert str(delivery.organization_id) == banco.organization_id


async def deliveries(services):
    async with services.database.transaction() as session:
        return (await session.scalars(select(Delivery))).all()


async def test_null_counts_as_absent_on_creation(banco):
    body = {"workflowId": await make_workflow(banco), "externalId": None, "metadata": None}
    created = (await banco.post("/v1/verifications", json=body)).json()["verification"]
    assert set(created) == CREATED
    assert created["externalId"] is None
    assert created["metadata"] is None


async def test_a_callback_secret_is_shown_once_and_stored_sealed(banco, services):
    verification_id = await make_verification(banco, callbackUrl="https://127.0.0.1/result")
    async with services.database.transaction() as session:
        row = await session.get_one(Verification, verification_id)
    assert b"whsec_" not in row.callback_secret_sealed
    shown = await banco.get(f"/v1/verifications/{verification_id}")
    assert "whsec_" not in shown.text


@pytest.mark.parametrize(
    "change",
    [
        {"workflowId": ""},
        {"workflowId": None},
        {"workflowId": 5},
        {"externalId": "x" * 256},
        {"callbackUrl": "ftp://host/"},
        {"callbackUrl": "https://user@host/"},
        {"callbackUrl": "https://host:0/"},
        {"callbackUrl": "https://host/" + "x" * 2048},
        {"callbackUrl": "no address"},
        {"status": "APPROVED"},
        {"organizationId": UNKNOWN_ID},
    ],
)
async def test_a_body_out_of_bounds_creates_nothing(banco, services, change):
    body = {"workflowId": await make_workflow(banco)} | change
    answer = await banco.post("/v1/verifications", json=body)
    assert answer.status_code == 422, answer.text
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(Verification)) == 0


async def test_a_workflow_must_be_the_organizations_own_and_active(banco, rival, services):
    foreign = await make_workflow(rival)
    for workflow_id in (foreign, UNKNOWN_ID, "not-an-id"):
        answer = await banco.post("/v1/verifications", json={"workflowId": workflow_id})
        assert answer.status_code == 404
    own = await make_workflow(banco)
    async with services.database.transaction() as session:
        await session.execute(update(Workflow).where(Workflow.id == own).values(is_active=False))
    answer = await banco.post("/v1/verifications", json={"workflowId": own})
    assert answer.status_code == 409
    assert answer.json()["error"]["code"] == "WORKFLOW_INACTIVE"


async def test_the_polling_target_shows_what_each_step_still_needs(banco):
    workflow_id = await make_workflow(
        banco, "DOCUMENT_OCR", "FACE_MATCH", "LIVENESS", "GOVERNMENT_VERIFY"
    )
    verification_id = await make_verification(banco, workflow_id)
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert set(shown) == {"verification", "documents", "extraction"}
    assert set(shown["verification"]) == {
        "id", "status", "workflowId", "steps", "createdAt", "updatedAt", "externalId", "metadata",
        "capture", "decision",
    }  # fmt: skip
    assert shown["verification"]["decision"] is None
    steps = shown["verification"]["steps"]
    assert [(step["type"], step["status"], step["requires"]) for step in steps] == [
        ("DOCUMENT_OCR", "PENDING", ["front"]),
        ("FACE_MATCH", "PENDING", ["selfie", "front"]),
        ("LIVENESS", "PENDING", ["liveness"]),
        ("GOVERNMENT_VERIFY", "PENDING", []),
    ]
    assert all(set(step) == {"id", "type", "status", "requires", "result"} for step in steps)
    assert shown["documents"] == shown["extraction"] == []


async def test_a_decided_verification_is_shown_as_described(banco, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR")
    verification_id = await make_verification(banco, workflow_id)
    document = Document(
        organization_id=UUID(banco.organization_id),
        verification_id=UUID(verification_id),
        type="front",
        mime_type="image/jpeg",
        file_size=1000,
        sha256=bytes(32),
        storage_key="somewhere",
        data_key_sealed=SealedBytes(),
    )
    async with services.database.transaction() as session:
        session.add(document)
        await session.flush()
        verification = await queries.lock(session, UUID(verification_id))
        (step,) = await queries.list_steps(session, verification.id)
        evidence = {
            "field": "curp",
            "value": "GALM900214MDFRPR03",
            "confidence": 0.987,
            "decision": "ACCEPTED",
            "source": "ocr",
            "zone": "curp",
            "documentId": str(document.id),
            "alternatives": ["GALM900214MDFRPR08"],
            "reasons": [],
        }
        outcome = StepOutcome(StepStatus.PASSED, result={"kind": "INE"}, evidence=[evidence])
        await pipeline.handle_new_inputs(session, services.keys, verification)
        await pipeline.finish_step(session, services, verification, step, outcome)
    answer = await banco.get(f"/v1/verifications/{verification_id}")
    assert answer.headers["content-type"] == "application/json"
    shown = answer.json()
    described = VerificationAnswer.model_validate_json(answer.content, by_name=False)
    assert described.model_dump(mode="json", by_alias=True, exclude={"masked"}) == shown
    assert shown["verification"]["status"] == "APPROVED"
    assert shown["verification"]["steps"][0]["result"] == {"kind": "INE"}
    assert shown["documents"][0]["id"] == str(document.id)
    del evidence["zone"], evidence["reasons"]
    assert shown["extraction"] == [evidence]


async def test_the_signals_of_a_step_are_the_raised_ones_unless_all_are_asked_for(banco, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "LIVENESS")
    verification_id = await make_verification(banco, workflow_id)
    raised, other = {"signal": "glare", "raised": True}, {"signal": "blurred", "raised": False}
    light = {"signal": "liveness.light", "raised": False, "verdict": "seen"}
    results = [
        {"name": "ANA", "signals": [raised, other]},
        {"signals": [other]},
        {"signals": {"sharpness": 0.5}, "light": light},
    ]
    async with services.database.transaction() as session:
        steps = await queries.list_steps(session, UUID(verification_id))
        for step, result in zip(steps, results, strict=True):
            step.result_sealed = VerificationStep.result.seal(services.keys, step.id, result)

    async def shown(**params):
        answer = await banco.get(f"/v1/verifications/{verification_id}", params=params)
        return [step["result"] for step in answer.json()["verification"]["steps"]]

    assert await shown(signals="all") == results
    only_raised = [{"name": "ANA", "signals": [raised]}, {"signals": []}, results[2]]
    assert await shown() == await shown(signals="raised") == only_raised
    refused = await banco.get(f"/v1/verifications/{verification_id}", params={"signals": "some"})
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0].startswith("query.signals: ")


async def test_a_foreign_verification_is_as_unknown_as_one_that_never_was(banco, rival):
    verification_id = await make_verification(banco)
    foreign = await rival.get(f"/v1/verifications/{verification_id}")
    unknown = await rival.get(f"/v1/verifications/{UNKNOWN_ID}")
    for answer in (foreign, unknown):
        answer.json()["error"].pop("requestId")
    assert foreign.status_code == unknown.status_code == 404
    assert {**foreign.json()["error"], "requestId": ""} == {
        **unknown.json()["error"],
        "requestId": "",
    }


async def test_a_change_of_the_workflow_leaves_a_verification_in_flight_as_it_was(banco, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR")
    verification_id = await make_verification(banco, workflow_id)
    async with services.database.transaction() as session:
        await session.execute(update(Workflow).values(steps=[], is_active=False))
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert [step["type"] for step in shown["verification"]["steps"]] == ["DOCUMENT_OCR"]
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(VerificationStep)) == 1
