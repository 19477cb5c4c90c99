"""Metrics of reading, right on nothing, on little, and drawn."""

from datetime import timedelta
from uuid import UUID, uuid4
from xml.etree import ElementTree as ET

import pytest
from sqlalchemy import update

from acredita.kit.sealed import SealedBytes
from acredita.models import TrainingField, TrainingLabel
from tests.factories.belongings import picture
from tests.factories.organizations import with_new_key
from tests.factories.training import CURP, field, make_read_document

METRICS = "/v1/admin/metrics"
NAMES = ("classifier", "extraction", "field-calibration")
SVG = "{http://www.w3.org/2000/svg}"


async def ask(member, name, query=""):
    answer = await member.get(f"{METRICS}/{name}{query}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def label(member, document_id, *fields, **more):
    answer = await member.post(
        f"/v1/training/docs/{document_id}/labels", json={"fields": list(fields), **more}
    )
    assert answer.status_code == 201, answer.text


async def test_nothing_labelled_is_no_division_by_zero(banco):
    assert await ask(banco, "classifier") == {
        "window": "24h",
        "documents": 0,
        "accuracy": None,
        "confusionMatrix": [],
        "byDocumentType": [],
    }
    assert await ask(banco, "extraction") == {"window": "24h", "documents": 0, "fields": []}
    calibration = await ask(banco, "field-calibration", "?window=30d")
    assert calibration["expectedCalibrationError"] is None
    assert [each["readings"] for each in calibration["bins"]] == [0] * 10
    assert {each["accuracy"] for each in calibration["bins"]} == {None}
    for name in NAMES:
        drawn = await banco.get(f"{METRICS}/{name}?format=svg")
        assert "No labels in this window." in drawn.text


async def test_windows_and_formats_that_are_not_named_are_refused_and_reviewers_too(banco):
    reviewer = await with_new_key(banco, "REVIEWER")
    for name in NAMES:
        for query in ("window=1h", "window=", "format=png", "days=3"):
            assert (await banco.get(f"{METRICS}/{name}?{query}")).status_code == 422
        assert (await reviewer.get(f"{METRICS}/{name}")).status_code == 403


@pytest.fixture
async def labelled(services, banco):
    """Three documents: two read as what they are, one field of which is wrong, one not there."""
    fields = (field("curp", CURP, 0.95), field("section", "0123", 0.55, reasons=["UNCONFIRMED"]))
    one, two, three = [
        await make_read_document(services, banco, picture(), *fields) for _ in range(3)
    ]
    right = {"fieldName": "curp", "wasMlCorrect": True, "wasMetamapCorrect": True}
    await label(banco, one, right, {"fieldName": "section", "wasMlCorrect": True})
    await label(
        banco,
        two,
        {"fieldName": "curp", "confirmedValue": "GOPA900101MDFMRN08", "wasMetamapCorrect": False},
        {"fieldName": "section", "wasFieldPresent": False},
        {"fieldName": "rfc", "confirmedValue": "GOPA900101AB1"},
    )
    # A label that another one has replaced counts no more.
    await label(banco, three, {"fieldName": "curp", "wasMlCorrect": False})
    await label(banco, three, right, documentTypeOverride="RESIDENT_CARD")


@pytest.mark.usefixtures("labelled")
async def test_metrics_count_what_reviewers_said_last(banco, rival, services):
    found = await ask(banco, "classifier")
    assert (found["documents"], found["accuracy"]) == (3, pytest.approx(2 / 3))
    assert found["confusionMatrix"] == [
        {"readAs": "INE_FRONT", "labelled": "INE_FRONT", "documents": 2},
        {"readAs": "INE_FRONT", "labelled": "RESIDENT_CARD", "documents": 1},
    ]
    by_type = {each.pop("docType"): each for each in found["byDocumentType"]}
    assert by_type == {
        "INE_FRONT": {
            "documents": 2,
            "readAsThis": 3,
            "correct": 2,
            "accuracy": 1.0,
            "precision": pytest.approx(2 / 3),
        },
        "RESIDENT_CARD": {
            "documents": 1,
            "readAsThis": 0,
            "correct": 0,
            "accuracy": 0.0,
            "precision": None,
        },
    }
    found = {each.pop("field"): each for each in (await ask(banco, "extraction"))["fields"]}
    assert found["curp"] == {
        "labels": 3,
        "present": 3,
        "read": 3,
        "coverage": 1.0,
        "accuracy": pytest.approx(2 / 3),
        "meanConfidence": 0.95,
        "accepted": 3,
        "wronglyAccepted": 1,
        "needlesslyReviewed": 0,
        "readWhereAbsent": 0,
        "metamapAccuracy": pytest.approx(2 / 3),
    }
    assert (
        found["section"]
        | {
            "present": 1,
            "coverage": 1.0,
            "accuracy": 0.5,
            "needlesslyReviewed": 1,
            "readWhereAbsent": 1,
        }
        == found["section"]
    )
    assert found["rfc"] | {"read": 0, "coverage": 0.0, "accuracy": None} == found["rfc"]
    found = await ask(banco, "field-calibration")
    bins = {each["fromConfidence"]: each for each in found["bins"] if each["readings"]}
    assert {at: (b["readings"], b["accuracy"]) for at, b in bins.items()} == {
        0.5: (2, 0.5),
        0.9: (3, pytest.approx(2 / 3)),
    }
    expected = (2 * 0.05 + 3 * (0.95 - 2 / 3)) / 5
    assert found["expectedCalibrationError"] == pytest.approx(expected, abs=1e-6)
    assert [each["suggestedThresholds"] for each in found["fields"]] == [[], []]
    assert (await ask(rival, "classifier"))["documents"] == 0
    await _age(services, timedelta(days=3))
    assert (await ask(banco, "classifier"))["documents"] == 0
    assert (await ask(banco, "classifier", "?window=7d"))["documents"] == 3


async def _age(services, by):
    async with services.database.transaction() as session:
        await session.execute(
            update(TrainingLabel).values(created_at=TrainingLabel.created_at - by)
        )


@pytest.mark.usefixtures("labelled")
async def test_each_picture_is_a_drawing_that_says_in_words_what_it_shows(banco):
    for name, said in {
        "classifier": "INE_FRONT: 100.0 % of 2; RESIDENT_CARD: 0.0 % of 1",
        "extraction": "section: 50.0 % right, 100.0 % read",
        "field-calibration": "confidence 95.0 %: 66.7 % right of 3",
    }.items():
        answer = await banco.get(f"{METRICS}/{name}?format=svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        drawing = ET.fromstring(answer.text)  # noqa: S314 (our own)
        labelled_by = drawing.get("aria-labelledby").split()
        title, description = (drawing.find(f".//*[@id='{each}']") for each in labelled_by)
        assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
        assert said in description.text
        assert not [each for each in drawing.iter() if "style" in each.attrib]


async def test_thresholds_are_suggested_once_enough_was_labelled(services, banco, rival):
    document_id = await make_read_document(services, banco, picture(), field("curp", CURP))
    await label(banco, document_id, {"fieldName": "curp", "wasMlCorrect": True})
    async with services.database.transaction() as session:
        for number in range(150):
            label_id = uuid4()
            session.add(
                TrainingLabel(
                    id=label_id,
                    organization_id=UUID(banco.organization_id),
                    document_id=UUID(document_id),
                    version=number + 2,
                    is_last=True,
                    reviewer_kind="user",
                    reviewer_id=uuid4(),
                    read_type="INE_FRONT",
                    document_type="INE_FRONT",
                    label_sealed=SealedBytes(),
                )
            )
            await session.flush()
            session.add(
                TrainingField(
                    organization_id=UUID(banco.organization_id),
                    label_id=label_id,
                    field="curp",
                    was_read=True,
                    confidence=0.7 if number < 120 else 0.3,
                    decision="REVIEW",
                    source="ocr",
                    confirmation="RULE",
                    is_decided_by_confidence=True,
                    is_present=True,
                    is_correct=number < 120,
                )
            )
    (found,) = (await ask(banco, "field-calibration"))["fields"]
    assert found["suggestedThresholds"] == [
        {
            "confirmation": "RULE",
            "leastConfidence": 0.7,
            "rulesLeastConfidence": 0.5,
            "labels": 150,
            "precision": 1.0,
        }
    ]
