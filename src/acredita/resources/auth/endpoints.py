from starlette.requests import Request

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import Conflict, Unauthorized, ValidationFailed, responses
from acredita.api.permissions import public
from acredita.api.routing import router as make_router
from acredita.resources.auth import service
from acredita.resources.auth.schemas import (
    Registration,
    RegistrationAnswer,
    TokenAnswer,
    TokenRequest,
)

router = make_router("/v1/auth", tag="Authentication")


@router.post(
    "/register",
    status_code=201,
    summary="Register an organization",
    description="Creates an organization, its OWNER and its first API key, shown only here.",
    responses=responses(Conflict, ValidationFailed),
)
@public
async def register(data: Registration, session: Db, services: ServicesDep) -> RegistrationAnswer:
    # No connection is held yet while the password is hashed: the session connects when first used.
    password_hash = await services.passwords.hash(data.password)
    return await service.register(session, services, data, password_hash=password_hash)


@router.post(
    "/token",
    summary="Exchange an API key for an access token",
    description="OAuth 2.0 client credentials: the organization's id and a raw API key.",
    responses=responses(Unauthorized, ValidationFailed),
)
@public
async def issue_token(data: TokenRequest, request: Request, services: ServicesDep) -> TokenAnswer:
    state = request.app.state
    return await service.exchange(state.credentials, state.tokens, services, data)
