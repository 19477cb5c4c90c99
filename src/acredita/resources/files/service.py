"""Files at rest. Each file is encrypted with its own data key, which its row holds sealed."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from acredita.domain.errors import UnsupportedFileType, ValidationFailed
from acredita.engines.documents.inspection import CannotOpen, Inspection
from acredita.kit.crypto import decrypt_file, encrypt_file
from acredita.kit.storage import Storage, StorageUnavailable
from acredita.kit.uploads import UploadedFile
from acredita.models import Document, Media, SignatureFile, TruthFile
from acredita.ports import FileStore

FileRow = Document | Media | SignatureFile | TruthFile

FAULTS = {
    "EMPTY_FILE": "is empty",
    "BROKEN_FILE": "cannot be decoded",
    "TOO_MANY_PIXELS": "has more than 50 megapixels",
    "ENCRYPTED_FILE": "is protected by a password",
    "TOO_MANY_PAGES": "has too many pages",
    "TOO_COMPLEX": "takes too much time or memory to decode",
}


async def inspect(inspection: Inspection, upload: UploadedFile) -> str:
    """Return the MIME type of the bytes of an uploaded image or PDF.

    Raise UnsupportedFileType, ValidationFailed, InspectionBusy.
    """
    async with inspection.place():
        content = await asyncio.to_thread(upload.read)
        try:
            return await inspection.check(content)
        except CannotOpen as fault:
            if fault.code == "UNSUPPORTED_FILE_TYPE":
                raise UnsupportedFileType from None
            detail = f"body.{upload.role}: {FAULTS[fault.code]}"
            raise ValidationFailed(details=[detail]) from None


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


async def withdraw(storage: Storage, rows: Iterable[FileRow]) -> None:
    """Delete files whose rows were not added. A remaining file is unreadable: its key is gone."""
    for row in rows:
        with suppress(StorageUnavailable):
            await storage.delete(row.storage_key)
