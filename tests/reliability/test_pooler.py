"""The service behind a real PgBouncer in transaction mode, with fewer connections than requests."""

import asyncio
from importlib import import_module

import httpx
import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from acredita import worker as worker_main
from acredita.cli import app as command
from acredita.cli import settings as command_settings
from acredita.jobs import Queue
from acredita.kit.connection_budget import kept_within_budget
from acredita.kit.connection_pool import PoolBusy
from acredita.kit.statement_pool import Reads, Writes
from acredita.main import create_app
from acredita.services import open_services
from acredita.settings import Settings
from tests.factories.databases import opened
from tests.factories.organizations import make_workflow, register
from tests.factories.pgbouncer import pooler


@pytest.mark.timeout(300)
async def test_api_and_worker_work_through_a_pooler_that_changes_connections(
    settings, services, tmp_path
):
    for module in worker_main.JOB_MODULES:
        import_module(module)
    with pooler(settings.database_url, tmp_path, connections=3) as url:
        pooled = settings.model_copy(update={"database_url": url, "database_pool_size": 12})
        app = create_app(pooled)
        async with (
            app.router.lifespan_context(app),
            open_services(pooled, purpose="worker pooled") as of_worker,
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app=app), base_url="http://test"
            ) as client,
        ):
            banco = await register(client, "Banco Uno")
            workflow_id = await make_workflow(banco)
            body = {"workflowId": workflow_id}

            async def use(number):
                key = {"Idempotency-Key": f"key-{number % 8}"}
                made = await banco.post(
                    "/v1/verifications", json=body, headers=key if number % 2 else {}
                )
                one = made.json()["verification"]["id"]
                answers = [
                    made,
                    await banco.get(f"/v1/verifications/{one}"),
                    await banco.get("/v1/verifications?limit=5"),
                    await banco.get("/v1/audit-logs"),
                ]
                return {answer.status_code for answer in answers}

            assert set().union(*await asyncio.gather(*map(use, range(48)))) == {200, 201}
            assert sum(app.state.services.database.pool.usage()) > 3

            stop = asyncio.Event()
            queues = (Queue.LIGHT,)
            working = asyncio.create_task(worker_main.serve(of_worker, queues, stop))
            # A job that the recurring ones begin with.
            unfolded = "SELECT count(*) > 1 FROM verification_tally"
            async with asyncio.timeout(60):
                while (await services.reads.row(unfolded))[0]:  # noqa: ASYNC110
                    await asyncio.sleep(0.2)
            stop.set()
            await working


async def test_transactions_and_statements_do_not_mix_over_few_connections(database_url, tmp_path):
    with pooler(database_url, tmp_path, connections=2) as url:
        async with opened(url, 8) as database:
            assert database.is_pooled
            reads, writes = Reads(database), Writes(database)
            await writes.row("CREATE TABLE pooled (number int PRIMARY KEY, body jsonb)")

            async def work(number):
                await writes.row("INSERT INTO pooled VALUES ($1, $2)", number, '{"a": 1}')
                async with database.transaction() as session:
                    connection = await session.connection()
                    await connection.exec_driver_sql(
                        "UPDATE pooled SET number = number + 1000 WHERE number = $1", (number,)
                    )
                return (
                    await reads.row("SELECT body FROM pooled WHERE number = $1", number + 1000)
                )[0]

            try:
                assert await asyncio.gather(*map(work, range(60))) == ['{"a": 1}'] * 60
            finally:
                await writes.row("DROP TABLE pooled")


async def test_a_full_pooler_makes_callers_wait_and_then_hear_that_it_is_busy(
    database_url, tmp_path
):
    with pooler(database_url, tmp_path, connections=2, clients=2) as url:
        async with opened(url, 6) as database, opened(url, 6) as sibling:
            rows = await asyncio.gather(
                *(Reads(database).row("SELECT pg_sleep(0.02), 7") for _ in range(12))
            )
            assert [row[1] for row in rows] == [7] * 12
            sibling.pool._timeout = 0.5
            with pytest.raises(PoolBusy):
                await Reads(sibling).row("SELECT 1")


async def test_a_process_says_how_to_name_a_pooler_and_which_settings_it_lacks(
    database_url, tmp_path
):
    with pooler(database_url, tmp_path, connections=2) as url:
        for address, event in (
            (url.partition("?")[0], "database.budget_unknown"),
            (url, "database.setting_missing"),
        ):
            async with opened(address, 2) as database:
                with capture_logs() as lines:
                    async with kept_within_budget(
                        database.pool, names="^x", is_pooled=database.is_pooled
                    ):
                        async with asyncio.timeout(10):
                            while not any(line["event"] == event for line in lines):  # noqa: ASYNC110
                                await asyncio.sleep(0.05)
                if event == "database.budget_unknown":
                    assert "add pgbouncer=true" in lines[-1]["reason"]


def test_migrations_refuse_a_pooler_and_name_the_setting_of_the_direct_address(monkeypatch):
    pooled = "postgresql://a:b@127.0.0.1:6432/acredita?pgbouncer=true"
    settings = Settings(_env_file=None, database_url=pooled)
    monkeypatch.setattr(command_settings, "load_settings", lambda: settings)
    refused = CliRunner().invoke(command, ["migrate"], env={"COLUMNS": "200"})
    assert refused.exit_code == 2
    assert "ACREDITA_DATABASE_DIRECT_URL" in refused.output
