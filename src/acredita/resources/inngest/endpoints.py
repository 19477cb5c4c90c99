from http import HTTPStatus
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.errors import RateLimited, ServiceUnavailable, Unauthorized, ValidationFailed
from acredita.kit.clock import Clock
from acredita.resources.inngest.gateway import PATH, Gateway

router = make_router(PATH, tag="Administration")

SPOKEN: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Defined by the Inngest protocol.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}
FAULTS = responses(Unauthorized, RateLimited)
BODY: dict[str, Any] = {
    "requestBody": {
        "description": "Defined by the Inngest protocol, signed in `X-Inngest-Signature`.",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}


@router.get(
    "",
    summary="Report the configuration to the Inngest server",
    response_class=Response,
    responses=SPOKEN | FAULTS,
)
@public
async def inspect_inngest(request: Request, services: ServicesDep) -> Response:
    """Inngest calls this with its own signature. Without Inngest in the settings the response is
    401.
    """
    return await _forward(request, services.clock)


@router.post(
    "",
    summary="Run a function for the Inngest server",
    response_class=Response,
    responses=SPOKEN | FAULTS | responses(ValidationFailed),
    openapi_extra=BODY,
)
@public
async def run_inngest_function(request: Request, services: ServicesDep) -> Response:
    """A function makes a due job of the ledger run now. Inngest signs the request."""
    return await _forward(request, services.clock)


@router.put(
    "",
    summary="Register the functions with the Inngest server",
    response_class=Response,
    responses=SPOKEN | FAULTS | responses(ValidationFailed),
    openapi_extra=BODY,
)
@public
async def register_inngest_functions(request: Request, services: ServicesDep) -> Response:
    """The service sends the list of its functions to Inngest."""
    answer = await _forward(request, services.clock)
    # The SDK's answer if Inngest's own API can't be reached, or fails.
    if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise ServiceUnavailable
    return answer


async def _forward(request: Request, clock: Clock) -> Response:
    """Raise Unauthorized if Inngest is not configured or the signature is not valid."""
    gateway: Gateway | None = request.app.state.inngest
    answer = await gateway.answer(request, clock.now().timestamp()) if gateway else None
    if answer is None:
        raise Unauthorized
    return answer
