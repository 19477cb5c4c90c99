"""Lists over a real standby of PostgreSQL: fresh, lagging, and lost."""

import asyncio
import os
import shutil
import subprocess
from contextlib import contextmanager

import httpx
import pytest

from acredita.embedded.postgres import EmbeddedPostgres, client_program
from acredita.kit.database_url import libpq_environment
from acredita.kit.replica import Lists, Replica
from acredita.kit.statement_pool import Writes
from acredita.main import create_app
from tests.factories.databases import opened
from tests.factories.organizations import make_verification, register

LAG = 1.5
IS_STANDBY = "SELECT pg_is_in_recovery()"
LIST = "/v1/verifications"


@contextmanager
def standby_of(primary, folder):
    """A running standby that streams from the primary."""
    program = client_program("pg_basebackup")
    assert program is not None
    data = folder / "data"
    folder.mkdir()
    subprocess.run(
        [program, "--pgdata", data, "--write-recovery-conf", "--checkpoint=fast"],
        env=os.environ | libpq_environment(primary.database_url),
        check=True,
    )
    shutil.copy(primary.folder / "password", folder)
    if os.geteuid() == 0:
        # As root, the server runs as the owner of its data.
        owner = (primary.folder / "data").stat()
        for path in (data, *data.rglob("*")):
            os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)
    with EmbeddedPostgres(folder) as standby:
        yield standby


async def until(replica, is_in_use):
    async with asyncio.timeout(20):
        while replica.is_in_use is not is_in_use:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.mark.faults
@pytest.mark.timeout(300)
async def test_lists_are_read_from_a_standby_while_it_is_fresh(tmp_path):
    with (
        EmbeddedPostgres(tmp_path / "primary") as server,
        standby_of(server, tmp_path / "standby") as standby_server,
    ):
        async with (
            opened(server.database_url, 4) as primary,
            opened(standby_server.database_url, 4) as standby,
        ):
            writes, on_standby = Writes(primary), Writes(standby)
            replica = Replica(primary, standby, longest_lag=LAG)
            lists = Lists(replica)
            assert (await lists.row(IS_STANDBY))[0] is False
            async with replica.watched():
                await until(replica, True)
                assert (await lists.row(IS_STANDBY))[0] is True

                await on_standby.row("SELECT pg_wal_replay_pause()")
                await writes.row("CREATE TABLE written ()")
                await until(replica, False)
                # The primary knows the table.
                assert await lists.rows("SELECT FROM written") == []
                await on_standby.row("SELECT pg_wal_replay_resume()")
                await until(replica, True)
                assert await lists.rows("SELECT FROM written") == []

                await asyncio.to_thread(standby_server.stop)
                assert (await lists.row(IS_STANDBY))[0] is False
                assert not replica.is_in_use


async def test_a_list_reads_the_replica_unless_the_caller_must_see_its_own_writes(
    settings, services, unused_tcp_port
):
    nobody = f"postgresql+asyncpg://a:b@127.0.0.1:{unused_tcp_port}/acredita"
    app = create_app(settings.model_copy(update={"database_read_url": nobody}))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://t") as client,
    ):
        replica = app.state.services.replica
        banco = await register(client, "Banco Uno")
        await make_verification(banco)
        replica.is_in_use = True
        fresh = {"Cache-Control": "no-cache"}
        for path in (LIST, "/v1/audit-logs"):
            assert (await banco.get(path, headers=fresh)).status_code == 200
        # What decides about the next step reads the database itself.
        assert (await banco.get("/v1/workflows")).status_code == 200
        assert replica.is_in_use
        answer = await banco.get(LIST)
        assert (answer.status_code, answer.json()["pagination"]["total"]) == (200, 1)
        assert not replica.is_in_use, "the list has not been tried there"
