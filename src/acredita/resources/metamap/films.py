"""A film of the person's face (`selfie-video`) becomes the frames of a liveness check.

The film itself is not kept. Nothing asked the person to do anything, so it proves liveness only by
a passive model, if the operator has one and the workflow's LIVENESS step has `mode: passive`.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import ServiceUnavailable, UnsupportedFileType, ValidationFailed
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.documents.inspection import Inspection, InspectionBusy
from acredita.kit.storage import StorageUnavailable
from acredita.kit.upload_limits import UploadedFile
from acredita.ports import Intake
from acredita.resources.documents import service as documents
from acredita.resources.files import service as files
from acredita.resources.images import media
from acredita.resources.metamap import queries

JPEG = "image/jpeg"


async def take_frames(inspection: Inspection, caller: Caller, film: UploadedFile) -> list[bytes]:
    """Return frames of the film as JPEG, in order.

    Raise UnsupportedFileType, ValidationFailed, InspectionBusy, RateLimited.
    """
    inspection.refuse_exhausted(caller.address)
    try:
        async with inspection.place(caller.organization_id, caller.address) as charge:
            return await inspection.frames(await asyncio.to_thread(film.read), charge)
    except CannotOpen as fault:
        if fault.code == "UNSUPPORTED_FILE_TYPE":
            raise UnsupportedFileType from None
        raise ValidationFailed(details=[f"body.video: {files.FAULTS[fault.code]}"]) from None


async def store_frames(
    services: Intake,
    caller: Caller,
    verification_id: UUID,
    film: UploadedFile,
    frames: Sequence[bytes],
) -> None:
    """Store the frames, all or none, and start the steps that have all their files.

    The middle frame is the selfie if the verification has none. Raise NotFound,
    VerificationClosed, ServiceUnavailable.
    """
    roles = [DocumentRole.LIVENESS]
    if not await queries.has_selfie(services.reads, caller, verification_id):
        roles.append(DocumentRole.SELFIE)
    rows = [
        documents.new_row(services.clock, caller, verification_id, role, film, JPEG)
        for role in roles
    ]
    pictures = media.describe_frames(services.clock, rows[0], len(frames))
    middle = frames[len(frames) // 2]
    try:
        for row in rows:
            await files.store(services, row, middle)
        for picture, content in zip(pictures, frames, strict=True):
            await files.store(services, picture, content)
        async with services.database.transaction() as session:
            await documents.record(session, services.keys, caller, verification_id, rows, pictures)
    except BaseException as fault:
        await asyncio.shield(
            documents.withdraw(
                services.database, services.storage, caller, verification_id, rows, pictures
            )
        )
        if isinstance(fault, StorageUnavailable | InspectionBusy):
            raise ServiceUnavailable from None
        raise
