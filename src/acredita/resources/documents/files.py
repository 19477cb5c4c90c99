"""A document's file at rest: encrypted with a key of its own, which its row holds sealed."""

import asyncio
from datetime import datetime
from uuid import UUID

from acredita.kit.crypto import decrypt_file, encrypt_file
from acredita.models import Document
from acredita.services import Services


def storage_key(organization_id: UUID, document_id: UUID, moment: datetime) -> str:
    return f"{organization_id}/{moment:%Y-%m}/{document_id}"


async def store(services: Services, document: Document, content: bytes) -> None:
    """Encrypt and store the content; set the row's sealed key. Raise StorageUnavailable."""
    key, encrypted = await asyncio.to_thread(
        encrypt_file, content, context=document_context(document.id)
    )
    document.data_key_sealed = services.keys.seal(key, context=document_context(document.id))
    await services.storage.put(document.storage_key, encrypted)


async def fetch(services: Services, document: Document) -> bytes:
    """The content as it was uploaded.

    Raise NoSuchFile (purged), StorageUnavailable, CannotUnseal (changed, or its key is lost).
    """
    context = document_context(document.id)
    encrypted = await services.storage.get(document.storage_key)
    key = services.keys.unseal(document.data_key_sealed, context=context)
    return await asyncio.to_thread(decrypt_file, key, encrypted, context=context)


def document_context(document_id: UUID) -> str:
    return f"document:{document_id}"
