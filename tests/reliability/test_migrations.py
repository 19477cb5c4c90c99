"""Up from nothing, down to nothing, and up again; the models and the schema agree."""

import asyncio
import os
import sys

import asyncpg
import pytest
from alembic import command
from sqlalchemy.engine import make_url

from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.kit.migrations import configuration, downgrade, upgrade
from acredita.resources.audit.chaining import chain_all
from acredita.resources.audit.verification import verify
from acredita.settings import Settings

TABLES = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"


@pytest.fixture
async def empty_database(database_url):
    server = make_url(database_url)
    admin = await asyncpg.connect(
        server.set(drivername="postgresql").render_as_string(hide_password=False)
    )
    await admin.execute("DROP DATABASE IF EXISTS acredita_migrations WITH (FORCE)")
    await admin.execute("CREATE DATABASE acredita_migrations")
    yield server.set(database="acredita_migrations").render_as_string(hide_password=False)
    await admin.execute("DROP DATABASE acredita_migrations WITH (FORCE)")
    await admin.close()


def _plain(url):
    return make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


async def count_tables(url):
    connection = await asyncpg.connect(_plain(url))
    try:
        return await connection.fetchval(TABLES)
    finally:
        await connection.close()


async def test_the_schema_goes_up_from_nothing_down_to_nothing_and_up_again(empty_database):
    assert await count_tables(empty_database) == 0
    await asyncio.to_thread(upgrade, empty_database)
    tables = await count_tables(empty_database)
    assert tables > 10
    await asyncio.to_thread(command.check, configuration(empty_database))
    await asyncio.to_thread(downgrade, empty_database, "base")
    assert await count_tables(empty_database) == 1, "alembic's own table alone is left"
    await asyncio.to_thread(upgrade, empty_database)
    assert await count_tables(empty_database) == tables


ORGANIZATION = "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"
RECORD = """
    INSERT INTO audit_log
        (id, organization_id, actor_type, action, resource_type, resource_id, details)
    SELECT gen_random_uuid(), $1, 'service', 'workflow.created', 'workflow', gen_random_uuid(), '{}'
    FROM generate_series(1, 3)
"""
FORGE = """
    ALTER TABLE audit_log DISABLE TRIGGER USER;
    UPDATE audit_log SET details = '{"x":1}' WHERE position = 2;
    ALTER TABLE audit_log ENABLE TRIGGER USER;
"""


async def test_chains_of_former_releases_stay_verifiable_and_are_continued_with_keyed_hashes(
    empty_database,
):
    await asyncio.to_thread(upgrade, empty_database, "0022")
    connection = await asyncpg.connect(_plain(empty_database))
    await connection.execute(
        "INSERT INTO organization (id, name, slug) VALUES ($1, 'x', 'x')", ORGANIZATION
    )
    await connection.execute(RECORD, ORGANIZATION)
    await asyncio.to_thread(upgrade, empty_database)
    await connection.execute(RECORD, ORGANIZATION)
    signer = Signer(Settings().secret_key.get_secret_value())
    database = Database(empty_database, pool_size=2, statement_timeout=10)
    try:
        assert await chain_all(database, signer) == 3

        async def verdict(signer=signer):
            async with database.engine.connect() as session:
                return [(v.entries, v.bad_position) async for v in verify(session, signer)]

        assert await verdict() == [(6, None)]
        # With another key, neither the head nor the keyed hashes are genuine.
        assert await verdict(Signer("another secret")) == [(0, 3)]
        await connection.execute(FORGE)
        assert await verdict() == [(1, 2)]
    finally:
        await database.dispose()
        await connection.close()


async def test_two_migrations_at_once_take_turns(empty_database):
    environment = os.environ | {"ACREDITA_DATABASE_URL": empty_database}
    migrating = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-m", "acredita.cli", "migrate", env=environment
        )
        for _ in range(2)
    ]
    assert [await process.wait() for process in migrating] == [0, 0]
    assert await count_tables(empty_database) > 10
