"""Files without a row: left by a process that was killed between writing a file and its commit, or
by a failed deletion. Their keys no longer exist, so nobody can read them."""

import re
from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from acredita.kit.db import Database
from acredita.kit.storage import Storage, StoredFile
from acredita.models import Base, Organization

# No upload takes this long from its file to its row.
YOUNGEST = timedelta(days=1)
ID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# The form of documents.files.storage_key. Other files in a bucket belong to other software.
OURS = re.compile(rf"({ID})/\d{{4}}-\d{{2}}/{ID}")


async def sweep_some(
    database: Database, storage: Storage, after: str, now: datetime
) -> tuple[int, str | None]:
    """Delete the orphans of one page of the storage; return (how many, start of the next page).

    Raise StorageUnavailable.
    """
    page = await storage.list(after=after)
    old = [file for file in page.files if _is_old_and_ours(file, now)]
    orphans = await _without_row(database, {file.key for file in old}) if old else set()
    for key in sorted(orphans):
        await storage.delete(key)
    return len(orphans), page.after


def _is_old_and_ours(file: StoredFile, now: datetime) -> bool:
    return file.modified < now - YOUNGEST and OURS.fullmatch(file.key) is not None


async def _without_row(database: Database, keys: Collection[str]) -> set[str]:
    """Return the keys without a row. Skips files of unknown organizations: they may belong to
    another installation."""
    async with database.reading() as connection:
        known = await _organizations(connection, {UUID(key.partition("/")[0]) for key in keys})
        named = await _named(connection, keys)
    return {key for key in keys if UUID(key.partition("/")[0]) in known} - named


async def _organizations(connection: AsyncConnection, ids: Collection[UUID]) -> set[UUID]:
    return set(await connection.scalars(select(Organization.id).where(Organization.id.in_(ids))))


async def _named(connection: AsyncConnection, keys: Collection[str]) -> set[str]:
    """Return the keys with a row. Every table that has files has a column `storage_key`."""
    columns = [
        table.c.storage_key
        for table in Base.metadata.sorted_tables
        if "storage_key" in table.columns
    ]
    query = union_all(*(select(column).where(column.in_(keys)) for column in columns))
    return set(await connection.scalars(query))
