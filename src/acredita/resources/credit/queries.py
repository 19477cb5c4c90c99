from datetime import datetime
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.credit.status import CheckStatus
from acredita.domain.errors import NotFound
from acredita.models import CreditCheck
from acredita.models.tenancy import owned


async def get(session: AsyncSession, caller: Caller, check_id: UUID) -> CreditCheck:
    """Raise NotFound."""
    found = await find(session, caller.organization_id, check_id)
    if found is None:
        raise NotFound
    return found


async def find(session: AsyncSession, organization_id: UUID, check_id: UUID) -> CreditCheck | None:
    query = owned(CreditCheck, organization_id).where(CreditCheck.id == check_id)
    return (await session.scalars(query)).one_or_none()


async def finish(
    session: AsyncSession,
    check_id: UUID,
    *,
    status: CheckStatus,
    code: str | None,
    result_sealed: bytes | None,
    now: datetime,
) -> UUID | None:
    """Record the result of a check. Return its organization's id.

    Return None if the check is gone or has a result. A report that arrives after the check became
    UNKNOWN is still recorded, because it was paid for.
    """
    unanswered = (CheckStatus.PENDING.value, CheckStatus.UNKNOWN.value)
    statement = (
        update(CreditCheck)
        .where(CreditCheck.id == check_id, CreditCheck.status.in_(unanswered))
        .values(status=status.value, code=code, result_sealed=result_sealed, finished_at=now)
        .returning(CreditCheck.organization_id)
    )
    return (await session.execute(statement)).scalar_one_or_none()


async def lock_abandoned(session: AsyncSession, before: datetime, *, limit: int) -> list[UUID]:
    """Lock PENDING checks created before `before`, oldest first: their requests have died."""
    query = (
        select(CreditCheck.id)
        .where(CreditCheck.status == CheckStatus.PENDING.value, CreditCheck.created_at < before)
        .order_by(CreditCheck.created_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    return list(await session.scalars(query))
