"""Changes of status write to no index of `verification`."""

from uuid import UUID

from sqlalchemy import text

from tests.api.verifications.test_listing import STATUSES, page, set_status, total
from tests.factories.organizations import make_verification, make_workflow

CHANGE = text(
    "UPDATE verification SET status = :status, updated_at = clock_timestamp(),"
    " completed_at = now(), decision = '{}' WHERE id = :id"
)


async def hot_updates(services, table):
    """The numbers of updates, and of those that were HOT, since the database was created."""
    async with services.database.engine.connect() as connection:
        await connection.execute(text("SELECT pg_stat_force_next_flush()"))
        await connection.rollback()
        query = text(
            "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = :table"
        )
        return (await connection.execute(query, {"table": table})).one()


async def test_changes_of_status_are_hot_updates(banco, services):
    """An update is not HOT if an index has a column that it changes, or if its page is full.

    While PostgreSQL analyzes a table, its snapshot keeps dead rows, so pages fill up and some
    updates go to other pages. It seldom analyzes this table, so most rounds are free of that.
    """
    workflow_id = await make_workflow(banco)
    for _ in range(4):
        ids = [await make_verification(banco, workflow_id) for _ in range(40)]
        updates, hot = await hot_updates(services, "verification")
        for status in ("IN_PROGRESS", "APPROVED"):
            for each in ids:
                async with services.database.transaction() as session:
                    await session.execute(CHANGE, {"status": status, "id": UUID(each)})
                    await session.execute(text("SELECT pg_stat_force_next_flush()"))
        later = await hot_updates(services, "verification")
        assert later[0] - updates == 80
        if later[1] - hot >= 76:
            break
    assert later[1] - hot >= 76


async def test_the_rows_by_status_follow_every_change(banco, rival, services):
    workflow_id = await make_workflow(banco)
    foreign = await make_verification(rival, await make_workflow(rival))
    ids = [await make_verification(banco, workflow_id) for _ in range(3)]
    for status in STATUSES:
        for each in ids:
            await set_status(services, each, status)
        async with services.database.reading() as connection:
            rows = (
                await connection.execute(
                    text(
                        "SELECT status, verification_id, expires_at, created_at"
                        " FROM verification_in_status"
                        " EXCEPT SELECT status, id, expires_at, created_at FROM verification"
                    )
                )
            ).all()
        assert rows == []
        shown = await page(banco, status=status)
        assert [row["id"] for row in shown["verifications"]] == ids[::-1]
    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM verification_step"))
        await session.execute(
            text("DELETE FROM verification WHERE id <> :id"), {"id": UUID(foreign)}
        )
        count = await session.scalar(text("SELECT count(*) FROM verification_in_status"))
    assert count == 1
    assert await total(rival, status="PENDING") == 1
