"""The storage over TLS with SeaweedFS, an S3 server that people run in production."""

import json
import shutil
import subprocess
import time

import boto3
import pytest
from botocore.exceptions import BotoCoreError, ClientError

from acredita.embedded.ports import free_port
from acredita.kit.storage import NoSuchFile, S3Address, StorageUnavailable, open_storage
from tests.factories.object_storage import ACCESS
from tests.factories.receiver import make_authority

WEED = shutil.which("weed")
START_SECONDS = 60
PORTS = ("master.port", "volume.port", "filer.port", "s3.port")
pytestmark = pytest.mark.skipif(WEED is None, reason="SeaweedFS is not installed")


def options(folder, authority, s3_port):
    issued = authority.ca.issue_cert("localhost")
    issued.private_key_pem.write_to_path(str(folder / "key.pem"))
    issued.cert_chain_pems[0].write_to_path(str(folder / "cert.pem"))
    keys = {"accessKey": ACCESS["access_key_id"], "secretKey": ACCESS["secret_access_key"]}
    actions = ["Admin", "Read", "Write", "List", "Tagging"]
    identity = {"name": "acredita", "credentials": [keys], "actions": actions}
    (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
    (folder / "data").mkdir()
    ports = {name: s3_port if name == "s3.port" else free_port() for name in PORTS}
    grpc = {f"{name}.grpc": free_port() for name in PORTS}
    return (
        ports
        | grpc
        | {
            "dir": folder / "data",
            "ip": "127.0.0.1",
            "ip.bind": "127.0.0.1",
            "master.volumeSizeLimitMB": 64,
            "s3": "true",
            "s3.config": folder / "s3.json",
            "s3.cert.file": folder / "cert.pem",
            "s3.key.file": folder / "key.pem",
        }
    )


def create_bucket(endpoint, authority, process):
    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=ACCESS["access_key_id"],
        aws_secret_access_key=ACCESS["secret_access_key"],
        verify=str(authority.ca_file),
    )
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            client.create_bucket(Bucket="files")
        except (BotoCoreError, ClientError):
            # It starts.
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


@pytest.fixture
def bucket(tmp_path):
    """(The address of a bucket, the authority of its server)."""
    authority, port = make_authority(tmp_path), free_port()
    endpoint = f"https://localhost:{port}"
    given = [f"-{name}={value}" for name, value in options(tmp_path, authority, port).items()]
    with (tmp_path / "log").open("w") as log:
        command = [WEED, "server", *given]
        process = subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path)
        try:
            create_bucket(endpoint, authority, process)
            yield f"s3://files/production?endpoint={endpoint}&region=us-east-1", authority
        finally:
            # Nothing of it is needed again.
            process.kill()
            process.wait()


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
