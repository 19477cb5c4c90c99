"""Legal holds: the retention purge skips a held verification or credit check."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import Row, func, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import AlreadyPurged, CommandRefused, NotFound
from acredita.kit.crypto import KeyRing
from acredita.models import CreditCheck, Verification
from acredita.models.tenancy import owned
from acredita.resources.audit import service as audit
from acredita.resources.retention.schemas import HoldList, HoldShape
from acredita.resources.verifications.queries import lock_owned

Holdable = Verification | CreditCheck
# The name of each, and the audit actions of a hold and its release.
KINDS: dict[type[Verification] | type[CreditCheck], tuple[str, Action, Action]] = {
    Verification: ("verification", Action.VERIFICATION_HELD, Action.VERIFICATION_RELEASED),
    CreditCheck: ("credit check", Action.CREDIT_CHECK_HELD, Action.CREDIT_CHECK_RELEASED),
}


async def hold(session: AsyncSession, keys: KeyRing, held_id: UUID, reason: str | None) -> str:
    """Defer the purge; return the name of what is held. An existing hold gets the new reason.

    It changes the row that a purge locks, so the two cannot run at once. Raise CommandRefused.
    """
    row = await _locked(session, held_id)
    name, held, _ = KINDS[type(row)]
    if isinstance(row, Verification) and row.purged_at is not None:
        raise CommandRefused(f"{name} {held_id} was purged already")
    _set(keys, row, reason)
    audit.record(session, _operator(row), held, row.id)
    return name


async def release(session: AsyncSession, held_id: UUID) -> str:
    """Clear the hold, so that the purge applies again; return the name. Raise CommandRefused."""
    row = await _locked(session, held_id)
    name, _, released = KINDS[type(row)]
    if row.held_at is None:
        raise CommandRefused(f"{name} {held_id} is not held")
    row.held_at = row.hold_reason_sealed = None
    audit.record(session, _operator(row), released, row.id)
    return name


async def hold_own(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    reason: str | None,
) -> HoldShape:
    """Hold a verification of the caller's organization, or change the reason.

    Raise NotFound, AlreadyPurged.
    """
    verification = await lock_owned(session, caller, verification_id)
    if verification.purged_at is not None:
        raise AlreadyPurged
    _set(keys, verification, reason)
    audit.record(session, caller, Action.VERIFICATION_HELD, verification_id)
    await session.flush()
    await session.refresh(verification, ["held_at"])
    return _shape(keys, verification)


async def release_own(session: AsyncSession, caller: Caller, verification_id: UUID) -> None:
    """End the hold of a verification of the caller's organization. Raise NotFound."""
    verification = await lock_owned(session, caller, verification_id)
    if verification.held_at is None:
        raise NotFound
    verification.held_at = verification.hold_reason_sealed = None
    audit.record(session, caller, Action.VERIFICATION_RELEASED, verification_id)


async def list_own(
    session: AsyncSession, keys: KeyRing, caller: Caller, *, limit: int, offset: int
) -> HoldList:
    """Return a page of the held verifications of the caller's organization, newest hold first."""
    mine = owned(Verification, caller.organization_id).where(Verification.held_at.is_not(None))
    page = mine.order_by(Verification.held_at.desc(), Verification.id).limit(limit).offset(offset)
    total = await session.scalar(select(func.count()).select_from(mine.subquery()))
    rows = await session.scalars(page)
    return HoldList(holds=[_shape(keys, row) for row in rows], total=total or 0)


def _shape(keys: KeyRing, verification: Verification) -> HoldShape:
    assert verification.held_at is not None  # noqa: S101 (the caller has selected held ones)
    return HoldShape(
        verification_id=verification.id,
        external_id=verification.external_id,
        held_at=verification.held_at,
        reason=verification.hold_reason.open(keys),
    )


def _set(keys: KeyRing, row: Holdable, reason: str | None) -> None:
    if row.held_at is None:
        row.held_at = func.now()
    # A reason can name people and disputes.
    row.hold_reason.seal(keys, reason or None)


async def held(
    connection: AsyncConnection,
) -> Sequence[Row[UUID, UUID, datetime | None, bytes | None]]:
    """Return (id, organization_id, held_at, hold_reason_sealed), the oldest hold first."""
    rows = union_all(
        *(
            select(kind.id, kind.organization_id, kind.held_at, kind.hold_reason_sealed).where(
                kind.held_at.is_not(None)
            )
            for kind in KINDS
        )
    ).subquery()
    query = select(
        rows.c.id, rows.c.organization_id, rows.c.held_at, rows.c.hold_reason_sealed
    ).order_by(rows.c.held_at)
    return (await connection.execute(query)).all()


async def _locked(session: AsyncSession, held_id: UUID) -> Holdable:
    for kind in KINDS:
        query = select(kind).where(kind.id == held_id).with_for_update()
        row = cast("Holdable | None", (await session.scalars(query)).one_or_none())
        if row is not None:
            return row
    raise CommandRefused(f"there is no verification or credit check {held_id}")


def _operator(row: Holdable) -> audit.Actor:
    return audit.Actor(row.organization_id)
