"""Files at rest: whole contents under keys that the service makes.

What is stored is encrypted before it comes here; a storage needs to be durable, not secret.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from acredita.kit.storage.folder import LocalFolder
from acredita.kit.storage.protocol import (
    Listing,
    NoSuchFile,
    Storage,
    StorageUnavailable,
    StoredFile,
)
from acredita.kit.storage.s3_address import S3Address

__all__ = [
    "Listing",
    "LocalFolder",
    "NoSuchFile",
    "S3Address",
    "Storage",
    "StorageUnavailable",
    "StoredFile",
    "open_storage",
]


@asynccontextmanager
async def open_storage(
    place: Path | S3Address, *, access_key_id: str = "", secret_access_key: str = ""
) -> AsyncIterator[Storage]:
    """The storage at that place. Without keys of ours, S3 uses those of the AWS environment.

    Raise ValueError if there are none.
    """
    if isinstance(place, Path):
        yield LocalFolder(place)
        return
    # Imported here: botocore costs memory and time, and most installations keep files locally.
    from acredita.kit.storage.s3 import S3Bucket, find_credentials  # noqa: PLC0415

    credentials = await find_credentials(access_key_id, secret_access_key)
    async with S3Bucket(place, credentials) as bucket:
        yield bucket
