"""Create, find and use the rows of single-use password links."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from sqlalchemy.orm import aliased

from acredita.domain.errors import ValidationFailed
from acredita.domain.languages import Language
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing, token_digest
from acredita.models import LinkPurpose, PasswordLink, User
from acredita.ports import Messaging
from acredita.resources.auth.queries import account_of
from acredita.settings import Settings


class LinkSpent(ValidationFailed):
    def __init__(self) -> None:
        super().__init__(
            "The link was used before or has expired. Ask for a new one.",
            details=["body.token: is no longer valid"],
        )


@dataclass(frozen=True, slots=True)
class MailableLink:
    """A link whose owner is known, ready to be mailed."""

    user_id: UUID
    organization_id: UUID
    email: str
    purpose: LinkPurpose
    language: Language
    url: str


@dataclass(frozen=True, slots=True)
class NewLink:
    row: PasswordLink
    url: str


def make_link(
    services: Messaging,
    *,
    purpose: LinkPurpose,
    lifetime: timedelta,
    language: Language,
    user_id: UUID | None,
    email: str | None,
) -> NewLink:
    """Create a link for a user, or for the owner of `email`. A job finds the owner later."""
    if (user_id is None) == (email is None):
        raise ValueError("give either user_id or email")
    token = secrets.token_urlsafe(32)
    link_id = ids.sortable()
    keys = services.keys
    row = PasswordLink(
        id=link_id,
        purpose=purpose,
        user_id=user_id,
        email_sealed=PasswordLink.email.seal(keys, link_id, email or None),
        token_digest=token_digest(token),
        token_sealed=PasswordLink.token.seal(keys, link_id, token),
        language=language,
        expires_at=services.clock.now() + lifetime,
    )
    return NewLink(row, _url(services.settings, token))


def _url(settings: Settings, token: str) -> str:
    return f"{settings.public_url}/reset-password?token={token}"


async def find_owner(session: AsyncSession, keys: KeyRing, link_id: UUID) -> None:
    """Bind a link that was requested by address to the owner. Delete it if there is none."""
    link = await session.get(PasswordLink, link_id, with_for_update=True)
    email = None if link is None else link.email.open(keys)
    if link is None or email is None:
        return
    owner = await account_of(session, email)
    if owner is None or await _was_overtaken(session, link, owner.user_id):
        await session.delete(link)
        return
    link.user_id, link.email_sealed = owner.user_id, None


async def _was_overtaken(session: AsyncSession, link: PasswordLink, user_id: UUID) -> bool:
    """Whether another link set the password after this one was requested."""
    other = aliased(PasswordLink)
    query = select(exists().where(other.user_id == user_id, other.used_at > link.created_at))
    return bool(await session.scalar(query))


async def mailable(
    connection: AsyncConnection, services: Messaging, link_id: UUID
) -> MailableLink | None:
    """The data of the link's mail; None if it was mailed, used or deleted, or has expired."""
    query = (
        select(
            User.id,
            User.organization_id,
            User.email,
            PasswordLink.purpose,
            PasswordLink.language,
            PasswordLink.token_sealed,
        )
        .join(User, User.id == PasswordLink.user_id)
        .where(
            PasswordLink.id == link_id,
            PasswordLink.token_sealed.is_not(None),
            PasswordLink.used_at.is_(None),
            PasswordLink.expires_at > services.clock.now(),
            User.is_active,
        )
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    token = PasswordLink.token.open(services.keys, link_id, row.token_sealed)
    return MailableLink(
        row.id,
        row.organization_id,
        row.email,
        LinkPurpose(row.purpose),
        Language(row.language),
        _url(services.settings, token),
    )


async def forget_secret(session: AsyncSession, link_id: UUID) -> None:
    """Delete the encrypted token and address. The digest stays, to recognize the token."""
    await session.execute(
        update(PasswordLink)
        .where(PasswordLink.id == link_id)
        .values(token_sealed=None, email_sealed=None)
    )


async def check(connection: AsyncConnection, clock: Clock, token: str) -> None:
    """Raise LinkSpent unless the token is valid now."""
    query = select(PasswordLink.id).where(*_usable(clock, token))
    if (await connection.execute(query)).one_or_none() is None:
        raise LinkSpent


async def consume(session: AsyncSession, clock: Clock, token: str) -> UUID:
    """Use the link of a token and delete the user's other links. Return the user's id.

    Raise LinkSpent if the link is unknown, used, deleted or expired. The user's row is locked
    first, so that of two links used at the same time only one works.
    """
    owner = select(PasswordLink.user_id).where(PasswordLink.token_digest == token_digest(token))
    user_id = await session.scalar(
        select(User.id).where(User.id == owner.scalar_subquery(), User.is_active).with_for_update()
    )
    used = update(PasswordLink).where(*_usable(clock, token))
    link_id = user_id and await session.scalar(
        used.values(used_at=func.now(), token_sealed=None).returning(PasswordLink.id)
    )
    if user_id is None or link_id is None:
        raise LinkSpent
    await session.execute(
        delete(PasswordLink).where(PasswordLink.user_id == user_id, PasswordLink.id != link_id)
    )
    return user_id


def _usable(clock: Clock, token: str) -> tuple[ColumnElement[bool], ...]:
    return (
        PasswordLink.token_digest == token_digest(token),
        PasswordLink.used_at.is_(None),
        PasswordLink.expires_at > clock.now(),
    )


async def delete_expired(session: AsyncSession, now: datetime) -> None:
    await session.execute(delete(PasswordLink).where(PasswordLink.expires_at < now))
