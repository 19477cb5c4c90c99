"""Delete hits with their reviews."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Hit, Verification
from acredita.models.tenancy import owned
from acredita.resources.organizations.retention import BATCH


async def delete_hits(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the hits with facts of purged verifications, and what was remembered of them."""
    await session.execute(delete(Hit).where(Hit.verification_id.in_(verification_ids)))


async def delete_old(session: AsyncSession, organization_id: UUID, before: datetime) -> int:
    """Delete up to BATCH hits that no screening found since; return how many.

    Those of a held verification stay.
    """
    held = owned(Verification, organization_id).with_only_columns(Verification.id)
    due = (
        owned(Hit, organization_id)
        .with_only_columns(Hit.id)
        .where(
            Hit.seen_at < before,
            ~held.where(
                Verification.id == Hit.verification_id, Verification.held_at.is_not(None)
            ).exists(),
        )
        .order_by(Hit.seen_at)
        .limit(BATCH)
        .with_for_update(of=Hit, skip_locked=True)
    )
    due_ids = (await session.scalars(due)).all()
    await session.execute(delete(Hit).where(Hit.id.in_(due_ids)))
    return len(due_ids)
