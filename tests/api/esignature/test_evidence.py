"""The tier is enforced: what a signature rests on must be there."""

import pytest

from acredita.domain.names import same_words
from tests.api.esignature.conftest import proven, sign, signed


@pytest.mark.parametrize(
    ("tier", "steps", "missing"),
    [
        ("name_only", {"DOCUMENT_OCR": "FAILED"}, None),
        ("id_and_name", {"DOCUMENT_OCR": "PASSED"}, None),
        ("id_and_name", {"DOCUMENT_OCR": "REVIEW"}, "DOCUMENT_OCR"),
        ("id_and_name", {"DOCUMENT_OCR": "PENDING"}, "DOCUMENT_OCR"),
        ("id_and_name", {"FACE_MATCH": "PASSED"}, "DOCUMENT_OCR"),
        ("face_id_and_name", {"DOCUMENT_OCR": "PASSED", "FACE_MATCH": "PASSED"}, None),
        ("face_id_and_name", {"DOCUMENT_OCR": "PASSED", "FACE_MATCH": "REVIEW"}, "FACE_MATCH"),
        ("face_id_and_name", {"DOCUMENT_OCR": "PASSED"}, "FACE_MATCH"),
        ("face_id_and_name", {"DOCUMENT_OCR": "FAILED", "FACE_MATCH": "PASSED"}, "DOCUMENT_OCR"),
    ],
)
async def test_a_tier_needs_its_steps(banco, services, warm, tier, steps, missing):
    verification_id = await proven(banco, services, **steps)
    answer = await sign(banco, verification_id, tier=tier)
    if missing is None:
        assert answer.status_code == 201, answer.text
    else:
        assert answer.status_code == 409
        error = answer.json()["error"]
        assert error["code"] == "EVIDENCE_MISSING"
        assert any(missing in detail for detail in error["details"])


@pytest.mark.parametrize("name", ["Otra Persona", "Ana María de la Cruz", "Ana de la Cruz Ruiz"])
async def test_the_name_must_be_the_one_on_the_document(banco, services, name):
    verification_id = await proven(banco, services)
    answer = await sign(banco, verification_id, tier="id_and_name", signerName=name)
    assert answer.status_code == 409
    assert "name" in answer.json()["error"]["details"][0]


async def test_without_a_name_that_was_read_there_is_nothing_to_compare(banco, services):
    verification_id = await proven(banco, services, name={}, DOCUMENT_OCR="PASSED")
    assert (await sign(banco, verification_id, tier="id_and_name")).status_code == 409


async def test_a_rejected_verification_proves_nothing(banco, services):
    verification_id = await proven(banco, services)
    rejected = await banco.patch(
        f"/v1/verifications/{verification_id}/status", json={"status": "REJECTED"}
    )
    assert rejected.status_code == 200
    answer = await sign(banco, verification_id, tier="face_id_and_name")
    assert answer.status_code == 409
    assert "rejected" in answer.json()["error"]["details"][0]


async def test_the_record_keeps_what_the_tier_rests_on(banco, services, warm):
    verification_id = await proven(banco, services)
    record = await signed(
        banco, verification_id, tier="face_id_and_name", signerName="de la Cruz Ruiz, ANA MARIA"
    )
    assert record["evidence"]["document"]["name"] == "ANA MARÍA DE LA CRUZ RUIZ"
    assert record["evidence"]["face"]["similarity"] == pytest.approx(0.9312)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("José Ñúñez López", "JOSE NUNEZ LOPEZ", True),
        ("López, Ma. del Carmen", "MARIA DEL CARMEN LOPEZ", True),
        ("Jean-Paul O'Neill", "ONEILL JEAN PAUL", True),
        ("Ana Ana Ruiz", "Ana Ruiz", False),
        ("", "", False),
        ("...", "---", False),
    ],
)
def test_names_are_the_same_by_their_words(one, other, same):
    assert same_words(one, other) is same
