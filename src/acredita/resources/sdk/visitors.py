"""Who calls the browser flow: whoever knows a verification's id, and nobody who proves another."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query
from starlette.requests import Request

from acredita.api.addresses import client_address
from acredita.api.credentials import Credentials
from acredita.api.cross_origin import check_origin
from acredita.api.dependencies import ServicesDep
from acredita.api.schemas import IdInPath
from acredita.api.tokens import InvalidToken, SessionClaims, TokenKeys
from acredita.domain.caller import Caller, holder
from acredita.domain.errors import NotFound, Unauthorized
from acredita.resources.sdk import queries
from acredita.services import Services

LONGEST_USER_AGENT = 512
NOT_VALID = "The session token is not valid, or not of this verification."


@dataclass(frozen=True, slots=True)
class Browser:
    """Where a request comes from, as far as that can be told."""

    address: str | None
    user_agent: str | None

    @classmethod
    def of(cls, request: Request, services: Services) -> "Browser":
        agent = request.headers.get("user-agent")
        address = client_address(request, services.settings)
        return cls(address, agent[:LONGEST_USER_AGENT] if agent is not None else None)


async def _visitor(
    request: Request,
    services: ServicesDep,
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    token: Annotated[
        str | None,
        Query(
            description="The session's token, for clients that cannot send headers.",
            examples=["eyJhbGciOiJIUzI1NiJ9.eyJ0eXAiOiJzZGsifQ.c2lnbmF0dXJl"],
        ),
    ] = None,
) -> Caller:
    """The verification's holder; its id is the verification's.

    Credentials that are sent must be good: a token of this very session, or the organization's own
    token or key. Raise Unauthorized, NotFound, OriginNotAllowed.
    """
    asks_for = await _organization_shown(request, services, id, token)
    owner = await queries.owner_of(services.reads, id)
    if asks_for not in (None, owner.organization_id):
        raise NotFound
    check_origin(request, services.settings, owner.allowed_origins)
    return holder(owner.organization_id, id)


Visitor = Annotated[Caller, Depends(_visitor)]


async def _organization_shown(
    request: Request, services: Services, verification_id: UUID, token: str | None
) -> UUID | None:
    """Whose credentials were sent, if any."""
    tokens: TokenKeys = request.app.state.tokens
    credentials: Credentials = request.app.state.credentials
    bearer = _bearer(request)
    sessions = [_session(tokens, services, given) for given in (token, bearer) if given is not None]
    if token is not None and sessions[0] is None:
        raise Unauthorized(NOT_VALID)
    valid = [session for session in sessions if session is not None]
    if any(session.verification_id != verification_id for session in valid):
        raise Unauthorized(NOT_VALID)
    bears_session = bearer is not None and sessions[-1] is not None
    if credentials.are_sent(request) and not bears_session:
        return (await credentials.identify(request)).organization_id
    if not valid and services.settings.sdk_require_token:
        raise Unauthorized("A session token is needed.")
    return None


def _bearer(request: Request) -> str | None:
    given = request.headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else None


def _session(tokens: TokenKeys, services: Services, token: str) -> SessionClaims | None:
    try:
        return tokens.read_session(token, now=services.clock.now())
    except InvalidToken:
        return None
