"""Legal holds: a verification that is held is not purged, however old it is."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.kit.crypto import KeyRing
from acredita.models import Verification
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor


class NotHeld(Exception):
    """The message says why the command could do nothing."""


async def hold(
    session: AsyncSession, keys: KeyRing, verification_id: UUID, reason: str | None
) -> None:
    """Defer the purge; a hold that is there gets the new reason. Raise NotHeld.

    It changes the row that a purge locks, so of the two the later one sees the earlier.
    """
    verification = await _locked(session, verification_id)
    if verification.purged_at is not None:
        raise NotHeld(f"verification {verification_id} was purged already")
    if verification.held_at is None:
        verification.held_at = func.now()
    # A reason names people and disputes.
    verification.hold_reason_sealed = (
        keys.seal(reason.encode(), context=hold_context(verification_id)) if reason else None
    )
    _record(session, verification, Action.VERIFICATION_HELD)


async def release(session: AsyncSession, verification_id: UUID) -> None:
    """Let the next purge have it, if it is old enough. Raise NotHeld."""
    verification = await _locked(session, verification_id)
    if verification.held_at is None:
        raise NotHeld(f"verification {verification_id} is not held")
    verification.held_at = verification.hold_reason_sealed = None
    _record(session, verification, Action.VERIFICATION_RELEASED)


async def held(
    connection: AsyncConnection,
) -> Sequence[Row[UUID, UUID, datetime | None, bytes | None]]:
    """(id, organization_id, held_at, hold_reason_sealed), the oldest hold first."""
    query = (
        select(
            Verification.id,
            Verification.organization_id,
            Verification.held_at,
            Verification.hold_reason_sealed,
        )
        .where(Verification.held_at.is_not(None))
        .order_by(Verification.held_at)
    )
    return (await connection.execute(query)).all()


def hold_context(verification_id: UUID) -> str:
    return f"verification_hold:{verification_id}"


async def _locked(session: AsyncSession, verification_id: UUID) -> Verification:
    query = select(Verification).where(Verification.id == verification_id).with_for_update()
    verification = (await session.scalars(query)).one_or_none()
    if verification is None:
        raise NotHeld(f"there is no verification {verification_id}")
    return verification


def _record(session: AsyncSession, verification: Verification, action: Action) -> None:
    operator = Actor(verification.organization_id, ActorType.SERVICE)
    audit.record(session, operator, action, verification.id)
