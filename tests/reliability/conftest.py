import asyncpg
import pytest
from sqlalchemy.engine import make_url


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
