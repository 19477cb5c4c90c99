from typing import Annotated

from fastapi import Header
from starlette.requests import Request

from acredita.api.client_address import client_address
from acredita.api.client_credentials import FORM, read_token_request, refusal
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import RegistrationClosed, responses
from acredita.api.permissions import public
from acredita.api.routing import body_read_by, make_router
from acredita.domain.errors import (
    Conflict,
    FeatureOff,
    ProviderSignInRequired,
    SecondFactorRequired,
    SecondFactorSetupRequired,
    SecondFactorWrong,
    Unauthorized,
)
from acredita.domain.languages import preferred
from acredita.resources.auth import password_links, recovery, service
from acredita.resources.auth import sign_in as signing_in
from acredita.resources.auth.schemas import (
    ForgottenPassword,
    Login,
    LoginAnswer,
    Message,
    PasswordReset,
    Registration,
    RegistrationAnswer,
    TokenAnswer,
    TokenRequest,
)

router = make_router("/v1/auth", tag="Authentication")
AcceptLanguage = Annotated[
    str | None,
    Header(description="Language of the mail: es (default) or en.", examples=["es-MX"]),
]
AS_FORM = {
    "requestBody": {
        "content": {FORM: {"schema": {"$ref": "#/components/schemas/TokenRequest"}}},
    }
}


@router.post(
    "/register",
    status_code=201,
    summary="Register an organization",
    responses=responses(RegistrationClosed, Conflict),
)
@public
async def register(data: Registration, session: Db, services: ServicesDep) -> RegistrationAnswer:
    """Creates an organization, its OWNER and its first API key. Only this response has the raw
    key.
    """
    if services.settings.registration == "closed":
        raise RegistrationClosed
    # The session connects at its first use, so hashing the password holds no connection.
    password_hash = await services.passwords.hash(data.password)
    return await service.create_organization(
        session, services.signer, data, password_hash=password_hash
    )


@router.post(
    "/token",
    summary="Exchange an API key for an access token",
    responses=responses(Unauthorized),
    openapi_extra=AS_FORM,
)
@public
@body_read_by(read_token_request)
async def issue_token(data: TokenRequest, request: Request, services: ServicesDep) -> TokenAnswer:
    """OAuth 2.0 client credentials: the organization's id and a raw API key, in a JSON or form body
    or in a Basic Authorization header.
    """
    state = request.app.state
    try:
        return await service.exchange(state.credentials.by_key, state.tokens, services.clock, data)
    except Unauthorized as fault:
        raise refusal(request, fault.message) from None


@router.post(
    "/login",
    summary="Sign in to the dashboard",
    responses=responses(
        Unauthorized,
        SecondFactorWrong,
        SecondFactorRequired,
        SecondFactorSetupRequired,
        ProviderSignInRequired,
    ),
)
@public
async def login(data: Login, request: Request, services: ServicesDep) -> LoginAnswer:
    """Issues a token for a user. Servers exchange an API key instead. After 10 failures within 15
    minutes from one IP address, sign-ins to the account from that address are refused until fewer
    than 10 failures lie within the last 15 minutes. A user with a second factor sends its code as
    well; without one, the response is 403 `SECOND_FACTOR_REQUIRED`.
    """
    address = client_address(request, services.settings)
    return await signing_in.sign_in(services, request.app.state.tokens, data, address=address)


@router.post(
    "/forgot-password",
    status_code=202,
    summary="Request a link that resets a password",
    responses=responses(FeatureOff),
)
@public
async def forgot_password(
    data: ForgottenPassword, services: ServicesDep, accept_language: AcceptLanguage = None
) -> Message:
    """The response is the same for every address. A user gets a mail with a link that is valid for
    60 minutes.
    """
    await recovery.ask_for_link(services, services.database, data.email, preferred(accept_language))
    return Message(message="If the address belongs to a user, a link is on its way to it.")


@router.post("/reset-password", summary="Set a new password")
@public
async def reset_password(data: PasswordReset, session: Db, services: ServicesDep) -> Message:
    """The token of the mailed link works once. The user's other links and all tokens of earlier
    sign-ins become invalid.
    """
    # Check the link first, so that nobody without a link can cause the costly hashing.
    async with services.database.reading() as connection:
        await password_links.check(connection, services.clock, data.token)
    password_hash = await services.passwords.hash(data.password)
    await recovery.set_password(
        session, services.clock, services.signer, data.token, password_hash=password_hash
    )
    return Message(message="The password is set. Sign in with it.")
