"""Responses with an image, and their description in OpenAPI."""

from typing import Any

from starlette.responses import Response

JPEG = {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}}
FILM = {"video/webm": {"schema": {"type": "string", "format": "binary"}}}
UPLOADED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The image as JPEG, without metadata; the first page of a PDF.",
        "content": JPEG,
    }
}
DERIVED: dict[int | str, dict[str, Any]] = {200: {"description": "The image.", "content": JPEG}}
# No browser may run or embed uploaded content, even if it takes it for a page.
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


def webm(content: bytes, *, name: str) -> Response:
    """`name`: the download's file name, without its ending."""
    named = {"Content-Disposition": f'attachment; filename="{name}.webm"'}
    return Response(content, media_type="video/webm", headers=HEADERS | named)


def jpeg(content: bytes, *, name: str | None = None) -> Response:
    """`name`: the download's file name, without its ending."""
    named = {"Content-Disposition": f'attachment; filename="{name}.jpg"'} if name else {}
    return Response(content, media_type="image/jpeg", headers=HEADERS | named)
