"""The SQL of the operators' pages: the service works with a role that cannot change the schema."""

import os
import re
import secrets
import subprocess

import pytest
from rich.console import Console
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ProgrammingError

from acredita import jobs
from acredita.embedded.postgres import client_program
from acredita.jobs import Queue, ledger
from acredita.jobs.purge import purge
from acredita.kit.database_url import libpq_environment
from acredita.kit.migrations import upgrade
from acredita.resources.invariants.commands import doctor
from acredita.services import open_services
from tests.conftest import on_server, plain_url
from tests.factories.pages import block
from tests.retention.conftest import finished_verification
from tests.retention.test_partitions import NEWEST, NEWEST_OF_JOBS, Partitions, keep, keep_jobs

pytestmark = pytest.mark.thorough


@pytest.fixture
def urls():
    """(The URL of the owner, that of the service), in a database that the pages' SQL made."""
    admin = make_url(os.environ["ACREDITA_DATABASE_URL"])
    mark = secrets.token_hex(4)
    owner, service = f"owner_{mark}", f"service_{mark}"
    script = block("docs/operators/deployment.md", "roles")
    script += block("docs/operators/scale.md", "role")
    for named, name in ((r"\bacredita_owner\b", owner), (r"\bacredita\b", service)):
        script = re.sub(named, name, script)
    run = [client_program("psql"), "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--file=-"]
    environment = libpq_environment(plain_url(admin))
    try:
        subprocess.run(run, input=script, env=environment, check=True, text=True)
        yield [
            admin.set(username=name, password="…", database=service).render_as_string(
                hide_password=False
            )
            for name in (owner, service)
        ]
    finally:
        statements = f'DROP DATABASE IF EXISTS "{service}" WITH (FORCE)'
        for statement in (statements, *(f"DROP ROLE IF EXISTS {one}" for one in (owner, service))):
            subprocess.run(run, input=statement, env=environment, check=True, text=True)


@pytest.fixture
def settings(settings, urls):
    upgrade(urls[0])
    return settings.model_copy(update={"database_url": urls[1]})


@pytest.fixture
async def services(settings, empty_redis):
    async with open_services(settings) as opened:
        yield opened


async def test_the_service_works_with_the_role_that_the_pages_make(services, banco, urls):
    await finished_verification(banco, services)
    listed = (await banco.get("/v1/verifications?search=cliente")).json()
    assert len(listed["verifications"]) == 1
    async with services.database.transaction() as session:
        await jobs.add(session, purge)
    claimed = await ledger.claim_due(services.database, Queue.LIGHT, limit=9, lease=30)
    ended = await ledger.complete_all(services.database, claimed)
    assert ended == {job.lease_token for job in claimed} != set()
    async with services.database.reading() as connection:
        newest = [await connection.scalar(text(query)) for query in (NEWEST, NEWEST_OF_JOBS)]
    await on_server(plain_url(urls[0]), f"DROP TABLE {', '.join(newest)}")
    assert await keep(services, 90) == Partitions(added=1, dropped=0)
    assert await keep_jobs(services, 30) == (1, 0)
    assert await doctor(services.settings, 1, Console(quiet=True))
    for change in ("CREATE TABLE of_mine ()", "DROP TABLE verification", "TRUNCATE audit_log"):
        with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"):
            async with services.database.transaction() as session:
                await session.execute(text(change))
