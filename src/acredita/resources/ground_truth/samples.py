"""Stores and deletes the pictures of samples."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from uuid import UUID

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import strict_json
from acredita.domain.caller import Caller
from acredita.domain.errors import ServiceUnavailable
from acredita.engines.documents.inspection import InspectionBusy
from acredita.kit import ids
from acredita.kit.db import Database
from acredita.kit.storage import Storage, StorageUnavailable
from acredita.kit.upload_limits import Limits, UploadedFile
from acredita.models import TruthFile
from acredita.models.tenancy import belongs_to, owned
from acredita.ports import Intake
from acredita.resources.files import service as files
from acredita.resources.files.deletion import queue_deletion

TRUTH = "truth"
LARGEST_TRUTH = 16 * 1024

Given = TypeVar("Given", bound=BaseModel)


def limits(pictures: int) -> Limits:
    return Limits(files=pictures, text_bytes=LARGEST_TRUTH)


def form_of(roles: Sequence[str], truth: type[BaseModel]) -> dict[str, Any]:
    """Return the OpenAPI description of an upload: one picture per role and the known content.

    `truth`: the shape of the known content, which has no shapes of other classes in it.
    """
    kinds = "image/jpeg, image/png, image/webp, application/pdf"
    picture = {"type": "string", "format": "binary"}
    return {
        "required": True,
        "description": (
            "The files (JPEG, PNG, WebP or PDF, at most 10 MB each) and the known content as JSON."
        ),
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        **dict.fromkeys(roles, picture),
                        TRUTH: truth.model_json_schema(),
                    },
                    "required": [*roles, TRUTH],
                    "additionalProperties": False,
                },
                "encoding": {
                    **{role: {"contentType": kinds} for role in roles},
                    TRUTH: {"contentType": "application/json"},
                },
            }
        },
    }


def truth_of(text: str, shape: type[Given]) -> Given:
    """Parse the form's field `truth`. Raise ValidationFailed, RequestValidationError."""
    given = strict_json.parse(text.encode())
    try:
        return shape.model_validate(given)
    except ValidationError as fault:
        raise RequestValidationError(
            [{**error, "loc": ("body", TRUTH, *error["loc"])} for error in fault.errors()]
        ) from None


@asynccontextmanager
async def stored(
    services: Intake, caller: Caller, uploads: Sequence[UploadedFile]
) -> AsyncIterator[list[TruthFile]]:
    """Store pictures and yield their rows. Deletes the files if the block does not commit them.

    Raise UnsupportedFileType, ValidationFailed, ServiceUnavailable.
    """
    rows: list[TruthFile] = []
    try:
        for upload in uploads:
            mime_type = await files.inspect(services.inspection, caller, upload)
            rows.append(await _store(services, caller, upload, mime_type))
        yield rows
    except BaseException as fault:
        await asyncio.shield(_withdraw(services.database, services.storage, caller, rows))
        if isinstance(fault, StorageUnavailable | InspectionBusy):
            raise ServiceUnavailable from fault
        raise


async def _store(
    services: Intake, caller: Caller, upload: UploadedFile, mime_type: str
) -> TruthFile:
    file_id = ids.capability()
    row = TruthFile(
        id=file_id,
        organization_id=caller.organization_id,
        mime_type=mime_type,
        file_size=upload.size,
        sha256=upload.sha256,
        storage_key=files.storage_key(caller.organization_id, file_id, services.clock.now()),
    )
    async with services.inspection.place(caller.organization_id, is_decoded=False):
        await files.store(services, row, await asyncio.to_thread(upload.read))
    return row


async def _withdraw(
    database: Database, storage: Storage, caller: Caller, rows: Sequence[TruthFile]
) -> None:
    """Delete the files that have no row. A commit without a response may have succeeded, so those
    with a row stay. If the database is unreachable, the daily sweep deletes them."""
    with suppress(Exception):
        async with database.transaction() as session:
            query = (
                owned(TruthFile, caller.organization_id)
                .with_only_columns(TruthFile.id)
                .where(TruthFile.id.in_([row.id for row in rows]))
            )
            known = set(await session.scalars(query))
        for row in rows:
            if row.id not in known:
                await storage.delete(row.storage_key)


async def forget_files(
    session: AsyncSession, organization_id: UUID, file_ids: Sequence[UUID]
) -> None:
    """Delete the rows with the files' keys; jobs of this transaction delete the files."""
    query = (
        delete(TruthFile)
        .where(belongs_to(TruthFile, organization_id), TruthFile.id.in_(file_ids))
        .returning(TruthFile.storage_key)
    )
    await queue_deletion(session, organization_id, (await session.scalars(query)).all())
