"""`acredita backup` and `acredita restore`: database and files of an installation in a folder.

The dump comes before the files, so that each row of the dump has its file. Files without a row are
deleted by the service after a day. Keys are not part of a backup: it would be readable with them.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text

from acredita.dumps import SECONDS_FOR_A_QUESTION, BackupFailed, load_dump, write_dump
from acredita.kit.crypto import KeyRing, Signer
from acredita.kit.storage import Storage, StoredFile
from acredita.services import open_database
from acredita.settings import Settings
from acredita.settings_check import providers
from acredita.version import VERSION

Say = Callable[[str], None]
DUMP, FILES, MANIFEST = "database.dump", "files", "manifest.json"


async def back_up(settings: Settings, folder: Path, say: Say) -> None:
    """Write database and files to a new folder (mode 0700). Raise BackupFailed."""
    _create(folder)
    version = await write_dump(settings, folder / DUMP)
    count = size = 0
    async with providers.storage(settings) as storage:
        async for file in _all_files(storage):
            path = folder / FILES / file.key
            await asyncio.to_thread(path.parent.mkdir, mode=0o700, parents=True, exist_ok=True)
            await storage.get_file(file.key, path)
            count, size = count + 1, size + file.size
    manifest = {
        "madeAt": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": VERSION,
        "pgDump": version,
        "files": count,
        "encryptionKeys": _keys(settings).ids,
        "secretKey": _fingerprint(settings),
    }
    # Last: a folder without it is not complete.
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2))
    say(f"Database and {count} files ({size / 1e6:.1f} MB) are in {folder}.")
    say("The keys are not. Keep the settings apart from it: without them, it cannot be read.")


async def restore(settings: Settings, folder: Path, say: Say) -> None:
    """Load a backup into an empty database and the storage. Raise BackupFailed."""
    manifest = _read_manifest(folder)
    _check_keys(settings, manifest)
    await _check_empty(settings)
    await load_dump(settings, folder / DUMP, manifest.get("pgDump", 0))
    files = sorted(path for path in (folder / FILES).rglob("*") if path.is_file())
    async with providers.storage(settings) as storage:
        for path in files:
            key = path.relative_to(folder / FILES).as_posix()
            # A restore that was interrupted continues.
            if not await storage.exists(key):
                await storage.put_file(key, path)
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


async def _all_files(storage: Storage) -> AsyncIterator[StoredFile]:
    after = ""
    while True:
        page = await storage.list(after=after)
        for file in page.files:
            yield file
        if page.after is None:
            return
        after = page.after


def _keys(settings: Settings) -> KeyRing:
    return KeyRing.from_text(settings.encryption_keys.get_secret_value())


def _fingerprint(settings: Settings) -> str:
    signer = Signer(settings.secret_key.get_secret_value())
    return signer.digest("backup", b"fingerprint of the secret").hex()
