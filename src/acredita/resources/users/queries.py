from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.roles import Role
from acredita.models import Hit, Organization, PasswordLink, User
from acredita.models.tenancy import belongs_to, fetch, owned
from acredita.resources.auth.queries import folded


async def list_all(session: AsyncSession, caller: Caller) -> Sequence[User]:
    query = owned(User, caller.organization_id).order_by(User.created_at.desc(), User.id.desc())
    return (await session.scalars(query)).all()


async def lock_users(session: AsyncSession, caller: Caller) -> None:
    """Serialize changes to the users of the caller's organization.

    Otherwise two owners who remove each other at the same time would leave none.
    """
    await session.execute(
        select(Organization.id)
        .where(Organization.id == caller.organization_id)
        # Not FOR UPDATE, which would block new verifications that refer to the organization.
        .with_for_update(key_share=True)
    )


async def get(session: AsyncSession, caller: Caller, user_id: UUID) -> User:
    """The user, locked until the transaction ends. Raise NotFound."""
    query = owned(User, caller.organization_id).where(User.id == user_id).with_for_update()
    return await fetch(session, query)


async def has_another_owner(session: AsyncSession, user: User) -> bool:
    """Whether another user can act as owner: has the role OWNER and a password."""
    query = select(
        exists().where(
            belongs_to(User, user.organization_id),
            User.id != user.id,
            User.role == Role.OWNER,
            User.is_active,
            User.password_hash.is_not(None),
        )
    )
    return bool(await session.scalar(query))


async def is_registered(session: AsyncSession, email: str) -> bool:
    """Whether a user of any organization has this address. Addresses are unique."""
    return bool(
        await session.scalar(select(exists().where(func.lower(User.email) == folded(email))))
    )


async def awaiting_confirmation(session: AsyncSession, user_id: UUID) -> User | None:
    """The user with a pending address, locked; None if no address is pending."""
    query = (
        select(User)
        .where(User.id == user_id, User.pending_email.is_not(None), User.is_active)
        .with_for_update()
    )
    return (await session.scalars(query)).one_or_none()


async def void_password_links(session: AsyncSession, user_id: UUID) -> None:
    """Delete the user's password links: they were mailed to the former address."""
    await session.execute(delete(PasswordLink).where(PasswordLink.user_id == user_id))


async def release_matches(session: AsyncSession, user: User) -> None:
    """Return the watchlists' matches that the user holds to the queue: no time ends a hand-over."""
    await session.execute(
        update(Hit)
        .where(belongs_to(Hit, user.organization_id), Hit.lease_owner == user.id)
        .values(lease_owner=None, lease_until=None, claimed_at=None)
    )
