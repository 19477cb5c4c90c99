"""The storage over TLS with SeaweedFS, an S3 server that people run in production."""

import pytest

from acredita.kit.storage import NoSuchFile, S3Address, StorageUnavailable, open_storage
from tests.factories.object_storage import ACCESS
from tests.factories.receiver import make_authority
from tests.factories.seaweedfs import WEED, seaweedfs

pytestmark = pytest.mark.skipif(WEED is None, reason="SeaweedFS is not installed")


@pytest.fixture
def bucket(tmp_path):
    """(The address of a bucket, the authority of its server)."""
    authority = make_authority(tmp_path)
    with seaweedfs(authority, tmp_path) as server:
        yield server.url(server.new_bucket(), "production"), authority


async def test_files_are_stored_listed_read_and_deleted_on_a_real_server(bucket):
    url, authority = bucket
    address = S3Address.from_url(url)
    content = bytes(range(256)) * 20_000
    async with open_storage(address, **ACCESS, ca_file=authority.ca_file) as storage:
        for number in range(5):
            await storage.put(f"org/file-{number}", content)
        assert await storage.get("org/file-3") == content
        assert await storage.exists("org/file-4")
        await storage.delete("org/file-4")
        await storage.delete("org/file-4")
        assert not await storage.exists("org/file-4")
        with pytest.raises(NoSuchFile):
            await storage.get("org/file-4")
        first = await storage.list("org", limit=2)
        assert [file.key for file in first.files] == ["org/file-0", "org/file-1"]
        rest = await storage.list("org", after=first.after, limit=2)
        assert [file.size for file in rest.files] == [len(content)] * 2
    wrong = ACCESS | {"secret_access_key": "wrong"}
    async with open_storage(address, **wrong, ca_file=authority.ca_file) as storage:
        with pytest.raises(StorageUnavailable, match="SignatureDoesNotMatch"):
            await storage.put("org/other", b"content")
    async with open_storage(address, **ACCESS) as storage:
        with pytest.raises(StorageUnavailable, match="certificate is not trusted"):
            await storage.put("org/other", b"content")
