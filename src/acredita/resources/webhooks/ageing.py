"""How events, deliveries and attempts age: they are deleted with their verification, or by month.

A month of these tables is a partition. Dropping one takes milliseconds, however many rows it has; a
deletion reads and writes each row, and leaves the space to VACUUM. A function of the database adds
and drops partitions, because the role of the workers does not own the tables.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Delivery, DeliveryAttempt, Event


@dataclass(frozen=True, slots=True)
class Partitions:
    """The numbers of partitions that a run added and dropped."""

    added: int
    dropped: int


async def keep_partitions(session: AsyncSession, *, kept_for: timedelta) -> Partitions:
    """Add the partitions of the coming months and drop those that ended `kept_for` ago.

    Waits at most half a second for a lock, because other statements wait behind it.
    """
    found = await session.execute(
        select(text("*")).select_from(func.keep_partitions(func.now() - kept_for))
    )
    return Partitions(*found.one())


async def delete_events(session: AsyncSession, verification_ids: Sequence[UUID]) -> None:
    """Delete the events of verifications, with their deliveries and attempts."""
    events = (
        await session.scalars(select(Event.id).where(Event.verification_id.in_(verification_ids)))
    ).all()
    # Deliveries first: a run that records an attempt meanwhile holds the delivery's row.
    deliveries = (
        await session.scalars(
            delete(Delivery).where(Delivery.event_id.in_(events)).returning(Delivery.id)
        )
    ).all()
    await session.execute(
        delete(DeliveryAttempt).where(DeliveryAttempt.delivery_id.in_(deliveries))
    )
    await session.execute(delete(Event).where(Event.id.in_(events)))
