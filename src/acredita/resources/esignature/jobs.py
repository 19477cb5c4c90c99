"""Make the packages that take too long for a request."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.esignature import PackageStatus
from acredita.engines.signing.composition import CannotCompose
from acredita.jobs import JobContext, LeasedJob, Queue, job
from acredita.kit.db import Database
from acredita.models import FileKind, SignaturePackage
from acredita.ports import JobEnding
from acredita.providers.timestamps import TimestampRefused, TimestampUnavailable
from acredita.resources.esignature import assembly, queries, recording
from acredita.resources.esignature.package import Source
from acredita.resources.files import service as files

TIMESTAMP_UNAVAILABLE = "TIMESTAMP_UNAVAILABLE"
TIMESTAMP_REFUSED = "TIMESTAMP_REFUSED"
GIVEN_UP = "GIVEN_UP"


async def give_up(session: AsyncSession, services: JobEnding, job: LeasedJob) -> None:  # noqa: ARG001
    row = await queries.find(session, UUID(job.payload["package_id"]), lock=True)
    if row is not None and row.status == PackageStatus.PENDING:
        await recording.mark_failed(session, row, row.code or GIVEN_UP)


@job("esignature.make", queue=Queue.LIGHT, timeout=120, max_attempts=14, on_dead=give_up)
async def make_package(context: JobContext, package_id: UUID) -> None:
    """Make a PENDING package. Retry if storage or the time-stamping authority is unavailable."""
    services = context.services
    async with services.database.transaction() as session:
        row = await queries.find(session, package_id)
        file = await queries.file(session, package_id, FileKind.SOURCE)
    if row is None or file is None or row.status != PackageStatus.PENDING:
        return
    try:
        source = Source.from_bytes(await files.fetch(services, file))
        details = row.details.open(services.keys) or {}
        made = await assembly.make(services, row, details, source)
    except CannotCompose as fault:
        await _fail(context, package_id, fault.code)
    except TimestampRefused:
        await _fail(context, package_id, TIMESTAMP_REFUSED)
    except TimestampUnavailable:
        await _note(services.database, package_id, TIMESTAMP_UNAVAILABLE)
        raise
    else:
        await _record(context, row, made)


async def _record(
    context: JobContext, package: SignaturePackage, made: assembly.MadePackage
) -> None:
    """Store the file, then record it in one transaction unless the package ended meanwhile."""
    services = context.services
    file = recording.new_file(services.clock, package, FileKind.SIGNED)
    await files.store(services, file, made.pdf)
    is_recorded = False
    try:
        async with context.finish() as session:
            row = await queries.find(session, package.id, lock=True)
            if row is not None and row.status == PackageStatus.PENDING:
                session.add(file)
                await recording.mark_signed(session, services.conservation, row, made)
                await recording.delete_source(session, row)
                is_recorded = True
    finally:
        # If only the reply to the commit was lost, the row may exist: keep the file then.
        if not is_recorded:
            await files.withdraw(services.storage, [file])


async def _fail(context: JobContext, package_id: UUID, code: str) -> None:
    async with context.finish() as session:
        row = await queries.find(session, package_id, lock=True)
        if row is not None and row.status == PackageStatus.PENDING:
            await recording.mark_failed(session, row, code)


async def _note(database: Database, package_id: UUID, code: str) -> None:
    """Store the code of what the package waits for."""
    async with database.transaction() as session:
        row = await queries.find(session, package_id, lock=True)
        if row is not None and row.status == PackageStatus.PENDING:
            row.code = code
