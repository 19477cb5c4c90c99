from starlette.requests import Request
from starlette.responses import HTMLResponse

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.domain.errors import (
    LinkClosed,
    NotFound,
    TooManyHandOvers,
    VerificationClosed,
)
from acredita.domain.languages import person_language
from acredita.resources.otp.endpoints import AcceptLanguage
from acredita.resources.sdk import hand_over, sessions
from acredita.resources.sdk.hand_over_schemas import (
    HandOverAnswer,
    HandOverOpen,
    HandOverSession,
    HandOverStart,
)
from acredita.resources.sdk.hand_over_texts import PAGE
from acredita.resources.sdk.visitors import VISITOR_FAULTS, Visitor
from acredita.web.pages import page

router = make_router("/v1/sdk", tag="Browser flow")
page_router = make_router("", tag="Pages")


@router.post(
    "/verifications/{id}/hand-over",
    status_code=201,
    summary="Continue a verification on another device",
    responses=responses(*VISITOR_FAULTS, VerificationClosed, TooManyHandOvers),
)
@public
async def start_hand_over(
    data: HandOverStart,
    visitor: Visitor,
    services: ServicesDep,
    session: Db,
    accept_language: AcceptLanguage = None,
) -> HandOverAnswer:
    """Makes a link that opens one session, within ten minutes, and replaces the former link. With
    `send`, the link is also sent by SMS or e-mail, within the limits of one-time passwords that are
    sent without credentials. A verification allows twenty.
    """
    language = person_language(accept_language)
    link = await hand_over.start(session, services, visitor, visitor.id, data, language)
    return HandOverAnswer(
        url=hand_over.url_of(services.settings.public_url, link.token), expires_at=link.expires_at
    )


@router.post(
    "/verifications/{id}/hand-over/end",
    status_code=204,
    summary="End the session of the other device",
    responses=responses(*VISITOR_FAULTS),
)
@public
async def end_hand_over(visitor: Visitor, services: ServicesDep, session: Db) -> None:
    """Revokes the link, and the session that it opened. The flow continues here."""
    await hand_over.cancel(session, services, visitor, visitor.id)


@router.post(
    "/hand-overs",
    status_code=201,
    summary="Open a session on another device",
    responses=responses(NotFound, LinkClosed),
)
@public
async def open_hand_over(
    data: HandOverOpen, services: ServicesDep, request: Request
) -> HandOverSession:
    """For the page of the link. A code opens one session."""
    opened = await sessions.open_hand_over(request, services, hand_over.normalized(data.code))
    return HandOverSession(
        verification_id=opened.verification_id,
        token=opened.token,
        expires_at=opened.expires_at,
        page_url=f"{services.settings.public_url}/verify/{opened.verification_id}#{opened.token}",
    )


@page_router.get(
    "/go",
    summary="The page on which a person continues on another device",
    description="Links to it have the code in the fragment, which only the script reads.",
    response_class=HTMLResponse,
)
@public
async def hand_over_page(accept_language: AcceptLanguage = None) -> HTMLResponse:
    """The page requires a click: a program that follows a link must not use it up."""
    language = person_language(accept_language)
    return page("hand_over.html", language, PAGE[language])
