"""Open a verification from an unauthenticated browser: a new one, or that of a link."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from starlette.requests import Request

from acredita.access.tokens import TokenKeys
from acredita.api.cross_origin import check_origin
from acredita.api.rate_limits import RateLimits
from acredita.domain.audit import Action
from acredita.domain.caller import holder
from acredita.domain.errors import Unauthorized
from acredita.kit.db import Within
from acredita.models import CaptureLinkPurpose
from acredita.ports import SessionCreation
from acredita.resources.audit import service as audit
from acredita.resources.capture_links import service as capture_links
from acredita.resources.sdk import consents, queries
from acredita.resources.sdk.schemas import SessionCreate
from acredita.resources.sdk.visitors import Browser
from acredita.resources.verifications import creation
from acredita.resources.verifications.pipeline import is_open, notify_watchers
from acredita.resources.verifications.request_schemas import VerificationCreate


@dataclass(frozen=True, slots=True)
class OpenedSession:
    verification_id: UUID
    token: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class LinkedSession:
    session: OpenedSession
    return_url: str | None


async def open_session(
    request: Request, services: SessionCreation, data: SessionCreate
) -> OpenedSession:
    """Create the verification, with its consent if there is one, in one transaction.

    Raise Unauthorized, OriginNotAllowed, RateLimited, NotFound, WorkflowInactive.
    """
    organization_id = UUID(data.client_id)
    allowed = await queries.allowed_origins(services.reads, organization_id)
    if allowed is None:
        raise Unauthorized("The client id is not known.")
    check_origin(request, services.settings, allowed)
    limits: RateLimits = request.app.state.rate_limits
    await limits.count(request, limits.of_sessions(organization_id))
    browser = Browser.from_request(request, services.settings)
    asked = VerificationCreate.model_validate(
        {"workflowId": data.flow_id, "metadata": data.metadata}
    )
    async with services.database.transaction() as session:
        created = await creation.create(
            Within(session),
            services,
            # `create` uses only the caller's organization, which owns the workflow.
            holder(organization_id, organization_id),
            asked,
            ip_address=browser.address,
            user_agent=browser.user_agent,
            has_session=True,
        )
        person = holder(organization_id, created.id)
        audit.record(session, person, Action.SESSION_OPENED, created.id)
        if data.consent is not None:
            consents.add(session, services.keys, person, created.id, data.consent, browser)
    return _session_of(request, services, created.id, organization_id)


async def open_link(request: Request, services: SessionCreation, token: str) -> LinkedSession:
    """Open a session with the token of a capture link.

    The first opening makes the browser's address that of the person, and begins the verification
    if no upload is needed for that. Raise NotFound, LinkClosed.
    """
    browser = Browser.from_request(request, services.settings)
    async with services.database.transaction() as session:
        link, verification = await capture_links.open_link(
            session, token, CaptureLinkPurpose.CAPTURE, services.clock.now()
        )
        person = holder(link.organization_id, verification.id)
        if link.openings == 1 and is_open(verification):
            verification.ip_address = browser.address
            if browser.user_agent is not None:
                verification.user_agent.seal(services.keys, browser.user_agent)
            await creation.begin_when_opened(session, verification)
        audit.record(session, person, Action.SESSION_OPENED, verification.id, link=link.id)
        return_url = capture_links.return_url(services.keys, link)
    opened = _session_of(
        request, services, link.verification_id, link.organization_id, link_id=link.id
    )
    return LinkedSession(opened, return_url)


async def open_hand_over(request: Request, services: SessionCreation, code: str) -> OpenedSession:
    """Open the one session of a hand-over. Raise NotFound, LinkClosed."""
    async with services.database.transaction() as session:
        link, verification = await capture_links.open_link(
            session, code, CaptureLinkPurpose.HAND_OVER, services.clock.now()
        )
        person = holder(link.organization_id, verification.id)
        audit.record(session, person, Action.SESSION_OPENED, verification.id, link=link.id)
        notify_watchers(session, verification.id)
    return _session_of(
        request, services, link.verification_id, link.organization_id, link_id=link.id
    )


def _session_of(
    request: Request,
    services: SessionCreation,
    verification_id: UUID,
    organization_id: UUID,
    *,
    link_id: UUID | None = None,
) -> OpenedSession:
    tokens: TokenKeys = request.app.state.tokens
    token, expires_at = tokens.issue_session(
        verification_id=verification_id,
        organization_id=organization_id,
        now=services.clock.now(),
        link_id=link_id,
    )
    return OpenedSession(verification_id, token, expires_at)
