"""GET /v1/verifications/{id}/evidence: the decision's record, audit segment and sealed report."""

from hashlib import sha256
from uuid import UUID

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import ServiceUnavailable
from acredita.engines.evidence.container import MANIFEST, RECORD, REPORT, manifest_of, pack
from acredita.engines.signing.composition import CannotCompose
from acredita.engines.signing.package import Attachment
from acredita.kit.processes import PoolError
from acredita.ports import EvidenceMaking
from acredita.providers.timestamps import TimestampError
from acredita.resources.audit import service as audit
from acredita.resources.verifications import evidence_record
from acredita.resources.verifications.evidence_report import package_of

# Seconds. A report has some pages.
SLOWEST_REPORT = 20.0


async def evidence_file(services: EvidenceMaking, caller: Caller, verification_id: UUID) -> bytes:
    """Return the ZIP, and write the export to the audit log.

    Raise NotFound, NothingToReplay, ServiceUnavailable where the report cannot be made or stamped.
    """
    async with services.database.transaction() as session:
        gathered = await evidence_record.gather(session, services.keys, caller, verification_id)
    # No connection is held while the time-stamping authority answers.
    manifest = manifest_of(gathered.members)
    try:
        report = await _report(services, caller.organization_id, gathered, manifest)
    except (CannotCompose, PoolError, TimestampError) as fault:
        raise ServiceUnavailable from fault
    content = pack({**gathered.members, MANIFEST: manifest, REPORT: report})
    async with services.database.transaction() as session:
        audit.record(
            session,
            caller,
            Action.EVIDENCE_EXPORTED,
            verification_id,
            file=sha256(content).digest(),
            record=sha256(gathered.members[RECORD]).digest(),
        )
    return content


async def _report(
    services: EvidenceMaking,
    organization_id: UUID,
    gathered: evidence_record.Gathered,
    manifest: bytes,
) -> bytes:
    """The report as PDF, sealed with the manifest attached; unsigned without a certificate."""
    seal = services.seal
    name = None if seal is None else await seal.name()
    package = package_of(
        gathered.record,
        sha256(manifest).hexdigest(),
        name,
        is_development=services.timestamps.is_sandbox or (name is not None and name.is_development),
    )
    composed = await services.composition.compose(package, organization_id, seconds=SLOWEST_REPORT)
    if seal is None:
        return composed.pdf

    async def stamp(digest: bytes) -> bytes:
        return (await services.timestamps.stamp(digest)).token

    signed = await seal.sign(
        composed.pdf,
        [Attachment(MANIFEST, "SHA-256 de los archivos del expediente", manifest)],
        reason="Expediente de la decisión de una verificación",
        stamp=stamp,
    )
    return signed.content
