"""Responses with an image, and their description in OpenAPI."""

import hashlib
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


def etag_of(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def part_of(
    content: bytes, asked: range | None, media_type: str, *, etag: str, disposition: str
) -> Response:
    """Return a file, or the range of its bytes that the request asks for."""
    headers = HEADERS | {
        "Accept-Ranges": "bytes",
        "ETag": etag,
        "Content-Disposition": disposition,
    }
    if asked is None:
        return Response(content, media_type=media_type, headers=headers)
    headers["Content-Range"] = f"bytes {asked[0]}-{asked[-1]}/{len(content)}"
    part = content[asked.start : asked.stop]
    return Response(part, status_code=206, media_type=media_type, headers=headers)


def jpeg(content: bytes, *, name: str | None = None) -> Response:
    """`name`: the download's file name, without its ending."""
    named = {"Content-Disposition": f'attachment; filename="{name}.jpg"'} if name else {}
    return Response(content, media_type="image/jpeg", headers=HEADERS | named)
