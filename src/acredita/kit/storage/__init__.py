"""File storage: whole files under keys that the service generates.

Callers encrypt content before they store it. A storage must be durable; it need not be secret.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.storage.folder import LocalFolder
from acredita.kit.storage.protocol import NoSuchFile, Storage, StorageUnavailable, StoredFile
from acredita.kit.storage.s3_address import S3Address
from acredita.kit.trust import trusting


@asynccontextmanager
async def open_storage(
    place: Path | S3Address,
    *,
    access_key_id: str = "",
    secret_access_key: str = "",
    ca_file: Path | None = None,
) -> AsyncIterator[Storage]:
    """Open the storage at `place`. Without an access key, S3 uses AWS environment credentials.

    S3 trusts the system's certificate authorities and those of `ca_file` (PEM). Raise ValueError if
    there are no credentials, OSError or ssl.SSLError if `ca_file` cannot be read.
    """
    if isinstance(place, Path):
        yield LocalFolder(place)
        return
    # Imported here: botocore costs memory and start-up time, and most installations use a folder.
    from acredita.kit.storage.s3 import S3Bucket, find_credentials  # noqa: PLC0415

    credentials = await find_credentials(access_key_id, secret_access_key)
    async with S3Bucket(place, credentials, trusting(ca_file)) as bucket:
        yield bucket
