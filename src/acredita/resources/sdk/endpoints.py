from typing import Annotated, Any

from fastapi import Header, Request, Response

from acredita.api import uploads
from acredita.api.addresses import client_address, counted_as
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import (
    FileTooLarge,
    NotFound,
    OriginNotAllowed,
    PayloadTooLarge,
    RequestTimeout,
    ServiceUnavailable,
    TooManyConsents,
    TooManyStreams,
    TooManyUploads,
    Unauthorized,
    UnsupportedFileType,
    UnsupportedMediaType,
    ValidationFailed,
    VerificationClosed,
    WorkflowInactive,
    responses,
)
from acredita.api.permissions import public
from acredita.api.routing import router as make_router
from acredita.api.schemas import JsonAnswer
from acredita.domain.verification import DocumentRole
from acredita.kit import ids
from acredita.kit.clock import timestamp
from acredita.resources.documents import service as documents
from acredita.resources.documents.endpoints import MULTIPART, ROLES
from acredita.resources.sdk import consents, queries, sessions, status
from acredita.resources.sdk.schemas import (
    ConsentAnswer,
    ConsentWrite,
    InputsAnswer,
    SessionAnswer,
    SessionCreate,
    StatusView,
)
from acredita.resources.sdk.stream import EventStream
from acredita.resources.sdk.visitors import Browser, Visitor
from acredita.resources.sdk.watching import Watching

router = make_router("/v1/sdk", tag="Browser flow")

# Of one verification: with all retakes of all roles there are fewer.
MOST_DOCUMENTS = 60
GIVEN_BEFORE: dict[int | str, dict[str, Any]] = {
    200: {"model": ConsentAnswer, "description": "It had been given."}
}
EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The stream.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.post(
    "/session",
    response_model=SessionAnswer,
    status_code=201,
    summary="Open a verification from a browser",
    description=(
        "Creates the verification and a token for it, which is good for two hours. The ids of an"
        " organization and its workflows are no secrets, so whoever opens a session proves nothing:"
        " `metadata` is the browser's word. Five a second are opened for one organization, fifty at"
        " once."
    ),
    responses=responses(
        Unauthorized, OriginNotAllowed, NotFound, WorkflowInactive, ValidationFailed
    ),
)
@public
async def open_session(data: SessionCreate, services: ServicesDep, request: Request) -> Response:
    opened = await sessions.open_session(request, services, data)
    answer = JsonAnswer(
        {
            "verificationId": str(opened.verification_id),
            "token": opened.token,
            "expiresAt": timestamp(opened.expires_at),
            "pageUrl": (
                f"{services.settings.public_url}/verify/{opened.verification_id}#{opened.token}"
            ),
            "verification": await status.view(services, opened.verification_id),
        },
        status_code=201,
    )
    answer.headers["Location"] = f"/v1/sdk/verifications/{opened.verification_id}"
    return answer


@router.get(
    "/verifications/{id}",
    response_model=StatusView,
    summary="How a verification gets on, and what to do next",
    description="For the person's browser: nothing in it is personal.",
    responses=responses(Unauthorized, OriginNotAllowed, NotFound),
)
@public
async def get_session_status(visitor: Visitor, services: ServicesDep) -> Response:
    return JsonAnswer(await status.view(services, visitor.id))


@router.get(
    "/verifications/{id}/events",
    summary="What happens to a verification, as it happens",
    description=(
        "Server-sent events, the first at once: `id` is the event's, `event` its kind, `data` the"
        " status as `GET /v1/sdk/verifications/{id}` shows it at that moment. `Last-Event-ID`"
        " resumes after that event. What moves without being an event is told as"
        " `verification.updated` without an id. A comment comes every 15 seconds at least. The"
        " stream ends with the verification, and otherwise after ten minutes: browsers come again"
        " by themselves. Five are open for one verification; more are 429."
    ),
    response_class=Response,
    responses=EVENTS
    | responses(Unauthorized, OriginNotAllowed, NotFound, TooManyStreams, ServiceUnavailable),
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
            description="The `id` of the last event that was seen; anything else counts as none.",
            examples=["0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"],
        ),
    ] = None,
) -> Response:
    watching: Watching = request.app.state.watching
    address = counted_as(client_address(request, services.settings))
    return EventStream(
        services,
        visitor.id,
        watching.watch(visitor.id, address),
        after=None if last_event_id is None else ids.parse(last_event_id),
    )


@router.post(
    "/verifications/{id}/inputs",
    response_model=InputsAnswer,
    status_code=202,
    summary="Upload documents from a browser",
    description=(
        "As `POST /v1/verifications/{id}/inputs`. A role that a step asks for again takes another"
        " picture; one that a finished step has judged is stored, and no longer looked at."
    ),
    responses=responses(
        Unauthorized,
        OriginNotAllowed,
        NotFound,
        VerificationClosed,
        TooManyUploads,
        FileTooLarge,
        PayloadTooLarge,
        UnsupportedFileType,
        UnsupportedMediaType,
        RequestTimeout,
        ValidationFailed,
    ),
    openapi_extra={"requestBody": MULTIPART},
)
@public
async def upload_inputs(visitor: Visitor, services: ServicesDep, request: Request) -> Response:
    await documents.ensure_open(services, visitor, visitor.id)
    if await queries.count_documents(services.reads, visitor.id) >= MOST_DOCUMENTS:
        raise TooManyUploads
    async with uploads.received(request, roles=ROLES) as form:
        stored = await documents.add(services, visitor, visitor.id, form.files)
    number = "1 file was" if len(stored) == 1 else f"{len(stored)} files were"
    return JsonAnswer(
        {
            "documents": [DocumentRole(row.type).value for row in stored],
            "message": f"{number} stored; the checks go on with what has arrived.",
            "verification": await status.view(services, visitor.id),
        },
        status_code=202,
    )


@router.post(
    "/verifications/{id}/consent",
    response_model=ConsentAnswer,
    status_code=201,
    summary="Record the person's consent",
    description=(
        "Kept with the address and the browser that it came from. Consent to the same version in"
        " the same language again changes nothing: the answer tells of the first, with 200."
    ),
    responses=GIVEN_BEFORE
    | responses(
        Unauthorized,
        OriginNotAllowed,
        NotFound,
        VerificationClosed,
        TooManyConsents,
        ValidationFailed,
    ),
)
@public
async def give_consent(
    data: ConsentWrite, visitor: Visitor, services: ServicesDep, request: Request
) -> Response:
    browser = Browser.of(request, services)
    async with services.database.transaction() as session:
        consent, is_new = await consents.give(session, services, visitor, visitor.id, data, browser)
    return JsonAnswer(
        {
            "version": consent.version,
            "locale": consent.locale,
            "acceptedAt": timestamp(consent.accepted_at),
            "verification": await status.view(services, visitor.id),
        },
        status_code=201 if is_new else 200,
    )
