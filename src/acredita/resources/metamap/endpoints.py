from typing import Annotated, Any

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from acredita.api import range_header, uploads
from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import RangeNotSatisfiable
from acredita.api.metamap import BadRequest, responses
from acredita.api.permissions import Admin, Member, Reviewer, public_or_known
from acredita.api.routing import SECURITY
from acredita.api.schemas import JsonAnswer
from acredita.domain.errors import (
    FeatureOff,
    Forbidden,
    NotFound,
    QueueFull,
    RateLimited,
    Unauthorized,
    ValidationFailed,
    VerificationClosed,
    WorkflowInactive,
)
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import OPEN, DocumentRole, VerificationStatus
from acredita.kit.upload_limits import MOST_FILES
from acredita.resources.documents import service as documents
from acredita.resources.images import queries as image_queries
from acredita.resources.images import service as images
from acredita.resources.images.endpoints import LinkKey, permitted
from acredita.resources.images.links import opens
from acredita.resources.images.responses import FILM as WEBM
from acredita.resources.images.responses import UPLOADED, etag_of, jpeg, part_of
from acredita.resources.metamap import (
    creation,
    input_upload,
    queries,
    translation,
    verification_view,
)
from acredita.resources.metamap.routing import (
    IdOrAliasInPath,
    make_router,
    read_inputs,
)
from acredita.resources.metamap.schemas import (
    Empty,
    MetamapVerification,
    Movement,
    RefusedInput,
    Start,
    StartedMetamapVerification,
    TakenInput,
)
from acredita.resources.metamap.verification_view import FILM, SPRITE
from acredita.resources.organizations.masking import check_not_masked
from acredita.resources.retention import purge
from acredita.resources.sdk.visitors import Browser
from acredita.resources.verifications.override import override
from acredita.resources.verifications.request_schemas import StatusChange
from acredita.resources.verifications.skip_back import skip_document_back

router = make_router()
MEDIA: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A photo as JPEG, without metadata; the frames of a liveness check as WebM.",
        "content": UPLOADED[200]["content"] | WEBM,
    },
    206: {"description": "The requested bytes of a film.", "content": WEBM},
}
FILES: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string", "format": "binary"},
    "maxItems": MOST_FILES,
}
INPUT_LIST: dict[str, Any] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "inputType": {"enum": list(input_upload.INPUT_TYPES), "type": "string"},
            "group": {"type": "integer"},
            "data": {
                "type": "object",
                "properties": {
                    "type": {"type": "string"},
                    "country": {"type": "string"},
                    "page": {"type": "string"},
                    "filename": {"type": "string"},
                },
                "required": ["filename"],
            },
        },
        "required": ["inputType", "data"],
    },
    "minItems": 1,
    "maxItems": input_upload.MOST_INPUTS,
    "examples": [
        [
            {
                "inputType": "document-photo",
                "group": 0,
                "data": {
                    "type": "national-id",
                    "country": "MX",
                    "page": "front",
                    "filename": "ine.jpg",
                },
            }
        ]
    ],
}
MULTIPART: dict[str, Any] = {
    "required": True,
    "description": (
        "`inputs` is a JSON list that names each file in its `data.filename`. The files are "
        "separate parts: JPEG, PNG, WebP or PDF, at most 10 MB each; a film (MP4, WebM) at most "
        "20 MB; at most ten files."
    ),
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": {
                    "inputs": INPUT_LIST,
                    **dict.fromkeys(input_upload.PARTS, FILES),
                },
                "required": ["inputs"],
            },
            "encoding": {"inputs": {"contentType": "application/json"}},
        }
    },
}


@router.post(
    "/v2/verifications",
    response_model=StartedMetamapVerification,
    summary="Start a verification",
    responses=responses(NotFound, FeatureOff, WorkflowInactive),
    name="start_metamap_verification",
)
async def start_verification(
    data: Start, caller: Member, services: ServicesDep, request: Request
) -> Response:
    """`flowId` is a workflow's id, or its 24 digits as MetaMap writes ids."""
    flow = await creation.find_flow(services.reads, caller.organization_id, data.flowId)
    browser = Browser.from_request(request, services.settings)
    created, identity_id = await creation.create(
        services,
        caller,
        flow,
        metadata=data.metadata,
        identity=data.identityId,
        browser=browser,
        capture=data.capture,
    )
    return JsonAnswer(creation.created_view(created, flow, identity_id, browser))


@router.post(
    "/v2/identity/{id}/send-input",
    include_in_schema=False,
    status_code=201,
    summary="Send the inputs of an identity, by an older address",
    responses=responses(BadRequest),
    name="send_metamap_input_formerly",
)
@router.post(
    "/v2/identities/{id}/send-input",
    status_code=201,
    response_model=list[TakenInput | RefusedInput],
    summary="Send the inputs of an identity",
    description=(
        "Each input is accepted or refused separately. The response has the result of each input."
    ),
    responses=responses(VerificationClosed, QueueFull),
    openapi_extra={"requestBody": MULTIPART},
    name="send_metamap_input",
)
async def send_input(
    id: IdOrAliasInPath, caller: Member, services: ServicesDep, request: Request
) -> Response:
    verification = await queries.get_newest_verification(services.reads, caller, id)
    if VerificationStatus(verification["status"]) not in OPEN:
        raise VerificationClosed
    await documents.ensure_room(services, caller)
    async with uploads.received(
        request, roles=input_upload.PARTS, texts=[input_upload.INPUTS], limits=input_upload.LIMITS
    ) as form:
        inputs = read_inputs(form)
        answers = await input_upload.store_inputs(
            services, caller, verification["id"], inputs, form.files
        )
    return JsonAnswer(answers, status_code=201)


@router.get(
    "/v2/verifications/{id}",
    response_model=MetamapVerification,
    summary="Get a verification and its results",
    name="get_metamap_verification",
)
async def get_verification(id: IdOrAliasInPath, caller: Member, services: ServicesDep) -> Response:
    """Webhooks have this address in `resource`. With `revealsOnDemand`, for API keys and their
    tokens alone.
    """
    await check_not_masked(services.reads, caller)
    row = await queries.get_verification(services.reads, caller, id)
    now = services.clock.now()
    opened = verification_view.open_verification(services, row, now)
    return JsonAnswer(verification_view.verification_view(opened, mexican_date(now)))


@router.patch(
    "/v2/verifications/{id}/status",
    summary="Decide a verification manually",
    responses=responses(BadRequest),
    name="patch_metamap_status",
)
@router.put(
    "/v2/verifications/{id}/status",
    summary="Decide a verification manually",
    responses=responses(BadRequest),
    name="change_metamap_status",
)
async def change_status(
    id: IdOrAliasInPath, data: Movement, caller: Reviewer, session: Db, services: ServicesDep
) -> Empty:
    """`verified`, `rejected` or `reviewNeeded`. The change is written to the audit log and sent to
    webhooks.
    """
    verification_id = await queries.find_verification_id(services.reads, caller, id)
    if data.status not in translation.MOVEMENTS:
        raise BadRequest("Invalid movement: the status is not one that can be set")
    change = StatusChange.model_validate({"status": translation.MOVEMENTS[data.status].value})
    await override(session, services, caller, verification_id, change)
    return Empty()


@router.api_route(
    "/verifications/{id}/inputs/document-photo/skip",
    methods=["POST", "PUT"],
    summary="Stop waiting for the back of a document, by the address of the reference's example",
    responses=responses(BadRequest),
    include_in_schema=False,
    name="skip_metamap_input_formerly",
)
@router.post(
    "/v2/verifications/{id}/inputs/document-photo/skip",
    summary="Stop waiting for the back of a document, like PUT",
    responses=responses(BadRequest),
    include_in_schema=False,
    name="skip_metamap_input_by_post",
)
@router.put(
    "/v2/verifications/{id}/inputs/document-photo/skip",
    summary="Stop waiting for the back of a document",
    description="The document is judged by the pages that were sent.",
    responses=responses(BadRequest),
    name="skip_metamap_input",
)
async def skip_back(
    id: IdOrAliasInPath, caller: Member, session: Db, services: ServicesDep
) -> Empty:
    verification_id = await queries.find_verification_id(services.reads, caller, id)
    await skip_document_back(session, caller, verification_id)
    return Empty()


@router.delete(
    "/v2/verifications/{id}",
    summary="Delete a verification's data immediately",
    description="The same as DELETE /v1/metamap/verifications/{id}.",
    responses=responses(BadRequest),
    name="delete_metamap_verification_too",
)
@router.delete(
    "/verifications/{id}",
    summary="Delete a verification's data immediately",
    description=(
        "Status, timestamps, codes and the audit log remain, as after the retention period."
    ),
    responses=responses(BadRequest),
    name="delete_metamap_verification",
)
async def delete_verification(
    id: IdOrAliasInPath, caller: Admin, session: Db, services: ServicesDep
) -> Empty:
    verification_id = await queries.find_verification_id(services.reads, caller, id)
    await purge.delete_now(session, caller, verification_id, services.clock.now())
    return Empty()


@router.get(
    "/file",
    summary="Get a photo or a film by the address in a verification",
    response_class=Response,
    responses=MEDIA
    | responses(
        Unauthorized, Forbidden, NotFound, RangeNotSatisfiable, ValidationFailed, RateLimited
    ),
    openapi_extra={"security": SECURITY},
    name="get_metamap_file",
)
@public_or_known
async def get_file(
    services: ServicesDep,
    request: Request,
    location: Annotated[str, Query(description="The same as in the photo's address.")],
    key: LinkKey = None,
) -> Response:
    """The address comes from a verification's response or a webhook. Until its `key` expires, the
    request needs no credentials; later, a token or API key of the owning organization. A film
    supports one range of bytes (`Range`, `If-Range`).
    """
    prefix = next((each for each in (SPRITE, FILM) if location.startswith(each)), "")
    document = await permitted(
        services, request, image_queries.document, opens, location.removeprefix(prefix), key
    )
    if prefix and document.type != DocumentRole.LIVENESS:
        raise NotFound
    if prefix == FILM:
        film = await images.film(services, services.database, document)
        etag = etag_of(film)
        asked = range_header.wanted_by(request, etag, len(film))
        disposition = 'attachment; filename="film.webm"'
        return part_of(film, asked, "video/webm", etag=etag, disposition=disposition)
    if prefix == SPRITE:
        return jpeg(await images.sprite(services, services.database, document), name="sprite")
    return jpeg(await images.content(services, document), name=document.type)
