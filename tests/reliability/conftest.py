import os

import asyncpg
import pytest
from sqlalchemy.engine import make_url

# Several processes of a parallel run may use it at once.
NAME = f"acredita_migrations_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"


@pytest.fixture
async def empty_database(database_url):
    server = make_url(database_url)
    admin = await asyncpg.connect(
        server.set(drivername="postgresql").render_as_string(hide_password=False)
    )
    await admin.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
    await admin.execute(f"CREATE DATABASE {NAME}")
    yield server.set(database=NAME).render_as_string(hide_password=False)
    await admin.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
    await admin.close()
