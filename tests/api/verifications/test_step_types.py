"""A step type is defined in one place: all code that depends on the type reads the table."""

import asyncio
import json
import sys
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import text

from acredita import worker as worker_main
from acredita.domain import steps
from acredita.domain.verification import StepType
from acredita.jobs import Queue, registry
from acredita.resources.verifications import step_table
from tests.conftest import EMPTY_TABLES
from tests.factories.housekeeping import put_off_housekeeping
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import decided

NEWCOMER = "tests.factories.step_newcomer"
PROOF = "PROOF_OF_INCOME"
CHECK = "ck_verification_step_type_known"
DOCS = (Path("docs/integrators/workflow-steps.md"), Path("docs/integrators/metamap.md"))


@pytest.fixture
def newcomer():
    """The table of types with one more, as if its file were in the folder of steps."""
    with ExitStack() as undo:
        for each in (steps.KINDS, step_table.ENTRIES, registry._definitions):
            undo.enter_context(patch.dict(each))
        sys.modules.pop(NEWCOMER, None)
        import_module(NEWCOMER)
        yield StepType(PROOF)


@pytest.fixture
async def migrated(newcomer, services):
    """What the newcomer's migration does, and its reverse."""

    async def admit(types):
        listed = ", ".join(f"'{name}'" for name in types)
        async with services.database.transaction() as session:
            await session.execute(text(EMPTY_TABLES))
            await session.execute(text(f"ALTER TABLE verification_step DROP CONSTRAINT {CHECK}"))
            added = f"ADD CONSTRAINT {CHECK} CHECK (type IN ({listed}))"
            await session.execute(text(f"ALTER TABLE verification_step {added}"))

    await admit(steps.types())
    yield newcomer
    await admit(name for name in steps.types() if name != newcomer)


@pytest.fixture
async def worker(services):
    await put_off_housekeeping(services)
    stop = asyncio.Event()
    running = asyncio.create_task(worker_main.serve(services, (Queue.LIGHT,), stop))
    yield
    stop.set()
    await running


async def missing(services, step_type):
    """What a type of step lacks outside of its file: a sentence each."""
    async with services.database.transaction() as session:
        admitted = await session.scalar(
            text("SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = :name"),
            {"name": CHECK},
        )
    if f"'{step_type}'" not in admitted:
        yield f"{CHECK} does not admit {step_type}: it takes a migration"
    for page in DOCS:
        if f"| {step_type} |" not in page.read_text():
            yield f"{page} does not describe {step_type}"


@pytest.mark.usefixtures("migrated", "worker")
async def test_a_new_type_of_step_takes_one_file_a_migration_and_texts(app, client, banco):
    refused = {"type": PROOF, "order": 0, "config": {"oldestMonths": 25}}
    answer = await banco.post("/v1/workflows", json={"name": "Alta", "steps": [refused]})
    assert answer.status_code == 422
    assert "oldestMonths must be a number from 1 to 24" in answer.text
    workflow_id = await make_workflow(banco, PROOF, config={"oldestMonths": 12})
    verification_id = await make_verification(banco, workflow_id)
    verification = (await decided(banco, verification_id))["verification"]
    assert verification["status"] == "MANUAL_REVIEW"
    (step,) = verification["steps"]
    assert step["type"] == PROOF
    assert step["result"] == {
        "code": "DOCUMENT_EXPIRED",
        "message": "The document has expired.",
        "months": 14,
    }
    alias = verification_id.replace("-", "")[:24]
    translated = (await banco.get(f"/v1/metamap/v2/verifications/{alias}")).json()
    assert translated["steps"] == [
        {
            "id": "proof-of-income",
            "status": 200,
            "data": {"months": 14},
            "error": {
                "type": "StepError",
                "code": "proof-of-income.documentExpired",
                "message": "The document has expired.",
            },
        }
    ]
    page = (await client.get(f"/verify/{verification_id}")).text
    assert '"name":{"es":"Tus ingresos","en":"Your income"}' in page
    assert "Tus ingresos se consultan con el SAT." in page
    contract = app.openapi()["components"]["schemas"]
    assert PROOF in contract["StepType"]["enum"]
    assert f"| {PROOF} | oldestMonths |" in json.dumps(contract["StepWrite"])


async def test_what_a_type_of_step_lacks_outside_of_its_file_is_named(newcomer, services):
    assert [each async for each in missing(services, newcomer)] == [
        f"{CHECK} does not admit {PROOF}: it takes a migration",
        f"docs/integrators/workflow-steps.md does not describe {PROOF}",
        f"docs/integrators/metamap.md does not describe {PROOF}",
    ]


async def test_no_type_of_step_lacks_anything(services):
    step_table.check_complete()
    lacks = [each for step_type in steps.types() async for each in missing(services, step_type)]
    assert lacks == []


def test_a_type_of_step_without_a_job_stops_the_start(newcomer):
    step_table.ENTRIES.pop(newcomer)
    with pytest.raises(LookupError, match=f"no job carries out the step type {PROOF}"):
        step_table.check_complete()


def test_a_type_of_step_is_registered_once(newcomer):
    with pytest.raises(ValueError, match=PROOF):
        step_table.register(step_table.entry_of(newcomer))
    with pytest.raises(ValueError, match=PROOF):
        steps.register(steps.StepKind(type=newcomer, name=steps.Words("Otro", "Another")))
