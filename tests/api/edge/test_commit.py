"""The session commits before the response: no client gets 201 for work that rolled back."""

import pytest
from sqlalchemy import func, select, text

from acredita.models import Base, Event, SearchEntry, Verification, Workflow
from tests.factories.organizations import make_workflow

DEFERRED_FAILURE = """
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused at commit' USING ERRCODE = '{code}'; END $$;
    CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON {table}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse();
"""


@pytest.fixture
async def refuse(services):
    """Let every commit fail that adds a row to a table."""
    refused: list[type[Base]] = []

    async def at_commit(model: type[Base], code: str = "P0001") -> None:
        refused.append(model)
        failure = DEFERRED_FAILURE.format(table=model.__tablename__, code=code)
        async with services.database.transaction() as session:
            for statement in failure.split(";\n    C"):
                prefix = "" if statement.lstrip().startswith("CREATE") else "C"
                await session.execute(text(prefix + statement.strip().rstrip(";")))

    yield at_commit
    async with services.database.transaction() as session:
        for model in refused:
            await session.execute(text(f"DROP TRIGGER refuse ON {model.__tablename__}"))
        await session.execute(text("DROP FUNCTION refuse"))


def assert_internal(answer):
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "INTERNAL_ERROR"
    assert "refused" not in answer.text


async def count(services, model):
    async with services.database.transaction() as session:
        return await session.scalar(select(func.count()).select_from(model))


async def test_a_commit_that_fails_is_no_201(banco, services, refuse):
    await make_workflow(banco)
    await refuse(Workflow)
    answer = await banco.post(
        "/v1/workflows",
        json={"name": "x", "steps": [{"type": "DOCUMENT_OCR", "order": 0}]},
    )
    assert_internal(answer)
    assert await count(services, Workflow) == 1


@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "order-1"}])
async def test_a_creation_that_fails_at_its_end_leaves_nothing(banco, services, refuse, headers):
    """Also where one statement is the whole transaction: its row is there before it commits."""
    workflow_id = await make_workflow(banco)
    await refuse(Event)
    answer = await banco.post(
        "/v1/verifications",
        json={"workflowId": workflow_id, "externalId": "cliente-1"},
        headers=headers,
    )
    assert_internal(answer)
    for model in (Verification, Event, SearchEntry):
        assert await count(services, model) == 0


@pytest.mark.parametrize("code", ["40P01", "55P03", "57014"], ids=["deadlock", "lock", "time-out"])
async def test_work_that_others_ended_is_answered_with_a_time_to_try_again(
    banco, services, refuse, code
):
    workflow_id = await make_workflow(banco)
    # Of SQLAlchemy's transactions, and of single statements.
    for model, path, body in (
        (Workflow, "/v1/workflows", {"name": "x", "steps": [{"type": "DOCUMENT_OCR", "order": 0}]}),
        (Event, "/v1/verifications", {"workflowId": workflow_id}),
    ):
        await refuse(model, code)
        answer = await banco.post(path, json=body)
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
    assert await count(services, Verification) == 0
