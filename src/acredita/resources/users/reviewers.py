"""The users who may review: to whom work in a queue can be handed over."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import ValidationFailed
from acredita.domain.roles import Role
from acredita.kit import ids
from acredita.models import User
from acredita.models.tenancy import fetch, owned


async def list_reviewers(session: AsyncSession, caller: Caller) -> list[tuple[UUID, str]]:
    """Return id and address of the active users who may review, by address."""
    query = (
        owned(User, caller.organization_id)
        .where(User.is_active, User.role.in_(role for role in Role if role.covers(Role.REVIEWER)))
        .order_by(User.email)
        .with_only_columns(User.id, User.email)
    )
    return [(row.id, row.email) for row in await session.execute(query)]


async def find_reviewer(session: AsyncSession, caller: Caller, user_id: str) -> User:
    """Return the active user who may review. `user_id`: as the caller wrote it.

    Raise NotFound, ValidationFailed.
    """
    query = owned(User, caller.organization_id).where(User.id == ids.parse(user_id))
    user = await fetch(session, query)
    if not user.is_active or not Role(user.role).covers(Role.REVIEWER):
        raise ValidationFailed(details=["body.userId: is not an active user who may review"])
    return user
