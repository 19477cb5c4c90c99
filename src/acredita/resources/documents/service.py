"""Stores uploaded documents."""

import asyncio
from collections.abc import Mapping, Sequence
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import (
    NotFound,
    ServiceUnavailable,
    VerificationClosed,
)
from acredita.domain.verification import OPEN, CaptureSource
from acredita.engines.documents.inspection import InspectionBusy
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Database
from acredita.kit.logging import describe
from acredita.kit.storage import Storage, StorageUnavailable
from acredita.kit.upload_limits import UploadedFile
from acredita.models import Document, Media
from acredita.ports import Intake
from acredita.resources.audit import service as audit
from acredita.resources.documents import queries
from acredita.resources.files import service as files
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.queries import current_time, lock_owned

log = structlog.get_logger()


async def ensure_open(services: Intake, caller: Caller, verification_id: UUID) -> None:
    """Raise NotFound, VerificationClosed, QueueFull. An early check, before the body.

    `record` repeats the first two.
    """
    async with services.database.reading() as connection:
        status = await queries.verification_status(connection, caller, verification_id)
    if status not in OPEN:
        raise VerificationClosed
    await ensure_room(services, caller)


async def ensure_room(services: Intake, caller: Caller) -> None:
    """Raise QueueFull if too many jobs of the organization wait for the engines."""
    reads, settings, organization_id = services.reads, services.settings, caller.organization_id
    await jobs.require_room(
        reads, organization_id, lane=jobs.Lane.SERVER, most=settings.engine_queue
    )
    if caller.kind is CallerKind.HOLDER:
        most = settings.engine_queue_of_browsers
        await jobs.require_room(reads, organization_id, lane=jobs.Lane.BROWSER, most=most)


async def add(
    services: Intake,
    caller: Caller,
    verification_id: UUID,
    uploads: list[UploadedFile],
    sources: Mapping[str, CaptureSource] | None = None,
) -> list[Document]:
    """Store the files, all or none, and start the steps that have all their files.

    `sources`: where a browser says that the files of each role come from.
    Raise UnsupportedFileType, ValidationFailed, VerificationClosed, NotFound, ServiceUnavailable.
    """
    try:
        inspected = [
            (upload.role, upload, await files.inspect(services.inspection, caller, upload))
            for upload in uploads
        ]
    except InspectionBusy:
        raise ServiceUnavailable from None
    return await add_inspected(services, caller, verification_id, inspected, sources)


async def add_inspected(
    services: Intake,
    caller: Caller,
    verification_id: UUID,
    inspected: Sequence[tuple[str, UploadedFile, str]],
    sources: Mapping[str, CaptureSource] | None = None,
    made: Sequence[tuple[Document, bytes]] = (),
    pictures: Sequence[tuple[Media, bytes]] = (),
) -> list[Document]:
    """`add` for inspected files, each as (role, file, MIME type of its bytes).

    `made`: rows with contents that the service made, and `pictures` of the first of them. All are
    stored, or none. Raise VerificationClosed, NotFound, ServiceUnavailable.
    """
    documents: list[Document] = []
    rows_of_pictures = [row for row, _ in pictures]
    try:
        for role, upload, mime_type in inspected:
            document = new_row(services.clock, caller, verification_id, role, upload, mime_type)
            document.position = len(documents)
            document.source = (sources or {}).get(role)
            documents.append(document)
            async with services.inspection.place(
                caller.organization_id, caller.address, is_decoded=False
            ):
                content = await asyncio.to_thread(upload.read)
                await files.store(services, document, content)
        for document, content in made:
            document.position = len(documents)
            documents.append(document)
            await files.store(services, document, content)
        for picture, content in pictures:
            await files.store(services, picture, content)
        async with services.database.transaction() as session:
            await record(
                session, services.keys, caller, verification_id, documents, rows_of_pictures
            )
    except BaseException as fault:
        await asyncio.shield(
            withdraw(
                services.database,
                services.storage,
                caller,
                verification_id,
                documents,
                rows_of_pictures,
            )
        )
        if isinstance(fault, StorageUnavailable | InspectionBusy):
            raise ServiceUnavailable from fault
        raise
    return documents


def new_row(
    clock: Clock,
    caller: Caller,
    verification_id: UUID,
    role: str,
    upload: UploadedFile,
    mime_type: str,
) -> Document:
    """Return the row of an upload that is not stored yet."""
    document_id = ids.capability()
    return Document(
        id=document_id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        type=role,
        mime_type=mime_type,
        file_size=upload.size,
        sha256=upload.sha256,
        storage_key=files.storage_key(caller.organization_id, document_id, clock.now()),
    )


async def record(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    documents: list[Document],
    pictures: Sequence[Media] = (),
) -> None:
    """Add the rows of stored files, and let the verification continue with them.

    Raise NotFound, VerificationClosed.
    """
    verification = await lock_owned(session, caller, verification_id)
    if not pipeline.is_open(verification):
        raise VerificationClosed
    moment = await current_time(session)
    for document in documents:
        document.created_at = moment
    session.add_all(documents)
    await session.flush()
    session.add_all(pictures)
    audit.record(
        session,
        caller,
        Action.DOCUMENTS_UPLOADED,
        verification_id,
        documents=[document.id for document in documents],
        roles=[document.type for document in documents],
    )
    await pipeline.handle_new_inputs(session, keys, verification)


async def withdraw(
    database: Database,
    storage: Storage,
    caller: Caller,
    verification_id: UUID,
    documents: Sequence[Document],
    pictures: Sequence[Media] = (),
) -> None:
    """Delete the files of a failed transaction, with those of `pictures`.

    A commit without a response may have succeeded: the lock waits for it, and files with rows stay.
    If the database is unreachable, files without a row stay; their keys no longer exist.
    """
    stored = [document.storage_key for document in documents]
    try:
        async with database.transaction() as session:
            await lock_owned(session, caller, verification_id)
            known = await queries.known_files(session, verification_id, stored)
    except NotFound:
        known = set()
    except Exception as fault:
        log.warning("files without rows are left", count=len(stored), error=describe(fault))
        return
    if not known:
        stored += [picture.storage_key for picture in pictures]
    for key in stored:
        if key not in known:
            try:
                await storage.delete(key)
            except StorageUnavailable as fault:
                log.warning("a file without a row may be left", error=f"{fault}")
