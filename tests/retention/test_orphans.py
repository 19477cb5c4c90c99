"""Files that no row knows go after a day; files with a row never do."""

from uuid import uuid4

import pytest
from sqlalchemy import select

from acredita.kit.storage import S3Address, open_storage
from acredita.models import Document
from acredita.resources.files import service as files
from acredita.resources.retention import orphans
from tests.factories.object_storage import ACCESS, object_storage
from tests.retention.conftest import finished_verification


@pytest.fixture(params=["folder", "bucket"])
async def storage(request, tmp_path):
    if request.param == "folder":
        async with open_storage(tmp_path / "swept") as opened:
            yield opened
        return
    with object_storage() as server:
        address = S3Address.from_url(server.url(server.new_bucket()))
        async with open_storage(address, **ACCESS) as opened:
            yield opened


async def all_keys(storage):
    return {file.key for file in (await storage.list()).files}


async def known_keys(banco, services, storage):
    """Keys that have rows, with files in the storage."""
    await finished_verification(banco, services)
    keys = {file.key for file in (await services.storage.list()).files}
    assert len(keys) == 2
    for key in keys:
        await storage.put(key, b"content")
    return keys


async def test_a_file_without_a_row_goes_after_a_day(banco, services, days, storage, monkeypatch):
    known = await known_keys(banco, services, storage)
    orphan = files.storage_key(banco.organization_id, uuid4(), services.clock.now())
    await storage.put(orphan, b"nobody's")
    await days.sweep(0.9, storage=storage)
    assert await all_keys(storage) == known | {orphan}
    await days.sweep(1.1, storage=storage)
    assert await all_keys(storage) == known
    async with services.database.transaction() as session:
        assert set(await session.scalars(select(Document.storage_key))) < known


async def test_what_is_not_ours_stays(banco, services, days, storage):
    month = f"{services.clock.now():%Y-%m}"
    others = {
        f"{uuid4()}/{month}/{uuid4()}",  # of an organization of another database
        f"{banco.organization_id}/report",
        f"{banco.organization_id}/{month}/report",
        "backups/2026/one",
    }
    for key in others:
        await storage.put(key, b"somebody's")
    await days.sweep(400, storage=storage)
    assert await all_keys(storage) == others


async def test_many_files_are_swept_page_by_page(banco, services, days, storage):
    for _ in range(5):
        key = files.storage_key(banco.organization_id, uuid4(), services.clock.now())
        await storage.put(key, b"nobody's")

    class InSmallPages:
        delete = storage.delete

        async def list(self, prefix="", *, after="", limit=1000):
            return await storage.list(prefix, after=after, limit=2)

    await days.sweep(2, storage=InSmallPages())
    assert await all_keys(storage) == set()
    assert orphans.YOUNGEST.days == 1
