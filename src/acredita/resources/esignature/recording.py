"""Record the end of a package: signed with its file, or failed without files."""

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.esignature import PackageStatus
from acredita.domain.steps import ESIGNATURE
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.models import FileKind, SignatureFile, SignaturePackage
from acredita.providers.conservation import ConservationProvider
from acredita.resources.acts import service as acts
from acredita.resources.audit import service as audit
from acredita.resources.esignature import conservation, queries
from acredita.resources.esignature.assembly import MadePackage
from acredita.resources.files.deletion import queue_deletion
from acredita.resources.files.service import storage_key


def new_file(clock: Clock, row: SignaturePackage, kind: FileKind) -> SignatureFile:
    file_id = ids.capability()
    return SignatureFile(
        id=file_id,
        organization_id=row.organization_id,
        package_id=row.id,
        kind=kind.value,
        storage_key=storage_key(row.organization_id, file_id, clock.now()),
    )


async def mark_signed(
    session: AsyncSession,
    provider: ConservationProvider | None,
    row: SignaturePackage,
    made: MadePackage,
) -> None:
    """Set the status to SIGNED. The caller adds the file in the same transaction."""
    row.status, row.code = PackageStatus.SIGNED.value, None
    status = conservation.NONE if provider is None else conservation.PENDING
    row.outcome = {**made.outcome, "conservation": conservation.state(status)}
    row.signed_at = func.now()
    if provider is not None:
        await jobs.add(
            session,
            conservation.conserve,
            {"package_id": row.id},
            organization_id=row.organization_id,
        )
    await acts.announce(session, row.organization_id, row.verification_id, ESIGNATURE)
    audit.record(
        session,
        _service(row),
        Action.SIGNATURE_MADE,
        row.id,
        pdf=bytes.fromhex(made.outcome["pdf"]["sha256"]),
        pages=made.outcome["pdf"]["pages"],
    )


async def mark_failed(session: AsyncSession, row: SignaturePackage, code: str) -> None:
    """Set the status to FAILED and delete the source file. The details stay."""
    row.status, row.code = PackageStatus.FAILED.value, code
    await delete_source(session, row)
    audit.record(session, _service(row), Action.SIGNATURE_FAILED, row.id, code=code)


async def delete_source(session: AsyncSession, row: SignaturePackage) -> None:
    source = await queries.file(session, row.id, FileKind.SOURCE)
    if source is not None:
        await session.delete(source)
        await queue_deletion(session, row.organization_id, [source.storage_key])


def _service(row: SignaturePackage) -> audit.Actor:
    return audit.Actor(row.organization_id)
