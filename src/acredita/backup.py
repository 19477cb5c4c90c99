"""`acredita backup` and `acredita restore`: database and files of an installation in a folder.

The dump comes before the files, so that each row of the dump has its file. Files without a row are
deleted by the service after a day. Keys are not part of a backup: it would be readable with them.
"""

import asyncio
import json
import os
import re
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from acredita.embedded import client_program
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.database_url import libpq_environment
from acredita.kit.storage import Storage, StoredFile, open_storage
from acredita.services import open_database
from acredita.settings import Settings
from acredita.version import VERSION

Say = Callable[[str], None]
DUMP, FILES, MANIFEST = "database.dump", "files", "manifest.json"
SECONDS_FOR_A_QUESTION = 30.0
# PostgreSQL's major version whose pg_restore sets `transaction_timeout`.
FIRST_WITH_TIMEOUT = 17


class BackupFailed(Exception):
    """The message is for the operator."""


async def back_up(settings: Settings, folder: Path, say: Say) -> None:
    """Write database and files to a new folder (mode 0700). Raise BackupFailed."""
    _create(folder)
    await _run(settings, "pg_dump", "--format=custom", f"--file={folder / DUMP}")
    count = size = 0
    async with _storage(settings) as storage:
        async for file in _all_files(storage):
            content = await storage.get(file.key)
            await asyncio.to_thread(_write, folder / FILES / file.key, content)
            count, size = count + 1, size + len(content)
    manifest = {
        "madeAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": VERSION,
        "files": count,
        "encryptionKeys": _keys(settings).ids,
        "secretKey": _fingerprint(settings),
    }
    # Last: a folder without it is not complete.
    _write(folder / MANIFEST, json.dumps(manifest, indent=2).encode())
    say(f"Database and {count} files ({size / 1e6:.1f} MB) are in {folder}.")
    say("The keys are not. Keep the settings apart from it: without them, it cannot be read.")


async def restore(settings: Settings, folder: Path, say: Say) -> None:
    """Load a backup into an empty database and the storage. Raise BackupFailed."""
    manifest = _read_manifest(folder)
    _check_keys(settings, manifest)
    await _check_empty(settings)
    await _run(
        settings,
        "pg_restore",
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
        "--single-transaction",
        f"--dbname={libpq_environment(settings.direct_url)['PGDATABASE']}",
        str(folder / DUMP),
    )
    files = sorted(path for path in (folder / FILES).rglob("*") if path.is_file())
    async with _storage(settings) as storage:
        for path in files:
            key = path.relative_to(folder / FILES).as_posix()
            # A restore that was interrupted continues.
            if not await storage.exists(key):
                await storage.put(key, await asyncio.to_thread(path.read_bytes))
    say(f"Restored the database and {len(files)} files of {manifest['madeAt']}.")
    say("Run `acredita migrate`, then `acredita doctor` and `acredita keys status`.")


def _create(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700)
    except OSError as fault:
        raise BackupFailed(f"{folder}: {fault.strerror}. Name a new folder.") from None


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError):
        raise BackupFailed(f"{folder} is not a complete backup: no readable {MANIFEST}.") from None
    return manifest


def _check_keys(settings: Settings, manifest: dict[str, Any]) -> None:
    """Refuse settings that could not read the data. The keys themselves are not in the manifest."""
    missing = set(manifest["encryptionKeys"]) - set(_keys(settings).ids)
    if missing:
        raise BackupFailed(
            "ACREDITA_ENCRYPTION_KEYS lacks keys of the backup, without which its data are lost:"
            f" {', '.join(sorted(missing))}."
        )
    if manifest["secretKey"] != _fingerprint(settings):
        raise BackupFailed("ACREDITA_SECRET_KEY is not that of the backup: no API key would work.")


async def _check_empty(settings: Settings) -> None:
    query = text("SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public')")
    async with (
        open_database(settings, statement_timeout=SECONDS_FOR_A_QUESTION) as database,
        database.reading() as connection,
    ):
        if await connection.scalar(query):
            raise BackupFailed("The database has tables. Restore into an empty database.")


def _storage(settings: Settings) -> AbstractAsyncContextManager[Storage]:
    return open_storage(
        settings.storage_place,
        access_key_id=settings.storage_access_key_id,
        secret_access_key=settings.storage_secret_access_key.get_secret_value(),
    )


async def _all_files(storage: Storage) -> AsyncIterator[StoredFile]:
    after = ""
    while True:
        page = await storage.list(after=after)
        for file in page.files:
            yield file
        if page.after is None:
            return
        after = page.after


async def _server_version(settings: Settings) -> int:
    async with (
        open_database(settings, statement_timeout=SECONDS_FOR_A_QUESTION) as database,
        database.reading() as connection,
    ):
        number = await connection.scalar(text("SELECT current_setting('server_version_num')"))
    return int(str(number)) // 10_000


async def _program_for(server: int, program: str) -> str | Path:
    """Return the path of a client program that works with a server of this major version.

    That of the same version, else the oldest newer one. pg_restore of 17 or newer sets
    `transaction_timeout`, which older servers refuse. Raise BackupFailed.
    """
    places: list[str | Path | None] = [client_program(program), shutil.which(program)]
    found = {await _version_of(path): path for path in places if path is not None}
    below = FIRST_WITH_TIMEOUT if program == "pg_restore" and server < FIRST_WITH_TIMEOUT else 1000
    fitting = [version for version in found if server <= version < below]
    if not fitting:
        has = ", ".join(map(str, sorted(found))) or "none"
        raise BackupFailed(
            f"The server is PostgreSQL {server}, and the versions of {program} here are: {has}."
            f" Install PostgreSQL's client programs of version {server} (on Debian:"
            f" postgresql-client-{server}), and put their folder first in PATH."
        )
    return found[min(fitting)]


async def _version_of(path: str | Path) -> int:
    """The major version of one of PostgreSQL's programs; 0 if it does not say."""
    process = await asyncio.create_subprocess_exec(
        path, "--version", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    said, _ = await process.communicate()
    major = re.search(rb"\(PostgreSQL\) (\d+)", said)
    return int(major[1]) if major else 0


async def _run(settings: Settings, program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL with the database's address in its environment."""
    path = await _program_for(await _server_version(settings), program)
    process = await asyncio.create_subprocess_exec(
        path,
        *arguments,
        # Not as an argument: a list of processes would show the password.
        env=os.environ | libpq_environment(settings.direct_url),
        stderr=asyncio.subprocess.PIPE,
    )
    _, output = await process.communicate()
    if process.returncode:
        # Other lines may quote values of rows, which are personal data.
        said = [line for line in output.decode().splitlines() if line.startswith(program)]
        raise BackupFailed("\n".join(said) or f"{program} failed")


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.write_bytes(content)


def _keys(settings: Settings) -> KeyRing:
    return KeyRing.from_text(settings.encryption_keys.get_secret_value())


def _fingerprint(settings: Settings) -> str:
    signer = Signer(settings.secret_key.get_secret_value())
    return signer.digest("backup", b"fingerprint of the secret").hex()
