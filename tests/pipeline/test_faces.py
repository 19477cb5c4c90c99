"""Selfies against the portraits of documents, with the real engine."""

import asyncio

import cv2
import numpy as np
import pytest

from acredita_synthetic.faces.people import face_of
from acredita_synthetic.faces.people import people as people_drawn
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.people import make_person
from tests.conftest import test_data as shared
from tests.factories.challenges import selfie
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided, picture, upload

FRONT, PASSPORT = SpecimenKind.INE_FRONT, SpecimenKind.PASSPORT
SEED = 20
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("worker")]


@pytest.fixture
def people():
    """Two photographs each of two people, as pixels."""
    folders = [shared("images", "lfw", name) for name in ("Colin_Powell", "Hugo_Chavez")]
    return [[cv2.imread(str(path)) for path in sorted(f.iterdir())[:2]] for f in folders]


def jpeg(pixels):
    return cv2.imencode(".jpg", pixels)[1].tobytes()


async def compared(member, *, selfie, config=None, **files):
    workflow_id = await make_workflow(member, "FACE_MATCH", config=config)
    verification_id = await make_verification(member, workflow_id)
    await upload(member, verification_id, selfie=selfie, **files)
    shown = await decided(member, verification_id)
    (step,) = shown["verification"]["steps"]
    return shown, step


# A drawn person passes below; tests/unit/engines/face has photographs of one person.
@pytest.mark.thorough
async def test_the_same_person_passes(banco, people):
    (portrait, selfie), _ = people
    shown, step = await compared(
        banco, selfie=jpeg(selfie), front=picture(FRONT, SEED, portrait=portrait)
    )
    assert (step["status"], shown["verification"]["status"]) == ("PASSED", "APPROVED")
    assert 0.8 <= step["result"]["similarity"] <= 1
    assert step["result"]["distance"] <= 0.58
    assert step["result"]["calibration"]
    front = next(item for item in shown["documents"] if item["type"] == "front")
    assert [item["kind"] for item in front["media"]] == ["page", "portrait"]


async def test_another_person_is_a_mismatch_and_rejects(banco, people):
    (portrait, _), (stranger, _) = people
    shown, step = await compared(
        banco, selfie=jpeg(stranger), passport=picture(PASSPORT, SEED, portrait=portrait)
    )
    assert (step["status"], shown["verification"]["status"]) == ("FAILED", "REJECTED")
    assert step["result"]["code"] == "FACE_MISMATCH"
    assert step["result"]["similarity"] < 0.5


@pytest.mark.thorough
async def test_thresholds_are_the_workflows(banco, people):
    (portrait, selfie), _ = people
    _, step = await compared(
        banco,
        config={"acceptSimilarity": 0.999, "rejectSimilarity": 0.1},
        selfie=jpeg(selfie),
        front=picture(FRONT, SEED, portrait=portrait),
    )
    assert (step["status"], step["result"]["code"]) == ("REVIEW", "FACE_UNCERTAIN")


async def test_what_cannot_be_compared_goes_to_a_person_and_says_why(banco, people):
    (_, selfie), (stranger, _) = people
    card = picture(FRONT, SEED)
    meadow = np.random.default_rng(1).integers(0, 255, (300, 300, 3), dtype=np.uint8)
    pictures = {
        "FACE_NOT_FOUND": jpeg(meadow),
        "SEVERAL_FACES": jpeg(np.hstack([selfie, stranger])),
        "FACE_TOO_SMALL": jpeg(cv2.resize(selfie, (120, 120))),
        "FACE_BLURRED": jpeg(cv2.GaussianBlur(selfie, (0, 0), 5.5)),
    }
    for code, taken in pictures.items():
        shown, step = await compared(banco, selfie=taken, front=card)
        assert (step["status"], step["result"]["code"]) == ("REVIEW", code)
        assert step["result"]["similarity"] is None
        assert step["result"]["message"]
        assert shown["verification"]["status"] == "MANUAL_REVIEW"


async def test_a_document_without_a_portrait_goes_to_a_person(banco, people):
    (_, selfie), _ = people
    _, step = await compared(banco, selfie=jpeg(selfie), front=picture(SpecimenKind.INE_BACK, SEED))
    assert (step["status"], step["result"]["code"]) == ("REVIEW", "PORTRAIT_NOT_FOUND")


async def test_thresholds_that_contradict_each_other_are_refused(banco):
    answer = await banco.post(
        "/v1/workflows",
        json={
            "name": "Faces",
            "steps": [
                {
                    "type": "FACE_MATCH",
                    "order": 1,
                    "config": {"acceptSimilarity": 0.4, "rejectSimilarity": 0.6},
                }
            ],
        },
    )
    assert answer.status_code == 422
    assert "rejectSimilarity" in answer.text


async def test_a_drawn_person_matches_the_card_and_another_does_not(banco):
    card = picture(FRONT, SEED)
    face = face_of(make_person(SEED))
    stranger = next(other for other in people_drawn() if other is not face)
    own, others = [await asyncio.to_thread(selfie, who, 3) for who in (face, stranger)]
    _, step = await compared(banco, selfie=own, front=card)
    assert step["status"] == "PASSED", step["result"]
    _, step = await compared(banco, selfie=others, front=card)
    # Drawn people are more alike than real ones: some strangers go to a reviewer.
    assert (step["status"], step["result"]["code"]) in (
        ("FAILED", "FACE_MISMATCH"),
        ("REVIEW", "FACE_UNCERTAIN"),
    )
