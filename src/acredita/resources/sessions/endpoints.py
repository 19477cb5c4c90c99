from datetime import timedelta

from fastapi import Response
from starlette.requests import Request

from acredita.api.client_address import client_address
from acredita.api.credentials import Credentials
from acredita.api.cross_origin import check_origin
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import CsrfTokenMissing, OriginNotAllowed, responses
from acredita.api.permissions import Member, public
from acredita.api.rate_limits import limited
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.api.session_cookie import clear_cookie, read_cookie, set_cookie
from acredita.api.session_credentials import KnownSession
from acredita.domain.errors import (
    FeatureOff,
    NoSecondFactorNeeded,
    ProviderSignInRequired,
    SecondFactorWrong,
    Unauthorized,
)
from acredita.domain.signing_in import SecondFactor, SessionState, SignInMethod
from acredita.kit.crypto import token_digest
from acredita.kit.db import Database
from acredita.models import Browser
from acredita.ports import SessionOpening
from acredita.resources.auth.queries import Account
from acredita.resources.auth.schemas import EmailAndPassword
from acredita.resources.auth.sign_in import check_password, refuse_without_provider
from acredita.resources.second_factors import queries as factors
from acredita.resources.second_factors.passkeys import service as passkeys
from acredita.resources.second_factors.passkeys.endpoints import party_of
from acredita.resources.second_factors.passkeys.schemas import PasskeyAnswer, PasskeyOptions
from acredita.resources.second_factors.service import prove
from acredita.resources.sessions import queries, service
from acredita.resources.sessions.schemas import (
    GivenSecondFactor,
    ListedSession,
    SessionList,
    SessionShape,
)
from acredita.settings import Settings

router = make_router("/v1/auth", tag="Authentication")


@router.post(
    "/session",
    status_code=201,
    summary="Sign in in a browser",
    responses=responses(Unauthorized, ProviderSignInRequired, OriginNotAllowed),
)
@public
async def sign_in_at_browser(
    data: EmailAndPassword, request: Request, response: Response, services: ServicesDep
) -> SessionShape:
    """Opens a session and sets its cookie `__Host-acredita_session` (HttpOnly, Secure,
    SameSite=Strict). All endpoints that accept a user's token accept the cookie. Failures are
    limited as those of `POST /v1/auth/login`. A session of the same browser ends. In the state
    SECOND_FACTOR, send a code to `POST /v1/auth/session/second-factor` within 15 minutes; in the
    state SECOND_FACTOR_SETUP, set one up.
    """
    # Otherwise, another site could sign its visitor in to an account of its own.
    check_origin(request, services.settings, ())
    account = await check_password(
        services, data, address=client_address(request, services.settings)
    )
    return await _open(request, response, services, account, SignInMethod.PASSWORD)


@router.post(
    "/session/second-factor",
    summary="Complete a sign-in with a second factor",
    responses=responses(
        Unauthorized, SecondFactorWrong, CsrfTokenMissing, OriginNotAllowed, NoSecondFactorNeeded
    ),
)
@public
async def give_second_factor(
    data: GivenSecondFactor, request: Request, response: Response, services: ServicesDep
) -> SessionShape:
    """Makes a session in the state SECOND_FACTOR active and sets a new cookie. At most 10 wrong
    codes of a user within 15 minutes, and 50 within a day, count; then the response is 429.
    """
    credentials = _credentials(request)
    known = await credentials.find_session(request)
    if known.state is not SessionState.SECOND_FACTOR:
        raise NoSecondFactorNeeded
    caller = known.caller
    factor = SecondFactor(data.method)
    await prove(services, caller.organization_id, caller.id, factor, data.code)
    token = service.new_token()
    async with services.database.transaction() as session:
        await service.complete(
            session,
            caller,
            known.id,
            token_digest(token),
            factor=factor,
            now=services.clock.now(),
            lifetime=timedelta(seconds=services.settings.session_lifetime),
        )
    credentials.sessions.forget(request)
    return await _begun(request, response, services.settings, services.database, token)


@router.post(
    "/session/passkey-options",
    summary="Begin to sign in with a passkey",
    responses=responses(FeatureOff, OriginNotAllowed),
)
@limited(most=60, seconds=60)
@public
async def begin_passkey_sign_in(
    request: Request, session: Db, services: ServicesDep
) -> PasskeyOptions:
    """The options for `navigator.credentials.get`. They name no user."""
    check_origin(request, services.settings, ())
    party = party_of(services.settings.public_url)
    options = passkeys.begin_sign_in(session, services.clock, party)
    return PasskeyOptions(public_key=options.public_key)


@router.post(
    "/session/passkey",
    status_code=201,
    summary="Sign in with a passkey",
    responses=responses(SecondFactorWrong, ProviderSignInRequired, FeatureOff, OriginNotAllowed),
)
@limited(most=60, seconds=60)
@public
async def sign_in_with_passkey(
    data: PasskeyAnswer, request: Request, response: Response, services: ServicesDep
) -> SessionShape:
    """Opens an ACTIVE session and sets its cookie: a passkey replaces the password and the second
    factor. A session of the same browser ends.
    """
    check_origin(request, services.settings, ())
    party = party_of(services.settings.public_url)
    user_id, organization_id, version = await passkeys.prove(services, party, data.credential)
    account = Account(user_id, organization_id, None, version)
    await refuse_without_provider(services, account, SignInMethod.PASSKEY)
    return await _open(
        request, response, services, account, SignInMethod.PASSKEY, SecondFactor.PASSKEY
    )


@router.get(
    "/session", summary="Get the session of this browser", responses=responses(Unauthorized)
)
@public
async def get_browser_session(request: Request, services: ServicesDep) -> SessionShape:
    """Who is signed in, until when, and the token for changing requests."""
    credentials = _credentials(request)
    known = await credentials.find_session(request)
    token = read_cookie(request, services.settings) or ""
    return await _shape(credentials, services.database, known, token)


@router.delete(
    "/session",
    status_code=204,
    summary="Sign out in this browser",
    responses=responses(Unauthorized, CsrfTokenMissing, OriginNotAllowed),
)
@public
async def close_session(request: Request, response: Response, services: ServicesDep) -> None:
    """Ends the session of the cookie."""
    credentials = _credentials(request)
    known = await credentials.find_session(request)
    async with services.database.transaction() as session:
        await service.sign_out(session, known.caller, known.id)
    credentials.sessions.forget(request)
    clear_cookie(response, services.settings)


@router.get("/sessions", summary="List your sessions, the last used first")
async def list_sessions(caller: Member, session: Db, services: ServicesDep) -> SessionList:
    """The open sessions of the user of the request. An API key has none."""
    now = services.clock.now()
    idle = timedelta(seconds=services.settings.session_idle_timeout)
    found = await queries.list_open(session, caller, services.keys, seen_since=now - idle, now=now)
    return SessionList(
        sessions=[ListedSession.from_details(each, caller.session_id) for each in found]
    )


@router.delete("/sessions", status_code=204, summary="End your other sessions")
async def end_other_sessions(caller: Member, session: Db) -> None:
    """Ends all sessions of the user except the one of this request, within a second."""
    await service.end_others(session, caller)


@router.delete("/sessions/{id}", status_code=204, summary="End one of your sessions")
async def end_session(id: IdInPath, caller: Member, session: Db) -> None:
    """The session stops working within a second."""
    await service.end(session, caller, id)


def _credentials(request: Request) -> Credentials:
    credentials: Credentials = request.app.state.credentials
    return credentials


def former_digest(request: Request, settings: Settings) -> bytes:
    return token_digest(read_cookie(request, settings) or "")


def browser_of(request: Request, settings: Settings) -> Browser:
    agent = request.headers.get("user-agent")
    return Browser(
        client_address(request, settings),
        None if agent is None else agent[: service.LONGEST_USER_AGENT],
    )


async def _open(
    request: Request,
    response: Response,
    services: SessionOpening,
    account: Account,
    method: SignInMethod,
    second_factor: SecondFactor | None = None,
) -> SessionShape:
    """Open a session of this browser, which ends its former one."""
    settings, token = services.settings, service.new_token()
    async with services.database.transaction() as session:
        await service.open_session(
            session,
            services,
            account,
            browser_of(request, settings),
            token,
            former=former_digest(request, settings),
            method=method,
            second_factor=second_factor,
        )
    return await _begun(request, response, settings, services.database, token)


async def _begun(
    request: Request, response: Response, settings: Settings, database: Database, token: str
) -> SessionShape:
    """Set the cookie of a session that has a new token, and return the session."""
    set_cookie(response, settings, token)
    credentials = _credentials(request)
    known = await credentials.sessions.by_token(token)
    return await _shape(credentials, database, known, token)


async def _shape(
    credentials: Credentials, database: Database, known: KnownSession, token: str
) -> SessionShape:
    person, provable = None, []
    if known.state is SessionState.SECOND_FACTOR:
        async with database.reading() as connection:
            provable = await factors.factors_of(
                connection, known.caller.organization_id, known.caller.id
            )
    if known.state is SessionState.ACTIVE:
        async with database.reading() as connection:
            person = await queries.person_of(connection, known.caller)
        if person is None:
            raise Unauthorized
    return SessionShape.of_session(
        known,
        person=person,
        factors=provable,
        csrf_token=credentials.sessions.csrf_token(token),
        idle_end=credentials.sessions.idle_end(known),
    )
