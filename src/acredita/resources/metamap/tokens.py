"""POST /oauth: issue an access token like the other API's OAuth server."""

from typing import Any, Literal
from uuid import UUID

from starlette.requests import Request

from acredita.api.client_credentials import with_basic_credentials
from acredita.api.errors import BASIC, UnsupportedMediaType
from acredita.api.metamap import InvalidClient, NoClient, OauthError, UnsupportedGrant
from acredita.api.routing import StrictRequest
from acredita.domain.errors import Unauthorized, ValidationFailed
from acredita.kit.clock import Clock
from acredita.kit.statement_pool import Reads
from acredita.resources.auth import service as auth
from acredita.resources.auth.schemas import TokenAnswer, TokenRequest
from acredita.resources.metamap import queries
from acredita.resources.metamap.routing import read_object
from acredita.resources.metamap.schemas import TokenForm

NOT_A_FORM = "Invalid request: content must be application/x-www-form-urlencoded or JSON"
GRANT: Literal["client_credentials"] = "client_credentials"
# An application key is the client id; the secret is required with it, too.
GRANTS = ("", GRANT, "application_key")


async def read_form(request: StrictRequest) -> Any:
    """Return a token request's values, from a form, JSON or Basic credentials. Raise OauthError."""
    try:
        body = with_basic_credentials(request, await read_object(request))
    except Unauthorized:
        raise NoClient from None
    except (UnsupportedMediaType, ValidationFailed):
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
    if form.grant_type not in GRANTS:
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
