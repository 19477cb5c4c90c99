"""Purge signature packages older than their organization's retention, counted from signing.

The purge deletes the details and the files. The row stays with its ids, tier, status, timestamps
and the PDF's SHA-256, so that the owner of a copy can still prove its authenticity. Packages of a
verification under a legal hold are not purged.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.esignature import PackageStatus
from acredita.models import SignatureFile, SignaturePackage, Verification
from acredita.models.tenancy import belongs_to
from acredita.resources.audit import service as audit
from acredita.resources.files.deletion import queue_deletion
from acredita.resources.organizations.retention import BATCH, purged_before


async def purge_some(session: AsyncSession, organization_id: UUID, now: datetime) -> int:
    """Purge up to BATCH due packages. Return their number; fewer than BATCH means none is left."""
    before = await purged_before(session, organization_id, now)
    if before is None:
        return 0
    kept_from = func.coalesce(SignaturePackage.signed_at, SignaturePackage.created_at)
    query = (
        select(SignaturePackage)
        .join(Verification, Verification.id == SignaturePackage.verification_id)
        .where(
            belongs_to(SignaturePackage, organization_id),
            kept_from < before,
            SignaturePackage.purged_at.is_(None),
            # The job of a PENDING package finishes or fails it first.
            SignaturePackage.status != PackageStatus.PENDING.value,
            Verification.held_at.is_(None),
        )
        .order_by(kept_from)
        .limit(BATCH)
        # Also lock the verification: a concurrent hold waits and then finds the package purged.
        .with_for_update(of=[SignaturePackage, Verification], skip_locked=True)
    )
    due = (await session.scalars(query)).all()
    for package in due:
        removed = await session.scalars(
            delete(SignatureFile)
            .where(SignatureFile.package_id == package.id)
            .returning(SignatureFile.storage_key)
        )
        await queue_deletion(session, organization_id, removed.all())
        package.details_sealed, package.purged_at = None, now
        actor = audit.Actor(organization_id)
        audit.record(session, actor, Action.SIGNATURE_PURGED, package.id)
    return len(due)
