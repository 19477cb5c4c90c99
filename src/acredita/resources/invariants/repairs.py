"""Automatic repairs: add the lost job of unfinished work again.

Each repair takes the row's locks and checks the violation again before it changes anything.
"""

from collections.abc import Awaitable, Callable, Mapping
from uuid import UUID

from sqlalchemy import text

from acredita.jobs import Queue, ledger, reaper
from acredita.ports import JobEnding
from acredita.resources.invariants import checks
from acredita.resources.verifications import recovery
from acredita.resources.webhooks import receivers

Repair = Callable[[JobEnding, UUID], Awaitable[None]]

SEND = text(
    f"""
    {receivers.inserting(checks.MISSING_DELIVERIES.format(events="id = :id"))}
    ON CONFLICT DO NOTHING
    """
)


async def send_event(services: JobEnding, event_id: UUID) -> None:
    async with services.database.transaction() as session:
        await session.execute(SEND, {"id": event_id})
        ledger.ring(session, Queue.WEBHOOKS)


async def rouse_receivers(services: JobEnding, _: UUID) -> None:
    await ledger.rouse(services.database, Queue.WEBHOOKS)
    ledger.announce(services.database, Queue.WEBHOOKS)


async def take_leases_back(services: JobEnding, _: UUID) -> None:
    await reaper.reap(services)


REPAIRS: Mapping[str, Repair] = {
    checks.VERIFICATION_STUCK.name: recovery.resume,
    checks.DELIVERY_IDLE.name: rouse_receivers,
    checks.EVENT_NOT_SENT.name: send_event,
    checks.LEASE_ABANDONED.name: take_leases_back,
}
