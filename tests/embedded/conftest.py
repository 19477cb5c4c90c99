import asyncio

import asyncpg
import pytest


async def _fetch(database_url: str, *statements: str) -> object:
    connection = await asyncpg.connect(database_url.replace("+asyncpg", ""))
    try:
        for statement in statements[:-1]:
            await connection.execute(statement)
        return await connection.fetchval(statements[-1])
    finally:
        await connection.close()


@pytest.fixture
def fetch():
    """Runs statements at a database and gives the first value of the last: for async tests."""
    return _fetch


@pytest.fixture
def query():
    """The same for plain tests."""
    return lambda *arguments: asyncio.run(_fetch(*arguments))
