import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable

import asyncpg
import pytest
from sqlalchemy.engine import URL, make_url

from acredita.kit.migrations import upgrade
from tests.conftest import plain_url


def own_name() -> str:
    """Several processes of a parallel run may use such a database at once."""
    return f"acredita_migrations_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"


def address(server: URL, name: str) -> str:
    return server.set(database=name).render_as_string(hide_password=False)


async def copy(admin: asyncpg.Connection, name: str, template: str = "template1") -> None:
    await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    # Through the log, PostgreSQL would copy ten times as long.
    await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")


@pytest.fixture(scope="session")
async def admin(database_url: str) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(plain_url(database_url))
    yield connection
    await connection.close()


@pytest.fixture
async def empty_database(admin: asyncpg.Connection, database_url: str) -> AsyncIterator[str]:
    await copy(admin, own_name())
    yield address(make_url(database_url), own_name())
    await admin.execute(f"DROP DATABASE {own_name()} WITH (FORCE)")


@pytest.fixture(scope="session")
async def snapshots(admin: asyncpg.Connection) -> AsyncIterator[dict[str, str]]:
    """The databases of former revisions, by revision."""
    known: dict[str, str] = {}
    yield known
    for name in known.values():
        await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
async def database_at(
    admin: asyncpg.Connection, database_url: str, snapshots: dict[str, str]
) -> AsyncIterator[Callable[[str], Awaitable[str]]]:
    """Make a database of a former revision, and return its address.

    It is a copy: from one such revision to the next, migrations run once for all tests.
    """
    server = make_url(database_url)

    async def migrate_and_copy(revision: str) -> str:
        if revision not in snapshots:
            name = f"{own_name()}_{revision}"
            before = max((each for each in snapshots if each < revision), default=None)
            await copy(admin, name, snapshots[before] if before else "template1")
            await asyncio.to_thread(upgrade, address(server, name), revision)
            snapshots[revision] = name
        await copy(admin, own_name(), snapshots[revision])
        return address(server, own_name())

    yield migrate_and_copy
    await admin.execute(f"DROP DATABASE IF EXISTS {own_name()} WITH (FORCE)")
