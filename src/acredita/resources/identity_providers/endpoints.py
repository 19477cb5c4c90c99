from fastapi import Response
from sqlalchemy.exc import IntegrityError
from starlette.requests import Request
from starlette.responses import RedirectResponse

from acredita.access.openid import Providers, ProviderUnreachable
from acredita.api.cross_origin import check_origin
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import OriginNotAllowed, responses
from acredita.api.permissions import Admin, Owner, public
from acredita.api.rate_limits import limited
from acredita.api.routing import make_router
from acredita.api.session_cookie import full_name, is_secure, read_cookie, set_cookie
from acredita.domain.errors import (
    Conflict,
    NotFound,
    ServiceUnavailable,
)
from acredita.domain.signing_in import SecondFactor, SignInMethod
from acredita.domain.single_sign_on import Refusal
from acredita.ports import ProviderSignIn
from acredita.resources.identity_providers import queries, service, sign_in
from acredita.resources.identity_providers.schemas import (
    IdentityProviderAnswer,
    IdentityProviderShape,
    IdentityProviderWrite,
    ProviderSignInStart,
    ProviderSignInStarted,
)
from acredita.resources.identity_providers.sign_in import SignInRefused
from acredita.resources.sessions import service as session_service
from acredita.resources.sessions.endpoints import browser_of, former_digest
from acredita.settings import Settings

router = make_router("/v1/organizations/me/identity-provider", tag="Organization")
sign_in_router = make_router("", tag="Authentication")

CALLBACK = "/auth/oidc/callback"
SIGN_IN_PAGE = "/console/sign-in"
COOKIE = "acredita_provider_sign_in"


@router.get("", summary="Get the identity provider that your users sign in with")
async def get_identity_provider(
    caller: Admin, session: Db, services: ServicesDep
) -> IdentityProviderAnswer:
    """Null without one. The client secret is never shown."""
    row = await queries.find(session, caller.organization_id)
    return IdentityProviderAnswer(
        identity_provider=row and IdentityProviderShape.from_row(row),
        redirect_uri=_redirect_uri(services.settings),
    )


@router.put(
    "",
    summary="Set the identity provider that your users sign in with",
    responses=responses(Conflict),
)
async def set_identity_provider(
    data: IdentityProviderWrite, caller: Owner, request: Request, session: Db, services: ServicesDep
) -> IdentityProviderAnswer:
    """OpenID Connect: the authorization code flow with PKCE. The provider's discovery document is
    read before anything is stored; its addresses must be public, as those of webhooks. Another
    issuer or client unties the users from the former one and ends the sessions that it opened.
    Turning `only` on ends the sessions of everyone but OWNERs.
    """
    await service.check(_providers(request), data)
    row = await service.put(session, services.keys, caller, data)
    return IdentityProviderAnswer(
        identity_provider=IdentityProviderShape.from_row(row),
        redirect_uri=_redirect_uri(services.settings),
    )


@router.delete(
    "", status_code=204, summary="Remove the identity provider", responses=responses(NotFound)
)
async def remove_identity_provider(caller: Owner, session: Db) -> None:
    """Ends the sessions that it opened. Its users can then ask for a password."""
    await service.remove(session, caller)


@sign_in_router.post(
    "/v1/auth/oidc/start",
    summary="Begin to sign in with an organization's identity provider",
    description=(
        "Take the browser to `authorizationUrl` within ten minutes. The provider sends it back to"
        f" `{CALLBACK}`, which sets the session's cookie and goes on to `{SIGN_IN_PAGE}`; if the"
        " sign-in failed, with `?failure=` and EXPIRED, DENIED, UNREACHABLE, INVALID,"
        " EMAIL_UNVERIFIED or NOT_ALLOWED. A session of the same browser ends with the sign-in."
    ),
    responses=responses(NotFound, OriginNotAllowed),
)
@limited(most=60, seconds=60)
@public
async def begin_provider_sign_in(
    data: ProviderSignInStart, request: Request, response: Response, services: ServicesDep
) -> ProviderSignInStarted:
    check_origin(request, services.settings, ())
    secret = sign_in.new_secret(former_digest(request, services.settings))
    try:
        url = await sign_in.begin(
            services,
            _providers(request),
            data.organization,
            secret,
            _redirect_uri(services.settings),
        )
    except ProviderUnreachable:
        raise ServiceUnavailable("The identity provider does not answer. Try again.") from None
    response.set_cookie(
        full_name(services.settings, COOKIE),
        secret,
        max_age=int(sign_in.LIFETIME.total_seconds()),
        path="/",
        httponly=True,
        secure=is_secure(services.settings),
        # Not Strict: the provider sends the browser back from its own site.
        samesite="lax",
    )
    return ProviderSignInStarted(authorization_url=url)


@sign_in_router.get(
    CALLBACK, summary="End a sign-in with an identity provider", include_in_schema=False
)
@limited(most=60, seconds=60)
@public
async def finish_provider_sign_in(request: Request, services: ServicesDep) -> RedirectResponse:
    try:
        token = await _finish(request, services)
    except SignInRefused as fault:
        answer = _back(f"?failure={fault.refusal}")
        if fault.organization_id is not None:
            await sign_in.record_refusal(services, fault.organization_id, fault.refusal)
    else:
        answer = _back()
        set_cookie(answer, services.settings, token)
    answer.delete_cookie(
        full_name(services.settings, COOKIE),
        path="/",
        httponly=True,
        secure=is_secure(services.settings),
        samesite="lax",
    )
    return answer


def _back(query: str = "") -> RedirectResponse:
    # The address of the callback has a code: no page may pass it on.
    headers = {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
    return RedirectResponse(SIGN_IN_PAGE + query, 303, headers=headers)


async def _finish(request: Request, services: ProviderSignIn) -> str:
    """Open a session for the person of the provider's answer. Return its token."""
    secret = read_cookie(request, services.settings, COOKIE, sign_in.SECRET)
    if secret is None:
        raise SignInRefused(Refusal.EXPIRED)
    provider, person = await sign_in.finish(
        services,
        _providers(request),
        secret,
        request.query_params,
        _redirect_uri(services.settings),
    )
    token = session_service.new_token()
    try:
        async with services.database.transaction() as session:
            account, is_second_factor = await sign_in.account_of(
                session, services.signer, provider, person
            )
            await session_service.open_session(
                session,
                services,
                account,
                browser_of(request, services.settings),
                token,
                former=_former(request, services.settings, secret),
                method=SignInMethod.PROVIDER,
                second_factor=SecondFactor.PROVIDER if is_second_factor else None,
            )
    except IntegrityError:
        # The same person joined at the same moment, in another tab.
        raise SignInRefused(Refusal.EXPIRED, provider.organization_id) from None
    return token


def _former(request: Request, settings: Settings, secret: str) -> bytes:
    """The session of the browser now, which a provider of the same site lets it send, or then."""
    if read_cookie(request, settings) is None:
        return sign_in.former_of(secret)
    return former_digest(request, settings)


def _providers(request: Request) -> Providers:
    providers: Providers = request.app.state.providers
    return providers


def _redirect_uri(settings: Settings) -> str:
    return settings.public_url + CALLBACK
