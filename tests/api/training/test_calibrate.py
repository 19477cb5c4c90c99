"""`acredita calibrate` and `acredita training batch`, and what their files and batches do."""

import asyncio
import json
import random
import shlex
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest
from sqlalchemy import insert, select
from typer.testing import CliRunner

from acredita.cli import app as command
from acredita.domain.documents import (
    RULES_VERSION,
    Calibration,
    PageKind,
    PageReading,
    Quality,
    Sighting,
    calibration,
)
from acredita.domain.documents.calibration import BadCalibration
from acredita.domain.documents.findings import Confirmation
from acredita.domain.subject import UploadedPage, judge_pages
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import DocumentRole
from acredita.kit.sealed import SealedBytes
from acredita.models import Document, TrainingField, TrainingItem, TrainingLabel
from acredita.resources.verifications.steps import documents
from acredita.services import open_services
from tests.factories.belongings import picture
from tests.factories.organizations import register
from tests.factories.pages import block
from tests.factories.training import make_read_document, multiply

MODEST = Confirmation.LETTERS


@pytest.fixture
def run(monkeypatch, settings):
    """The command, over the tests' database."""
    monkeypatch.setenv("ACREDITA_ENV", "test")
    monkeypatch.setenv("ACREDITA_DATABASE_URL", settings.database_url)
    monkeypatch.setenv("ACREDITA_REDIS_URL", settings.redis_url)

    async def call(*arguments):
        return await asyncio.to_thread(CliRunner().invoke, command, [str(a) for a in arguments])

    return call


async def label_many(services, organization_id, document_id, count):
    """Labels on readings that are right from a confidence of 0.6, where the rules ask for 0.8, and
    on a field that is wrong in a tenth of its surest readings.
    """
    chance = random.Random(1)
    await multiply(services, document_id, count)
    labels, fields = [], []
    async with services.database.transaction() as session:
        items = (await session.scalars(select(TrainingItem.document_id))).all()
        for item in items:
            label_id = uuid4()
            labels.append(
                {
                    "id": label_id,
                    "organization_id": UUID(organization_id),
                    "document_id": item,
                    "version": 1,
                    "is_last": True,
                    "reviewer_kind": "user",
                    "reviewer_id": uuid4(),
                    "read_type": "INE_FRONT",
                    "document_type": "INE_FRONT",
                    "label_sealed": SealedBytes(),
                }
            )
            confidence = round(chance.random(), 3)
            modest_right = confidence > 0.6 or chance.random() < 0.7
            for name, sure, right in (
                ("section", confidence, modest_right),
                ("cic", 1 - confidence / 10, chance.random() < 0.9),
            ):
                fields.append(
                    {
                        "organization_id": UUID(organization_id),
                        "label_id": label_id,
                        "field": name,
                        "was_read": True,
                        "confidence": round(sure, 4),
                        "decision": "REVIEW",
                        "source": "ocr",
                        "confirmation": MODEST.name,
                        "is_decided_by_confidence": True,
                        "is_present": True,
                        "is_correct": right,
                    }
                )
        await session.execute(insert(TrainingLabel), labels)
        await session.execute(insert(TrainingField), fields)


async def test_a_calibration_is_written_once_applied_by_name_and_told_in_results(
    services, banco, client, run, tmp_path, settings
):
    document_id = await make_read_document(services, banco, picture())
    # The command of the page, with the options that are the defaults, too.
    _, command, name, *options = shlex.split(block("docs/compliance/training.md", "calibrate"))
    path = tmp_path / name
    answer = await run(command, path)
    assert answer.exit_code == 1
    assert not path.exists()
    await label_many(services, banco.organization_id, document_id, 1500)
    answer = await run(command, path, *options)
    assert answer.exit_code == 0, answer.output
    read = calibration.loaded(path.read_bytes(), rules=RULES_VERSION)
    assert read.thresholds["cic", MODEST] is None
    assert read.thresholds["section", MODEST] == pytest.approx(0.6, abs=0.03)
    assert read.sha256 in answer.output
    by_rules, by_thresholds = (
        [int(word) for word in line.replace(",", " ").split() if word.isdecimal()]
        for line in answer.stdout.splitlines()
        if line.startswith("On labels held out")
    )
    # Accepted, wrongly so, reviewed though right.
    assert by_thresholds[1] < by_rules[1] / 5
    assert by_rules[1] / by_rules[0] > 0.05 > 5 * by_thresholds[1] / by_thresholds[0]
    # Not silently, and not over another.
    assert "ACREDITA_CALIBRATION" in answer.output
    content = path.read_bytes()
    assert (await run("calibrate", path)).exit_code == 2
    assert path.read_bytes() == content
    assert services.calibration is None
    named = settings.model_copy(update={"calibration": path})
    async with open_services(named) as opened:
        assert opened.calibration == read
    # Of others there is nothing to learn.
    rival = await register(client, "Caja Dos")
    other = await run("calibrate", tmp_path / "x", "--organization", rival.organization_id)
    assert other.exit_code == 1
    changed = json.loads(content) | {"rules": "rules-of-yesterday"}
    path.write_text(json.dumps(changed))
    with pytest.raises(BadCalibration, match="rules-of-yesterday"):
        async with open_services(named):
            pass


async def test_a_batch_takes_the_first_documents_that_are_in_none(services, banco, run):
    document_id = await make_read_document(services, banco, picture())
    await multiply(services, document_id, 30)
    path = "/v1/training/queue?strategy=oldest&docType=INE_FRONT&limit=200"
    every = [each["id"] for each in (await banco.get(path)).json()["documents"]]
    slug = banco.registration["org"]["slug"]
    arguments = ("--strategy", "oldest", "--doc-type", "INE_FRONT", "--limit", "3")
    found = []
    for owner in (slug, banco.organization_id):
        answer = await run("training", "batch", owner, "Noviembre", *arguments)
        assert answer.exit_code == 0, answer.output
        batch_id, _, count = answer.stdout.partition(": ")
        assert count == "3 documents\n"
        listed = (await banco.get(f"{path}&batchId={batch_id}")).json()["documents"]
        found += [each["id"] for each in listed]
    assert found == every[:6]
    words = shlex.split(block("docs/compliance/training.md", "batch"))[1:]
    on_the_page = await run(*(slug if word == "banco-uno" else word for word in words))
    assert on_the_page.stdout.endswith(" documents\n"), on_the_page.output
    assert (await run("training", "batch", "nobody", "x")).exit_code == 2
    assert (await run("training", "batch", slug, "x", "--doc-type", "ine")).exit_code == 2
    async with services.database.transaction() as session:
        assert await session.get(Document, UUID(document_id))


def test_results_name_the_calibration_that_judged_them():
    page = PageReading(
        PageKind.INE_FRONT,
        Quality(1, 1, 1.0, 0.0, 0.5, 1.0),
        (Sighting("section", ("1234", "1234"), 0.9),),
    )
    learnt = Calibration("labels-1", RULES_VERSION, "ab12", {("section", Confirmation.NONE): 0.85})
    now = datetime.now(UTC)
    pages = [UploadedPage(uuid4(), DocumentRole.FRONT, 0, page)]
    today = mexican_date(now)
    by_rules = documents._outcome(judge_pages(pages, today, None), pages, None)
    by_labels = documents._outcome(judge_pages(pages, today, learnt), pages, learnt)
    assert "calibration" not in by_rules.judged_by
    assert by_labels.judged_by["calibration"] == {"version": "labels-1", "sha256": "ab12"}
    decisions = [
        next(each["decision"] for each in outcome.evidence if each["field"] == "section")
        for outcome in (by_rules, by_labels)
    ]
    assert decisions == ["REVIEW", "ACCEPTED"]
