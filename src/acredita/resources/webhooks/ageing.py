"""How events, deliveries and attempts age: they are deleted with their verification, or by month.

A month of these tables is a partition (kit/partitions.py).
"""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.models import Delivery, DeliveryAttempt, Event

# The function of the database for the months of these tables.
KEEP_MONTHS = "keep_partitions"


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
