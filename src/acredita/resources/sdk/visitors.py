"""The callers of the browser flow. A verification's id is sufficient; credentials must match it."""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query
from starlette.requests import Request

from acredita.access.tokens import InvalidToken, SessionClaims, TokenKeys
from acredita.api.client_address import client_address
from acredita.api.credentials import Credentials
from acredita.api.cross_origin import check_origin
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import OriginNotAllowed
from acredita.api.schemas import IdInPath
from acredita.domain.caller import Caller, holder
from acredita.domain.errors import NotFound, Unauthorized
from acredita.kit.clock import Clock
from acredita.resources.sdk import queries
from acredita.settings import Settings

MAX_USER_AGENT_LENGTH = 512
INVALID_SESSION = "The session token is not valid for this verification."
TOKEN_NEEDED = "A session token is needed."  # noqa: S105 (a message)


@dataclass(frozen=True, slots=True)
class Browser:
    """The origin of a request, as far as known."""

    address: str | None
    user_agent: str | None

    @classmethod
    def from_request(cls, request: Request, settings: Settings) -> "Browser":
        agent = request.headers.get("user-agent")
        address = client_address(request, settings)
        return cls(address, agent[:MAX_USER_AGENT_LENGTH] if agent is not None else None)


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
    """Return the verification's holder as caller, with the verification's id.

    If the request has credentials, they must be valid: a session token of this verification, or a
    token or key of its organization. A verification with a link requires one of them. Raise
    Unauthorized, NotFound, OriginNotAllowed.
    """
    proof = await _proof(request, services.settings, services.clock, id, token)
    link_id = proof.link_id if isinstance(proof, SessionClaims) else None
    owner = await queries.get_owner(services.reads, id, link_id)
    if isinstance(proof, UUID) and proof != owner.organization_id:
        raise NotFound
    if not owner.is_link_valid:
        raise Unauthorized(INVALID_SESSION)
    if proof is None and owner.requires_token:
        raise Unauthorized(TOKEN_NEEDED)
    check_origin(request, services.settings, owner.allowed_origins)
    return holder(owner.organization_id, id, client_address(request, services.settings))


Visitor = Annotated[Caller, Depends(_visitor)]
# The errors of an endpoint that takes a Visitor.
VISITOR_FAULTS = (Unauthorized, OriginNotAllowed, NotFound)


async def _proof(
    request: Request, settings: Settings, clock: Clock, verification_id: UUID, token: str | None
) -> SessionClaims | UUID | None:
    """Return the claims of the request's session token, or the organization of its credentials;
    None without either. Raise Unauthorized.
    """
    tokens: TokenKeys = request.app.state.tokens
    credentials: Credentials = request.app.state.credentials
    bearer = _bearer(request)
    in_query, in_header = _session(tokens, clock, token), _session(tokens, clock, bearer)
    if token is not None and in_query is None:
        raise Unauthorized(INVALID_SESSION)
    valid = [session for session in (in_query, in_header) if session is not None]
    if any(session.verification_id != verification_id for session in valid):
        raise Unauthorized(INVALID_SESSION)
    if credentials.are_sent(request) and in_header is None:
        return (await credentials.identify(request)).organization_id
    if valid:
        # Of two, the one of a link, because it can be revoked.
        return next((session for session in valid if session.link_id is not None), valid[0])
    if settings.sdk_require_token:
        raise Unauthorized(TOKEN_NEEDED)
    return None


def _bearer(request: Request) -> str | None:
    given = request.headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    return token.strip() if scheme.lower() == "bearer" else None


def _session(tokens: TokenKeys, clock: Clock, token: str | None) -> SessionClaims | None:
    if token is None:
        return None
    try:
        return tokens.read_session(token, now=clock.now())
    except InvalidToken:
        return None
