"""From an upload to a decision, with the real engine."""

import json
from datetime import date
from functools import cache

import cv2
import numpy as np
import pytest
from sqlalchemy import literal_column, select

from acredita.models import Base
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_pdf, make_specimen
from tests.factories.organizations import make_verification, make_workflow
from tests.factories.receiver import answer
from tests.pipeline.conftest import (
    decided,
    kinds_of_events,
    picture,
    show,
    until,
    upload,
)

FRONT, BACK, PASSPORT = SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT
SEED = 20
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


@cache
def truth(kind, seed=SEED):
    return make_specimen(kind, seed).truth["values"]


def fields(shown):
    return {item["field"]: item for item in shown["extraction"]}


def signals_of(shown):
    found = shown["verification"]["steps"][0]["result"]["signals"]
    return {signal["signal"]: signal for signal in found}


async def test_a_voter_card_is_read_checked_decided_and_told_of(banco, rival, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    verification_id = await make_verification(banco, workflow_id)
    uploaded = await upload(
        banco, verification_id, front=picture(FRONT, SEED), back=picture(BACK, SEED)
    )
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"
    assert [step["status"] for step in shown["verification"]["steps"]] == ["PASSED", "PASSED"]

    expected = truth(FRONT) | truth(BACK)
    read = fields(shown)
    for name in ("curp", "clave", "dateOfBirth", "paternalSurname", "section", "cic"):
        assert read[name]["value"] == expected[name]
        assert read[name]["decision"] == "ACCEPTED"
    by_role = {item["type"]: item["id"] for item in uploaded}
    assert read["curp"]["documentId"] == by_role["front"]
    assert read["cic"]["documentId"] == by_role["back"]
    result = shown["verification"]["steps"][0]["result"]
    assert result["curp"] == expected["curp"]
    assert result["dateOfBirth"] == expected["dateOfBirth"]
    assert {"name", "clave"} <= set(result)
    assert shown["verification"]["steps"][1]["result"]["registries"]["renapo"]["sandbox"] is True

    kinds = await kinds_of_events(services, verification_id)
    assert kinds[:2] == ["verification.created", "verification.updated"]
    assert kinds.count("step.completed") == 2
    assert kinds.index("verification.completed") < kinds.index("verification.approved")
    for kind in ("verification.completed", "verification.approved"):
        assert kinds.count(kind) == 1
    assert (await rival.get(f"/v1/verifications/{verification_id}")).status_code == 404

    path = f"/v1/verifications/{verification_id}"
    assert (await rival.post(f"{path}/read-again")).status_code == 404
    assert (await banco.post(f"{path}/read-again")).status_code == 202

    async def read_again():
        history = (await banco.get(f"{path}/history")).json()["history"]
        return next((e for e in history if e["kind"] == "verification.read_again"), None)

    details = (await until(read_again))["details"]
    assert details["sameEngine"]
    assert details["statusBefore"] == details["statusNow"] == "PASSED"
    assert details["valuesDiffer"] == details["decisionsDiffer"] == []
    assert (await show(banco, verification_id))["verification"] == shown["verification"]


async def test_nothing_of_a_person_stands_in_the_database_in_clear(banco, services):
    verification_id = await make_verification(banco)
    await upload(banco, verification_id, front=picture(FRONT, SEED), back=picture(BACK, SEED))
    await decided(banco, verification_id)
    person = truth(FRONT)
    async with services.database.transaction() as session:
        rows = [
            row
            for table in Base.metadata.sorted_tables
            for row in await session.scalars(
                select(literal_column("t::text")).select_from(table.alias("t"))
            )
        ]
    dump = "\n".join(rows)
    for name in ("curp", "clave", "paternalSurname", "givenNames", "dateOfBirth"):
        value = person[name]
        assert value not in dump
        assert value.encode().hex() not in dump
    stored = [path for path in services.settings.storage_folder.rglob("*") if path.is_file()]
    assert stored
    assert not any(b"\xff\xd8\xff" in path.read_bytes()[:64] for path in stored)


async def test_a_front_waits_a_while_for_its_back_and_goes_on_when_it_comes(banco, services):
    workflow_id = await make_workflow(banco, config={"backGraceSeconds": 600})
    verification_id = await make_verification(banco, workflow_id)
    await upload(banco, verification_id, front=picture(FRONT, SEED))

    async def waits():
        shown = await show(banco, verification_id)
        return shown["verification"]["steps"][0]["status"] == "WAITING_INPUT"

    await until(waits)
    await upload(banco, verification_id, back=picture(BACK, SEED))
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"
    assert fields(shown)["cic"]["value"] == truth(BACK)["cic"]


async def test_a_front_whose_back_never_comes_goes_on_without(banco):
    workflow_id = await make_workflow(banco, config={"backGraceSeconds": 0.2})
    verification_id = await make_verification(banco, workflow_id)
    await upload(banco, verification_id, front=picture(FRONT, SEED))
    shown = await decided(banco, verification_id)
    assert fields(shown)["curp"]["value"] == truth(FRONT)["curp"]
    assert "cic" not in fields(shown)


async def test_a_required_back_is_waited_for(banco):
    workflow_id = await make_workflow(banco, config={"requireBack": True})
    verification_id = await make_verification(banco, workflow_id)
    await upload(banco, verification_id, front=picture(FRONT, SEED))
    shown = await show(banco, verification_id)
    assert shown["verification"]["status"] == "IN_PROGRESS"
    step = shown["verification"]["steps"][0]
    assert (step["status"], step["requires"]) == ("WAITING_INPUT", ["back"])


async def test_a_second_upload_in_a_role_replaces_the_first(banco):
    workflow_id = await make_workflow(banco, config={"requireBack": True})
    verification_id = await make_verification(banco, workflow_id)
    await upload(banco, verification_id, front=picture(FRONT, 31))
    await upload(banco, verification_id, front=picture(FRONT, SEED), back=picture(BACK, SEED))
    shown = await decided(banco, verification_id)
    assert fields(shown)["curp"]["value"] == truth(FRONT)["curp"]
    assert len(shown["documents"]) == 3


async def test_a_passport_is_read_and_its_portrait_held_against_its_repetition(banco):
    verification_id = await make_verification(banco)
    (book,) = await upload(banco, verification_id, passport=picture(PASSPORT, 23))
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"
    assert fields(shown)["documentNumber"]["value"] == truth(PASSPORT, 23)["documentNumber"]
    assert "tampering.portrait" not in signals_of(shown)
    everything = await banco.get(f"/v1/verifications/{verification_id}", params={"signals": "all"})
    repeated = signals_of(everything.json())["tampering.portrait"]
    assert repeated["raised"] is False
    assert 0 < repeated["measure"] < repeated["threshold"]
    assert repeated["documentId"] == book["id"]


# tests/unit/engines/documents/test_read.py reads such a PDF.
@pytest.mark.thorough
async def test_a_pdf_of_both_sides_is_read(banco):
    verification_id = await make_verification(banco)
    answered = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        files={"front": ("ine.pdf", make_pdf([FRONT, BACK], SEED), "application/pdf")},
    )
    assert answered.status_code == 202
    shown = await decided(banco, verification_id)
    assert fields(shown)["cic"]["value"] == truth(BACK)["cic"]
    assert fields(shown)["curp"]["value"] == truth(FRONT)["curp"]


async def test_a_document_that_ran_out_rejects_and_ends_the_run(banco, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "GOVERNMENT_VERIFY")
    verification_id = await make_verification(banco, workflow_id)
    old = make_specimen(FRONT, SEED, on=date(2012, 1, 1)).image_bytes
    back = make_specimen(BACK, SEED, on=date(2012, 1, 1)).image_bytes
    await upload(banco, verification_id, front=old, back=back)
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "REJECTED"
    steps = shown["verification"]["steps"]
    assert [step["status"] for step in steps] == ["FAILED", "SKIPPED"]
    assert steps[0]["result"]["code"] == "DOCUMENT_EXPIRED"
    assert steps[0]["result"]["message"]
    kinds = await kinds_of_events(services, verification_id)
    assert kinds.count("step.failed") == 1
    assert kinds.count("step.completed") == 0
    assert kinds.count("verification.rejected") == 1


async def test_what_is_no_document_goes_to_a_person_and_rejects_nobody(banco):
    meadow = np.random.default_rng(1).integers(0, 255, (12, 16, 3), dtype=np.uint8)
    _, encoded = cv2.imencode(".jpg", cv2.resize(meadow, (800, 600)))
    verification_id = await make_verification(banco)
    await upload(banco, verification_id, front=encoded.tobytes())
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
    result = shown["verification"]["steps"][0]["result"]
    # An enlarged speck is as soft as any blurred document.
    assert result["code"] == "IMAGE_BLURRED"


async def test_pictures_alone_prove_no_living_person(banco):
    workflow_id = await make_workflow(banco, "LIVENESS")
    verification_id = await make_verification(banco, workflow_id)
    await upload(banco, verification_id, liveness=picture(FRONT, SEED))
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "MANUAL_REVIEW"
    assert shown["verification"]["steps"][0]["result"]["code"] == "LIVENESS_NOT_PROVEN"


async def test_a_callback_is_told_of_the_completion(banco, authority):
    async with authority.receiver(answer(200)) as receiver:
        verification_id = await make_verification(banco, callbackUrl=receiver.url("/done"))
        await upload(banco, verification_id, passport=picture(PASSPORT, 23))
        await decided(banco, verification_id)

        async def told():
            return receiver.received

        (received,) = await until(told)
    assert received.headers["x-service-event"] == "verification.completed"
    told = json.loads(received.body)["data"]
    assert (told["verificationId"], told["status"]) == (verification_id, "APPROVED")
    assert [(step["type"], step["status"]) for step in told["steps"]] == [
        ("DOCUMENT_OCR", "PASSED")
    ]
