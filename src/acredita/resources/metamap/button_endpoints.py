"""Sessions of the button in the browser, with ids or aliases."""

from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.errors import OriginNotAllowed
from acredita.api.metamap import responses
from acredita.api.permissions import public
from acredita.domain.errors import NotFound, Unauthorized, WorkflowInactive
from acredita.resources.metamap import creation, queries
from acredita.resources.metamap.id_aliases import to_identity_alias
from acredita.resources.metamap.routing import make_router
from acredita.resources.metamap.schemas import ButtonSession, MetamapSessionAnswer
from acredita.resources.sdk import endpoints as sdk
from acredita.resources.sdk import sessions
from acredita.resources.sdk.schemas import SessionCreate

router = make_router()


@router.post(
    "/sdk/session",
    response_model=MetamapSessionAnswer,
    status_code=201,
    summary="Open a verification from a browser, with ids in either form",
    responses=responses(Unauthorized, OriginNotAllowed, NotFound, WorkflowInactive),
    name="open_metamap_session",
)
@public
async def open_session(data: ButtonSession, services: ServicesDep, request: Request) -> Response:
    """The response is that of POST /v1/sdk/session, with the identity's id. All further calls go to
    /v1/sdk.
    """
    try:
        organization_id = await queries.find_organization_id(services.reads, data.clientId)
    except NotFound:
        raise Unauthorized from None
    flow = await creation.find_flow(services.reads, organization_id, data.flowId or None)
    asked = SessionCreate.model_validate(
        {
            "clientId": str(organization_id),
            "flowId": str(flow.workflow.id),
            "metadata": data.metadata,
            "consent": data.consent,
        }
    )
    opened = await sessions.open_session(request, services, asked)
    identity_id = to_identity_alias(opened.verification_id)
    return await sdk.answer_opened(
        services.settings.public_url, services.reads, opened, identityId=identity_id
    )
