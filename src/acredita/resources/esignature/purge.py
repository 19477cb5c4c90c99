"""Deleting what is older than its organization's retention, counted from the signing.

A tombstone stays: ids, tier, status, moments, and the digest of the PDF, by which whoever holds a
copy can still show that it is the one. Who signed what, and the files, go. A package of a
verification that is held stays whole.
"""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.domain.esignature import PackageStatus
from acredita.models import Organization, SignatureFile, SignaturePackage, Verification
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.esignature.recording import let_be_deleted
from acredita.resources.retention.purge import BATCH


async def purge_some(session: AsyncSession, organization_id: UUID, now: datetime) -> int:
    """Purge up to BATCH packages that are due; how many. Fewer than BATCH: that was all."""
    days = await session.scalar(
        select(Organization.data_retention_days).where(Organization.id == organization_id)
    )
    if days is None:
        return 0
    kept_from = func.coalesce(SignaturePackage.signed_at, SignaturePackage.created_at)
    query = (
        select(SignaturePackage)
        .join(Verification, Verification.id == SignaturePackage.verification_id)
        .where(
            SignaturePackage.organization_id == organization_id,
            kept_from < now - timedelta(days=days),
            SignaturePackage.purged_at.is_(None),
            # Its job ends it first.
            SignaturePackage.status != PackageStatus.PENDING.value,
            Verification.held_at.is_(None),
        )
        .order_by(kept_from)
        .limit(BATCH)
        # With the verification's row: a hold that comes meanwhile waits, and finds it purged.
        .with_for_update(of=[SignaturePackage, Verification], skip_locked=True)
    )
    due = (await session.scalars(query)).all()
    for package in due:
        removed = await session.scalars(
            delete(SignatureFile)
            .where(SignatureFile.package_id == package.id)
            .returning(SignatureFile.storage_key)
        )
        for key in removed.all():
            await let_be_deleted(session, package, key)
        package.details_sealed, package.purged_at = None, now
        actor = Actor(organization_id, ActorType.SERVICE)
        audit.record(session, actor, Action.SIGNATURE_PURGED, package.id)
    return len(due)
