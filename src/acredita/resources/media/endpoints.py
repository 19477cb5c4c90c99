from typing import Annotated, Any
from uuid import UUID

from fastapi import Path, Query
from pydantic import WithJsonSchema
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.errors import responses
from acredita.api.permissions import known_caller, public_or_known
from acredita.api.routing import SECURITY
from acredita.api.routing import router as make_router
from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, RateLimited, Unauthorized, ValidationFailed
from acredita.kit import ids
from acredita.models import Media
from acredita.ports import LinkOpening
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.documents import links
from acredita.resources.documents.endpoints import IMAGE_HEADERS
from acredita.resources.media import service

router = make_router("/v1/passport-image", tag="Documents")

PICTURE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The image.",
        "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get(
    "/{mediaId}",
    summary="Get an image derived from a document",
    description=(
        "For example the flattened page. Requires a token or API key of the owning organization, "
        "or the `key` of the signed link that a verification shows with each of its `media`."
    ),
    response_class=Response,
    responses=PICTURE | responses(Unauthorized, NotFound, ValidationFailed, RateLimited),
    openapi_extra={"security": SECURITY},
)
@public_or_known
async def get_media(
    media_id: Annotated[
        str, Path(alias="mediaId"), WithJsonSchema({"type": "string", "format": "uuid"})
    ],
    services: ServicesDep,
    request: Request,
    key: Annotated[str | None, Query(description="The key of a signed link.")] = None,
) -> Response:
    media = await _permitted(services, request, ids.parse(media_id), key)
    return Response(
        await service.content(services, media),
        media_type="image/jpeg",
        headers={
            **IMAGE_HEADERS,
            "Content-Disposition": f'attachment; filename="{media.kind}.jpg"',
        },
    )


async def _permitted(
    services: LinkOpening, request: Request, media_id: UUID | None, key: str | None
) -> Media:
    """Return the picture, for a signed link or a caller of its organization.

    Raise Unauthorized, then NotFound.
    """
    now = services.clock.now()
    if (
        key is not None
        and media_id is not None
        and links.opens_media(services.link_signer, media_id, key, now)
    ):
        async with services.database.transaction() as session:
            media = await service.get_linked(session, media_id)
            _note(session, Actor(media.organization_id, ActorType.LINK), media)
            return media
    caller = known_caller(request)
    if media_id is None:
        raise NotFound
    async with services.database.transaction() as session:
        media = await service.get(session, caller, media_id)
        _note(session, caller, media)
        return media


def _note(session: AsyncSession, actor: Caller | Actor, media: Media) -> None:
    audit.record(session, actor, Action.DOCUMENT_VIEWED, media.document_id, media=media.id)
