"""Start and stop monitors. A monitor ends after 90 days, or with its verification."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.kit import ids
from acredita.kit.clock import Clock, timestamp
from acredita.kit.crypto import KeyRing
from acredita.models import (
    Monitor,
    MonitorMatch,
    MonitorState,
    Verification,
)
from acredita.models.tenancy import owned
from acredita.resources.aml.monitors.jobs import queue_screening
from acredita.resources.aml.monitors.records import SUBJECT
from acredita.resources.aml.monitors.schemas import MonitorRequest
from acredita.resources.audit import service as audit

# Specification, Limits.
DURATION = timedelta(days=90)


async def switch(
    session: AsyncSession, clock: Clock, keys: KeyRing, caller: Caller, data: MonitorRequest
) -> tuple[UUID, str]:
    """Start or stop the monitor of a verification. Return the verification's id and a message.

    Starting an active monitor for the same person changes nothing. For another person, or after
    the monitor ended, a new period of 90 days starts. Raise NotFound.
    """
    verification_id = await _locked_verification(session, caller, data.verification_id)
    query = select(Monitor).where(Monitor.verification_id == verification_id).with_for_update()
    monitor = (await session.scalars(query)).one_or_none()
    if not data.enabled:
        return verification_id, _switch_off(session, caller, monitor)
    subject = {name: value for name in SUBJECT if (value := getattr(data, name)) is not None}
    if monitor is not None and subject != monitor.subject.open(keys):
        await _forget_matches(session, monitor, clock.now())
    elif monitor is not None and monitor.state == MonitorState.ACTIVE:
        return verification_id, f"Already monitored, until {timestamp(monitor.ends_at)}."
    monitor = monitor or Monitor(
        id=ids.sortable(),
        organization_id=caller.organization_id,
        verification_id=verification_id,
    )
    _begin(monitor, clock, keys, subject)
    session.add(monitor)
    await session.flush()
    await queue_screening(session, monitor.id, caller.organization_id)
    audit.record(
        session,
        caller,
        Action.AML_MONITOR_ENABLED,
        monitor.id,
        verification_id=verification_id,
    )
    return verification_id, f"Screened every 24 hours until {timestamp(monitor.ends_at)}."


def _switch_off(session: AsyncSession, caller: Caller, monitor: Monitor | None) -> str:
    if monitor is None or monitor.state != MonitorState.ACTIVE:
        return "Not monitored."
    monitor.state, monitor.next_screening_at = MonitorState.DISABLED, None
    audit.record(
        session,
        caller,
        Action.AML_MONITOR_DISABLED,
        monitor.id,
        verification_id=monitor.verification_id,
    )
    return "No longer monitored."


def _begin(monitor: Monitor, clock: Clock, keys: KeyRing, subject: dict[str, str]) -> None:
    now = clock.now()
    monitor.state = MonitorState.ACTIVE
    monitor.subject.seal(keys, subject)
    monitor.started_at = monitor.next_screening_at = now
    monitor.ends_at = now + DURATION
    monitor.screened_at = monitor.outcome = None
    monitor.screening_id = monitor.answer_hash = None


async def _locked_verification(session: AsyncSession, caller: Caller, written: str) -> UUID:
    """Lock the verification: no purge or other switch runs until this transaction ends.

    Raise NotFound.
    """
    query = (
        owned(Verification, caller.organization_id)
        .with_only_columns(Verification.id)
        .where(
            Verification.id == ids.parse(written),
            Verification.purged_at.is_(None),
        )
        .with_for_update(key_share=True)
    )
    found = await session.scalar(query)
    if found is None:
        raise NotFound
    return UUID(str(found))


async def _forget_matches(session: AsyncSession, monitor: Monitor, now: datetime) -> None:
    """Mark all matches as gone and clear their reviews: they belong to another person."""
    await session.execute(
        update(MonitorMatch)
        .where(MonitorMatch.monitor_id == monitor.id)
        .values(
            gone_at=func.coalesce(MonitorMatch.gone_at, now),
            dismissed_at=None,
            dismissed_by=None,
            notes_sealed=None,
        )
    )
