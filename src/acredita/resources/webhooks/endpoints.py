from typing import Annotated

from acredita.api.caller import Caller
from acredita.api.dependencies import Db, Reader, ServicesDep
from acredita.api.errors import NotFound, NoVerification, ValidationFailed, responses
from acredita.api.permissions import Require
from acredita.api.routing import router as make_router
from acredita.api.routing import secured
from acredita.api.schemas import IdInPath
from acredita.domain.roles import Role
from acredita.resources.webhooks import queries, service
from acredita.resources.webhooks.schemas import (
    CreatedWebhookAnswer,
    TestAnswer,
    WebhookCreate,
    WebhookList,
    WebhookShape,
)

router = make_router("/v1/webhooks", tag="Webhooks")


@router.get("", summary="List webhook endpoints, newest first", responses=secured())
async def list_webhooks(
    caller: Annotated[Caller, Require(Role.MEMBER)], reader: Reader
) -> WebhookList:
    rows = await queries.list_all(reader, caller)
    return WebhookList(webhooks=[WebhookShape.of(row) for row in rows])


@router.post(
    "",
    status_code=201,
    summary="Register a webhook endpoint",
    responses=secured() | responses(ValidationFailed),
)
async def create_webhook(
    data: WebhookCreate,
    caller: Annotated[Caller, Require(Role.ADMIN)],
    session: Db,
    services: ServicesDep,
) -> CreatedWebhookAnswer:
    return CreatedWebhookAnswer(webhook=await service.create(session, services, caller, data))


@router.delete(
    "/{id}",
    status_code=204,
    summary="Remove a webhook endpoint; what is pending is not delivered",
    responses=secured() | responses(NotFound),
)
async def delete_webhook(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.ADMIN)],
    session: Db,
) -> None:
    await queries.remove(session, caller, id)


@router.post(
    "/{id}/test",
    summary="Send a synthetic verification.created now",
    responses=secured() | responses(NotFound, NoVerification),
)
async def test_webhook(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
) -> TestAnswer:
    return TestAnswer(delivered=await service.send_test(services, caller, id))
