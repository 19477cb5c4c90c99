"""What every storage does alike: a folder, and a bucket of a real S3 server."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from acredita.kit.storage import NoSuchFile, S3Address, open_storage
from tests.factories.object_storage import ACCESS, object_storage


@pytest.fixture(scope="module")
def s3():
    with object_storage() as server:
        yield server


@pytest.fixture(params=["folder", "bucket", "bucket with prefix"])
async def storage(request, tmp_path):
    if request.param == "folder":
        async with open_storage(tmp_path / "files") as opened:
            yield opened
        return
    server = request.getfixturevalue("s3")
    prefix = "here/and.there" if "prefix" in request.param else ""
    address = S3Address.from_url(server.url(server.new_bucket(), prefix))
    async with open_storage(address, **ACCESS) as opened:
        yield opened


@pytest.mark.parametrize("content", [b"", b"\x00content\xff", bytes(range(256)) * 40_000])
async def test_what_was_put_is_got_back(storage, content):
    await storage.put("org/2026-11/one", content)
    assert await storage.get("org/2026-11/one") == content
    assert await storage.exists("org/2026-11/one")


@pytest.mark.parametrize("content", [b"", bytes(range(256)) * 40_000])
async def test_files_are_stored_and_fetched_as_their_contents_are(storage, content, tmp_path):
    sent, kept = tmp_path / "sent", tmp_path / "kept"
    sent.write_bytes(content)
    kept.write_bytes(b"of a former attempt")
    await storage.put_file("org/file", sent)
    await storage.put("org/content", content)
    assert await storage.get("org/file") == content
    await storage.get_file("org/content", kept)
    assert kept.read_bytes() == content
    with pytest.raises(NoSuchFile):
        await storage.get_file("org/none", kept)


async def test_a_deleted_file_is_gone_and_deleting_again_is_no_fault(storage):
    await storage.put("org/one", b"content")
    await storage.put("org/two", b"stays")
    await storage.delete("org/one")
    await storage.delete("org/one")
    await storage.delete("never/was")
    assert not await storage.exists("org/one")
    with pytest.raises(NoSuchFile):
        await storage.get("org/one")
    assert await storage.get("org/two") == b"stays"


async def test_a_part_of_a_key_is_no_file(storage):
    await storage.put("org/one", b"content")
    assert not await storage.exists("org")
    with pytest.raises(NoSuchFile):
        await storage.get("org")


@pytest.mark.parametrize(
    "key", ["", "/one", "one/", "a//b", "../up", "a/../b", "a/.b", "A/b", "a b", "a\n", "a?b", "ñ"]
)
async def test_a_key_of_another_form_is_refused(storage, key):
    with pytest.raises(ValueError, match="storage key"):
        await storage.put(key, b"content")
    for method in (storage.get, storage.delete, storage.exists):
        with pytest.raises(ValueError, match="storage key"):
            await method(key)
    assert (await storage.list()).files == []


# A folder cannot hold a file `a` beside a folder `a`: no key goes on where another ends.
KEYS = ["a-b/deep/down", "a-c", "a/a", "a/b-c", "a/b/1", "a/b/2", "a/b0", "a0", "a_/x", "b"]


async def everything(storage, prefix="", limit=1000):
    keys, after = [], ""
    while after is not None:
        page = await storage.list(prefix, after=after, limit=limit)
        assert len(page.files) <= limit
        keys += [file.key for file in page.files]
        after = page.after
    return keys


async def test_files_are_listed_in_the_order_of_their_keys_page_by_page(storage):
    for key in reversed(KEYS):
        await storage.put(key, key.encode())
    for limit in (1, 2, 3, 1000):
        assert await everything(storage, limit=limit) == sorted(KEYS)
    for after in (*KEYS, "a/b/", "a/b/1x", "a-", "zz", "0"):
        listed = [file.key for file in (await storage.list(after=after)).files]
        assert listed == [key for key in sorted(KEYS) if key > after], after


async def test_a_listing_keeps_below_its_prefix(storage):
    for key in KEYS:
        await storage.put(key, b"content")
    assert await everything(storage, "a", limit=2) == ["a/a", "a/b-c", "a/b/1", "a/b/2", "a/b0"]
    assert await everything(storage, "a/b") == ["a/b/1", "a/b/2"]
    assert await everything(storage, "nothing") == []
    with pytest.raises(ValueError, match="storage key"):
        await storage.list("../")
    for limit in (0, 1001):
        with pytest.raises(ValueError, match="1 to 1000"):
            await storage.list(limit=limit)


async def test_a_listing_tells_size_and_age(storage):
    await storage.put("org/one", b"12345")
    ((file,), after) = ((page := await storage.list()).files, page.after)
    assert (file.key, file.size, after) == ("org/one", 5, None)
    assert abs(datetime.now(UTC) - file.modified) < timedelta(seconds=60)


async def test_many_at_once_do_not_disturb_each_other(storage):
    contents = {f"org/{n % 3}/file{n}": bytes([n]) * 1000 for n in range(40)}
    await asyncio.gather(*(storage.put(key, content) for key, content in contents.items()))
    got = await asyncio.gather(*(storage.get(key) for key in contents))
    assert dict(zip(contents, got, strict=True)) == contents
