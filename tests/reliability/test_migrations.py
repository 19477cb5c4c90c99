"""Up from nothing, down to nothing, and up again; the models and the schema agree."""

import asyncio
import os
import sys

import asyncpg
import pytest
from alembic import command
from sqlalchemy.engine import make_url

from acredita.kit.migrations import configuration, downgrade, upgrade

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


async def count_tables(url):
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(plain)
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
