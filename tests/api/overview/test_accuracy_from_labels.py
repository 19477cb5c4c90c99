"""The overview says how right the reading was, as the labels of the period's documents say."""

import importlib.util
from pathlib import Path

from sqlalchemy import text

from acredita.resources.overview import queries
from tests.api.overview.test_overview import numbers, overview
from tests.factories.samples import picture
from tests.factories.training import CURP, make_read_document

NOTHING = {"documents": 0, "fields": 0, "correct": 0, "accuracy": None}
MIGRATION = Path(__file__).parents[3] / "migrations/versions/20261123_tally_of_labels.py"


async def label(member, document_id, **values):
    body = {
        "fields": [{"fieldName": name, "confirmedValue": text} for name, text in values.items()]
    }
    answer = await member.post(f"/v1/training/docs/{document_id}/labels", json=body)
    assert answer.status_code < 300, answer.text


async def labels_of(member, **query):
    return (await overview(member, **query))["labels"]


async def test_the_last_label_of_each_document_counts_without_a_scan(banco, rival, services):
    assert await labels_of(banco) == NOTHING
    first = await make_read_document(services, banco, picture())
    second = await make_read_document(services, banco, picture())
    await label(banco, first, curp=CURP, section="9999")
    assert await labels_of(banco) == {
        "documents": 1, "fields": 2, "correct": 1, "accuracy": 0.5
    }  # fmt: skip
    await label(banco, second, curp=CURP)
    # Another word about the first document replaces the former one.
    await label(banco, first, curp=CURP, section="0123", givenNames="EVA")
    expected = {"documents": 2, "fields": 4, "correct": 3, "accuracy": 0.75}
    assert await labels_of(banco) == expected
    assert await labels_of(rival) == await labels_of(banco, workflowId="x") == NOTHING
    assert await labels_of(banco, to="2020-01-01") == NOTHING
    kept = await numbers(services)
    # The migration counts the labels from before it alike.
    specification = importlib.util.spec_from_file_location("tally_of_labels", MIGRATION)
    migration = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(migration)
    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM verification_day_tally WHERE measure ~ '^label'"))
        await session.execute(text(migration.COUNT))
    assert await numbers(services) == kept
    async with services.database.transaction() as session:
        await queries.fold(session)
    assert await labels_of(banco) == expected
