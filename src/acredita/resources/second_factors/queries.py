from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.signing_in import SecondFactor
from acredita.models import Organization, Passkey, RecoveryCode, TotpSecret, User, UserSession
from acredita.models.second_factor import has_second_factor
from acredita.models.tenancy import belongs_to, owned


async def totp_of(session: AsyncSession, organization_id: UUID, user_id: UUID) -> TotpSecret | None:
    """The user's row, locked until the transaction ends."""
    query = owned(TotpSecret, organization_id).where(TotpSecret.user_id == user_id)
    return (await session.scalars(query.with_for_update())).one_or_none()


async def needs(
    connection: AsyncConnection | AsyncSession, organization_id: UUID, user_id: UUID
) -> tuple[bool, bool]:
    """Whether the user has a second factor, and whether the organization requires one."""
    query = (
        owned(User, organization_id)
        .join(Organization, Organization.id == User.organization_id)
        .where(User.id == user_id)
        .with_only_columns(has_second_factor(User.id), Organization.second_factor_required)
    )
    row = (await connection.execute(query)).one_or_none()
    return (False, False) if row is None else (bool(row[0]), bool(row[1]))


async def email_of(session: AsyncSession, organization_id: UUID, user_id: UUID) -> str | None:
    query = owned(User, organization_id).where(User.id == user_id).with_only_columns(User.email)
    email: str | None = await session.scalar(query)
    return email


async def count_recovery_codes(session: AsyncSession, organization_id: UUID, user_id: UUID) -> int:
    query = (
        owned(RecoveryCode, organization_id)
        .where(RecoveryCode.user_id == user_id)
        .with_only_columns(func.count())
    )
    return await session.scalar(query) or 0


async def use_recovery_code(
    session: AsyncSession, organization_id: UUID, user_id: UUID, digest: bytes
) -> bool:
    """Delete a recovery code. Return whether there was one."""
    used = await session.scalar(
        delete(RecoveryCode)
        .where(
            belongs_to(RecoveryCode, organization_id),
            RecoveryCode.user_id == user_id,
            RecoveryCode.digest == digest,
        )
        .returning(RecoveryCode.id)
    )
    return used is not None


async def delete_recovery_codes(
    session: AsyncSession, organization_id: UUID, user_id: UUID
) -> None:
    await session.execute(
        delete(RecoveryCode).where(
            belongs_to(RecoveryCode, organization_id), RecoveryCode.user_id == user_id
        )
    )


async def delete_totp(session: AsyncSession, organization_id: UUID, user_id: UUID) -> bool:
    """Delete the user's secrets. Return whether one of them was confirmed."""
    deleted = await session.execute(
        delete(TotpSecret)
        .where(belongs_to(TotpSecret, organization_id), TotpSecret.user_id == user_id)
        .returning(TotpSecret.confirmed_at)
    )
    return any(row.confirmed_at for row in deleted)


async def delete_passkeys(session: AsyncSession, organization_id: UUID, user_id: UUID) -> None:
    await session.execute(
        delete(Passkey).where(belongs_to(Passkey, organization_id), Passkey.user_id == user_id)
    )


async def factors_of(
    connection: AsyncConnection, organization_id: UUID, user_id: UUID
) -> list[SecondFactor]:
    """The factors that a user with a second factor can prove."""
    app = exists().where(TotpSecret.user_id == User.id, TotpSecret.secret_sealed.is_not(None))
    query = (
        owned(User, organization_id)
        .where(User.id == user_id)
        .with_only_columns(app, exists().where(Passkey.user_id == User.id))
    )
    has_app, has_passkey = (await connection.execute(query)).one()
    found = [(SecondFactor.TOTP, has_app), (SecondFactor.PASSKEY, has_passkey)]
    return [*(factor for factor, has_it in found if has_it), SecondFactor.RECOVERY_CODE]


async def is_required(session: AsyncSession, organization_id: UUID) -> bool:
    query = select(Organization.second_factor_required).where(Organization.id == organization_id)
    return bool(await session.scalar(query))


async def mark_session(
    session: AsyncSession,
    organization_id: UUID,
    session_id: UUID,
    factor: str,
    *,
    lifetime: timedelta,
) -> None:
    """Note that a session, which had no second factor, has proved this one.

    It had less time if the organization requires a second factor.
    """
    await session.execute(
        update(UserSession)
        .where(
            belongs_to(UserSession, organization_id),
            UserSession.id == session_id,
            UserSession.second_factor.is_(None),
        )
        .values(second_factor=factor, expires_at=UserSession.signed_in_at + lifetime)
    )
