"""Everything that is read or written of endpoints, events and deliveries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Row,
    SQLColumnExpression,
    and_,
    any_,
    case,
    func,
    literal_column,
    not_,
    null,
    or_,
    select,
    union_all,
    update,
)
from sqlalchemy.dialects.postgresql import dialect, insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.api.caller import Caller
from acredita.api.errors import NotFound
from acredita.domain.audit import Action
from acredita.domain.events import EventKind
from acredita.models import (
    Delivery,
    DeliveryAttempt,
    DeliveryState,
    Event,
    Verification,
    WebhookEndpoint,
)
from acredita.resources.audit import service as audit
from acredita.resources.webhooks import secrets
from acredita.resources.webhooks.posting import Attempt

POSTGRESQL = dialect()  # type: ignore[no-untyped-call]
# A callback carries this kind whatever made it due (DECISIONS, Verifications).
CALLBACK_KIND = EventKind.VERIFICATION_COMPLETED

live = and_(WebhookEndpoint.is_active, WebhookEndpoint.deleted_at.is_(None))


async def list_all(connection: AsyncConnection, caller: Caller) -> Sequence[Row[*tuple[Any, ...]]]:
    """Newest first, without their secrets."""
    query = (
        select(
            WebhookEndpoint.id,
            WebhookEndpoint.url,
            WebhookEndpoint.events,
            WebhookEndpoint.is_active,
            WebhookEndpoint.created_at,
        )
        .where(
            WebhookEndpoint.organization_id == caller.organization_id,
            WebhookEndpoint.deleted_at.is_(None),
        )
        .order_by(WebhookEndpoint.created_at.desc(), WebhookEndpoint.id.desc())
    )
    return (await connection.execute(query)).all()


async def get(
    connection: AsyncConnection, caller: Caller, endpoint_id: UUID
) -> Row[UUID, str, bytes]:
    query = select(WebhookEndpoint.id, WebhookEndpoint.url, WebhookEndpoint.secret_sealed).where(
        WebhookEndpoint.organization_id == caller.organization_id,
        WebhookEndpoint.id == endpoint_id,
        WebhookEndpoint.deleted_at.is_(None),
    )
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        raise NotFound
    return found


async def remove(session: AsyncSession, caller: Caller, endpoint_id: UUID) -> None:
    """Take an endpoint out of use, and with it whatever is still on its way there."""
    removed = await session.execute(
        update(WebhookEndpoint)
        .where(
            WebhookEndpoint.organization_id == caller.organization_id,
            WebhookEndpoint.id == endpoint_id,
            WebhookEndpoint.deleted_at.is_(None),
        )
        .values(is_active=False, deleted_at=func.now())
        .returning(WebhookEndpoint.id)
    )
    if removed.one_or_none() is None:
        raise NotFound
    audit.record(session, caller, Action.WEBHOOK_DELETED, endpoint_id)
    await session.execute(
        update(Delivery)
        .where(Delivery.endpoint_id == endpoint_id, Delivery.state == DeliveryState.PENDING)
        .values(state=DeliveryState.CANCELLED, finished_at=func.now())
    )


async def newest_verification(
    connection: AsyncConnection, caller: Caller
) -> Row[UUID, UUID] | None:
    query = (
        select(Verification.id, Verification.workflow_id)
        .where(Verification.organization_id == caller.organization_id)
        .order_by(Verification.created_at.desc(), Verification.id)
        .limit(1)
    )
    return (await connection.execute(query)).one_or_none()


def subscribed(
    organization_id: SQLColumnExpression[UUID], kind: SQLColumnExpression[str]
) -> ColumnElement[bool]:
    return and_(
        live,
        WebhookEndpoint.organization_id == organization_id,
        kind == any_(WebhookEndpoint.events),
    )


def is_anybody_told(
    organization_id: str, verification_id: str, kind: str, callback_only: str
) -> str:
    """Whether an event has a receiver: a condition in SQL, made of SQL."""
    known_kind: ColumnElement[str] = literal_column(kind)
    to_callback = select(Verification.id).where(
        Verification.id == literal_column(verification_id),
        Verification.callback_url.is_not(None),
        known_kind == CALLBACK_KIND.value,
    )
    to_endpoint = select(WebhookEndpoint.id).where(
        subscribed(literal_column(organization_id), known_kind),
        not_(literal_column(callback_only, Boolean)),
    )
    condition = or_(to_callback.exists(), to_endpoint.exists())
    return str(condition.compile(dialect=POSTGRESQL, compile_kwargs={"literal_binds": True}))


async def add_deliveries(session: AsyncSession, event_id: UUID) -> Sequence[Row[UUID, UUID]]:
    """A delivery for each receiver of an event that has none yet: (id, organization_id) of each.

    Receivers are the endpoints that were there when the event happened: one that is registered
    while the queue is behind does not hear of the past.
    """
    columns = (func.gen_random_uuid(), Event.organization_id, Event.id)
    to_endpoints = (
        select(*columns, WebhookEndpoint.id)
        .join(WebhookEndpoint, subscribed(Event.organization_id, Event.kind))
        .where(Event.id == event_id, ~Event.callback_only)
        .where(WebhookEndpoint.created_at <= Event.created_at)
    )
    to_callback = (
        select(*columns, null())
        .join(Verification, Verification.id == Event.verification_id)
        .where(Event.id == event_id, Event.kind == CALLBACK_KIND)
        .where(Verification.callback_url.is_not(None))
    )
    adding = (
        insert(Delivery)
        .from_select(
            ["id", "organization_id", "event_id", "endpoint_id"],
            union_all(to_endpoints, to_callback),
            include_defaults=False,
        )
        .on_conflict_do_nothing()
        .returning(Delivery.id, Delivery.organization_id)
    )
    return (await session.execute(adding)).all()


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery that is still to be made, as it stands at this moment."""

    delivery_id: UUID
    attempts: int
    kind: EventKind
    created_at: datetime
    data: bytes
    # Where to; None when the endpoint was deleted meanwhile.
    url: str | None
    secret_sealed: bytes
    secret_context: str


async def pending(connection: AsyncConnection, delivery_id: UUID) -> Parcel | None:
    """The delivery, unless it is done, failed, cancelled or purged."""
    query = (
        select(
            Event.kind,
            Event.created_at,
            Event.data,
            Event.verification_id,
            Delivery.endpoint_id,
            Delivery.attempts,
            WebhookEndpoint.url,
            WebhookEndpoint.secret_sealed,
            Verification.callback_url,
            Verification.callback_secret_sealed,
        )
        .join(Event, Event.id == Delivery.event_id)
        .outerjoin(WebhookEndpoint, and_(WebhookEndpoint.id == Delivery.endpoint_id, live))
        .outerjoin(
            Verification,
            and_(Verification.id == Event.verification_id, Delivery.endpoint_id.is_(None)),
        )
        .where(Delivery.id == delivery_id, Delivery.state == DeliveryState.PENDING)
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    to_endpoint = row.endpoint_id is not None
    return Parcel(
        delivery_id=delivery_id,
        attempts=row.attempts,
        kind=EventKind(row.kind),
        created_at=row.created_at,
        data=row.data,
        url=row.url if to_endpoint else row.callback_url,
        secret_sealed=(row.secret_sealed if to_endpoint else row.callback_secret_sealed) or b"",
        secret_context=secrets.endpoint_context(row.endpoint_id)
        if to_endpoint
        else secrets.callback_context(row.verification_id),
    )


async def conclude(
    session: AsyncSession, parcel: Parcel, attempt: Attempt, state: DeliveryState
) -> bool:
    """Write down an attempt and what it makes of the delivery; False if that was purged meanwhile.

    A delivery that was cancelled while the POST was out stays so, unless the POST arrived.
    """
    changes: dict[str, Any] = {"attempts": parcel.attempts + 1}
    if state is DeliveryState.DELIVERED:
        changes |= {"state": state, "finished_at": func.now()}
    elif state is DeliveryState.FAILED:
        was_pending = Delivery.state == DeliveryState.PENDING
        changes |= {
            "state": case((was_pending, state.value), else_=Delivery.state),
            "finished_at": func.now(),
        }
    counted = update(Delivery).where(Delivery.id == parcel.delivery_id).values(**changes)
    if await session.scalar(counted.returning(Delivery.id)) is None:
        return False
    await session.execute(
        insert(DeliveryAttempt).values(
            id=attempt.id,
            delivery_id=parcel.delivery_id,
            number=parcel.attempts + 1,
            started_at=attempt.started_at,
            duration_ms=attempt.duration_ms,
            response_status=attempt.response_status,
            error=attempt.error,
        )
    )
    return True


async def abandon(session: AsyncSession, delivery_id: UUID, state: DeliveryState) -> None:
    """End a delivery without another attempt, if it is still pending."""
    await session.execute(
        update(Delivery)
        .where(Delivery.id == delivery_id, Delivery.state == DeliveryState.PENDING)
        .values(state=state, finished_at=func.now())
    )
