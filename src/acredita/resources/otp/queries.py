from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.api.errors import NotFound
from acredita.domain.destinations import Channel
from acredita.domain.one_time_password import MOST_GUESSES
from acredita.models import OneTimePassword, Organization, Verification


async def owner_of(
    session: AsyncSession, verification_id: UUID | None, asked_by: UUID | None
) -> UUID:
    """Whose verification it is: `asked_by`'s, where that organization is known. Raise NotFound.

    Also for one that was purged: no purge would come back for what is written on a tombstone.
    """
    query = select(Verification.organization_id).where(
        Verification.id == verification_id, Verification.purged_at.is_(None)
    )
    organization_id = await session.scalar(query)
    if organization_id is None or asked_by not in {None, organization_id}:
        raise NotFound
    return organization_id


async def replace(session: AsyncSession, password: OneTimePassword) -> None:
    """Whatever was sent before for the verification by the channel is void from now on."""
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
    """Count a guess and return what was guessed at; None where there is nothing to guess.

    One statement: guesses of one moment wait for each other at the row, and each that gets it has
    been counted. Nobody gets it for the sixth time.
    """
    query = (
        update(OneTimePassword)
        .where(
            OneTimePassword.verification_id == verification_id,
            OneTimePassword.channel == channel,
            # Of whatever organization, where none is known.
            OneTimePassword.organization_id == (asked_by or OneTimePassword.organization_id),
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
    """A code that is to be sent, and the name of whom it is sent for."""

    id: UUID
    channel: str
    message_sealed: bytes
    expires_at: datetime
    sender: str


async def unsent(connection: AsyncConnection, password_id: UUID) -> Unsent | None:
    """None where nothing needs to be sent: it was already, or was replaced."""
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
    """Keep of a code only what recognizes it; the row, if it is still there."""
    query = (
        update(OneTimePassword)
        .where(OneTimePassword.id == password_id)
        .values(message_sealed=None)
        .returning(OneTimePassword)
    )
    return (await session.scalars(query)).one_or_none()


async def delete_expired(session: AsyncSession, now: datetime) -> None:
    await session.execute(delete(OneTimePassword).where(OneTimePassword.expires_at <= now))
