"""GET /v1/verifications/{id}/evidence: the decision's record, audit segment and sealed report."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import ServiceUnavailable, ValidationFailed
from acredita.domain.verification import PersonalData
from acredita.engines.evidence.container import (
    CERTIFICATES,
    HEAD,
    LARGEST,
    MANIFEST,
    MOST_IMAGES,
    RECORD,
    REPORT,
    image_name,
    images_of,
    manifest_of,
    pack,
)
from acredita.engines.signing.package import Attachment
from acredita.kit.storage import NoSuchFile, StorageUnavailable
from acredita.models import Document
from acredita.models.tenancy import owned
from acredita.ports import EvidenceMaking, FileStore
from acredita.resources.audit import service as audit
from acredita.resources.files import service as files
from acredita.resources.verifications.evidence import decision_record
from acredita.resources.verifications.evidence.pdf_report import package_of
from acredita.sealed_report import sealed_report

# The rest of the file, with a long audit segment, has room beside them.
MOST_BYTES: Final = LARGEST - 16 * 1024 * 1024
TOO_LARGE: Final = "The images are too large for one file. Download them one by one."


async def evidence_file(
    services: EvidenceMaking,
    caller: Caller,
    verification_id: UUID,
    *,
    with_images: bool = False,
    reveals: bool = False,
) -> bytes:
    """Return the ZIP, and write the export to the audit log.

    `reveals`: whether it shows the caller what the organization masks, for the audit log.

    Raise NotFound, NothingToReplay, ServiceUnavailable where the report cannot be made or stamped,
    ValidationFailed for images that are too large together.
    """
    members = await _members(services, caller, verification_id, with_images=with_images)
    content = pack(members)
    kinds = [PersonalData.FIELDS, PersonalData.PICTURES] if with_images else [PersonalData.FIELDS]
    await _record(services, caller, verification_id, content, members, kinds if reveals else ())
    return content


async def evidence_report(services: EvidenceMaking, caller: Caller, verification_id: UUID) -> bytes:
    """Return the sealed report alone, as PDF. Otherwise like `evidence_file`."""
    members = await _members(services, caller, verification_id, with_images=False)
    await _record(services, caller, verification_id, members[REPORT], members)
    return members[REPORT]


async def _members(
    services: EvidenceMaking, caller: Caller, verification_id: UUID, *, with_images: bool
) -> dict[str, bytes]:
    async with services.database.transaction() as session:
        gathered = await decision_record.gather(
            session, services.keys, services.signer, caller, verification_id
        )
        rows = await _files(session, caller, verification_id) if with_images else []
    # No connection is held while the storage and the time-stamping authority answer.
    members = {**gathered.members, **await _images(services, rows)}
    if services.seal is not None and gathered.head is not None:
        members[HEAD] = await services.seal.sign_content(gathered.head)
    manifest = manifest_of(members)
    report = await sealed_report(
        services,
        caller.organization_id,
        [partial(package_of, gathered.record, sha256(manifest).hexdigest())],
        [Attachment(MANIFEST, "SHA-256 de los archivos del expediente", manifest)],
        "Expediente de la decisión de una verificación",
    )
    members |= {MANIFEST: manifest, REPORT: report}
    certificates = await asyncio.to_thread(_certificates, report)
    return members | {CERTIFICATES: certificates} if certificates else members


def _certificates(report: bytes) -> bytes:
    """Return the certificates that the report carries, as PEM; empty if it is not signed."""
    # pyHanko is loaded where a report is signed, not by every process at its start.
    from acredita.engines.evidence.report_seal import certificates  # noqa: PLC0415

    return certificates(report)


async def _record(
    services: EvidenceMaking,
    caller: Caller,
    verification_id: UUID,
    content: bytes,
    members: Mapping[str, bytes],
    revealed: Sequence[PersonalData] = (),
) -> None:
    async with services.database.transaction() as session:
        if revealed:
            audit.record(
                session,
                caller,
                Action.PERSONAL_DATA_REVEALED,
                verification_id,
                kinds=sorted(revealed),
            )
        audit.record(
            session,
            caller,
            Action.EVIDENCE_EXPORTED,
            verification_id,
            file=sha256(content).digest(),
            record=sha256(members[RECORD]).digest(),
            images=len(images_of(members)),
        )


async def _files(
    session: AsyncSession, caller: Caller, verification_id: UUID
) -> Sequence[Document]:
    query = owned(Document, caller.organization_id).where(
        Document.verification_id == verification_id
    )
    return (await session.scalars(query)).all()


async def _images(services: FileStore, rows: Sequence[Document]) -> dict[str, bytes]:
    """Return the uploaded files as members. Raise ValidationFailed, ServiceUnavailable."""
    if sum(row.file_size for row in rows) > MOST_BYTES or len(rows) > MOST_IMAGES:
        raise ValidationFailed(TOO_LARGE)
    try:
        return {
            image_name(str(row.id), row.mime_type): await files.fetch(services, row) for row in rows
        }
    except (NoSuchFile, StorageUnavailable) as fault:
        raise ServiceUnavailable from fault
