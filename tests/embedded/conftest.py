import asyncio
import subprocess
from pathlib import Path

import asyncpg
import pytest

from acredita.embedded import EmbeddedServers


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


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a stack that was started and stopped: the first start takes the longest.

    The path is longer than the name of a socket may be.
    """
    folder = tmp_path_factory.mktemp("stack") / ("long" * 40)
    with EmbeddedServers(folder, durable=False):
        pass
    return folder


@pytest.fixture
def stack_folder(made_once: Path, tmp_path: Path) -> Path:
    """A copy of it, with the owners of its files: for tests of later starts."""
    folder = tmp_path / "stack"
    subprocess.run(["cp", "--archive", made_once, folder], check=True)
    return folder
