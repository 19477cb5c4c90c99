from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Header, Request, Response

from acredita.api import uploads
from acredita.api.client_address import client_address
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import responses
from acredita.api.event_streams import EventStream
from acredita.api.permissions import public
from acredita.api.routing import make_router
from acredita.api.schemas import JsonAnswer
from acredita.api.subscriptions import Subscriptions
from acredita.domain.errors import (
    FeatureOff,
    LinkClosed,
    NotFound,
    QueueFull,
    TooManyConsents,
    TooManyStreams,
    TooManyUploads,
    ValidationFailed,
    VerificationClosed,
    WorkflowInactive,
)
from acredita.domain.verification import CaptureSource, DocumentRole
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.kit.rate_limit_address import counted_as
from acredita.kit.statement_pool import Reads
from acredita.resources.documents import service as documents
from acredita.resources.documents.endpoints import MULTIPART, ROLES
from acredita.resources.sdk import consents, queries, sessions, status
from acredita.resources.sdk.schemas import (
    ConsentAnswer,
    ConsentWrite,
    InputsAnswer,
    LinkOpen,
    LinkSessionAnswer,
    SessionAnswer,
    SessionCreate,
    StatusView,
)
from acredita.resources.sdk.sessions import OpenedSession
from acredita.resources.sdk.stream import messages
from acredita.resources.sdk.visitors import VISITOR_FAULTS, Browser, Visitor
from acredita.resources.verifications.pipeline import channel_of

router = make_router("/v1/sdk", tag="Browser flow")

# The form's fields that say where the images of a role come from, and their roles.
SOURCE_FIELDS = {f"{role}Source": role for role in ROLES}

# Per verification. All retakes of all roles need fewer.
MAX_DOCUMENTS = 60
_FORM = MULTIPART["content"]["multipart/form-data"]
SOURCED_MULTIPART: dict[str, Any] = {
    **MULTIPART,
    "content": {
        "multipart/form-data": {
            **_FORM,
            "schema": {
                **_FORM["schema"],
                "properties": {
                    **_FORM["schema"]["properties"],
                    **{
                        name: {"type": "string", "enum": list(CaptureSource)}
                        for name in SOURCE_FIELDS
                    },
                },
            },
        }
    },
}
EXISTING_CONSENT: dict[int | str, dict[str, Any]] = {
    200: {"model": ConsentAnswer, "description": "The consent already existed."}
}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The stream of events.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.post(
    "/session",
    response_model=SessionAnswer,
    status_code=201,
    summary="Open a verification from a browser",
    responses=responses(*VISITOR_FAULTS, FeatureOff, WorkflowInactive),
)
@public
async def open_session(data: SessionCreate, services: ServicesDep, request: Request) -> Response:
    """Creates the verification and a token for it. The token is valid for two hours. The ids of an
    organization and its workflows are not secret, so opening a session proves nothing, and
    `metadata` is unverified data from the browser. Limit for one organization: five sessions per
    second, burst fifty.
    """
    opened = await sessions.open_session(request, services, data)
    return await answer_opened(services.settings.public_url, services.reads, opened)


async def answer_opened(
    public_url: str, reads: Reads, opened: OpenedSession, **further: str
) -> Response:
    """Return the response about an opened session, with further properties."""
    answer = JsonAnswer(
        {
            **further,
            "verificationId": str(opened.verification_id),
            "token": opened.token,
            "expiresAt": timestamp(opened.expires_at),
            "pageUrl": f"{public_url}/verify/{opened.verification_id}#{opened.token}",
            "verification": await status.view(reads, opened.verification_id),
        },
        status_code=201,
    )
    answer.headers["Location"] = f"/v1/sdk/verifications/{opened.verification_id}"
    return answer


@router.post(
    "/link-sessions",
    response_model=LinkSessionAnswer,
    status_code=201,
    summary="Open a session with a link for the person",
    responses=responses(NotFound, LinkClosed),
)
@public
async def open_linked_session(data: LinkOpen, services: ServicesDep, request: Request) -> Response:
    """For the page of a link that `POST /v1/verifications` made with `capture`. The token is valid
    for two hours. A link opens any number of sessions, also on several devices, until it expires or
    is revoked.
    """
    opened = await sessions.open_link(request, services, data.link)
    return JsonAnswer(
        {
            "verificationId": str(opened.session.verification_id),
            "token": opened.session.token,
            "expiresAt": timestamp(opened.session.expires_at),
            "returnUrl": opened.return_url,
            "verification": await status.view(services.reads, opened.session.verification_id),
        },
        status_code=201,
    )


@router.get(
    "/verifications/{id}",
    response_model=StatusView,
    summary="Get the progress of a verification and the next action",
    responses=responses(*VISITOR_FAULTS),
)
@public
async def get_session_status(visitor: Visitor, services: ServicesDep) -> Response:
    """For the person's browser. The response contains no personal data."""
    return JsonAnswer(await status.view(services.reads, visitor.id))


@router.get(
    "/verifications/{id}/events",
    summary="Stream the events of a verification",
    response_class=Response,
    responses=EVENTS | responses(*VISITOR_FAULTS, TooManyStreams),
)
@public
async def watch_verification(
    visitor: Visitor,
    services: ServicesDep,
    request: Request,
    last_event_id: Annotated[
        str | None,
        Header(
            alias="Last-Event-ID",
            description=(
                "The `id` of the last received event. Any other value is treated as absent."
            ),
            examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
        ),
    ] = None,
) -> Response:
    """Server-sent events. The first one comes immediately. `id` is the id of the event, `event` its
    type, and `data` the status that `GET /v1/sdk/verifications/{id}` shows at that time.
    `Last-Event-ID` resumes after that event. A change that is not an event comes as
    `verification.updated` without an id. A comment comes at least every 15 seconds. The stream ends
    with the verification, or after ten minutes; browsers then reconnect on their own. A
    verification has at most five open streams; a further one gets 429.
    """
    subscriptions: Subscriptions = request.app.state.subscriptions
    address = counted_as(client_address(request, services.settings))
    after = None if last_event_id is None else ids.parse(last_event_id)
    return EventStream(
        subscriptions.subscribe(channel_of(visitor.id), visitor.organization_id, address),
        lambda subscription: messages(services.reads, visitor.id, subscription, after=after),
    )


@router.post(
    "/verifications/{id}/inputs",
    response_model=InputsAnswer,
    status_code=202,
    summary="Upload documents from a browser",
    responses=responses(
        *VISITOR_FAULTS, VerificationClosed, TooManyUploads, QueueFull, *uploads.FAULTS
    ),
    openapi_extra={"requestBody": SOURCED_MULTIPART},
)
@public
async def upload_inputs(visitor: Visitor, services: ServicesDep, request: Request) -> Response:
    """The same as `POST /v1/verifications/{id}/inputs`. If a step requests a role again, upload
    another image in that role. If a finished step has already judged the role, the file is stored
    but not checked. `frontSource` and so on say whether the images of a role come from the camera
    or from a file; a workflow without `allowFiles` refuses `file`.
    """
    await documents.ensure_open(services, visitor, visitor.id)
    count, allows_files = await queries.upload_rules(services.reads, visitor.id)
    if count >= MAX_DOCUMENTS:
        raise TooManyUploads
    async with uploads.received(request, roles=ROLES, optional_texts=SOURCE_FIELDS) as form:
        sources = _sources(form.texts, allows_files=allows_files)
        stored = await documents.add(services, visitor, visitor.id, form.files, sources)
    number = "1 file was" if len(stored) == 1 else f"{len(stored)} files were"
    return JsonAnswer(
        {
            "documents": [DocumentRole(row.type).value for row in stored],
            "message": f"{number} stored; the checks go on with what has arrived.",
            "verification": await status.view(services.reads, visitor.id),
        },
        status_code=202,
    )


def _sources(texts: Mapping[str, str], *, allows_files: bool) -> dict[str, CaptureSource]:
    """Return the sources by role. Raise ValidationFailed."""
    allowed = set(CaptureSource) if allows_files else {CaptureSource.CAMERA}
    listed = " or ".join(sorted(allowed))
    faults = [
        f"body.{name}: must be {listed}" for name, text in texts.items() if text not in allowed
    ]
    if faults:
        raise ValidationFailed(details=faults)
    return {SOURCE_FIELDS[name]: CaptureSource(text) for name, text in texts.items()}


@router.post(
    "/verifications/{id}/consent",
    response_model=ConsentAnswer,
    status_code=201,
    summary="Record the person's consent",
    responses=EXISTING_CONSENT | responses(*VISITOR_FAULTS, VerificationClosed, TooManyConsents),
)
@public
async def give_consent(
    data: ConsentWrite, visitor: Visitor, services: ServicesDep, request: Request
) -> Response:
    """The consent is stored with the client's address and browser. A second consent to the same
    version in the same language changes nothing: the response is 200 with the first consent.
    """
    browser = Browser.from_request(request, services.settings)
    async with services.database.transaction() as session:
        consent, is_new = await consents.record(
            session, services.keys, visitor, visitor.id, data, browser
        )
    return JsonAnswer(
        {
            "version": consent.version,
            "locale": consent.locale,
            "acceptedAt": timestamp(consent.accepted_at),
            "verification": await status.view(services.reads, visitor.id),
        },
        status_code=201 if is_new else 200,
    )
