"""A step that could not use a picture asks for another one; the engines' part is played here."""

from dataclasses import replace
from uuid import UUID

import pytest
from sqlalchemy import select, update

from acredita.domain.languages import PersonLanguage
from acredita.domain.reasons import AnyStepReason, DocumentReason, FaceReason, LivenessReason
from acredita.domain.steps import DOCUMENT_OCR, FACE_MATCH, GOVERNMENT_VERIFY, LIVENESS
from acredita.domain.verification import DocumentRole, StepStatus
from acredita.models import CaptureLink, Event, Job
from acredita.resources.invariants.checks import VERIFICATION_STUCK
from acredita.resources.invariants.queries import Window, find, looking
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.link_texts import texts_of
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.recovery import resume
from acredita.resources.verifications.steps import running
from tests.api.verifications.test_history import history_of
from tests.api.workflows.test_policy_routes import publish
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification, make_workflow

BLURRED = StepOutcome(StepStatus.REVIEW, code=DocumentReason.IMAGE_BLURRED)
PASSED = StepOutcome(StepStatus.PASSED)


@pytest.fixture
def opened(client, banco):
    """Opens a session of a workflow of these steps; the verification's id."""

    async def open_session(*steps, policy_id=None):
        flow_id = await make_workflow(banco, *steps)
        if policy_id is not None:
            await banco.patch(f"/v1/workflows/{flow_id}", json={"policyId": policy_id})
        body = {"clientId": banco.organization_id, "flowId": flow_id}
        answer = await client.post("/v1/sdk/session", json=body)
        return answer.json()["verificationId"]

    return open_session


@pytest.fixture
def upload(client):
    async def send(verification_id, *roles):
        files = [(role, ("a.png", picture())) for role in roles]
        answer = await client.post(f"/v1/sdk/verifications/{verification_id}/inputs", files=files)
        assert answer.status_code == 202, answer.text
        return answer.json()["verification"]

    return send


@pytest.fixture
def end(services):
    """Ends the step of a type as its job would."""

    async def finish(verification_id, step_type, outcome):
        async with services.database.transaction() as session:
            verification = await queries.lock(session, UUID(verification_id))
            steps = await queries.list_steps(session, verification.id)
            step = next(step for step in steps if step.type == step_type)
            await pipeline.finish_step(session, services, verification, step, outcome)

    return finish


async def view_of(client, verification_id):
    return (await client.get(f"/v1/sdk/verifications/{verification_id}")).json()


async def events_of(services, verification_id):
    query = select(Event.kind).where(Event.verification_id == UUID(verification_id))
    async with services.database.transaction() as session:
        return list(await session.scalars(query.order_by(Event.created_at)))


async def looked_at(services, view, step_type):
    """The documents that the step would look at now."""
    step_id = next(step["id"] for step in view["steps"] if step["type"] == step_type)
    async with services.database.transaction() as session:
        return (await running.load(session, UUID(step_id))).documents


async def test_it_asks_three_times_and_then_a_person_looks(client, services, opened, upload, end):
    verification_id = await opened("DOCUMENT_OCR")
    await upload(verification_id, "front", "back")
    for left in (2, 1, 0):
        await end(verification_id, DOCUMENT_OCR, BLURRED)
        view = await view_of(client, verification_id)
        (step,) = view["steps"]
        assert (step["status"], step["code"]) == ("WAITING_INPUT", "IMAGE_BLURRED")
        assert step["retakesLeft"] == left
        assert set(step["advice"]) == {"es", "en"}
        assert step["requires"] == ["front", "back"]
        # One of them alone does not set it going.
        (step,) = (await upload(verification_id, "front"))["steps"]
        assert (step["status"], step["requires"]) == ("WAITING_INPUT", ["back"])
        view = await upload(verification_id, "back")
        (step,) = view["steps"]
        assert (step["status"], step["code"], step["requires"]) == ("RUNNING", None, [])
        assert view["next"]["action"] == "consent"
    assert "step.completed" not in await events_of(services, verification_id)
    await end(verification_id, DOCUMENT_OCR, BLURRED)
    view = await view_of(client, verification_id)
    assert (view["status"], view["steps"][0]["status"]) == ("MANUAL_REVIEW", "REVIEW")
    assert await events_of(services, verification_id) == [
        "verification.created",
        *["verification.updated"] * 4,
        "step.completed",
        "verification.updated",
        "verification.completed",
        "verification.manual_review",
    ]


async def test_the_organizations_own_verifications_go_to_a_person_at_once(
    client, banco, upload, end
):
    verification_id = await make_verification(banco)
    await upload(verification_id, "front")
    await end(verification_id, DOCUMENT_OCR, BLURRED)
    assert (await view_of(client, verification_id))["status"] == "MANUAL_REVIEW"


@pytest.mark.parametrize(
    "outcome",
    [
        StepOutcome(StepStatus.REVIEW, code=DocumentReason.FIELDS_CONTRADICT),
        StepOutcome(StepStatus.REVIEW, code=AnyStepReason.CHECK_UNAVAILABLE),
        StepOutcome(StepStatus.FAILED, code=DocumentReason.DOCUMENT_EXPIRED),
    ],
    ids=lambda outcome: outcome.code,
)
async def test_doubts_and_verdicts_are_not_asked_about(client, opened, upload, end, outcome):
    verification_id = await opened("DOCUMENT_OCR")
    await upload(verification_id, "front")
    await end(verification_id, DOCUMENT_OCR, outcome)
    (step,) = (await view_of(client, verification_id))["steps"]
    assert step["status"] == outcome.status
    # The person does not see a reason that another picture cannot remove.
    assert step["code"] == ("DOCUMENT_EXPIRED" if outcome.code == "DOCUMENT_EXPIRED" else None)


async def test_a_selfie_that_cannot_be_used_is_asked_for_alone(
    client, services, opened, upload, end
):
    verification_id = await opened("DOCUMENT_OCR", "FACE_MATCH")
    await upload(verification_id, "front", "selfie")
    await end(verification_id, DOCUMENT_OCR, PASSED)
    blurred = StepOutcome(StepStatus.REVIEW, code=FaceReason.FACE_BLURRED)
    await end(verification_id, FACE_MATCH, blurred)
    view = await view_of(client, verification_id)
    assert view["steps"][1]["requires"] == ["selfie"]
    former = await looked_at(services, view, "FACE_MATCH")
    assert set(former) == {DocumentRole.FRONT}
    view = await upload(verification_id, "selfie")
    assert view["steps"][1]["status"] == "RUNNING"
    assert set(await looked_at(services, view, "FACE_MATCH")) == {"front", "selfie"}
    async with services.database.transaction() as session:
        waiting = select(Job.kind).where(Job.state == "pending", Job.kind.like("verification.%"))
        assert "verification.compare_faces" in list(await session.scalars(waiting))


async def test_a_passport_may_be_sent_in_place_of_a_card(client, services, opened, upload, end):
    verification_id = await opened("DOCUMENT_OCR")
    await upload(verification_id, "front")
    await end(verification_id, DOCUMENT_OCR, BLURRED)
    view = await upload(verification_id, "passport")
    assert view["steps"][0]["status"] == "RUNNING"
    # The card that could not be used does not come between.
    assert set(await looked_at(services, view, "DOCUMENT_OCR")) == {DocumentRole.PASSPORT}


async def test_a_document_that_was_judged_cannot_be_exchanged_for_another(
    client, services, opened, upload, end
):
    """Else one's own portrait would be compared, after another's document had been read."""
    verification_id = await opened("DOCUMENT_OCR", "FACE_MATCH", "LIVENESS")
    view = await upload(verification_id, "front", "selfie")
    judged = await looked_at(services, view, "DOCUMENT_OCR")
    await end(verification_id, DOCUMENT_OCR, PASSED)
    view = await upload(verification_id, "front", "back", "passport")
    documents = await looked_at(services, view, "FACE_MATCH")
    assert set(documents) == {"front", "selfie"}
    assert documents[DocumentRole.FRONT].id == judged[DocumentRole.FRONT].id
    await end(verification_id, FACE_MATCH, PASSED)
    view = await upload(verification_id, "selfie", "liveness")
    documents = await looked_at(services, view, "LIVENESS")
    assert documents[DocumentRole.SELFIE].id == judged[DocumentRole.SELFIE].id


async def test_nor_is_it_asked_for_again(client, opened, upload, end):
    """A portrait that is too small, on a document that was read: a person looks."""
    verification_id = await opened("DOCUMENT_OCR", "FACE_MATCH")
    await upload(verification_id, "front", "selfie")
    await end(verification_id, DOCUMENT_OCR, PASSED)
    small = StepOutcome(StepStatus.REVIEW, code=FaceReason.PORTRAIT_TOO_SMALL)
    await end(verification_id, FACE_MATCH, small)
    assert (await view_of(client, verification_id))["status"] == "MANUAL_REVIEW"


async def test_liveness_is_tried_again_with_a_new_challenge(client, services, opened, upload, end):
    verification_id = await opened("LIVENESS")
    await upload(verification_id, "liveness")
    unproven = StepOutcome(StepStatus.REVIEW, code=LivenessReason.LIVENESS_NOT_PROVEN)
    await end(verification_id, LIVENESS, unproven)
    consent = {"version": "1", "locale": "es", "acceptedAt": "2026-01-31T18:05:09Z"}
    await client.post(f"/v1/sdk/verifications/{verification_id}/consent", json=consent)
    view = await view_of(client, verification_id)
    assert (view["next"]["action"], view["steps"][0]["code"]) == ("liveness", unproven.code)
    start = f"/v1/sdk/verifications/{verification_id}/liveness-challenge/start"
    assert (await client.post(start)).status_code == 200


async def test_who_is_asked_is_waited_for_and_not_taken_for_stuck(
    client, services, opened, upload, end
):
    verification_id = await opened("DOCUMENT_OCR")
    await upload(verification_id, "front")
    await end(verification_id, DOCUMENT_OCR, BLURRED)
    async with services.database.transaction() as session:
        await session.execute(update(Job).values(state="done"))
    now = services.clock.now()
    async with looking(services.database) as connection:
        assert await find(connection, VERIFICATION_STUCK, Window(now, now)) == []
    await resume(services, UUID(verification_id))
    (step,) = (await view_of(client, verification_id))["steps"]
    assert (step["status"], step["requires"]) == ("WAITING_INPUT", ["front"])


UNCERTAIN = StepOutcome(StepStatus.REVIEW, code=FaceReason.FACE_UNCERTAIN)
ASK_SELFIE = {"outcome": "ASK_AGAIN", "pictures": ["selfie"], "reasons": ["FACE_TOO_SMALL"]}


async def asking_policy(member, condition, then):
    rule = {"name": "otra foto", "when": condition, "then": then}
    return await publish(member, {"rules": [rule], "otherwise": {"outcome": "DEFAULT"}})


async def test_a_policy_asks_three_times_for_a_picture_and_then_a_person_looks(
    client, banco, services, opened, upload, end
):
    condition = "step.FACE_MATCH.code == 'FACE_UNCERTAIN'"
    policy_id = await asking_policy(banco, condition, ASK_SELFIE)
    verification_id = await opened("DOCUMENT_OCR", "FACE_MATCH", policy_id=policy_id)
    await upload(verification_id, "front", "selfie")
    await end(verification_id, DOCUMENT_OCR, PASSED)
    for left in (2, 1, 0):
        await end(verification_id, FACE_MATCH, UNCERTAIN)
        view = await view_of(client, verification_id)
        assert view["status"] == "IN_PROGRESS"
        documents, faces = view["steps"]
        assert documents["status"] == "PASSED"
        assert (faces["status"], faces["code"]) == ("WAITING_INPUT", "FACE_TOO_SMALL")
        assert (faces["requires"], faces["retakesLeft"]) == (["selfie"], left)
        assert set(await looked_at(services, view, "FACE_MATCH")) == {"front"}
        view = await upload(verification_id, "selfie")
        assert (view["steps"][1]["status"], view["steps"][1]["code"]) == ("RUNNING", None)
    # As often as the person was asked, the policy says so in the history.
    await end(verification_id, FACE_MATCH, UNCERTAIN)
    assert (await view_of(client, verification_id))["status"] == "MANUAL_REVIEW"
    history = (await history_of(banco, verification_id))["history"]
    asked = [each for each in history if each["kind"] == "verification.pictures_asked_again"]
    assert len(asked) == 3
    assert asked[0]["details"]["pictures"] == ["selfie"]
    assert asked[0]["details"]["policy"]["rule"] == "otra foto"
    assert history[-1]["details"]["reasons"] == [
        "FACE_MATCH: FACE_UNCERTAIN",
        "POLICY: FACE_TOO_SMALL",
        "POLICY: POLICY_RETAKE_NOT_POSSIBLE",
    ]
    address = f"/v1/verifications/{verification_id}/replay"
    tried = (await banco.post(address, json={})).json()
    assert (tried["pictures"], tried["isSame"]) == (["selfie"], True)


async def test_steps_that_judged_a_picture_judge_the_new_one_and_later_ones_run_again(
    client, banco, services, opened, upload, end
):
    then = {"outcome": "ASK_AGAIN", "pictures": ["front", "back"]}
    policy_id = await asking_policy(banco, "steps.retakes == 0 && steps.failed > 0", then)
    types = ("DOCUMENT_OCR", "GOVERNMENT_VERIFY", "FACE_MATCH")
    verification_id = await opened(*types, policy_id=policy_id)
    view = await upload(verification_id, "front", "selfie")
    former = await looked_at(services, view, "DOCUMENT_OCR")
    await end(verification_id, DOCUMENT_OCR, PASSED)
    await end(verification_id, GOVERNMENT_VERIFY, PASSED)
    await end(verification_id, FACE_MATCH, StepOutcome(StepStatus.FAILED))
    view = await view_of(client, verification_id)
    assert [step["status"] for step in view["steps"]] == ["WAITING_INPUT", "PENDING", "PENDING"]
    assert view["steps"][0]["code"] == "PICTURE_ASKED_AGAIN"
    assert view["steps"][0]["requires"] == ["front", "back"]
    view = await upload(verification_id, "front", "back")
    judged = await looked_at(services, view, "DOCUMENT_OCR")
    assert judged[DocumentRole.FRONT].id != former[DocumentRole.FRONT].id
    for step_type in (DOCUMENT_OCR, GOVERNMENT_VERIFY, FACE_MATCH):
        await end(verification_id, step_type, PASSED)
    assert (await view_of(client, verification_id))["status"] == "APPROVED"


async def test_a_policy_asks_nobody_outside_of_the_browser_flow_or_for_what_no_step_judges(
    client, banco, opened, upload, end
):
    policy_id = await asking_policy(banco, "steps.review > 0", ASK_SELFIE)
    workflow_id = await make_workflow(banco, "FACE_MATCH")
    await banco.patch(f"/v1/workflows/{workflow_id}", json={"policyId": policy_id})
    own = await make_verification(banco, workflow_id)
    await upload(own, "front", "selfie")
    await end(own, FACE_MATCH, UNCERTAIN)
    without_selfie = await opened("DOCUMENT_OCR", policy_id=policy_id)
    await upload(without_selfie, "front")
    expired = StepOutcome(StepStatus.REVIEW, code=DocumentReason.FIELDS_CONTRADICT)
    await end(without_selfie, DOCUMENT_OCR, expired)
    for verification_id in (own, without_selfie):
        assert (await view_of(client, verification_id))["status"] == "MANUAL_REVIEW"
        decided = (await history_of(banco, verification_id))["history"][-1]["details"]
        assert decided["reasons"][-1] == "POLICY: POLICY_RETAKE_NOT_POSSIBLE"
    for pictures in ([], ["selfie", "selfie"], None, ["elbow"]):
        rule = {"outcome": "ASK_AGAIN", "pictures": pictures}
        body = {"name": "R", "rules": [], "otherwise": rule}
        assert (await banco.post("/v1/policies", json=body)).status_code == 422, pictures


async def test_a_reviewer_asks_for_other_pictures_once_more_with_a_link(
    client, banco, rival, services, opened, upload, end
):
    verification_id = await opened("DOCUMENT_OCR", "FACE_MATCH")
    path = f"/v1/verifications/{verification_id}"
    await upload(verification_id, "front", "selfie")
    asked = {"pictures": ["front"], "message": "La foto está borrosa."}
    early = await banco.post(f"{path}/retake", json=asked)
    assert (early.status_code, early.json()["error"]["code"]) == (409, "NOTHING_TO_RETAKE")
    for _ in range(3):
        await end(verification_id, DOCUMENT_OCR, BLURRED)
        await upload(verification_id, "front")
    await end(verification_id, DOCUMENT_OCR, BLURRED)
    await end(verification_id, FACE_MATCH, PASSED)
    assert (await view_of(client, verification_id))["status"] == "MANUAL_REVIEW"
    assert (await rival.post(f"{path}/retake", json=asked)).status_code == 404
    nobodys = await banco.post(f"{path}/retake", json={"pictures": ["liveness"]})
    assert nobodys.status_code == 409

    answer = await banco.post(f"{path}/retake", json=asked)
    assert answer.status_code == 200, answer.text
    assert answer.json()["verification"]["status"] == "IN_PROGRESS"
    link = answer.json()["capture"]
    token = link["url"].partition("#")[2]
    session = await client.post("/v1/sdk/link-sessions", json={"link": token})
    assert session.status_code in {200, 201}, session.text
    headers = {"Authorization": f"Bearer {session.json()['token']}"}
    sdk = f"/v1/sdk/verifications/{verification_id}"
    view = (await client.get(sdk, headers=headers)).json()
    assert view["expiresAt"] == link["expiresAt"]
    documents, faces = view["steps"]
    assert (documents["status"], documents["requires"]) == ("WAITING_INPUT", ["front"])
    assert (documents["code"], documents["retakesLeft"]) == ("PICTURE_ASKED_AGAIN", 0)
    assert faces["status"] == "PENDING"
    # A caller who knows only the id can no longer send pictures.
    assert (await client.get(sdk)).status_code == 401
    sent = {"front": ("a.png", picture())}
    uploaded = await client.post(f"{sdk}/inputs", files=sent, headers=headers)
    assert uploaded.status_code == 202, uploaded.text
    await end(verification_id, DOCUMENT_OCR, PASSED)
    await end(verification_id, FACE_MATCH, PASSED)
    assert (await banco.get(path)).json()["verification"]["status"] == "APPROVED"
    history = (await history_of(banco, verification_id))["history"]
    (again,) = [one for one in history if one["kind"] == "verification.pictures_asked_again"]
    assert (again["note"], again["actor"]["type"]) == (asked["message"], "client")
    assert again["details"]["pictures"] == ["front"]


async def test_the_service_sends_a_reviewers_message_to_the_address_of_the_metadata_alone(
    banco, services, upload, end
):
    body = {
        "workflowId": await make_workflow(banco, "DOCUMENT_OCR"),
        "metadata": {"email": "Luz@Correo.example"},
    }
    created = await banco.post("/v1/verifications", json=body)
    path = f"/v1/verifications/{created.json()['verification']['id']}"
    verification_id = path.rpartition("/")[2]
    await upload(verification_id, "front")
    await end(verification_id, DOCUMENT_OCR, BLURRED)
    asked = {"pictures": ["front"], "message": "Con más luz, por favor."}

    refused = await banco.post(f"{path}/retake", json=asked | {"send": {"channel": "sms"}})
    assert refused.status_code == 422
    assert "no valid phone" in refused.json()["error"]["details"][0]
    # The refusal undoes the rest.
    assert (await banco.get(path)).json()["verification"]["status"] == "MANUAL_REVIEW"

    answer = await banco.post(f"{path}/retake", json=asked | {"send": {"channel": "email"}})
    assert answer.status_code == 200, answer.text
    async with services.database.transaction() as session:
        link = (await session.scalars(select(CaptureLink))).one()
        [job] = await session.scalars(select(Job).where(Job.kind == "capture_link.send"))
        message = link.message.open(services.keys)
    assert job.payload == {"link_id": str(link.id)}
    assert message.address.lower() == "luz@correo.example"
    for language in PersonLanguage:
        sent = texts_of(link.purpose, replace(message, language=language), "Banco Uno")
        mail = sent.letter.to(message.address)
        assert "Banco Uno" in mail.subject
        for text in (mail.text, sent.sms):
            assert asked["message"] in text
            assert answer.json()["capture"]["url"] in text
    entries = (await history_of(banco, verification_id))["history"]
    (said,) = [one["details"] for one in entries if one["kind"] == "verification.link_sent"]
    assert said["channel"] == "email"
    assert "correo" not in repr(said)
