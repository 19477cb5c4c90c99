"""Claim a verification in review, release it, hand it over, take the next one."""

from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.roles import Role
from acredita.kit.clock import Clock
from acredita.kit.db import Within
from acredita.resources.audit import service as audit
from acredita.resources.reviews import cases, queries
from acredita.resources.reviews.queries import Filters
from acredita.resources.users.reviewers import find_reviewer
from acredita.settings import Settings


async def claim(
    session: AsyncSession, clock: Clock, settings: Settings, caller: Caller, verification_id: UUID
) -> dict[str, Any]:
    """Lease the case to the caller, or renew its lease. Raise NotFound, NotInReview,
    AlreadyClaimed.
    """
    case, now = await cases.lock(session, caller, verification_id), clock.now()
    await cases.check_free(session, caller, case, now)
    is_new = case.holder(now) is None
    case.lease_to(caller.id, cases.lease_end(settings, now))
    if is_new:
        audit.record(session, caller, Action.VERIFICATION_CLAIMED, verification_id)
        cases.notify_watchers(session, caller.organization_id)
    await session.flush()
    return await queries.one(Within(session), caller, verification_id, now)


async def release(
    session: AsyncSession, clock: Clock, caller: Caller, verification_id: UUID
) -> None:
    """End the caller's lease; an ADMIN ends anybody's. Raise NotFound, NotInReview,
    AlreadyClaimed.
    """
    case, now = await cases.lock(session, caller, verification_id), clock.now()
    if not caller.role.covers(Role.ADMIN):
        await cases.check_free(session, caller, case, now)
    if (holder := case.holder(now)) is not None:
        audit.record(session, caller, Action.VERIFICATION_UNCLAIMED, verification_id, holder=holder)
        cases.notify_watchers(session, caller.organization_id)
    case.end_lease()


async def hand_over(
    session: AsyncSession,
    clock: Clock,
    settings: Settings,
    caller: Caller,
    verification_id: UUID,
    user_id: str,
) -> dict[str, Any]:
    """Lease the case to another user; an ADMIN also hands over what another reviewer holds.

    Raise NotFound, NotInReview, AlreadyClaimed, ValidationFailed.
    """
    user = await find_reviewer(session, caller, user_id)
    case, now = await cases.lock(session, caller, verification_id), clock.now()
    if not caller.role.covers(Role.ADMIN):
        await cases.check_free(session, caller, case, now)
    case.lease_to(user.id, cases.lease_end(settings, now))
    audit.record(session, caller, Action.VERIFICATION_HANDED_OVER, verification_id, to=user.id)
    cases.notify_watchers(session, caller.organization_id)
    await session.flush()
    return await queries.one(Within(session), caller, verification_id, now)


async def take_next(
    session: AsyncSession, clock: Clock, settings: Settings, caller: Caller, filters: Filters
) -> dict[str, Any] | None:
    """Lease the first free case that matches the filters; None if none waits."""
    statements, now = Within(session), clock.now()
    until = cases.lease_end(settings, now)
    verification_id = await queries.draw(statements, caller, filters, now=now, until=until)
    if verification_id is None:
        return None
    audit.record(session, caller, Action.VERIFICATION_CLAIMED, verification_id)
    cases.notify_watchers(session, caller.organization_id)
    return await queries.one(statements, caller, verification_id, now)
