"""A film of the person's face (`selfie-video`) becomes the frames of a liveness check.

The film itself is not kept. Nothing asked the person to do anything, so it proves liveness only by
a passive model, if the operator has one and the workflow's LIVENESS step has `mode: passive`. With
`mode: voice` the person reads numbers aloud, but no speech is recognized.
"""

import asyncio
from collections.abc import Sequence
from uuid import UUID

from acredita.domain.caller import Caller
from acredita.domain.errors import UnsupportedFileType, ValidationFailed
from acredita.domain.verification import DocumentRole
from acredita.engines.documents.accepted_types import CannotOpen
from acredita.engines.documents.inspection import Inspection
from acredita.kit.upload_limits import UploadedFile
from acredita.models import Document, Media
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
        async with inspection.place(caller.organization_id, caller.address) as place:
            return await inspection.frames(await asyncio.to_thread(film.read), place)
    except CannotOpen as fault:
        if fault.code == "UNSUPPORTED_FILE_TYPE":
            raise UnsupportedFileType from None
        raise ValidationFailed(details=[f"body.video: {files.FAULTS[fault.code]}"]) from None


async def made_of_film(
    services: Intake,
    caller: Caller,
    verification_id: UUID,
    film: UploadedFile,
    frames: Sequence[bytes],
    *,
    with_selfie: bool,
) -> tuple[list[tuple[Document, bytes]], list[tuple[Media, bytes]]]:
    """Return the documents of a film and the pictures of the first, for `documents.add_inspected`.

    The middle frame is the selfie if the verification has none. `with_selfie`: whether the same
    upload brings one.
    """
    roles = [DocumentRole.LIVENESS]
    if not with_selfie and not await queries.has_selfie(services.reads, caller, verification_id):
        roles.append(DocumentRole.SELFIE)
    rows = [
        documents.new_row(services.clock, caller, verification_id, role, film, JPEG)
        for role in roles
    ]
    pictures = media.describe_frames(services.clock, rows[0], len(frames))
    middle = frames[len(frames) // 2]
    return [(row, middle) for row in rows], list(zip(pictures, frames, strict=True))
