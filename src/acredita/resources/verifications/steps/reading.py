"""Read the pages of uploaded files and store the readings.

Each file is read once, and the readings are stored sealed with the document. A front that waits for
its back is not read again when the back arrives.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.documents import Box, PageKind, PageReading, Quality
from acredita.domain.documents.licence_templates import LicenceTemplate
from acredita.domain.reasons import DocumentReason
from acredita.domain.subject import UploadedPage
from acredita.domain.verification import DocumentRole
from acredita.engines.documents import Undecodable
from acredita.engines.documents.process import read_pages
from acredita.engines.face.process import read_portrait
from acredita.jobs import JobContext
from acredita.kit.crypto import KeyRing
from acredita.kit.processes import ProcessDied, ProcessPool, TaskTimedOut
from acredita.models import Document, Media, Verification
from acredita.ports import DocumentReading
from acredita.resources.files import service as files
from acredita.resources.ground_truth import templates as licence_templates
from acredita.resources.images import media
from acredita.resources.training import items as training_items
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from acredita.resources.verifications.steps.running import RunningStep

READ_ROLES = (DocumentRole.FRONT, DocumentRole.BACK, DocumentRole.PASSPORT)
# Seconds. A page takes about one second; a PDF may have several pages.
READING_TIMEOUT = 60.0
COMPARISON_TIMEOUT = 30.0
# A front and its back. More would keep the processes from other organizations' jobs.
FILES_AT_ONCE = 2
KINDS_WITH_PORTRAIT = (PageKind.INE_FRONT, PageKind.PASSPORT, PageKind.DRIVER_LICENCE)
UNREADABLE = PageReading(
    PageKind.UNKNOWN, Quality(0, 0, 0.0, 0.0, 0.0, 0.0), code=DocumentReason.DOCUMENT_UNREADABLE
)


@dataclass(frozen=True, slots=True)
class FreshReadings:
    """New readings, not yet in the database, and the flattened pages, stored but without rows."""

    by_document: Mapping[UUID, Sequence[PageReading]]
    pictures: Sequence[Media]


def files_to_read(found: Mapping[DocumentRole, Sequence[Document]]) -> list[Document]:
    """Return the files in document roles, ordered by role and upload."""
    return [document for role in READ_ROLES for document in found.get(role, ())]


async def read_and_finish(
    context: JobContext,
    step_id: UUID,
    files_of: Callable[[RunningStep], Sequence[Document]],
    finish: Callable[[AsyncSession, RunningStep, FreshReadings], Awaitable[None]],
) -> None:
    """Read a step's files, and call `finish` in the job's final transaction, unless the step has
    ended.
    """
    services = context.services
    async with services.database.transaction() as session:
        found = await running.load(session, step_id)
    if found is None:
        return
    fresh = await read_files(services, found.verification.organization_id, files_of(found))
    current = None
    try:
        async with context.finish() as session:
            current = await running.load(session, step_id, lock=True)
            if current is not None:
                await finish(session, current, fresh)
    finally:
        # Otherwise the transaction may have committed the pictures' rows.
        if current is None:
            await files.withdraw(services.storage, fresh.pictures)


async def queue_for_labels(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    documents: Sequence[Document],
    outcome: StepOutcome,
) -> None:
    """Add the judged documents to the queue of labels, in the transaction that judges them."""
    await training_items.add_to_queue(
        session,
        verification,
        {document.id: page_readings(keys, document) for document in documents},
        evidence=outcome.evidence,
        judged_by=outcome.judged_by,
    )


async def read_files(
    services: DocumentReading, organization_id: UUID, documents: Sequence[Document]
) -> FreshReadings:
    """Read the files that have no readings. If it raises StorageUnavailable, it stores nothing."""
    unread = [document for document in documents if document.reading_sealed is None]
    if not unread:
        return FreshReadings({}, ())
    async with services.database.transaction() as session:
        own = await licence_templates.of_organization(session, organization_id)
    fresh = await _read_all(services, unread, own)
    return FreshReadings(
        fresh, await media.store_pages(services, services.clock, organization_id, fresh)
    )


async def read_again(
    services: DocumentReading, organization_id: UUID, documents: Sequence[Document]
) -> FreshReadings:
    """Read files whether or not they have readings. Store nothing."""
    async with services.database.transaction() as session:
        own = await licence_templates.of_organization(session, organization_id)
    return FreshReadings(await _read_all(services, documents, own), ())


async def _read_all(
    services: DocumentReading, documents: Sequence[Document], own: Sequence[LicenceTemplate]
) -> dict[UUID, list[PageReading]]:
    """Read the files, FILES_AT_ONCE at a time, each in an engine process of its own. The search for
    a file's portraits runs while the next file is read.
    """
    free = asyncio.Semaphore(FILES_AT_ONCE)

    async def read(document: Document) -> list[PageReading]:
        async with free:
            pages = await _read(services, document, own)
        return await _with_portraits(services.faces, pages)

    readings = {document.id: asyncio.create_task(read(document)) for document in documents}
    try:
        return {document_id: await task for document_id, task in readings.items()}
    finally:
        for task in readings.values():
            task.cancel()
        await asyncio.gather(*readings.values(), return_exceptions=True)


async def _read(
    services: DocumentReading, document: Document, own: Sequence[LicenceTemplate]
) -> list[PageReading]:
    """Return the engine's readings. A file on which the engine fails counts as unreadable."""
    content = await files.fetch(services, document)
    role = DocumentRole(document.type)
    try:
        return await services.readers.run(
            read_pages, content, document.mime_type, own, role, timeout=READING_TIMEOUT
        )
    except (Undecodable, TaskTimedOut, ProcessDied):
        return [UNREADABLE]


async def _with_portraits(faces: ProcessPool, pages: Sequence[PageReading]) -> list[PageReading]:
    return [await _with_portrait(faces, page) for page in pages]


async def _with_portrait(faces: ProcessPool, page: PageReading) -> PageReading:
    """Return the page with its portrait and the signals of the small second portrait."""
    fields = _box_of_fields(page)
    if page.kind not in KINDS_WITH_PORTRAIT or not page.picture or fields is None:
        return page
    try:
        portrait, signals = await faces.run(
            read_portrait, page.picture, page.kind, fields, timeout=COMPARISON_TIMEOUT
        )
    except (TaskTimedOut, ProcessDied):
        return page
    return replace(page, portrait=portrait, signals=(*page.signals, *signals))


def _box_of_fields(page: PageReading) -> Box | None:
    """Return the box around all printed fields of a page."""
    boxes = [sighting.box for sighting in page.sightings if sighting.box is not None]
    if not boxes:
        return None
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


async def store_readings(
    session: AsyncSession, keys: KeyRing, documents: Sequence[Document], fresh: FreshReadings
) -> None:
    """Store the readings in the transaction that uses them."""
    session.add_all(fresh.pictures)
    for document in documents:
        if document.id in fresh.by_document and document.reading_sealed is None:
            # The images are stored as files.
            reading = [replace(page, picture=b"") for page in fresh.by_document[document.id]]
            document.reading.seal(keys, reading)
    await session.flush()


def are_all_read(documents: Sequence[Document]) -> bool:
    """Whether all files have readings: False if a file was uploaded during the reading."""
    return all(document.reading_sealed is not None for document in documents)


def uploaded_pages(
    keys: KeyRing, documents: Sequence[Document], fresh: FreshReadings | None = None
) -> list[UploadedPage]:
    """Return the pages of files, with fresh or stored readings."""
    just_read = {} if fresh is None else fresh.by_document
    return [
        UploadedPage(document.id, DocumentRole(document.type), number, page)
        for document in documents
        for number, page in enumerate(
            just_read[document.id] if document.id in just_read else page_readings(keys, document)
        )
    ]


def page_readings(keys: KeyRing, document: Document) -> list[PageReading]:
    """Return the stored readings of a file."""
    return Document.reading.open(keys, document.id, document.reading_sealed or b"")
