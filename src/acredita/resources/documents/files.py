"""Files at rest. Each file is encrypted with its own data key, which its row holds sealed."""

import asyncio
from datetime import datetime
from uuid import UUID

from acredita.kit.crypto import decrypt_file, encrypt_file
from acredita.models import Document, Media, SignatureFile, TruthFile
from acredita.ports import FileStore

FileRow = Document | Media | SignatureFile | TruthFile


def storage_key(organization_id: UUID, file_id: UUID, moment: datetime) -> str:
    return f"{organization_id}/{moment:%Y-%m}/{file_id}"


async def store(services: FileStore, row: FileRow, content: bytes) -> None:
    """Encrypt and store the content; set the row's sealed key. Raise StorageUnavailable."""
    context = row.data_key.context
    key, encrypted = await asyncio.to_thread(encrypt_file, content, context=context)
    row.data_key.seal(services.keys, key)
    await services.storage.put(row.storage_key, encrypted)


async def fetch(services: FileStore, row: FileRow) -> bytes:
    """Return the decrypted content.

    Raise NoSuchFile (purged), StorageUnavailable, CannotUnseal (altered, or its key is lost).
    """
    encrypted = await services.storage.get(row.storage_key)
    key = row.data_key.open(services.keys)
    return await asyncio.to_thread(decrypt_file, key, encrypted, context=row.data_key.context)
