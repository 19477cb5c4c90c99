"""A verification in review, and who holds it. What reviewers do to verifications asks here first.

Locks are taken in one order: the verification's row, if at all, and then the case's.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import AlreadyClaimed, NotFound, NotInReview
from acredita.kit.announcements import after_commit
from acredita.kit.clock import Clock
from acredita.kit.db import Within
from acredita.models import ReviewCase, Verification
from acredita.models.tenancy import owned
from acredita.settings import Settings

# SQL: the address of a user or the name of an API key of the organization $1; null if removed.
NAME = """
    coalesce((SELECT email FROM user_account WHERE organization_id = $1 AND id = {id}),
             (SELECT name FROM api_key WHERE organization_id = $1 AND id = {id}))
"""


def channel_of(organization_id: UUID) -> str:
    """Return the Redis channel of an organization's review queue."""
    return f"acredita:reviews:{organization_id}"


def notify_watchers(session: AsyncSession, organization_id: UUID) -> None:
    """Notify the queue's event streams when the transaction has committed."""
    after_commit(session, ("PUBLISH", channel_of(organization_id), "changed"))


def lease_end(settings: Settings, now: datetime) -> datetime:
    return now + settings.review_lease


async def find(session: AsyncSession, caller: Caller, verification_id: UUID) -> ReviewCase | None:
    """Return the case, locked until the transaction ends; None if it is not in review."""
    query = owned(ReviewCase, caller.organization_id).where(
        ReviewCase.verification_id == verification_id
    )
    # Its wait may end after the case was claimed: read the row again.
    locked = query.with_for_update().execution_options(populate_existing=True)
    return (await session.scalars(locked)).one_or_none()


async def lock(session: AsyncSession, caller: Caller, verification_id: UUID) -> ReviewCase:
    """Return the case, locked. Raise NotFound, NotInReview."""
    case = await find(session, caller, verification_id)
    if case is not None:
        return case
    query = owned(Verification, caller.organization_id).where(Verification.id == verification_id)
    if await session.scalar(query.with_only_columns(Verification.id)) is None:
        raise NotFound
    raise NotInReview


async def check_free(
    session: AsyncSession, caller: Caller, case: ReviewCase, now: datetime
) -> None:
    """Raise AlreadyClaimed if another reviewer holds the case."""
    holder = case.holder(now)
    if holder is not None and holder != caller.id:
        name = await name_of(session, caller.organization_id, holder)
        raise AlreadyClaimed(
            f"{name or 'Another reviewer'} works on this verification.",
            details=[name] if name else None,
        )


async def begin_act(
    session: AsyncSession, clock: Clock, caller: Caller, verification_id: UUID
) -> ReviewCase | None:
    """Return the case of a verification that the caller is about to decide, locked.

    Raise AlreadyClaimed if another reviewer holds it. An API key is no reviewer: a system that
    decides by rules of its own does not wait for people.
    """
    case = await find(session, caller, verification_id)
    if case is not None and caller.kind is CallerKind.USER:
        await check_free(session, caller, case, clock.now())
    return case


async def set_proposal(
    session: AsyncSession, case: ReviewCase | None, *, proposed_by: UUID | None
) -> None:
    """Note that a proposed decision waits, or does not any more, and end the lease: another
    reviewer acts next.
    """
    if case is not None:
        case.proposed_by = proposed_by
        case.end_lease()
        # Before the verification's own change, which may delete the row.
        await session.flush()
        notify_watchers(session, case.organization_id)


async def renew(
    session: AsyncSession, clock: Clock, settings: Settings, caller: Caller, verification_id: UUID
) -> None:
    """Renew the caller's lease, if it holds the case."""
    case, now = await find(session, caller, verification_id), clock.now()
    if case is not None and case.holder(now) == caller.id:
        case.lease_to(caller.id, lease_end(settings, now))


async def name_of(session: AsyncSession, organization_id: UUID, reviewer_id: UUID) -> str | None:
    """Return the address of a user, or the name of an API key; None if it was removed."""

    row = await Within(session).row(f"SELECT {NAME.format(id='$2')}", organization_id, reviewer_id)
    return None if row is None else row[0]
