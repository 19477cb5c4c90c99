"""Queries on webhook endpoints for the API."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Row, func, literal, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.models import Delivery, DeliveryState, Verification, WebhookEndpoint
from acredita.models.tenancy import belongs_to
from acredita.resources.audit import service as audit

# A literal, not a bound parameter: a generic plan cannot use the partial index with a parameter.
PENDING = literal(DeliveryState.PENDING.value, literal_execute=True)


async def list_all(connection: AsyncConnection, caller: Caller) -> Sequence[Row[*tuple[Any, ...]]]:
    """Return the endpoints, newest first, without their secrets."""
    query = (
        select(
            WebhookEndpoint.id,
            WebhookEndpoint.url,
            WebhookEndpoint.events,
            WebhookEndpoint.format,
            WebhookEndpoint.is_active,
            WebhookEndpoint.created_at,
        )
        .where(
            belongs_to(WebhookEndpoint, caller.organization_id),
            WebhookEndpoint.deleted_at.is_(None),
        )
        .order_by(WebhookEndpoint.created_at.desc(), WebhookEndpoint.id.desc())
    )
    return (await connection.execute(query)).all()


async def get(
    connection: AsyncConnection, caller: Caller, endpoint_id: UUID
) -> Row[UUID, str, bytes, str]:
    query = select(
        WebhookEndpoint.id,
        WebhookEndpoint.url,
        WebhookEndpoint.secret_sealed,
        WebhookEndpoint.format,
    ).where(
        belongs_to(WebhookEndpoint, caller.organization_id),
        WebhookEndpoint.id == endpoint_id,
        WebhookEndpoint.deleted_at.is_(None),
    )
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        raise NotFound
    return found


async def remove(session: AsyncSession, caller: Caller, endpoint_id: UUID) -> None:
    """Remove an endpoint and cancel its pending deliveries. Raise NotFound."""
    removed = await session.execute(
        update(WebhookEndpoint)
        .where(
            belongs_to(WebhookEndpoint, caller.organization_id),
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
        .where(Delivery.receiver_id == endpoint_id, Delivery.state == PENDING)
        .values(state=DeliveryState.CANCELLED, finished_at=func.now())
    )


async def newest_verification(
    connection: AsyncConnection, caller: Caller
) -> Row[UUID, UUID, str | None] | None:
    query = (
        select(Verification.id, Verification.workflow_id, Verification.external_id)
        .where(belongs_to(Verification, caller.organization_id))
        .order_by(Verification.created_at.desc(), Verification.id)
        .limit(1)
    )
    return (await connection.execute(query)).one_or_none()
