"""What no single step detects: late pages, and registry queries about another person."""

import asyncio

import pytest

from acredita_synthetic.faces.people import face_of
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from tests.factories.challenges import selfie
from tests.factories.organizations import make_verification
from tests.pipeline.conftest import decided, picture, show, until, upload

FRONT, BACK, PASSPORT = SpecimenKind.INE_FRONT, SpecimenKind.INE_BACK, SpecimenKind.PASSPORT
ANA, JUAN = 20, 31
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


async def begun(member, *types, metadata=None):
    """A verification whose steps have these types, in this order."""
    steps = [
        {"type": name, "order": order, "config": {"backGraceSeconds": 0}}
        for order, name in enumerate(types)
    ]
    answer = await member.post("/v1/workflows", json={"name": "One person", "steps": steps})
    assert answer.status_code == 201, answer.text
    more = {} if metadata is None else {"metadata": metadata}
    return await make_verification(member, answer.json()["workflow"]["id"], **more)


async def own_selfie():
    return await asyncio.to_thread(selfie, face_of(make_person(ANA)), 3)


async def ended(member, verification_id, place):
    async def when_ended():
        step = (await show(member, verification_id))["verification"]["steps"][place]
        return step if step["status"] in ("PASSED", "REVIEW", "FAILED") else None

    return await until(when_ended)


async def test_a_page_of_another_person_that_comes_late_goes_to_a_person(banco):
    verification_id = await begun(banco, "DOCUMENT_OCR", "FACE_MATCH")
    await upload(banco, verification_id, front=picture(FRONT, ANA))
    assert (await ended(banco, verification_id, 0))["status"] == "PASSED"
    await upload(banco, verification_id, passport=picture(PASSPORT, JUAN))
    await upload(banco, verification_id, selfie=await own_selfie())
    shown = await decided(banco, verification_id)
    documents, faces = shown["verification"]["steps"]
    assert faces["status"] == "PASSED"
    assert documents["status"] == "REVIEW"
    assert documents["result"]["code"] == "DOCUMENTS_OF_DIFFERENT_PEOPLE"
    assert shown["verification"]["status"] == "MANUAL_REVIEW"


async def test_the_persons_own_back_may_come_late(banco):
    verification_id = await begun(banco, "DOCUMENT_OCR", "FACE_MATCH")
    await upload(banco, verification_id, front=picture(FRONT, ANA))
    assert (await ended(banco, verification_id, 0))["status"] == "PASSED"
    await upload(banco, verification_id, back=picture(BACK, ANA))
    await upload(banco, verification_id, selfie=await own_selfie())
    shown = await decided(banco, verification_id)
    assert shown["verification"]["status"] == "APPROVED"


async def test_registries_that_were_asked_about_another_person_go_to_a_person(banco):
    metadata = {"curp": make_person(JUAN).curp.text}
    verification_id = await begun(banco, "GOVERNMENT_VERIFY", "DOCUMENT_OCR", metadata=metadata)
    asked = await ended(banco, verification_id, 0)
    assert (asked["status"], asked["result"]["source"]) == ("PASSED", "metadata")
    await upload(banco, verification_id, front=picture(FRONT, ANA))
    shown = await decided(banco, verification_id)
    registries, documents = shown["verification"]["steps"]
    assert documents["status"] == "PASSED"
    assert (registries["status"], registries["result"]["code"]) == (
        "REVIEW",
        "REGISTRY_PERSON_DIFFERS",
    )
    assert shown["verification"]["status"] == "MANUAL_REVIEW"


@pytest.mark.thorough
async def test_both_files_of_a_role_that_was_given_twice_count(banco):
    verification_id = await begun(banco, "DOCUMENT_OCR")
    answer = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        files=[
            ("front", ("a.jpg", picture(FRONT, JUAN), "image/jpeg")),
            ("front", ("b.jpg", picture(FRONT, ANA), "image/jpeg")),
        ],
    )
    assert answer.status_code == 202, answer.text
    shown = await decided(banco, verification_id)
    (step,) = shown["verification"]["steps"]
    assert step["result"]["code"] == "DOCUMENTS_OF_DIFFERENT_PEOPLE"
    assert [page["judged"] for page in step["result"]["pages"]] == [True, False]
