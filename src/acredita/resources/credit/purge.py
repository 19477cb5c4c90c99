"""Delete credit checks older than their organization's retention, counted from creation.

The whole row is deleted. Only the audit log refers to it, and that has no personal data.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.credit.status import CheckStatus
from acredita.models import CreditCheck
from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit
from acredita.resources.organizations.retention import BATCH, purged_before


async def purge_some(session: AsyncSession, organization_id: UUID, now: datetime) -> int:
    """Purge up to BATCH due checks. Return their number; fewer than BATCH means none is left."""
    before = await purged_before(session, organization_id, now)
    if before is None:
        return 0
    due = (
        owned(CreditCheck, organization_id)
        .with_only_columns(CreditCheck.id)
        .where(
            CreditCheck.created_at < before,
            CreditCheck.held_at.is_(None),
            # `give_up_abandoned` ends a PENDING check first.
            CreditCheck.status != CheckStatus.PENDING.value,
        )
        .order_by(CreditCheck.created_at)
        .limit(BATCH)
        .with_for_update(skip_locked=True)
    )
    ids = (await session.scalars(due)).all()
    await session.execute(delete(CreditCheck).where(CreditCheck.id.in_(ids)))
    for check_id in ids:
        actor = audit.Actor(organization_id)
        audit.record(session, actor, Action.CREDIT_CHECK_PURGED, check_id)
    return len(ids)
