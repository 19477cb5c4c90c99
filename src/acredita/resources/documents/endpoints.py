from typing import Any

from starlette.requests import Request

from acredita.api import uploads
from acredita.api.dependencies import ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import Member
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import (
    QueueFull,
    VerificationClosed,
)
from acredita.domain.verification import DocumentRole
from acredita.kit.upload_limits import MOST_FILES
from acredita.resources.documents import service
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


@router.post(
    "/verifications/{id}/inputs",
    status_code=202,
    summary="Upload documents",
    responses=responses(VerificationClosed, QueueFull, *uploads.FAULTS),
    openapi_extra={"requestBody": MULTIPART},
)
async def upload_documents(
    id: IdInPath, caller: Member, services: ServicesDep, request: Request
) -> UploadAnswer:
    """Stores the files and starts the checks that have all their files."""
    await service.ensure_open(services, caller, id)
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
