"""Reads token requests in all forms of OAuth 2.0 clients (RFC 6749, sections 2.3.1 and 4.4).

The body is JSON (specification) or a URL-encoded form. The client's id and secret are in the body
or in an Authorization header of the Basic scheme.
"""

import base64
import binascii
from typing import Any
from urllib.parse import parse_qsl, unquote_plus

from starlette.requests import Request

from acredita.api.errors import BasicUnauthorized
from acredita.api.routing import StrictRequest, check_content_type, media_type
from acredita.domain.errors import Unauthorized, ValidationFailed

FORM = "application/x-www-form-urlencoded"
MOST_FIELDS = 20


async def read_token_request(request: StrictRequest) -> Any:
    if media_type(request) == FORM:
        body: Any = parse_form(await request.body())
    else:
        check_content_type(request)
        body = await request.json()
    return with_basic_credentials(request, body)


def with_basic_credentials(request: Request, body: Any) -> Any:
    """Return the body of a token request with the header's credentials, if it has any.

    Raise Unauthorized, ValidationFailed.
    """
    basic = _basic_credentials(request)
    if basic is not None and isinstance(body, dict):
        body = _join(body, *basic)
    return body


def parse_form(content: bytes) -> dict[str, str]:
    """Return the fields of a URL-encoded form. Raise ValidationFailed."""
    try:
        pairs = parse_qsl(
            content.decode("ascii"),
            keep_blank_values=True,
            strict_parsing=bool(content),
            errors="strict",
            max_num_fields=MOST_FIELDS,
        )
    except ValueError:
        raise ValidationFailed(details=["body: is not a URL-encoded form"]) from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValidationFailed(details=["body: names a field twice"])
    if any("\x00" in text for pair in pairs for text in pair):
        raise ValidationFailed(details=["body: holds a NUL character"])
    return fields


def refusal(request: Request, message: str) -> Unauthorized:
    """Return the error for wrong credentials. It states the scheme that the client used."""
    kind = Unauthorized if _basic_header(request) is None else BasicUnauthorized
    return kind(message)


def _basic_header(request: Request) -> str | None:
    for header in request.headers.getlist("authorization"):
        scheme, _, rest = header.partition(" ")
        if scheme.lower() == "basic":
            return rest.strip()
    return None


def _basic_credentials(request: Request) -> tuple[str, str] | None:
    """Return id and secret. The RFC requires that each is URL-encoded in the header."""
    encoded = _basic_header(request)
    if encoded is None:
        return None
    try:
        client_id, colon, secret = base64.b64decode(encoded, validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        raise BasicUnauthorized from None
    if not colon:
        raise BasicUnauthorized
    return unquote_plus(client_id), unquote_plus(secret)


def _join(body: dict[str, Any], client_id: str, secret: str) -> dict[str, Any]:
    """Add the header's credentials to the body. RFC 6749, section 2.3, allows only one secret."""
    if "client_secret" in body or body.get("client_id", client_id) != client_id:
        raise ValidationFailed(details=["body: the client's credentials are given twice"])
    return {**body, "client_id": client_id, "client_secret": secret}
