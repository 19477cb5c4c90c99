"""GET /v1/verifications/{id}/evidence: the decision's record, audit segment and sealed report."""

from collections.abc import Mapping
from functools import partial
from hashlib import sha256
from uuid import UUID

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.engines.evidence.container import MANIFEST, RECORD, REPORT, manifest_of, pack
from acredita.engines.signing.package import Attachment
from acredita.ports import EvidenceMaking
from acredita.resources.audit import service as audit
from acredita.resources.verifications.evidence import decision_record
from acredita.resources.verifications.evidence.pdf_report import package_of
from acredita.sealed_report import sealed_report


async def evidence_file(services: EvidenceMaking, caller: Caller, verification_id: UUID) -> bytes:
    """Return the ZIP, and write the export to the audit log.

    Raise NotFound, NothingToReplay, ServiceUnavailable where the report cannot be made or stamped.
    """
    members = await _members(services, caller, verification_id)
    content = pack(members)
    await _record(services, caller, verification_id, content, members)
    return content


async def evidence_report(services: EvidenceMaking, caller: Caller, verification_id: UUID) -> bytes:
    """Return the sealed report alone, as PDF. Otherwise like `evidence_file`."""
    members = await _members(services, caller, verification_id)
    await _record(services, caller, verification_id, members[REPORT], members)
    return members[REPORT]


async def _members(
    services: EvidenceMaking, caller: Caller, verification_id: UUID
) -> dict[str, bytes]:
    async with services.database.transaction() as session:
        gathered = await decision_record.gather(session, services.keys, caller, verification_id)
    # No connection is held while the time-stamping authority answers.
    manifest = manifest_of(gathered.members)
    report = await sealed_report(
        services,
        caller.organization_id,
        [partial(package_of, gathered.record, sha256(manifest).hexdigest())],
        [Attachment(MANIFEST, "SHA-256 de los archivos del expediente", manifest)],
        "Expediente de la decisión de una verificación",
    )
    return {**gathered.members, MANIFEST: manifest, REPORT: report}


async def _record(
    services: EvidenceMaking,
    caller: Caller,
    verification_id: UUID,
    content: bytes,
    members: Mapping[str, bytes],
) -> None:
    async with services.database.transaction() as session:
        audit.record(
            session,
            caller,
            Action.EVIDENCE_EXPORTED,
            verification_id,
            file=sha256(content).digest(),
            record=sha256(members[RECORD]).digest(),
        )
