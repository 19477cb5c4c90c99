"""Build the screening index of all lists and publish it as an encrypted file.

Every process downloads the file and maps it into memory.
"""

import asyncio
import hashlib
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import ColumnElement, Text, and_, case, cast, func, select, text, true
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit import ids
from acredita.kit.announcements import after_commit
from acredita.kit.clock import timestamp
from acredita.kit.crypto import encrypt_stream
from acredita.kit.db import Database
from acredita.models import ScreeningIndexFile, Standing, Watchlist, WatchlistEntity
from acredita.ports import FileStore, IndexBuilding
from acredita.resources.aml.entries.linking import link_entries
from acredita.resources.aml.folder import WORK, folder_of
from acredita.resources.aml.index.process import build_file
from acredita.screener import CHANNEL

# Entries per SELECT.
PAGE = 5000
_IS_LISTED = and_(
    WatchlistEntity.removed_version.is_(None), WatchlistEntity.standing == Standing.LISTED.value
)
# Each listed entry is one text, which this process only copies: to convert a million entries here
# would hold up other jobs.
_LINE = cast(
    func.jsonb_build_object(
        *("id", cast(WatchlistEntity.id, Text)),
        *("list_id", WatchlistEntity.list_id),
        *("entity_type", WatchlistEntity.entity_type),
        *("names", WatchlistEntity.names),
        *("dates_of_birth", WatchlistEntity.dates_of_birth),
        *("countries", WatchlistEntity.countries),
        *("identifiers", WatchlistEntity.identifiers),
        *("genders", WatchlistEntity.details["genders"]),
        *("nationalities", WatchlistEntity.details["nationalities"]),
    ),
    Text,
)
# The two arbitrary numbers of this advisory lock are used nowhere else.
LOCK_PUBLISHING = "SELECT pg_advisory_xact_lock(7141, 1)"
NEXT_VERSION = "SELECT nextval(pg_get_serial_sequence('aml_index', 'version'))"
# Raised with the version of the engine's file format, and when the engine reads names otherwise.
# An index of another version is rebuilt; one of the same file format serves until then.
FORMAT_VERSION = 7
# Keep the previous version too: a process may still be downloading it.
KEPT_VERSIONS = 2


OnPublish = Callable[[AsyncSession, int], Awaitable[None]]


class ListsChanged(Exception):
    """A list changed during the build of the index."""


@dataclass(frozen=True, slots=True)
class Published:
    version: int
    entries: int
    names: int


@dataclass(frozen=True, slots=True)
class _Built:
    entries: int
    names: int
    file: Path


async def build(
    services: IndexBuilding,
    *,
    on_publish: OnPublish | None = None,
    progress: Callable[[int], None] | None = None,
) -> Published | None:
    """Link the entries of the current lists, build and publish their index.

    Return None if the index is already current.

    `on_publish` runs in the publishing transaction with the new version. `progress` receives the
    number of entries read so far. Raise ListsChanged, StorageUnavailable, PoolError.
    """
    if not await is_due(services.database):
        return None
    with tempfile.TemporaryDirectory(prefix=WORK, dir=folder_of(services.settings)) as work:
        spool, path = Path(work) / "entries", Path(work) / "index"
        async with services.database.transaction() as session:
            await link_entries(session, Path(work))
        lists = await current_lists(services.database)
        await write_entries(services.database, spool, progress=progress)
        entries, names = await build_file(spool, path)
        if _versions(await current_lists(services.database)) != _versions(lists):
            raise ListsChanged("a list changed during the build")
        built = _Built(entries, names, path)
        return await _publish(services, services.database, lists, built, on_publish)


async def write_entries(
    database: Database,
    path: Path,
    *,
    condition: ColumnElement[bool] | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Write the listed entries for `build_file`, only those of the condition; return how many."""
    after = count = 0
    # Entries that are not listed are read, too: see linking.ENTRIES.
    page = (
        select(WatchlistEntity.id, case((_IS_LISTED, _LINE)).label("line"))
        .where(true() if condition is None else condition)
        .order_by(WatchlistEntity.id)
        .limit(PAGE)
    )
    with path.open("wb") as file:
        while True:
            async with database.reading() as connection:
                rows = (await connection.execute(page.where(WatchlistEntity.id > after))).all()
            if not rows:
                return count
            lines = [row.line for row in rows if row.line is not None]
            await asyncio.to_thread(_write, file, lines)
            after, count = rows[-1].id, count + len(lines)
            if progress:
                progress(count)


def _write(file: BinaryIO, lines: Sequence[str]) -> None:
    file.write("".join(f"{line}\n" for line in lines).encode())


async def is_due(database: Database) -> bool:
    """Whether the lists changed since the newest index, or its file format is another one."""
    lists = await current_lists(database)
    async with database.reading() as connection:
        newest = (await connection.execute(select_newest())).one_or_none()
    if newest is None:
        return bool(lists)
    return newest.form != FORMAT_VERSION or _versions(newest.lists) != _versions(lists)


async def current_lists(database: Database) -> dict[str, Any]:
    """List id → version, name, publication and load date, number of entries, sandbox flag."""
    query = select(Watchlist).where(Watchlist.version > 0)
    async with database.transaction() as session:
        rows = (await session.scalars(query)).all()
    return {
        row.id: {
            "version": row.version,
            "name": row.name,
            "asOf": None if row.as_of is None else timestamp(row.as_of),
            "loadedAt": None if row.loaded_at is None else timestamp(row.loaded_at),
            "entries": row.entries,
            "sandbox": row.is_sandbox,
        }
        for row in rows
    }


def select_newest() -> Any:
    return (
        select(ScreeningIndexFile.version, ScreeningIndexFile.lists, ScreeningIndexFile.form)
        .order_by(ScreeningIndexFile.version.desc())
        .limit(1)
    )


def _versions(lists: dict[str, Any]) -> dict[str, int]:
    return {list_id: each["version"] for list_id, each in lists.items()}


async def _publish(
    services: FileStore,
    database: Database,
    lists: dict[str, Any],
    built: _Built,
    on_publish: OnPublish | None,
) -> Published | None:
    storage_key = f"aml/{ids.capability()}"
    encrypted = built.file.with_name("encrypted")
    data_key, digest = await asyncio.to_thread(_encrypt, built.file, encrypted, storage_key)
    await services.storage.put_file(storage_key, encrypted)
    async with database.transaction() as session:
        await session.execute(text(LOCK_PUBLISHING))
        newest = (await session.execute(select_newest())).one_or_none()
        if newest is None or _is_behind(newest, lists):
            version = int((await session.execute(text(NEXT_VERSION))).scalar_one())
            session.add(
                ScreeningIndexFile(
                    version=version,
                    lists=lists,
                    entries=built.entries,
                    names=built.names,
                    form=FORMAT_VERSION,
                    sha256=digest,
                    size=built.file.stat().st_size,
                    storage_key=storage_key,
                    data_key_sealed=ScreeningIndexFile.data_key.seal(
                        services.keys, version, data_key
                    ),
                )
            )
            if on_publish is not None:
                await on_publish(session, version)
            await session.flush()
            after_commit(session, ("PUBLISH", CHANNEL, str(version)))
            return Published(version, built.entries, built.names)
    await services.storage.delete(storage_key)
    return None


def _encrypt(plain: Path, encrypted: Path, context: str) -> tuple[bytes, bytes]:
    """Return the data key, and the SHA-256 of the plain file."""
    with plain.open("rb") as source, encrypted.open("xb") as target:
        key = encrypt_stream(source, target, context=context)
        source.seek(0)
        return key, hashlib.file_digest(source, "sha256").digest()


def _is_behind(newest: Any, lists: dict[str, Any]) -> bool:
    """Whether the newest index is older than `lists` or has another file format.

    An index with a newer version of any list is never replaced: another process published it.
    """
    there, here = _versions(newest.lists), _versions(lists)
    if any(version > here.get(list_id, 0) for list_id, version in there.items()):
        return False
    return there != here or newest.form != FORMAT_VERSION


async def delete_old(session: AsyncSession) -> list[str]:
    """Delete the rows of old indexes. Return the storage keys of their files."""
    kept = (
        select(ScreeningIndexFile.version)
        .order_by(ScreeningIndexFile.version.desc())
        .limit(KEPT_VERSIONS)
    )
    old = select(ScreeningIndexFile).where(ScreeningIndexFile.version.not_in(kept))
    rows = (await session.scalars(old)).all()
    for row in rows:
        await session.delete(row)
    return [row.storage_key for row in rows]
