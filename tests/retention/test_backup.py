"""The restore drill: after the loss of database and files, everything of the backup is there."""

import asyncio
import json
import stat

import asyncpg
import pytest
from rich.console import Console
from sqlalchemy import text
from sqlalchemy.engine import make_url
from typer.testing import CliRunner

from acredita import backup, dumps
from acredita.backup import back_up, restore
from acredita.cli import app
from acredita.dumps import BackupFailed
from acredita.kit.database_url import normalized
from acredita.kit.storage import open_storage
from acredita.models import Base
from acredita.resources.encryption.commands import show_status
from acredita.resources.invariants.commands import doctor
from acredita.services import open_database
from tests.factories.receiver import make_authority
from tests.reliability.production import postgres_folder, postgres_with_tls
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


@pytest.fixture
def programs(monkeypatch, tmp_path):
    """Makes client programs of these versions: that of the embedded server, that of the PATH."""

    def made(program, version):
        if version is None:
            return None
        path = tmp_path / f"{program}-{version}"
        path.write_text(f"#!/bin/sh\necho '{program} (PostgreSQL) {version}.3 (Debian)'\n")
        path.chmod(0o755)
        return path

    def install(embedded, installed):
        monkeypatch.setattr(dumps, "client_program", lambda program: made(program, embedded))
        monkeypatch.setattr(dumps.shutil, "which", lambda program: made(program, installed))

    return install


@pytest.mark.parametrize(("embedded", "installed", "has"), [(None, 1, "1"), (None, None, "none")])
async def test_a_backup_names_the_client_programs_that_it_lacks(
    services, programs, tmp_path, embedded, installed, has
):
    programs(embedded, installed)
    with pytest.raises(BackupFailed, match=f"pg_dump here are: {has}.*postgresql-client-18"):
        await back_up(services.settings, tmp_path / "backup", lambda _: None)


async def test_a_restore_names_the_client_programs_that_it_lacks(services, programs, tmp_path):
    programs(15, 16)
    with pytest.raises(BackupFailed, match=r"pg_dump 18, and .*: 16, 15.*postgresql-client-18"):
        await dumps.load_dump(services.settings, tmp_path / "none", 18)


async def test_a_damaged_dump_leaves_the_database_empty(services, elsewhere, tmp_path):
    folder = tmp_path / "backup"
    await back_up(services.settings, folder, lambda _: None)
    dump = folder / backup.DUMP
    dump.write_bytes(dump.read_bytes()[: dump.stat().st_size * 9 // 10])
    for _ in range(2):
        with pytest.raises(BackupFailed, match=r"^pg_restore: .*(end|read)"):
            await restore(elsewhere, folder, lambda _: None)


@pytest.mark.thorough
@pytest.mark.skipif(postgres_folder() is None, reason="PostgreSQL is not installed")
async def test_an_older_postgresql_takes_the_backup(services, banco, tmp_path):
    """The system's server is older than the embedded one, and has TLS and a password."""
    await finished_verification(banco, services)
    folder = tmp_path / "backup"
    await back_up(services.settings, folder, lambda _: None)
    authority = make_authority(tmp_path)
    with postgres_with_tls(authority.ca) as url:
        change = {
            "database_url": normalized(
                f"{url}?sslmode=verify-full&sslrootcert={authority.ca_file}"
            ),
            "data_dir": tmp_path / "elsewhere",
        }
        older = services.settings.model_copy(update=change)
        await restore(older, folder, lambda _: None)
        async with open_database(older, statement_timeout=30) as one, one.reading() as connection:
            version = await connection.scalar(text("SELECT current_setting('server_version_num')"))
        assert int(version) // 10_000 < json.loads((folder / backup.MANIFEST).read_text())["pgDump"]
        assert await rows_of(older) == await rows_of(services.settings)
        assert await files_of(older) == await files_of(services.settings)
        assert await doctor(older, 1, Console(quiet=True))


async def test_a_command_on_an_empty_database_says_to_migrate(elsewhere, monkeypatch):
    monkeypatch.setenv("ACREDITA_DATABASE_URL", elsewhere.database_url)
    done = await asyncio.to_thread(CliRunner().invoke, app, ["doctor"])
    assert done.exit_code == 1
    assert "Run `acredita migrate`." in done.stderr
