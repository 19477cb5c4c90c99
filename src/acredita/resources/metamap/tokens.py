"""POST /oauth: issue an access token like the other API's OAuth server."""

from typing import Any, Literal
from uuid import UUID

from starlette.requests import Request

from acredita.api.client_credentials import FORM, read_token_request
from acredita.api.errors import BASIC
from acredita.api.metamap import InvalidClient, NoClient, OauthError, UnsupportedGrant
from acredita.api.routing import StrictRequest, media_type
from acredita.domain.errors import DomainError, Unauthorized
from acredita.kit.clock import Clock
from acredita.kit.statement_pool import Reads
from acredita.resources.auth import service as auth
from acredita.resources.auth.schemas import TokenAnswer, TokenRequest
from acredita.resources.metamap import queries
from acredita.resources.metamap.schemas import TokenForm

NOT_A_FORM = "Invalid request: content must be application/x-www-form-urlencoded"
GRANT: Literal["client_credentials"] = "client_credentials"


async def read_form(request: StrictRequest) -> Any:
    """Return a token request's values, from a form, JSON or Basic credentials. Raise OauthError."""
    if media_type(request) not in (FORM, "application/json"):
        if await request.body():
            raise OauthError(NOT_A_FORM)
        # Basic credentials alone: clients send an empty body without a type.
        request = request.with_json({})
    try:
        body = await read_token_request(request)
    except Unauthorized:
        raise NoClient from None
    except DomainError:
        raise OauthError(NOT_A_FORM) from None
    if not isinstance(body, dict):
        raise OauthError(NOT_A_FORM)
    return {name: text for name, text in body.items() if isinstance(text, str)}


async def exchange(
    clock: Clock, reads: Reads, request: Request, form: TokenForm
) -> tuple[UUID, TokenAnswer]:
    """Issue an organization's token for its client id in either form. Raise an OauthError."""
    credentials = request.app.state.credentials
    if not form.client_id or not form.client_secret:
        raise NoClient
    if form.grant_type not in ("", GRANT):
        raise UnsupportedGrant
    client_id = form.client_id
    caller = await credentials.by_key(form.client_secret)
    if caller is None:
        raise InvalidClient(headers={"WWW-Authenticate": BASIC})
    if await queries.is_client_id(reads, client_id, caller.organization_id):
        client_id = str(caller.organization_id)
    asked = TokenRequest(grant_type=GRANT, client_id=client_id, client_secret=form.client_secret)
    try:
        token = await auth.exchange(credentials.by_key, request.app.state.tokens, clock, asked)
    except Unauthorized:
        raise InvalidClient(headers={"WWW-Authenticate": BASIC}) from None
    return caller.organization_id, token
