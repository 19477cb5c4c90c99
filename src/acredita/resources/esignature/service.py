"""Sign packages; return their records and PDFs."""

import asyncio
from uuid import UUID

import structlog
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.responses import Response

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import (
    FeatureOff,
    NotFound,
    ServiceUnavailable,
    SignatureFailed,
    SignatureNotReady,
)
from acredita.domain.esignature import PackageStatus
from acredita.kit import ids
from acredita.kit.crypto import KeyRing
from acredita.kit.db import Database
from acredita.kit.logging import describe
from acredita.kit.statement_pool import Reads
from acredita.kit.storage import NoSuchFile, StorageUnavailable
from acredita.models import FileKind, SignaturePackage
from acredita.ports import FileStore, PackageMaking, PackageSigning
from acredita.resources.audit import service as audit
from acredita.resources.esignature import assembly, evidence_gathering, queries, recording
from acredita.resources.esignature.drawn_signature import read_drawing
from acredita.resources.esignature.jobs import make_package
from acredita.resources.esignature.package import Source, details_of, record_of
from acredita.resources.esignature.schemas import SignatureRecord, SignRequest
from acredita.resources.files import service as files
from acredita.resources.idempotency.service import Answer, Repeatable

log = structlog.get_logger()

# DECISIONS: packages of up to this number of characters are signed within the request …
MOST_CHARACTERS_IN_REQUEST = 200_000
# … unless it takes longer than this number of seconds. Then a job makes the package.
SECONDS_IN_REQUEST = 0.8
# DECISIONS: `/pdf` waits this number of seconds for a PENDING package.
SECONDS_FOR_PDF = 10.0
# Seconds.
POLL_INTERVAL = 0.1
RETRY_AFTER = 5


async def sign(
    services: PackageSigning, caller: Caller, data: SignRequest, repeatable: Repeatable
) -> Response:
    """Create a package and sign it now if it is short; otherwise queue a job.

    Raise FeatureOff, NotFound, EvidenceMissing, ValidationFailed, ServiceUnavailable.
    """
    if services.seal is None:
        raise FeatureOff("E-signatures are not set up on this installation.")
    verification_id, proof = await evidence_gathering.gather(
        services.database, services.keys, caller, data.verification_id, data.tier, data.signer_name
    )
    drawing = await read_drawing(services.inspection, caller.organization_id, data.touch_signature)
    details = await asyncio.to_thread(details_of, data, proof, has_drawing=bool(drawing))
    package_id = ids.capability()
    row = SignaturePackage(
        id=package_id,
        organization_id=caller.organization_id,
        verification_id=verification_id,
        tier=data.tier.value,
        status=PackageStatus.PENDING.value,
        details_sealed=SignaturePackage.details.seal(services.keys, package_id, details),
        created_at=services.clock.now(),
    )
    source = Source(tuple(document.content for document in data.documents), drawing)
    made = await _make_at_once(services, row, details, source)
    file = recording.new_file(
        services.clock, row, FileKind.SOURCE if made is None else FileKind.SIGNED
    )
    content = await asyncio.to_thread(source.to_bytes) if made is None else made.pdf
    try:
        await files.store(services, file, content)
    except StorageUnavailable as fault:
        raise ServiceUnavailable from fault
    digests = [bytes.fromhex(document["sha256"]) for document in details["documents"]]
    is_recorded = False

    async def record(session: AsyncSession) -> Answer:
        nonlocal is_recorded
        audit.record(
            session,
            caller,
            Action.SIGNATURE_REQUESTED,
            row.id,
            verification_id=verification_id,
            tier=row.tier,
            documents=digests,
        )
        session.add(row)
        await session.flush()
        session.add(file)
        if made is None:
            await jobs.add(
                session,
                make_package,
                {"package_id": row.id},
                organization_id=row.organization_id,
            )
        else:
            await recording.mark_signed(session, services.conservation, row, made)
        await session.flush()
        await session.refresh(row)
        is_recorded = True
        body = record_of(services.keys, row).model_dump_json(by_alias=True)
        return Answer(body, 201, {"Location": f"/v1/esignature/{row.id}"})

    try:
        return await repeatable.answer_within(record)
    finally:
        if not is_recorded:
            await asyncio.shield(files.withdraw(services.storage, [file]))


async def _make_at_once(
    services: PackageMaking, row: SignaturePackage, details: dict[str, object], source: Source
) -> assembly.MadePackage | None:
    """Make a short package now. Return None if it is long, slow or fails: a job makes it then."""
    if sum(map(len, source.contents)) > MOST_CHARACTERS_IN_REQUEST:
        return None
    try:
        async with asyncio.timeout(SECONDS_IN_REQUEST):
            return await assembly.make(services, row, details, source)
    except TimeoutError:
        return None
    except Exception as fault:
        # The job tries again and records the failure.
        log.warning("a package could not be made in the request", error=describe(fault))
        return None


async def show(
    session: AsyncSession, keys: KeyRing, caller: Caller, package_id: UUID
) -> SignatureRecord:
    """Raise NotFound."""
    return record_of(keys, await queries.get(session, caller, package_id))


async def pdf(
    services: FileStore, database: Database, reads: Reads, caller: Caller, package_id: UUID
) -> bytes:
    """The signed file. Waits up to SECONDS_FOR_PDF and records the access in the audit log.

    Raise NotFound (also if purged), SignatureNotReady, SignatureFailed, ServiceUnavailable.
    """
    await _wait_until_made(reads, caller, package_id)
    async with database.transaction() as session:
        row = await queries.get(session, caller, package_id)
        file = await queries.file(session, package_id, FileKind.SIGNED)
        if file is None:
            raise NotFound
        audit.record(session, caller, Action.SIGNATURE_VIEWED, row.id)
    try:
        return await files.fetch(services, file)
    except NoSuchFile:
        raise NotFound from None
    except StorageUnavailable as fault:
        raise ServiceUnavailable from fault


async def _wait_until_made(reads: Reads, caller: Caller, package_id: UUID) -> None:
    deadline = asyncio.get_running_loop().time() + SECONDS_FOR_PDF
    while True:
        match PackageStatus(await queries.status(reads, caller, package_id)):
            case PackageStatus.SIGNED:
                return
            case PackageStatus.FAILED:
                raise SignatureFailed
        if asyncio.get_running_loop().time() >= deadline:
            raise SignatureNotReady(retry_after=RETRY_AFTER)
        await asyncio.sleep(POLL_INTERVAL)
