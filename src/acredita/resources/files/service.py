"""Files at rest. Each file is encrypted with its own data key, which its row holds sealed."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import FileTooComplex, UnsupportedFileType, ValidationFailed
from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.documents.cost import estimated_seconds
from acredita.engines.documents.inspection import Inspection
from acredita.kit.crypto import decrypt_file, encrypt_file
from acredita.kit.storage import Storage, StorageUnavailable
from acredita.kit.upload_limits import UploadedFile
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
    "TOO_MANY_SCANS": "is a JPEG with too many scans",
    "TOO_MANY_FORMS": "is a PDF whose contents draw each other too often",
}
COMPLEX = {"TOO_COMPLEX", "TOO_MANY_SCANS", "TOO_MANY_FORMS"}


async def inspect(inspection: Inspection, caller: Caller, upload: UploadedFile) -> str:
    """Return the MIME type of the bytes of an uploaded image or PDF.

    Raise UnsupportedFileType, ValidationFailed, FileTooComplex, InspectionBusy, RateLimited.
    """
    try:
        inspection.refuse_exhausted(caller.address)
        # Costly files are refused before they take a place from others.
        estimate = await asyncio.to_thread(_estimated_seconds, upload)
        async with inspection.place(
            caller.organization_id, caller.address, estimate=estimate
        ) as place:
            content = await asyncio.to_thread(upload.read)
            return await inspection.check(content, place)
    except CannotOpen as fault:
        if fault.code == "UNSUPPORTED_FILE_TYPE":
            raise UnsupportedFileType from None
        kind = FileTooComplex if fault.code in COMPLEX else ValidationFailed
        raise kind(details=[f"body.{upload.role}: {FAULTS[fault.code]}"]) from None


def _estimated_seconds(upload: UploadedFile) -> float:
    with upload.mapped() as content:
        return estimated_seconds(content)


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
