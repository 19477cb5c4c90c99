"""The cookie of a session, and the token that its changing requests carry.

Over https the cookie has the prefix `__Host-` (RFC 6265bis): browsers accept it only from this very
host, so no other host of the domain can plant a session. A request with two such cookies has none.
"""

import base64
import hmac
import re
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from acredita.api.cross_origin import check_origin
from acredita.api.errors import CsrfTokenMissing
from acredita.kit.crypto import Signer
from acredita.settings import Settings

NAME = "acredita_session"
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
PURPOSE = "csrf-token"
SAFE_METHODS = frozenset({"GET", "HEAD"})


def is_secure(settings: Settings) -> bool:
    """Whether cookies are sent over https only: always, except on plain http at loopback."""
    parts = urlsplit(settings.public_url)
    return parts.scheme == "https" or not _is_loopback(parts.hostname or "")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def full_name(settings: Settings, name: str = NAME) -> str:
    return f"__Host-{name}" if is_secure(settings) else name


def read_cookie(
    request: Request, settings: Settings, name: str = NAME, form: re.Pattern[str] = TOKEN
) -> str | None:
    """Return the token in the cookie; None if there is none, or more than one."""
    wanted = full_name(settings, name)
    found = [
        value.strip()
        for header in request.headers.getlist("cookie")
        for key, _, value in (part.partition("=") for part in header.split(";"))
        if key.strip() == wanted
    ]
    return found[0] if len(found) == 1 and form.fullmatch(found[0]) else None


def set_cookie(response: Response, settings: Settings, token: str) -> None:
    """Set the cookie of a session. It has no age of its own: it goes when the browser closes."""
    response.set_cookie(
        full_name(settings),
        token,
        path="/",
        httponly=True,
        secure=is_secure(settings),
        samesite="strict",
    )


def clear_cookie(response: Response, settings: Settings) -> None:
    response.delete_cookie(
        full_name(settings), path="/", httponly=True, secure=is_secure(settings), samesite="strict"
    )


def csrf_token(signer: Signer, token: str) -> str:
    """Return the X-CSRF-Token of a session. It follows from the session's token alone."""
    digest = signer.digest(PURPOSE, token.encode())
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def check_csrf(request: Request, settings: Settings, signer: Signer, token: str) -> None:
    """Raise CsrfTokenMissing unless the request reads only, or carries the session's token.

    Raise OriginNotAllowed for a page of another origin.
    """
    if request.method in SAFE_METHODS:
        return
    check_origin(request, settings, ())
    given = request.headers.get("x-csrf-token", "")
    if not hmac.compare_digest(given.encode(), csrf_token(signer, token).encode()):
        raise CsrfTokenMissing
