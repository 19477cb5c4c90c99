"""CORS (the Fetch standard): access for pages of the origins that organizations list.

Pages of other origins never send the cookie of a session, because credentials are not allowed. A
preflight names no organization, so any organization's origin passes it. The endpoint then checks
the request itself against the list of its organization (`check_origin`).
"""

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acredita.api.errors import OriginNotAllowed
from acredita.api.middleware import render
from acredita.api.rate_limits import RateLimits
from acredita.domain.errors import DomainError
from acredita.kit.statement_pool import Reads
from acredita.settings import Settings

IS_LISTED = "SELECT true FROM organization WHERE allowed_origins @> ARRAY[$1::text] LIMIT 1"
LONGEST_ORIGIN = 255
# The response headers that a page may read, besides those that the protocol always allows.
EXPOSED = (
    "Location, Retry-After, X-Request-Id, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset"
)
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, POST",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID, X-Request-Id",
    "Access-Control-Max-Age": "600",
}


class CrossOrigin:
    """Answers preflights under `prefixes`, and lets pages of listed origins read responses."""

    def __init__(self, app: ASGIApp, prefixes: tuple[str, ...]) -> None:
        self._app, self._prefixes = app, prefixes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(self._prefixes):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        is_preflight = scope["method"] == "OPTIONS" and "access-control-request-method" in headers
        if origin is not None and is_preflight:
            answer = await self._preflight(Request(scope), origin)
            await answer(scope, receive, send)
            return
        is_listed = origin is not None and await _is_listed(
            scope["app"].state.services.reads, origin
        )

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(scope=message)
                answered.add_vary_header("Origin")
                if is_listed:
                    answered["Access-Control-Allow-Origin"] = origin or ""
                    answered["Access-Control-Expose-Headers"] = EXPOSED
            await send(message)

        await self._app(scope, receive, send_with_headers)

    async def _preflight(self, request: Request, origin: str) -> Response:
        limits: RateLimits = request.app.state.rate_limits
        try:
            await limits.count(request, limits.of_address(request))
        except DomainError as fault:
            return render(fault, request.scope)
        vary = "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
        answer = Response(status_code=204, headers={"Vary": vary})
        if await _is_listed(request.app.state.services.reads, origin):
            answer.headers["Access-Control-Allow-Origin"] = origin
            answer.headers.update(PREFLIGHT)
        return answer


def check_origin(request: Request, settings: Settings, allowed: Collection[str]) -> None:
    """Raise OriginNotAllowed for a page whose origin is neither ours nor in `allowed`."""
    origin = request.headers.get("origin")
    if origin is None or origin in allowed or origin == _origin_of(settings.public_url):
        return
    # Browsers set this header and pages cannot change it. Other clients send none.
    if request.headers.get("sec-fetch-site") != "same-origin":
        raise OriginNotAllowed


async def _is_listed(reads: Reads, origin: str) -> bool:
    if len(origin) > LONGEST_ORIGIN or "\x00" in origin:
        return False
    return await reads.row(IS_LISTED, origin) is not None


def _origin_of(url: str) -> str:
    """Return the origin in the form of browsers: without the scheme's default port."""
    parts = urlsplit(url)
    implied = {"https": 443, "http": 80}.get(parts.scheme)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    port = "" if parts.port in (None, implied) else f":{parts.port}"
    return f"{parts.scheme}://{host}{port}"
