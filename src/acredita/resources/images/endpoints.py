from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Path, Query
from pydantic import WithJsonSchema
from starlette.requests import Request
from starlette.responses import Response

from acredita.api.dependencies import ServicesDep
from acredita.api.permissions import caller_or_none, known_caller, public_or_known
from acredita.api.routing import SECURITY, make_router
from acredita.domain.errors import (
    Forbidden,
    NotFound,
)
from acredita.domain.roles import Role
from acredita.kit import ids
from acredita.kit.crypto import Signer
from acredita.ports import LinkOpening
from acredita.resources.images import links, queries, service
from acredita.resources.images.responses import DERIVED, UPLOADED, jpeg
from acredita.resources.images.service import Find, Image
from acredita.resources.organizations.masking import check_not_masked

router = make_router("/v1", tag="Documents")

AnyId = WithJsonSchema({"type": "string", "format": "uuid"})
MediaId = Annotated[str, Path(alias="mediaId"), AnyId]
LinkKey = Annotated[str | None, Query(description="The key of a signed link.")]


@router.get(
    "/documents/{id}/image",
    summary="Get the image of a document",
    response_class=Response,
    responses=UPLOADED,
    openapi_extra={"security": SECURITY},
)
@public_or_known
async def get_document_image(
    id: Annotated[str, AnyId], services: ServicesDep, request: Request, key: LinkKey = None
) -> Response:
    """Requires a token or API key of the owning organization, or the `key` of the signed link in
    the verification's `imageUrl`. With `revealsOnDemand`, users need the link.
    """
    document = await permitted(services, request, queries.document, links.opens, id, key)
    return jpeg(await service.content(services, document), name=document.type)


@router.get(
    "/passport-image/{mediaId}",
    summary="Get an image derived from a document",
    response_class=Response,
    responses=DERIVED,
    openapi_extra={"security": SECURITY},
)
@public_or_known
async def get_media(
    media_id: MediaId,
    services: ServicesDep,
    request: Request,
    key: LinkKey = None,
) -> Response:
    """For example the flattened page. Requires a token or API key of the owning organization, or
    the `key` of the signed link that a verification shows with each of its `media`.
    """
    media = await permitted(services, request, queries.media, links.opens_media, media_id, key)
    return jpeg(await service.content(services, media), name=media.kind)


async def permitted(
    services: LinkOpening,
    request: Request,
    find: Find[Image],
    opens: Callable[[Signer, UUID, str, datetime], bool],
    text: str,
    key: str | None,
    *,
    role: Role = Role.MEMBER,
) -> Image:
    """Return the image with the id `text`, for a signed link or a caller of its organization.

    `opens` checks the link's key. `role` is the least role of a caller. Raise Unauthorized,
    Forbidden, then NotFound.
    """
    image_id = ids.parse(text)
    now = services.clock.now()
    if key is not None and image_id is not None and opens(services.link_signer, image_id, key, now):
        return await service.view_by_link(
            services.database, find, image_id, caller_or_none(request)
        )
    caller = known_caller(request)
    if not caller.role.covers(role):
        raise Forbidden
    await check_not_masked(services.reads, caller)
    if image_id is None:
        raise NotFound
    return await service.view(services.database, find, image_id, caller)
