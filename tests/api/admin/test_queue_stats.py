"""GET /v1/admin/queue-stats: what waits, runs and was given up, of one's own organization alone."""

import json

import pytest
from sqlalchemy import text

from acredita.resources.admin import queries
from tests.factories.organizations import with_new_key

PATH = "/v1/admin/queue-stats"
# A million takes a minute to make, and is no slower to ask about.
DONE = 200_000


async def add_jobs(services, organization_id, state, *, number=1, age=0.0, kind="some.work"):
    """Jobs as they stand in the ledger, due `age` seconds ago; negative: in the future."""
    leased = state == "running"
    async with services.database.transaction() as session:
        await session.execute(
            text(
                """
                INSERT INTO job (id, kind, payload, queue, state, run_at, max_attempts,
                                 organization_id, lease_token, lease_expires_at, finished_at)
                SELECT gen_random_uuid(), :kind, '{}', 'light', CAST(:state AS text),
                       now() - make_interval(secs => :age), 5, CAST(:organization AS uuid),
                       CASE WHEN :leased THEN gen_random_uuid() END,
                       CASE WHEN :leased THEN now() + interval '1 hour' END,
                       CASE WHEN :state = 'done' THEN now() END
                FROM generate_series(1, :number)
                """
            ),
            {
                "organization": organization_id,
                "state": state,
                "number": number,
                "age": age,
                "kind": kind,
                "leased": leased,
            },
        )


async def stats(member):
    answer = await member.get(PATH)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_jobs_are_counted_by_queue_and_kind_and_what_is_done_is_not(services, banco):
    await add_jobs(services, banco.organization_id, "pending", number=3, age=90)
    await add_jobs(services, banco.organization_id, "pending", number=2, age=-600)
    await add_jobs(services, banco.organization_id, "running", number=4)
    await add_jobs(services, banco.organization_id, "dead")
    await add_jobs(services, banco.organization_id, "done", number=50)
    await add_jobs(services, banco.organization_id, "pending", kind="other.work", age=-5)
    [other, some] = (await stats(banco))["queues"]
    assert 90 <= some.pop("oldestDueSeconds") < 150
    assert some == {
        "queue": "light",
        "kind": "some.work",
        "depth": 5,
        "due": 3,
        "running": 4,
        "dead": 1,
    }
    assert (other["depth"], other["due"], other["oldestDueSeconds"]) == (1, 0, 0)


async def test_merged_numbers_are_the_same_and_few_rows(services, banco):
    async def rows():
        async with services.database.reading() as connection:
            return await connection.scalar(text("SELECT count(*) FROM work_tally"))

    for age in (60, 90, -600):
        await add_jobs(services, banco.organization_id, "pending", number=2, age=age)
    await add_jobs(services, banco.organization_id, "dead", number=2)
    await add_deliveries(services, banco, pending=2, delivered=3)
    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM job WHERE state = 'dead'"))
        await session.execute(text("UPDATE delivery SET state = 'failed', finished_at = now()"))
    for expected_rows in (4, 4):
        async with services.database.transaction() as session:
            await queries.fold_tallies(session)
        # Jobs that are due, jobs of later, and ended deliveries; of these a second hour may begin.
        assert await rows() in (expected_rows - 1, expected_rows)
        found = await stats(banco)
        [some] = found["queues"]
        assert (some["depth"], some["due"], some["dead"]) == (6, 4, 0)
        assert found["deliveries"]["failed"] == 5
        assert found["deliveries"]["pending"] == found["deliveries"]["delivered"] == 0


async def test_nothing_of_another_organization_or_of_the_service_itself_is_counted(
    services, banco, rival
):
    for state in ("pending", "running", "dead"):
        await add_jobs(services, rival.organization_id, state, number=7)
        await add_jobs(services, None, state, number=7)
    assert (await stats(banco))["queues"] == []
    assert [each["depth"] for each in (await stats(rival))["queues"]] == [7]


async def test_deliveries_are_counted_by_state_those_that_ended_since_a_day_ago(
    services, banco, rival
):
    counted = (await stats(banco))["deliveries"]
    assert counted == {"pending": 0, "delivered": 0, "failed": 0, "cancelled": 0}
    await add_deliveries(services, banco, pending=2, delivered=3, failed=1, cancelled=4)
    await add_deliveries(services, banco, delivered=9, failed=9, hours=25)
    await add_deliveries(services, rival, pending=5, delivered=5)
    counted = (await stats(banco))["deliveries"]
    assert counted == {"pending": 2, "delivered": 3, "failed": 1, "cancelled": 4}


@pytest.mark.parametrize("role", ["MEMBER", "REVIEWER"])
async def test_it_is_for_administrators(banco, role):
    assert (await (await with_new_key(banco, role)).get(PATH)).status_code == 403


async def add_deliveries(services, member, *, hours=0, **numbers):
    async with services.database.transaction() as session:
        for state, number in numbers.items():
            await session.execute(
                text(
                    """
                    WITH added AS (
                        INSERT INTO event (id, organization_id, kind, data)
                        SELECT gen_random_uuid(), CAST(:organization AS uuid), 'test', '{}'
                        FROM generate_series(1, :number) RETURNING id, organization_id
                    )
                    INSERT INTO delivery
                        (id, organization_id, event_id, receiver_id, state, finished_at)
                    SELECT gen_random_uuid(), organization_id, id, id, :state,
                           CASE WHEN :state <> 'pending'
                                THEN now() - make_interval(hours => :hours) END
                    FROM added
                    """
                ),
                {
                    "organization": member.organization_id,
                    "number": number,
                    "state": state,
                    "hours": hours,
                },
            )


async def nodes_of_plan(services, statement, **parameters):
    """The steps of a statement's plan, and the index of each that uses one."""
    async with services.database.reading() as connection:
        told = await connection.scalar(
            text(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"), parameters
        )
    [plan] = json.loads(told)

    def walk(node):
        yield node
        for child in node.get("Plans", ()):
            yield from walk(child)

    return list(walk(plan["Plan"])), plan["Execution Time"]


@pytest.mark.slow
async def test_what_is_done_long_ago_costs_nothing(services, banco):
    """Of however many rows, those that are done are never read."""
    for _ in range(DONE // 50_000):
        await add_jobs(services, banco.organization_id, "done", number=50_000)
    for state in ("pending", "running", "dead"):
        await add_jobs(services, banco.organization_id, state, number=300)
    await add_deliveries(services, banco, delivered=30_000, hours=48)
    await add_deliveries(services, banco, delivered=200, failed=20, pending=50)
    async with services.database.engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        # In full: what tests before left of an index's size counts for the planner.
        await connection.execute(text("VACUUM (FULL, ANALYZE) job"))
        await connection.execute(text("VACUUM (FULL, ANALYZE) delivery"))
    mine = {"organization_id": banco.organization_id}
    for statement, parameters in (
        (queries.MY_JOBS, mine),
        (queries.ALL_JOBS, {}),
        (queries.MY_DELIVERIES, mine | {"window": queries.FINISHED_WINDOW}),
    ):
        nodes, milliseconds = await nodes_of_plan(services, str(statement), **parameters)
        # The months to come are empty partitions, and the first one has few rows here.
        scans = [node for node in nodes if node["Node Type"] == "Seq Scan"]
        read = [each["Actual Rows"] + each.get("Rows Removed by Filter", 0) for each in scans]
        assert sum(read) < 1000, scans
        assert milliseconds < 100
    [some] = (await stats(banco))["queues"]
    assert (some["depth"], some["running"], some["dead"]) == (300, 300, 300)
    assert (await stats(banco))["deliveries"]["delivered"] == 200
