from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.errors import NotFound
from acredita.domain.one_time_password import MOST_GUESSES
from acredita.domain.phone_and_email import Channel
from acredita.models import OneTimePassword, Organization, Verification
from acredita.models.tenancy import belongs_to


async def owner_of(
    session: AsyncSession, verification_id: UUID | None, asked_by: UUID | None
) -> UUID:
    """The organization of a verification. It must be `asked_by`, unless that is None.

    Raise NotFound, also if the verification was purged: no later purge would delete new data.
    """
    query = select(Verification.organization_id).where(
        Verification.id == verification_id, Verification.purged_at.is_(None)
    )
    organization_id = await session.scalar(query)
    if organization_id is None or asked_by not in {None, organization_id}:
        raise NotFound
    return organization_id


async def replace(session: AsyncSession, password: OneTimePassword) -> None:
    """Replace all former codes of the verification and channel with a new one."""
    await session.execute(
        delete(OneTimePassword).where(
            OneTimePassword.verification_id == password.verification_id,
            OneTimePassword.channel == password.channel,
        )
    )
    session.add(password)
    await session.flush()


async def guess(
    session: AsyncSession,
    verification_id: UUID | None,
    channel: Channel,
    asked_by: UUID | None,
    now: datetime,
) -> OneTimePassword | None:
    """Count an attempt and return the code's row. Return None if there is no valid code.

    It is one statement, so concurrent attempts wait for the row lock and each one is counted.
    A sixth attempt never gets the row.
    """
    query = (
        update(OneTimePassword)
        .where(
            OneTimePassword.verification_id == verification_id,
            OneTimePassword.channel == channel,
            # Without a known caller, any organization.
            true() if asked_by is None else belongs_to(OneTimePassword, asked_by),
            OneTimePassword.guesses < MOST_GUESSES,
            OneTimePassword.used_at.is_(None),
            OneTimePassword.expires_at > now,
        )
        .values(guesses=OneTimePassword.guesses + 1)
        .returning(OneTimePassword)
    )
    return (await session.scalars(query)).one_or_none()


@dataclass(frozen=True, slots=True)
class Unsent:
    """A code to send, and the name of the organization that it is sent for."""

    id: UUID
    channel: str
    message_sealed: bytes
    expires_at: datetime
    sender: str


async def unsent(connection: AsyncConnection, password_id: UUID) -> Unsent | None:
    """Return the message of a code; None if it was sent or replaced."""
    query = (
        select(
            OneTimePassword.id,
            OneTimePassword.channel,
            OneTimePassword.message_sealed,
            OneTimePassword.expires_at,
            Organization.name,
        )
        .join(Organization, Organization.id == OneTimePassword.organization_id)
        .where(
            OneTimePassword.id == password_id,
            OneTimePassword.message_sealed.is_not(None),
        )
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    return Unsent(row.id, row.channel, row.message_sealed, row.expires_at, row.name)


async def forget_message(session: AsyncSession, password_id: UUID) -> OneTimePassword | None:
    """Delete the encrypted message and keep the digest. Return the row; None if it is gone."""
    query = (
        update(OneTimePassword)
        .where(OneTimePassword.id == password_id)
        .values(message_sealed=None)
        .returning(OneTimePassword)
    )
    return (await session.scalars(query)).one_or_none()


async def delete_expired(session: AsyncSession, now: datetime) -> None:
    await session.execute(delete(OneTimePassword).where(OneTimePassword.expires_at <= now))
