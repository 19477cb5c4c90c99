"""Open a verification from an unauthenticated browser."""

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
from acredita.ports import SessionCreation
from acredita.resources.audit import service as audit
from acredita.resources.sdk import consents, queries
from acredita.resources.sdk.schemas import SessionCreate
from acredita.resources.sdk.visitors import Browser
from acredita.resources.verifications import creation
from acredita.resources.verifications.schemas import VerificationCreate


@dataclass(frozen=True, slots=True)
class OpenedSession:
    verification_id: UUID
    token: str
    expires_at: datetime


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
            has_session=True,
        )
        person = holder(organization_id, created.id)
        audit.record(session, person, Action.SESSION_OPENED, created.id)
        if data.consent is not None:
            consents.add(session, services.keys, person, created.id, data.consent, browser)
    tokens: TokenKeys = request.app.state.tokens
    token, expires_at = tokens.issue_session(
        verification_id=created.id, organization_id=organization_id, now=services.clock.now()
    )
    return OpenedSession(created.id, token, expires_at)
