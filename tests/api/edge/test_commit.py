"""The session ends before the answer: nobody is told 201 for work that rolled back."""

from sqlalchemy import text

from tests.factories.organizations import make_workflow

DEFERRED_FAILURE = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'refused at commit'; END $$;
    CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON workflow
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse();
"""


async def test_a_commit_that_fails_is_no_201(banco, services):
    await make_workflow(banco)
    async with services.database.transaction() as session:
        for statement in DEFERRED_FAILURE.split(";\n    C"):
            prefix = "" if statement.lstrip().startswith("CREATE") else "C"
            await session.execute(text(prefix + statement.strip().rstrip(";")))
    try:
        answer = await banco.post(
            "/v1/workflows",
            json={"name": "x", "steps": [{"type": "DOCUMENT_OCR", "order": 0}]},
        )
        assert answer.status_code == 500
        assert answer.json()["error"]["code"] == "INTERNAL_ERROR"
        assert "refused" not in answer.text
    finally:
        async with services.database.transaction() as session:
            await session.execute(text("DROP TRIGGER refuse ON workflow"))
            await session.execute(text("DROP FUNCTION refuse"))
    assert len((await banco.get("/v1/workflows")).json()["workflows"]) == 1
