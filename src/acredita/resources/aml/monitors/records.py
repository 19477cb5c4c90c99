"""The record of a monitor: its encrypted person, its end, its history of outcomes."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.engines.screening import Question
from acredita.kit.crypto import KeyRing
from acredita.models import Monitor, MonitorMatch, MonitorOutcome, MonitorState, Outcome
from acredita.resources.audit import service as audit

SUBJECT = ("full_name", "date_of_birth", "rfc", "curp")


def question_of(keys: KeyRing, monitor: Any) -> Question:
    """`monitor`: a Monitor, or a row with `id` and `subject_sealed`."""
    subject = Monitor.subject.open(keys, monitor.id, monitor.subject_sealed)
    return Question(
        subject["full_name"],
        date_of_birth=subject.get("date_of_birth"),
        rfc=subject.get("rfc"),
        curp=subject.get("curp"),
    )


async def active(session: AsyncSession, verification_id: UUID) -> Monitor | None:
    """The active monitor of a verification. For jobs: it is not limited to an organization."""
    query = select(Monitor).where(
        Monitor.verification_id == verification_id, Monitor.state == MonitorState.ACTIVE.value
    )
    return (await session.scalars(query)).one_or_none()


def end(session: AsyncSession, monitor: Monitor) -> None:
    """End a monitor whose 90 days are over."""
    monitor.state, monitor.next_screening_at = MonitorState.ENDED, None
    actor = audit.Actor(monitor.organization_id)
    audit.record(
        session,
        actor,
        Action.AML_MONITOR_ENDED,
        monitor.id,
        verification_id=monitor.verification_id,
    )


async def delete_monitors(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the monitors of purged verifications, with their matches and history."""
    await session.execute(delete(Monitor).where(Monitor.verification_id.in_(verification_ids)))


async def note_outcome(
    session: AsyncSession, monitor: Monitor, *, cause: str, index_version: int | None
) -> None:
    """Set the monitor's outcome. Add an entry to its history if outcome or count changed."""
    await session.flush()
    standing_matches = await session.scalar(
        select(func.count()).where(
            MonitorMatch.monitor_id == monitor.id,
            MonitorMatch.gone_at.is_(None),
            MonitorMatch.dismissed_at.is_(None),
        )
    )
    outcome = Outcome.HIT if standing_matches else Outcome.CLEAN
    last = (
        select(MonitorOutcome.outcome, MonitorOutcome.matches)
        .where(MonitorOutcome.monitor_id == monitor.id)
        .order_by(MonitorOutcome.id.desc())
        .limit(1)
    )
    known = (await session.execute(last)).one_or_none()
    if monitor.outcome is None or known is None or tuple(known) != (outcome, standing_matches):
        session.add(
            MonitorOutcome(
                organization_id=monitor.organization_id,
                monitor_id=monitor.id,
                outcome=outcome,
                matches=standing_matches or 0,
                cause=cause,
                index_version=index_version,
            )
        )
    monitor.outcome = outcome
