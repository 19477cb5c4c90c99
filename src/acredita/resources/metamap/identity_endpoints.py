"""Identities: the older form of starting a verification, and what is known of an identity."""

from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.metamap import responses
from acredita.api.permissions import Member
from acredita.api.schemas import JsonAnswer
from acredita.domain.errors import FeatureOff, NotFound, WorkflowInactive
from acredita.resources.metamap import creation, identity_view, queries
from acredita.resources.metamap.routing import IdOrAliasInPath, make_router
from acredita.resources.metamap.schemas import Identity, StartedIdentity, StartIdentity
from acredita.resources.sdk.visitors import Browser

router = make_router()


@router.post(
    "/v2/identities",
    response_model=StartedIdentity,
    summary="Start a verification, in the older format",
    responses=responses(NotFound, FeatureOff, WorkflowInactive),
    name="start_metamap_identity",
)
async def start_identity(
    data: StartIdentity, caller: Member, services: ServicesDep, request: Request
) -> Response:
    """Like POST /v1/metamap/v2/verifications. The response is the identity; send the inputs to its
    id.
    """
    flow = await creation.find_flow(services.reads, caller.organization_id, data.flowId)
    created, _ = await creation.create(
        services,
        caller,
        flow,
        metadata=data.metadata,
        identity=None,
        browser=Browser.from_request(request, services.settings),
        capture=data.capture,
    )
    shown = identity_view.started(created, caller.organization_id)
    return JsonAnswer({**shown, **creation.capture_view(created)})


@router.get(
    "/v2/identities/{id}",
    response_model=Identity,
    summary="Get an identity",
    name="get_metamap_identity",
)
async def get_identity(id: IdOrAliasInPath, caller: Member, services: ServicesDep) -> Response:
    """`status`, `metadata` and `alive` are those of the identity's newest verification."""
    row = await queries.get_newest_verification(services.reads, caller, id)
    return JsonAnswer(identity_view.identity_view(row, caller.organization_id))
