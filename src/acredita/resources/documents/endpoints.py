from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import WithJsonSchema
from starlette.requests import Request
from starlette.responses import Response

from acredita.api import uploads
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import (
    responses,
)
from acredita.api.permissions import Require, known_caller, public_or_known
from acredita.api.routing import SECURITY, secured
from acredita.api.routing import router as make_router
from acredita.api.schemas import IdInPath
from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import (
    NotFound,
    RateLimited,
    Unauthorized,
    ValidationFailed,
    VerificationClosed,
)
from acredita.domain.roles import Role
from acredita.domain.verification import DocumentRole
from acredita.kit import ids
from acredita.kit.uploads import MOST_FILES
from acredita.models import Document
from acredita.ports import LinkOpening
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.documents import links, queries, service
from acredita.resources.documents.schemas import UploadAnswer, UploadedDocument

router = make_router("/v1", tag="Documents")

ROLES = [role.value for role in DocumentRole]
FILES: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string", "format": "binary"},
    "minItems": 1,
    "maxItems": MOST_FILES,
}
MULTIPART: dict[str, Any] = {
    "required": True,
    "description": (
        "JPEG, PNG, WebP or PDF, at most 10 MB each, at most ten files in total. The field's name"
        " is the role of the file. A name may be repeated."
    ),
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "properties": dict.fromkeys(ROLES, FILES),
                "minProperties": 1,
                "additionalProperties": False,
            },
            "encoding": {
                role: {"contentType": "image/jpeg, image/png, image/webp, application/pdf"}
                for role in ROLES
            },
        }
    },
}
IMAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The image as JPEG, without metadata; the first page of a PDF.",
        "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
    }
}
# No browser may run or embed uploaded content, even if it takes it for a page.
IMAGE_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


@router.post(
    "/verifications/{id}/inputs",
    status_code=202,
    summary="Upload documents",
    description="Stores the files and starts the checks that have all their files.",
    responses=secured()
    | responses(
        NotFound,
        VerificationClosed,
        *uploads.FAULTS,
    ),
    openapi_extra={"requestBody": MULTIPART},
)
async def upload_documents(
    id: IdInPath,  # noqa: A002 (the specification's name of the path parameter)
    caller: Annotated[Caller, Require(Role.MEMBER)],
    services: ServicesDep,
    request: Request,
) -> UploadAnswer:
    await service.ensure_open(services.database, caller, id)
    async with uploads.received(request, roles=ROLES) as form:
        documents = await service.add(services, caller, id, form.files)
    number = "1 file was" if len(documents) == 1 else f"{len(documents)} files were"
    return UploadAnswer(
        uploaded=[
            UploadedDocument(id=row.id, type=DocumentRole(row.type), mime_type=row.mime_type)
            for row in documents
        ],
        message=f"{number} stored; the checks go on with what has arrived.",
    )


@router.get(
    "/documents/{id}/image",
    summary="Get the image of a document",
    description=(
        "Requires a token or API key of the owning organization, or the `key` of the signed link "
        "in the verification's `imageUrl`."
    ),
    response_class=Response,
    responses=IMAGE | responses(Unauthorized, NotFound, ValidationFailed, RateLimited),
    openapi_extra={"security": SECURITY},
)
@public_or_known
async def get_document_image(
    id: Annotated[str, WithJsonSchema({"type": "string", "format": "uuid"})],  # noqa: A002
    services: ServicesDep,
    request: Request,
    key: Annotated[str | None, Query(description="The key of a signed link.")] = None,
) -> Response:
    document = await _permitted(services, request, ids.parse(id), key)
    return Response(
        await service.picture(services, document),
        media_type="image/jpeg",
        headers={
            **IMAGE_HEADERS,
            "Content-Disposition": f'attachment; filename="{document.type}.jpg"',
        },
    )


async def _permitted(
    services: LinkOpening, request: Request, document_id: UUID | None, key: str | None
) -> Document:
    """Return the document, for a signed link or a caller of its organization.

    Raise Unauthorized, then NotFound.
    """
    now = services.clock.now()
    if (
        key is not None
        and document_id is not None
        and links.opens(services.link_signer, document_id, key, now)
    ):
        async with services.database.transaction() as session:
            document = await queries.get_linked(session, document_id)
            holder = Actor(document.organization_id, ActorType.LINK)
            audit.record(session, holder, Action.DOCUMENT_VIEWED, document_id)
            return document
    caller = known_caller(request)
    if document_id is None:
        raise NotFound
    return await service.view(services.database, caller, document_id)
