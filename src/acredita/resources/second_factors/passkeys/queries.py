from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.models import Passkey, PasskeyChallenge, User
from acredita.models.tenancy import belongs_to, owned


async def list_all(session: AsyncSession, caller: Caller) -> Sequence[Passkey]:
    query = owned(Passkey, caller.organization_id).where(Passkey.user_id == caller.id)
    return (await session.scalars(query.order_by(Passkey.id))).all()


async def delete_one(session: AsyncSession, caller: Caller, passkey_id: UUID) -> bool:
    """Delete a passkey of the caller. Return whether there was one."""
    deleted = await session.scalar(
        delete(Passkey)
        .where(
            belongs_to(Passkey, caller.organization_id),
            Passkey.user_id == caller.id,
            Passkey.id == passkey_id,
        )
        .returning(Passkey.id)
    )
    return deleted is not None


async def of_credential(session: AsyncSession, credential_id: bytes) -> tuple[Passkey, User] | None:
    """The passkey, locked, and its active user. A credential's id is unique service-wide."""
    query = (
        select(Passkey, User)
        .join(User, User.id == Passkey.user_id)
        .where(Passkey.credential_id == credential_id, User.is_active)
        .with_for_update(of=Passkey)
    )
    row = (await session.execute(query)).one_or_none()
    return None if row is None else (row[0], row[1])


async def use_challenge(
    session: AsyncSession, digest: bytes, user_id: UUID | None, now: datetime
) -> bool:
    """Delete a challenge, so that it is used once. Return whether it was valid.

    `user_id`: the user who registers a passkey; None for a sign-in.
    """
    used = await session.scalar(
        delete(PasskeyChallenge)
        .where(
            PasskeyChallenge.digest == digest,
            PasskeyChallenge.user_id.is_not_distinct_from(user_id),
            PasskeyChallenge.expires_at > now,
        )
        .returning(PasskeyChallenge.digest)
    )
    return used is not None


async def delete_expired(session: AsyncSession, now: datetime) -> None:
    await session.execute(delete(PasskeyChallenge).where(PasskeyChallenge.expires_at < now))
