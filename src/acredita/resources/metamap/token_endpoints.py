from starlette.requests import Request
from starlette.responses import Response

from acredita.api.client_credentials import FORM
from acredita.api.dependencies import ServicesDep
from acredita.api.metamap import InvalidClient, NoClient, OauthError, UnsupportedGrant, responses
from acredita.api.permissions import public
from acredita.api.routing import body_read_by
from acredita.api.schemas import JsonAnswer
from acredita.resources.metamap import tokens
from acredita.resources.metamap.id_aliases import to_alias
from acredita.resources.metamap.routing import make_router
from acredita.resources.metamap.schemas import MetamapScopedToken, MetamapToken, TokenForm

router = make_router()
AS_FORM = {
    "requestBody": {"content": {FORM: {"schema": {"$ref": "#/components/schemas/TokenForm"}}}}
}
REFUSALS = responses(OauthError, NoClient, UnsupportedGrant, InvalidClient)


@router.post(
    "/oauth",
    response_model=MetamapToken,
    summary="Exchange client credentials for an access token",
    responses=REFUSALS,
    openapi_extra=AS_FORM,
    name="issue_metamap_token",
)
@public
@body_read_by(tokens.read_form)
async def issue_token(form: TokenForm, request: Request, services: ServicesDep) -> Response:
    """The client id is the organization's id, in either form. The client secret is a raw API key.
    Send them as Basic credentials, or as `client_id` and `client_secret` in a form or in JSON.
    `grant_type` is optional; the only one is `client_credentials`.
    """
    organization_id, token = await tokens.exchange(services.clock, services.reads, request, form)
    return JsonAnswer(
        {
            "access_token": token.access_token,
            "expiresIn": token.expires_in,
            "payload": {"user": {"_id": to_alias(organization_id)}},
        }
    )


@router.post(
    "/oauth/token",
    response_model=MetamapScopedToken,
    summary="Exchange client credentials, in the format of the SDK",
    responses=REFUSALS,
    openapi_extra=AS_FORM,
    name="issue_metamap_scoped_token",
)
@public
@body_read_by(tokens.read_form)
async def issue_scoped_token(form: TokenForm, request: Request, services: ServicesDep) -> Response:
    """An application key is not a secret, so it alone gets no token."""
    _, token = await tokens.exchange(services.clock, services.reads, request, form)
    return JsonAnswer(
        {
            "access_token": token.access_token,
            "expires_in": token.expires_in,
            "scope": form.scope or "verification_flow",
            "token_type": "bearer",
        }
    )
