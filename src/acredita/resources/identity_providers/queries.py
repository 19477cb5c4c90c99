from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.roles import Role
from acredita.domain.signing_in import SignInMethod
from acredita.models import IdentityProvider, Organization, ProviderSignIn, User, UserSession
from acredita.models.tenancy import belongs_to, owned
from acredita.resources.auth.queries import folded


async def find(session: AsyncSession, organization_id: UUID) -> IdentityProvider | None:
    return (await session.scalars(owned(IdentityProvider, organization_id))).one_or_none()


async def find_by_slug(session: AsyncSession, slug: str) -> IdentityProvider | None:
    query = (
        select(IdentityProvider)
        .join(Organization, Organization.id == IdentityProvider.organization_id)
        .where(Organization.slug == slug)
    )
    return (await session.scalars(query)).one_or_none()


async def has_owner_with_password(session: AsyncSession, organization_id: UUID) -> bool:
    query = select(
        exists().where(
            belongs_to(User, organization_id),
            User.role == Role.OWNER,
            User.is_active,
            User.password_hash.is_not(None),
        )
    )
    return bool(await session.scalar(query))


async def end_sessions_without_provider(session: AsyncSession, organization_id: UUID) -> None:
    """End the sessions and tokens of all but OWNERs: those of passwords cannot be told apart."""
    await session.execute(
        update(User)
        .where(belongs_to(User, organization_id), User.role != Role.OWNER)
        .values(token_version=User.token_version + 1)
    )


async def forget_subjects(session: AsyncSession, organization_id: UUID) -> None:
    """End the sessions of a former provider, and untie its subjects from the users."""
    await session.execute(
        delete(UserSession).where(
            belongs_to(UserSession, organization_id), UserSession.method == SignInMethod.PROVIDER
        )
    )
    await session.execute(
        update(User)
        .where(belongs_to(User, organization_id), User.provider_subject.is_not(None))
        .values(provider_subject=None)
    )


async def delete_expired(session: AsyncSession, now: datetime) -> None:
    await session.execute(delete(ProviderSignIn).where(ProviderSignIn.expires_at < now))


async def use_sign_in(
    session: AsyncSession, digest: bytes, now: datetime
) -> IdentityProvider | None:
    """Delete a sign-in that has begun, so that it ends once. Return its provider."""
    provider_id = await session.scalar(
        delete(ProviderSignIn)
        .where(ProviderSignIn.digest == digest, ProviderSignIn.expires_at > now)
        .returning(ProviderSignIn.provider_id)
    )
    return None if provider_id is None else await session.get(IdentityProvider, provider_id)


async def user_of_subject(
    session: AsyncSession, organization_id: UUID, subject: bytes
) -> User | None:
    """The user who has signed in with this subject, locked."""
    query = owned(User, organization_id).where(User.provider_subject == subject)
    return (await session.scalars(query.with_for_update())).one_or_none()


async def user_of_address(session: AsyncSession, email: str) -> User | None:
    """The user of any organization with this address, locked. Addresses are unique."""
    query = select(User).where(func.lower(User.email) == folded(email))
    return (await session.scalars(query.with_for_update())).one_or_none()
