"""The restore drill: after the loss of database and files, everything of the backup is there."""

import asyncio
import stat

import asyncpg
import pytest
from rich.console import Console
from sqlalchemy import text
from sqlalchemy.engine import make_url
from typer.testing import CliRunner

from acredita import backup
from acredita.backup import BackupFailed, back_up, restore
from acredita.cli import app
from acredita.kit.storage import open_storage
from acredita.models import Base
from acredita.resources.encryption.commands import show_status
from acredita.resources.invariants.commands import doctor
from acredita.services import open_database
from tests.retention.conftest import finished_verification


@pytest.fixture
async def elsewhere(settings, tmp_path):
    """The same settings with an empty database and an empty folder for files."""
    url = make_url(settings.database_url)
    name = f"{url.database}_restored"
    server = await asyncpg.connect(
        url.set(drivername="postgresql").render_as_string(hide_password=False)
    )
    await server.execute(f'CREATE DATABASE "{name}"')
    try:
        yield settings.model_copy(
            update={
                "database_url": url.set(database=name).render_as_string(hide_password=False),
                "data_dir": tmp_path / "elsewhere",
            }
        )
    finally:
        await server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        await server.close()


async def rows_of(settings):
    """The number of rows of each table."""
    counts = {}
    async with open_database(settings, statement_timeout=30) as database, database.reading() as one:
        for table in Base.metadata.sorted_tables:
            counts[table.name] = await one.scalar(text(f'SELECT count(*) FROM "{table.name}"'))  # noqa: S608
    return counts


async def files_of(settings):
    async with open_storage(settings.storage_place) as storage:
        listed = (await storage.list()).files
        return {file.key: await storage.get(file.key) for file in listed}


async def test_a_restored_installation_has_every_row_and_file_and_is_sound(
    services, banco, elsewhere, tmp_path
):
    await finished_verification(banco, services)
    folder, said = tmp_path / "backup", []
    await back_up(services.settings, folder, said.append)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    rows, files = await rows_of(services.settings), await files_of(services.settings)
    await restore(elsewhere, folder, said.append)
    assert rows["verification"] == 1
    assert await rows_of(elsewhere) == rows
    assert len(files) == 2
    assert await files_of(elsewhere) == files
    assert await doctor(elsewhere, 1, Console(quiet=True))
    assert await show_status(elsewhere, said.append)
    with pytest.raises(BackupFailed, match="has tables"):
        await restore(elsewhere, folder, said.append)
    with pytest.raises(BackupFailed, match="new folder"):
        await back_up(services.settings, folder, said.append)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"encryption_keys": "k9:" + "QUFB" * 10 + "QUE="}, "lacks keys of the backup"),
        ({"secret_key": "another-secret-that-is-long-enough-to-be-one"}, "SECRET_KEY is not that"),
    ],
)
async def test_a_restore_refuses_keys_that_do_not_open_the_data(
    services, tmp_path, change, message
):
    folder = tmp_path / "backup"
    await back_up(services.settings, folder, lambda _: None)
    keys = type(services.settings)(**services.settings.model_dump() | change, _env_file=None)
    with pytest.raises(BackupFailed, match=message):
        await restore(keys, folder, lambda _: None)


async def test_a_folder_without_a_manifest_is_no_backup(services, tmp_path):
    with pytest.raises(BackupFailed, match="not a complete backup"):
        await restore(services.settings, tmp_path, lambda _: None)


@pytest.mark.parametrize(
    ("server", "program", "embedded", "installed", "chosen"),
    [
        (18, "pg_dump", 18, 15, 18),
        (15, "pg_dump", 18, 15, 15),
        (15, "pg_dump", 18, 14, 18),
        (15, "pg_restore", 18, 15, 15),
        (15, "pg_restore", 18, 16, 16),
        (17, "pg_restore", 18, 16, 18),
        # pg_restore 17 sets a parameter that older servers do not know.
        (15, "pg_restore", 18, 14, None),
        (18, "pg_dump", None, 17, None),
        (18, "pg_dump", None, None, None),
    ],
)
async def test_a_backup_takes_the_client_program_that_fits_the_server(
    server, program, embedded, installed, chosen, monkeypatch, tmp_path
):
    def made(version):
        if version is None:
            return None
        path = tmp_path / f"{program}-{version}"
        path.write_text(f"#!/bin/sh\necho '{program} (PostgreSQL) {version}.3 (Debian)'\n")
        path.chmod(0o755)
        return path

    monkeypatch.setattr(backup, "client_program", lambda _: made(embedded))
    monkeypatch.setattr(backup.shutil, "which", lambda _: made(installed))
    if chosen is None:
        with pytest.raises(BackupFailed, match=f"postgresql-client-{server}"):
            await backup._program_for(server, program)
    else:
        assert (await backup._program_for(server, program)).name == f"{program}-{chosen}"


async def test_a_command_on_an_empty_database_says_to_migrate(elsewhere, monkeypatch):
    monkeypatch.setenv("ACREDITA_DATABASE_URL", elsewhere.database_url)
    done = await asyncio.to_thread(CliRunner().invoke, app, ["doctor"])
    assert done.exit_code == 1
    assert "Run `acredita migrate`." in done.stderr
