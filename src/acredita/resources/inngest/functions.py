"""The functions that Inngest can call. Each starts work of the job ledger.

Inngest decides when; the ledger guarantees that the work is done, once. A function returns as soon
as the work is durably queued, so a repeated or replayed call does no harm.
"""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any
from uuid import UUID

import inngest
import structlog

from acredita import jobs
from acredita.domain.errors import DomainError
from acredita.kit import ids
from acredita.kit.db import Database
from acredita.kit.logging import describe
from acredita.resources.aml.monitors import records
from acredita.resources.aml.monitors.jobs import find_overdue_monitors, queue_screening
from acredita.resources.audit.service import Actor
from acredita.resources.ground_truth import truths
from acredita.resources.ground_truth.licences import LICENCES
from acredita.resources.retention.jobs import purge

log = structlog.get_logger()

Answer = dict[str, Any]
Handler = Callable[[inngest.Context], Awaitable[Answer]]


def functions_of(client: inngest.Inngest, database: Database) -> list[inngest.Function[Any]]:
    """All functions, each triggered by its event."""
    return [
        client.create_function(
            fn_id=name,
            trigger=inngest.TriggerEvent(event=f"acredita/{event}"),
            retries=4,
        )(_guarded(handler))
        for name, event, handler in (
            ("aml-rescreen", "aml.rescreen", _rescreen(database)),
            ("retention-purge", "retention.purge", _purge(database)),
            ("delivery-sweep", "deliveries.sweep", _sweep(database)),
            ("licence-reocr", "licence.reocr", _read_again(database)),
        )
    ]


def _rescreen(database: Database) -> Handler:
    async def rescreen(context: inngest.Context) -> Answer:
        """Screen the person of `verificationId` now; without it, all overdue monitors."""
        if "verificationId" not in context.event.data:
            async with database.transaction() as session:
                await jobs.run_at_once(session, find_overdue_monitors)
            return {"queued": find_overdue_monitors.kind}
        verification_id = _id(context, "verificationId")
        async with database.transaction() as session:
            monitor = await records.active(session, verification_id)
            if monitor is None:
                raise inngest.NonRetriableError("this verification has no active monitor")
            await queue_screening(session, monitor.id, monitor.organization_id)
        return {"queued": "aml.screen_monitor"}

    return rescreen


def _purge(database: Database) -> Handler:
    async def purge_now(_: inngest.Context) -> Answer:
        async with database.transaction() as session:
            await jobs.run_at_once(session, purge)
        return {"queued": purge.kind}

    return purge_now


def _sweep(database: Database) -> Handler:
    async def sweep(_: inngest.Context) -> Answer:
        """Start all due deliveries."""
        await jobs.rouse(database, jobs.Queue.WEBHOOKS)
        jobs.announce(database, jobs.Queue.WEBHOOKS)
        return {"queued": "webhooks.drain"}

    return sweep


def _read_again(database: Database) -> Handler:
    async def read_again(context: inngest.Context) -> Answer:
        """Read a ground-truth licence again: `organizationId` and `licenceId`."""
        actor = Actor(_id(context, "organizationId"))
        licence_id = _id(context, "licenceId")
        async with database.transaction() as session:
            await truths.try_again(session, LICENCES, actor, licence_id)
        return {"queued": "groundtruth.read_licence"}

    return read_again


def _guarded(handler: Handler) -> Handler:
    """Reduce errors to a code, because Inngest is an external service."""

    @wraps(handler)
    async def guarded(context: inngest.Context) -> Answer:
        try:
            return await handler(context)
        except inngest.NonRetriableError:
            raise
        except DomainError as fault:
            raise inngest.NonRetriableError(fault.code) from None
        except Exception as fault:
            log.warning("a function called by Inngest failed", error=describe(fault))
            raise RuntimeError("SERVICE_UNAVAILABLE") from None

    return guarded


def _id(context: inngest.Context, name: str) -> UUID:
    value = context.event.data.get(name)
    parsed = ids.parse(value) if isinstance(value, str) else None
    if parsed is None:
        raise inngest.NonRetriableError(f"data.{name} must be an id")
    return parsed
