"""The API's description for programs, and a page to explore and try it."""

import asyncio
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Any

import orjson
from fastapi import FastAPI, Header
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response

from acredita.api.permissions import public
from acredita.api.rate_limits import limited
from acredita.api.routing import make_router
from acredita.domain.errors import NotFound
from acredita.domain.languages import Language
from acredita.web.pages import page

router = make_router("", tag="System")

# Swagger UI as upstream publishes it; the package around it serves as its carrier alone.
ASSETS = files("fastapi_swagger") / "resources"
MEDIA_TYPES = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}
ETAG_HEADER: dict[str, Any] = {
    "description": "Identifies this version of the description. Send it back as If-None-Match.",
    "schema": {"type": "string"},
    "example": '"9f86d081884c7d65"',
}
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "headers": {"ETag": ETAG_HEADER},
        "content": {
            "application/json": {
                "schema": {"type": "object"},
                "example": {
                    "openapi": "3.1.0",
                    "info": {"title": "Identity Verification API", "version": "1.0.0"},
                    "paths": {},
                },
            }
        },
    },
    304: {"description": "The version in If-None-Match is current."},
}


@dataclass(frozen=True, slots=True)
class _Served:
    content: bytes
    etag: str


@router.get(
    "/v1/openapi.json",
    summary="Get this API description as OpenAPI 3.1",
    response_class=Response,
    responses=ANSWERS,
)
@public
@limited(most=60, seconds=60)
async def get_description(
    request: Request,
    if_none_match: Annotated[
        str | None,
        Header(description="The ETag of the copy that the client has.", examples=['"9f86d081"']),
    ] = None,
) -> Response:
    """Send the ETag of the last response as If-None-Match: an unchanged description gets 304. 60
    requests per minute.
    """
    state = request.app.state
    if not hasattr(state, "description"):
        # Two that ask first may both make it: they make the same.
        state.description = await asyncio.to_thread(_serialize, request.app)
    served: _Served = state.description
    headers = {"ETag": served.etag, "Cache-Control": "public, no-cache"}
    if if_none_match == "*" or served.etag in (if_none_match or ""):
        return Response(status_code=304, headers=headers)
    return Response(served.content, media_type="application/json", headers=headers)


def _serialize(app: FastAPI) -> _Served:
    content = orjson.dumps(app.openapi())
    return _Served(content, f'"{hashlib.sha256(content).hexdigest()[:16]}"')


@router.get(
    "/docs",
    summary="A page to explore and try the API",
    response_class=HTMLResponse,
    include_in_schema=False,
)
@public
async def explore() -> HTMLResponse:
    texts = {
        "title": "Identity Verification API",
        "noscript": "This page needs JavaScript. The description itself is at /v1/openapi.json.",
    }
    return page("explorer.html", Language.ENGLISH, texts, images="'self' data:")


@router.get(
    "/docs/{name}",
    summary="A file of the explorer",
    response_class=FileResponse,
    include_in_schema=False,
)
@public
async def get_explorer_file(name: str) -> FileResponse:
    if name not in MEDIA_TYPES:
        raise NotFound
    return FileResponse(
        str(ASSETS / name),
        media_type=MEDIA_TYPES[name],
        headers={"Cache-Control": "public, max-age=3600"},
    )
