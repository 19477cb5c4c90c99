from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit.statement_pool import Reads
from acredita.models import (
    FileKind,
    SignatureFile,
    SignaturePackage,
    Verification,
    VerificationStep,
)
from acredita.models.tenancy import fetch, owned

STATUS = "SELECT status FROM signature_package WHERE organization_id = $1 AND id = $2"


async def verification(
    session: AsyncSession, caller: Caller, verification_id: UUID | None
) -> tuple[Verification, Sequence[VerificationStep]]:
    """The verification and its steps in order. Raise NotFound."""
    query = owned(Verification, caller.organization_id).where(Verification.id == verification_id)
    found = await fetch(session, query)
    steps = (
        select(VerificationStep)
        .where(VerificationStep.verification_id == found.id)
        .order_by(VerificationStep.position)
    )
    return found, (await session.scalars(steps)).all()


async def get(session: AsyncSession, caller: Caller, package_id: UUID) -> SignaturePackage:
    """Raise NotFound."""
    query = owned(SignaturePackage, caller.organization_id).where(
        SignaturePackage.id == package_id,
    )
    return await fetch(session, query)


async def status(reads: Reads, caller: Caller, package_id: UUID) -> str:
    """The current status. Raise NotFound."""
    row = await reads.row(STATUS, caller.organization_id, package_id)
    if row is None:
        raise NotFound
    found: str = row[0]
    return found


async def find(
    session: AsyncSession, package_id: UUID, *, lock: bool = False
) -> SignaturePackage | None:
    """Find a package of any organization. For jobs, which have no caller."""
    query = select(SignaturePackage).where(SignaturePackage.id == package_id)
    if lock:
        query = query.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(query)).one_or_none()


async def file(session: AsyncSession, package_id: UUID, kind: FileKind) -> SignatureFile | None:
    query = select(SignatureFile).where(
        SignatureFile.package_id == package_id, SignatureFile.kind == kind.value
    )
    return (await session.scalars(query)).one_or_none()
