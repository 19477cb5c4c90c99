from typing import Annotated

from fastapi import Query

from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import InvalidCursor, responses
from acredita.api.pagination import CursorText, Limit, Offset, Pagination, next_page, window
from acredita.api.permissions import Admin, Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import DeliveryPending, NoVerification
from acredita.models import DeliveryState
from acredita.resources.webhooks import log, queries, service
from acredita.resources.webhooks.schemas import (
    CreatedWebhookAnswer,
    DeliveryPage,
    DeliveryPayload,
    DeliveryShape,
    RedeliveryAnswer,
    TestAnswer,
    WebhookCreate,
    WebhookList,
    WebhookShape,
)

router = make_router("/v1/webhooks", tag="Webhooks")


@router.get("", summary="List webhook endpoints, newest first")
async def list_webhooks(caller: Member, reader: Reader) -> WebhookList:
    """A secret is never shown again. A lost secret is replaced by a new endpoint."""
    rows = await queries.list_all(reader, caller)
    return WebhookList(
        webhooks=[WebhookShape.model_validate(row, from_attributes=True) for row in rows]
    )


@router.post("", status_code=201, summary="Register a webhook endpoint")
async def create_webhook(
    data: WebhookCreate, caller: Admin, session: Db, services: ServicesDep
) -> CreatedWebhookAnswer:
    """The response has the secret that signs the deliveries; no other response has it. The url must
    be https and lead to public addresses only.
    """
    return CreatedWebhookAnswer(
        webhook=await service.create(session, services.http, services.keys, caller, data)
    )


@router.delete(
    "/{id}", status_code=204, summary="Remove a webhook endpoint and cancel its pending deliveries"
)
async def delete_webhook(id: IdInPath, caller: Admin, session: Db) -> None:
    """Attempts that are already being made may still arrive."""
    await queries.remove(session, caller, id)


@router.post(
    "/{id}/test",
    summary="Send a synthetic verification.created event now",
    responses=responses(NoVerification),
)
async def test_webhook(id: IdInPath, caller: Member, services: ServicesDep) -> TestAnswer:
    """It is sent once, and its `data.test` is true. The organization needs at least one
    verification, whose ids the event has.
    """
    return TestAnswer(delivered=await service.send_test(services, caller, id))


@router.get(
    "/{id}/deliveries",
    summary="List the deliveries of an endpoint, newest first",
    responses=responses(InvalidCursor),
    response_model_exclude_unset=True,
)
async def list_deliveries(
    id: IdInPath,
    caller: Admin,
    reader: Reader,
    state: Annotated[
        DeliveryState | None, Query(description="Only deliveries in this state.")
    ] = None,
    limit: Limit = 20,
    offset: Offset = 0,
    cursor: CursorText = None,
) -> DeliveryPage:
    """Each delivery has its attempts. Only the status of the receiver's response is stored."""
    await queries.get(reader, caller, id)
    asked = window(limit, offset, cursor, "deliveries", id, state)
    page = await log.page(reader, caller, id, state=state, window=asked)
    last = page.deliveries[-1] if page.has_more else None
    return DeliveryPage(
        **next_page(asked, page.total, last and (last.created_at, last.id)),
        deliveries=[
            DeliveryShape.from_row(row, page.attempts.get(row.id, [])) for row in page.deliveries
        ],
        paused_until=page.paused_until,
        pagination=Pagination.for_window(asked, total=page.total, has_more=page.has_more),
    )


@router.post(
    "/{id}/deliveries/{deliveryId}/redeliver",
    status_code=202,
    summary="Redeliver a delivered or failed delivery",
    responses=responses(DeliveryPending),
)
async def redeliver(
    id: IdInPath, deliveryId: IdInPath, caller: Admin, session: Db
) -> RedeliveryAnswer:
    """Sends the same bytes with the same id again, with up to five attempts. Two requests within
    ten seconds count as one.
    """
    await queries.get(await session.connection(), caller, id)
    state = await log.redeliver(session, caller, id, deliveryId)
    return RedeliveryAnswer(id=deliveryId, state=state)


@router.get("/{id}/deliveries/{deliveryId}/payload", summary="Get the body of a delivery")
async def get_delivery_payload(
    id: IdInPath, deliveryId: IdInPath, caller: Admin, services: ServicesDep
) -> DeliveryPayload:
    """Exactly the text that every attempt sends and signs. It may have personal data, so the audit
    log records who read it. 404 once the data are deleted.
    """
    body = await log.payload(services, caller, id, deliveryId)
    return DeliveryPayload(id=deliveryId, body=body.decode())
