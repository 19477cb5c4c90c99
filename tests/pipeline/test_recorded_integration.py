"""A whole integration with MetaMap, against nothing of ours but address, credentials and flow."""

import json
from datetime import date

import pytest
from sqlalchemy import select, text

from acredita.domain.errors import CommandRefused
from acredita.models import DeliveryAttempt
from acredita.resources.metamap.commands import manage_alias
from acredita_synthetic.faces.people import face_of
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from acredita_synthetic.specimens import make_specimen
from tests.api.metamap.recorded import Integration, is_signed, photo, selfie
from tests.factories.challenges import selfie as portrait_of
from tests.factories.housekeeping import hurry
from tests.factories.organizations import make_workflow
from tests.factories.receiver import answer
from tests.pipeline.conftest import picture, show, until

FRONT, BACK = SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK
LICENCE = SpecimenKind.DRIVER_LICENCE
SEED, SEED_OF_LICENCE = 20, 68
SECRET = "Un-secreto-2026-largo"
# What the customer brings from its former dashboard.
CLIENT_ID, FLOW_ID = "5f0e1a2b3c4d5e6f70819202", "60aa1b2c3d4e5f6071829303"
KINDS = [
    "verification.created",
    "verification.updated",
    "verification.completed",
    "verification.approved",
    "verification.rejected",
    "verification.manual_review",
    "step.completed",
    "step.failed",
]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"webhook_retry_delays": (0.1, 0.2, 0.3, 0.4)})


async def test_it_runs_unchanged(  # noqa: PLR0915 (one integration, from its beginning to its end)
    client, banco, rival, services, authority
):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "FACE_MATCH", "GOVERNMENT_VERIFY")
    said = []
    await manage_alias(services.settings, workflow_id, FLOW_ID, said.append)
    await manage_alias(services.settings, banco.organization_id, CLIENT_ID, said.append)
    assert FLOW_ID in said[0]
    with pytest.raises(CommandRefused):
        await manage_alias(services.settings, rival.organization_id, CLIENT_ID, said.append)

    integration = Integration(client, "http://test/v1/metamap", CLIENT_ID, banco.api_key)
    person = make_specimen(FRONT, SEED).truth["values"] | make_specimen(BACK, SEED).truth["values"]
    async with authority.receiver(answer(500)) as receiver:
        body = {"url": receiver.url(), "events": KINDS, "secret": SECRET, "format": "metamap"}
        made = await banco.post("/v1/webhooks", json=body)
        assert made.json()["webhook"]["format"] == "metamap", made.text
        assert (await banco.get("/v1/webhooks")).json()["webhooks"][0]["format"] == "metamap"

        started = await integration.start(FLOW_ID, metadata={"email": "john@gmail.com"})
        assert started["flow"]["id"] == FLOW_ID
        sent = await integration.send(
            started["identity"],
            (photo("front", "INE-front.jpg"), picture(FRONT, SEED)),
            (photo("back", "INE-back.jpg"), picture(BACK, SEED)),
            (selfie("selfie.jpg"), portrait_of(face_of(make_person(SEED)))),
        )
        assert [each["result"] for each in sent] == [True, True, True]

        def told():
            return [json.loads(each.body) for each in receiver.received]

        async def completed():
            return [each for each in told() if each["eventName"] == "verification_completed"]

        (done,) = await until(completed, seconds=60)

        async def repeated():
            first, *further = [each.body for each in receiver.received]
            return first in further

        # The first was refused and sent again: the same bytes.
        await until(repeated, seconds=60)
        for each in receiver.received:
            assert is_signed(SECRET, each.body, each.headers["x-signature"])
            notice = json.loads(each.body)
            assert notice["flowId"] == FLOW_ID
            assert notice["timestamp"]
            assert notice["resource"].endswith(started["id"])
        names = [each["eventName"] for each in told()[1:]]
        assert names.count("verification_started") == 1
        in_order = [each for each in names if each != "verification_started"]
        assert in_order == [
            "verification_inputs_completed",
            *["step_completed"] * 7,
            "verification_completed",
        ]
        steps = [each["step"] for each in told() if each["eventName"] == "step_completed"]
        # One for each step of MetaMap: receivers keep them by their ids.
        assert [(step["id"], step["documentType"]) for step in steps] == [
            ("document-reading", "national-id"),
            ("template-matching", "national-id"),
            ("alteration-detection", "national-id"),
            ("facematch", "national-id"),
            ("selfie", None),
            ("mexican-curp-validation", "national-id"),
            ("mexican-ine-validation", "national-id"),
        ]
        assert all((step["status"], step["error"]) == (200, None) for step in steps), steps
        assert done["identityStatus"] == done["status"] == "verified"
        assert done["metadata"] == {"email": "john@gmail.com"}
        assert done["details"]["isDocumentExpired"] == {"data": {"national-id": False}}
        assert done["details"]["age"]["data"] > 17

        result = (await integration.call("GET", done["resource"])).json()
        assert result["identity"]["status"] == "verified"
        assert (result["hasProblem"], result["expired"]) == (False, False)
        assert result["computed"] == done["details"]
        (document,) = result["documents"]
        read = {name: field["value"] for name, field in document["fields"].items()}
        assert read["curp"] == person["curp"]
        assert read["cde"] == person["clave"]
        assert read["documentNumber"] == person["cic"]
        # It is the verification of /v1, by another name.
        (listed,) = (await banco.get("/v1/verifications")).json()["verifications"]
        of_v1 = await show(banco, listed["id"])
        extracted = {item["field"]: item["value"] for item in of_v1["extraction"]}
        assert (read["ocrNumber"], read["ne"]) == (extracted["ocr"], extracted["emission"])
        assert of_v1["verification"]["status"] == "APPROVED"
        assert read["dateOfBirth"] == person["dateOfBirth"]
        assert read["fullName"].startswith(person["givenNames"])
        assert document["fields"]["dateOfBirth"]["format"] == "date"
        ids = [step["id"] for step in document["steps"]]
        assert ids == [
            "document-reading",
            "template-matching",
            "alteration-detection",
            "facematch",
            "mexican-curp-validation",
            "mexican-ine-validation",
        ]
        assert document["fields"]["cde"]["label"] == "Elector Key"
        assert document["fields"]["fullName"]["label"] == "Name"
        assert document["fields"]["ne"]["label"] == "Emission Number"
        assert all(notice["metadata"] == {"email": "john@gmail.com"} for notice in told())
        registered = next(s["data"] for s in document["steps"] if "curp-val" in s["id"])
        born = date.fromisoformat(person["dateOfBirth"])
        assert registered["birthDate"] == born.strftime("%d/%m/%Y")
        assert registered["nationality"] == "MEXICO"
        assert result["deviceFingerprint"] == done["deviceFingerprint"]
        assert result["deviceFingerprint"] == started["deviceFingerprint"]
        assert [step["id"] for step in result["steps"]] == ["selfie"]
        assert len(document["photos"]) == 2
        image = await integration.call("GET", document["photos"][0])
        assert image.headers["content-type"] == "image/jpeg"
        assert (await client.get(document["photos"][0])).status_code == 200
        without_key = document["photos"][0].partition("&")[0]
        assert (await rival.get(without_key)).status_code == 404

        moved = await integration.call(
            "PUT", f"/v2/verifications/{started['id']}/status", json={"status": "rejected"}
        )
        assert moved.json() == {}

        async def updated():
            return [each for each in told() if each["eventName"] == "verification_updated"]

        (change,) = await until(updated)
        assert change["identityStatus"] == "rejected"

        await _skip_and_expire(integration, services, told)
    async with services.database.transaction() as session:
        errors = [error for error in await session.scalars(select(DeliveryAttempt.error)) if error]
    assert errors == ["http_status"]


async def test_a_licence_is_shown_as_one_once_it_was_read(client, banco, authority):
    flow_id = await make_workflow(banco, "DOCUMENT_OCR")
    base, client_id = "http://test/v1/metamap", banco.organization_id
    integration = Integration(client, base, client_id, banco.api_key)
    specimen = make_specimen(LICENCE, SEED_OF_LICENCE)
    async with authority.receiver() as receiver:
        body = {"url": receiver.url(), "events": KINDS, "secret": SECRET, "format": "metamap"}
        assert (await banco.post("/v1/webhooks", json=body)).status_code == 201
        started = await integration.start(flow_id)
        files = [
            (photo("front", "licencia-1.jpg", "driving-license"), specimen.image_bytes),
        ]
        sent = await integration.send(started["identity"], *files)
        assert [each["result"] for each in sent] == [True]

        async def told():
            notices = [json.loads(each.body) for each in receiver.received]
            by_name = {each["eventName"]: each for each in reversed(notices)}
            return by_name if "verification_completed" in by_name else None

        notices = await until(told)
    step, done = notices["step_completed"]["step"], notices["verification_completed"]
    assert (step["id"], step["documentType"], step["error"]) == (
        "document-reading",
        "driving-license",
        None,
    )
    assert done["identityStatus"] == "verified"
    assert list(done["details"]["isDocumentExpired"]["data"]) == ["driving-license"]
    (document,) = (await integration.call("GET", done["resource"])).json()["documents"]
    assert document["type"] == "driving-license"
    assert len(document["photos"]) == 1
    truth = specimen.truth["values"]
    for theirs, ours in (("documentNumber", "documentNumber"), ("emissionDate", "issueDate")):
        assert document["fields"][theirs]["value"] == truth[ours]
    assert document["fields"] == step["data"]


async def _skip_and_expire(integration, services, told):
    """A front without a back continues on request; a verification without inputs expires."""
    started = await integration.start(FLOW_ID)
    await integration.send(started["identity"], (photo("front", "INE.jpg"), picture(FRONT, SEED)))

    async def status_of_reading():
        shown = await integration.call("GET", f"/v2/verifications/{started['id']}")
        (document,) = shown.json()["documents"]
        return document["steps"][0]["status"]

    async with services.database.transaction() as session:
        waits = "SELECT config->>'backGraceSeconds' FROM verification_step ORDER BY id DESC LIMIT 3"
        assert "600" in set(await session.scalars(text(waits)))

    async def waits_for_the_back():
        async with services.database.transaction() as session:
            query = "SELECT true FROM verification_step WHERE status = 'WAITING_INPUT'"
            return await session.scalar(text(query))

    await until(waits_for_the_back)
    skip = f"/v2/verifications/{started['id']}/inputs/document-photo/skip"
    for _ in range(2):
        skipped = await integration.call("PUT", skip)
        assert (skipped.status_code, skipped.json()) == (200, {})

    async def is_read():
        return await status_of_reading() == 200

    await until(is_read)
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "UPDATE verification SET expires_at = now() - interval '1 s'"
                " WHERE status = 'IN_PROGRESS'"
            )
        )

    async def expired():
        await hurry(services, recurring=True)
        return [each for each in told() if each["eventName"] == "verification_expired"]

    (notice,) = await until(expired)
    assert notice["resource"].endswith(started["id"])
    shown = (await integration.call("GET", notice["resource"])).json()
    assert shown["expired"] is True
