from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.roles import Role
from acredita.kit.crypto import KeyRing
from acredita.models import Browser, Organization, User, UserSession
from acredita.models.tenancy import belongs_to, owned


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in user, and the name of the organization."""

    id: UUID
    email: str
    role: Role
    organization_id: UUID
    organization_name: str


@dataclass(frozen=True, slots=True)
class SessionDetails:
    id: UUID
    signed_in_at: datetime
    last_seen_at: datetime
    expires_at: datetime
    browser: Browser


async def person_of(connection: AsyncConnection, caller: Caller) -> Person | None:
    query = (
        owned(User, caller.organization_id)
        .join(Organization, Organization.id == User.organization_id)
        .where(User.id == caller.id)
        .with_only_columns(User.id, User.email, User.role, Organization.id, Organization.name)
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    user_id, email, role, organization_id, name = row
    return Person(user_id, email, Role(role), organization_id, name)


async def list_open(
    session: AsyncSession, caller: Caller, keys: KeyRing, *, seen_since: datetime, now: datetime
) -> list[SessionDetails]:
    """The caller's sessions that have not ended, the last used first. A key has none."""
    query = (
        owned(UserSession, caller.organization_id)
        .join(User, User.id == UserSession.user_id)
        .where(
            UserSession.user_id == caller.id,
            UserSession.token_version == User.token_version,
            UserSession.last_seen_at > seen_since,
            UserSession.expires_at > now,
        )
        .order_by(UserSession.last_seen_at.desc(), UserSession.id.desc())
    )
    return [
        SessionDetails(
            row.id, row.signed_in_at, row.last_seen_at, row.expires_at, row.browser.open(keys)
        )
        for row in await session.scalars(query)
    ]


async def update_one(
    session: AsyncSession, caller: Caller, session_id: UUID, values: Mapping[str, object]
) -> bool:
    """Change a session of the caller. Return whether there is one."""
    updated = await session.scalar(
        update(UserSession)
        .where(
            belongs_to(UserSession, caller.organization_id),
            UserSession.user_id == caller.id,
            UserSession.id == session_id,
        )
        .values(values)
        .returning(UserSession.id)
    )
    return updated is not None


async def delete_one(session: AsyncSession, caller: Caller, session_id: UUID) -> bool:
    """Delete a session of the caller. Return whether there was one."""
    deleted = await session.scalar(
        delete(UserSession)
        .where(
            belongs_to(UserSession, caller.organization_id),
            UserSession.user_id == caller.id,
            UserSession.id == session_id,
        )
        .returning(UserSession.id)
    )
    return deleted is not None


async def delete_by_digest(session: AsyncSession, digest: bytes) -> None:
    """Delete the session whose token has this digest, if there is one."""
    await session.execute(delete(UserSession).where(UserSession.token_digest == digest))


async def delete_others(session: AsyncSession, caller: Caller) -> list[UUID]:
    """Delete the caller's sessions except the one of this request. Return their ids."""
    condition = [belongs_to(UserSession, caller.organization_id), UserSession.user_id == caller.id]
    if caller.session_id is not None:
        condition.append(UserSession.id != caller.session_id)
    deleted = await session.scalars(delete(UserSession).where(*condition).returning(UserSession.id))
    return list(deleted)


async def delete_ended(session: AsyncSession, *, seen_before: datetime, now: datetime) -> None:
    """Delete sessions that have expired or were idle for too long."""
    await session.execute(
        delete(UserSession).where(
            (UserSession.expires_at < now) | (UserSession.last_seen_at < seen_before)
        )
    )
