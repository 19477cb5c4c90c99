"""The delivery log of an endpoint, and redeliveries."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, literal, select, text, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import DeliveryPending, NotFound
from acredita.domain.events import EventKind
from acredita.kit.crypto import CannotUnseal
from acredita.kit.cursors import Window
from acredita.models import (
    Delivery,
    DeliveryAttempt,
    DeliveryState,
    Event,
    WebhookEndpoint,
    WebhookFormat,
    WebhookReceiver,
)
from acredita.models.tenancy import belongs_to
from acredita.ports import EventPosting
from acredita.resources.audit import service as audit
from acredita.resources.webhooks import formats

# Seconds in which a second request for a redelivery counts as a repetition of the first.
SAME_REQUEST = 10


@dataclass(frozen=True, slots=True)
class Page:
    total: int
    has_more: bool
    deliveries: Sequence[Row[*tuple[Any, ...]]]
    attempts: dict[UUID, list[Row[*tuple[Any, ...]]]]
    paused_until: datetime | None


async def page(
    connection: AsyncConnection,
    caller: Caller,
    endpoint_id: UUID,
    *,
    state: DeliveryState | None,
    window: Window,
) -> Page:
    """Return the deliveries of an endpoint of the caller's organization, newest first.

    A page after a cursor counts nothing: its total is the first page's.
    """
    wanted = [
        belongs_to(Delivery, caller.organization_id),
        Delivery.endpoint_id == endpoint_id,
    ]
    if state is not None:
        wanted.append(Delivery.state == state)
    if window.after is None:
        counted = select(func.count()).select_from(Delivery).where(*wanted)
        total = (await connection.scalar(counted)) or 0
    else:
        total = window.after.total
        place = tuple_(literal(window.after.created_at), literal(window.after.id))
        wanted.append(tuple_(Delivery.created_at, Delivery.id) < place)
    query = (
        select(
            Delivery.id,
            Delivery.state,
            Delivery.created_at,
            Delivery.next_at,
            Delivery.redelivered_at,
            Delivery.finished_at,
            Event.kind,
            Event.verification_id,
        )
        .join(Event, Event.id == Delivery.event_id)
        .where(*wanted)
        .order_by(Delivery.created_at.desc(), Delivery.id.desc())
        .limit(window.limit + 1)
        .offset(window.offset)
    )
    found = (await connection.execute(query)).all()
    deliveries = found[: window.limit]
    paused_until = await connection.scalar(
        select(WebhookReceiver.resting_until).where(
            WebhookReceiver.id == endpoint_id, WebhookReceiver.resting_until > func.now()
        )
    )
    attempts = await _attempts(connection, [delivery.id for delivery in deliveries])
    return Page(total, len(found) > window.limit, deliveries, attempts, paused_until)


async def _attempts(
    connection: AsyncConnection, delivery_ids: Sequence[UUID]
) -> dict[UUID, list[Row[*tuple[Any, ...]]]]:
    query = (
        select(
            DeliveryAttempt.id,
            DeliveryAttempt.delivery_id,
            DeliveryAttempt.started_at,
            DeliveryAttempt.duration_ms,
            DeliveryAttempt.response_status,
            DeliveryAttempt.error,
        )
        .where(DeliveryAttempt.delivery_id.in_(delivery_ids))
        .order_by(DeliveryAttempt.delivery_id, DeliveryAttempt.number)
    )
    by_delivery = defaultdict(list)
    for attempt in await connection.execute(query):
        by_delivery[attempt.delivery_id].append(attempt)
    return by_delivery


REDELIVER = text(
    """
    UPDATE delivery
    SET state = 'pending', next_at = now(), earlier_attempts = attempts, losses = 0,
        redelivered_at = now(), finished_at = NULL
    WHERE id = :id
    """
)


async def redeliver(
    session: AsyncSession, caller: Caller, endpoint_id: UUID, delivery_id: UUID
) -> DeliveryState:
    """Restart a finished delivery: the same bytes, with all attempts again.

    Raise NotFound, DeliveryPending. A repetition within SAME_REQUEST seconds changes nothing and
    gets the answer of the first request.
    """
    found = (
        await session.execute(
            select(
                Delivery.state,
                (
                    Delivery.redelivered_at
                    > func.clock_timestamp() - func.make_interval(0, 0, 0, 0, 0, 0, SAME_REQUEST)
                ).label("is_repeated"),
            )
            .where(
                belongs_to(Delivery, caller.organization_id),
                Delivery.endpoint_id == endpoint_id,
                Delivery.id == delivery_id,
            )
            .with_for_update()
        )
    ).one_or_none()
    if found is None:
        raise NotFound
    if found.is_repeated:
        return DeliveryState(found.state)
    if found.state == DeliveryState.PENDING:
        raise DeliveryPending
    await session.execute(REDELIVER, {"id": delivery_id})
    jobs.ring(session, jobs.Queue.WEBHOOKS)
    audit.record(session, caller, Action.WEBHOOK_REDELIVERED, endpoint_id, delivery_id=delivery_id)
    return DeliveryState.PENDING


async def payload(
    services: EventPosting, caller: Caller, endpoint_id: UUID, delivery_id: UUID
) -> bytes:
    """Return the body of a delivery, as its attempts send it, and record that it was read.

    Raise NotFound, also if the data were deleted or do not open.
    """
    query = (
        select(Event, WebhookEndpoint.format)
        .join(Delivery, Delivery.event_id == Event.id)
        .join(WebhookEndpoint, WebhookEndpoint.id == Delivery.endpoint_id)
        .where(
            belongs_to(Delivery, caller.organization_id),
            Delivery.endpoint_id == endpoint_id,
            Delivery.id == delivery_id,
        )
    )
    async with services.database.transaction() as session:
        row = (await session.execute(query)).one_or_none()
        if row is None:
            raise NotFound
        audit.record(
            session, caller, Action.WEBHOOK_PAYLOAD_VIEWED, endpoint_id, delivery_id=delivery_id
        )
    event, body_format = row
    try:
        data = event.personal_data.open(services.keys) or event.data
        if data is None:
            raise NotFound("The data of this event were deleted.")
        return await formats.body(
            services,
            WebhookFormat(body_format),
            delivery_id=delivery_id,
            verification_id=event.verification_id,
            kind=EventKind(event.kind),
            turn=event.turn,
            data=data,
            moment=event.created_at,
        )
    except (CannotUnseal, formats.CannotRender):
        raise NotFound("The data of this event do not open.") from None
