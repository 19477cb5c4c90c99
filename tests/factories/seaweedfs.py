"""SeaweedFS, an S3 server that people run in production, on loopback over TLS."""

import json
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from botocore.exceptions import BotoCoreError, ClientError

from acredita.embedded.ports import free_port
from tests.factories.object_storage import ACCESS, ObjectStorage
from tests.factories.receiver import Authority

# `make deploy-check` and `make thorough` fetch it.
WEED = shutil.which("weed")
START_SECONDS = 60
PORTS = ("master.port", "volume.port", "filer.port", "s3.port")


@contextmanager
def seaweedfs(authority: Authority, folder: Path) -> Iterator[ObjectStorage]:
    """Run the server with its data below `folder`; it takes buckets when this yields."""
    assert WEED is not None
    port = free_port()
    given = [f"-{name}={value}" for name, value in _options(folder, authority, port).items()]
    with (folder / "seaweedfs.log").open("w") as log:
        process = subprocess.Popen([WEED, "server", *given], stdout=log, stderr=log, cwd=folder)
        try:
            storage = ObjectStorage(f"https://localhost:{port}", authority)
            _wait(storage, process)
            yield storage
        finally:
            # Nothing of it is needed again.
            process.kill()
            process.wait()


def _options(folder: Path, authority: Authority, s3_port: int) -> dict[str, object]:
    issued = authority.ca.issue_cert("localhost")
    issued.private_key_pem.write_to_path(str(folder / "weed-key.pem"))
    issued.cert_chain_pems[0].write_to_path(str(folder / "weed-cert.pem"))
    keys = {"accessKey": ACCESS["access_key_id"], "secretKey": ACCESS["secret_access_key"]}
    actions = ["Admin", "Read", "Write", "List", "Tagging"]
    identity = {"name": "acredita", "credentials": [keys], "actions": actions}
    (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
    (folder / "weed").mkdir()
    return {
        **{name: s3_port if name == "s3.port" else free_port() for name in PORTS},
        **{f"{name}.grpc": free_port() for name in PORTS},
        "dir": folder / "weed",
        "ip": "127.0.0.1",
        "ip.bind": "127.0.0.1",
        "master.volumeSizeLimitMB": 64,
        # A bucket takes several; the default is enough for one.
        "volume.max": 100,
        "s3": "true",
        # Off: their ports are fixed, and another SeaweedFS may listen there.
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        "s3.config": folder / "s3.json",
        "s3.cert.file": folder / "weed-cert.pem",
        "s3.key.file": folder / "weed-key.pem",
    }


def _wait(storage: ObjectStorage, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            storage.new_bucket()
        except (BotoCoreError, ClientError):
            # It starts.
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return
