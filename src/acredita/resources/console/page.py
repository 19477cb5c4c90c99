"""Serves the console under /console. It calls only the public API."""

import secrets

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from acredita.api.permissions import public
from acredita.api.rate_limits import unlimited
from acredita.api.routing import make_router
from acredita.domain.errors import NotFound
from acredita.web.built_files import NotBuilt, console_files, console_page, file_response

router = make_router("", tag="Pages")

# Only the console's own scripts; style elements need the response's nonce. Dialogs and charts set
# styles through the DOM, which a policy permits.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}';"
    " img-src 'self' blob: data:; connect-src 'self'; frame-src 'self'; form-action 'none';"
    " base-uri 'none'; frame-ancestors 'none'"
)


async def to_console() -> RedirectResponse:
    return RedirectResponse("/console/", 303)


for path in ("/", "/login", "/dashboard", "/console"):
    router.get(path, summary="The console", include_in_schema=False)(public(to_console))


@router.get(
    "/console/{path:path}",
    summary="The console, or a file of it",
    response_class=Response,
    include_in_schema=False,
)
@public
@unlimited
async def get_console(path: str, request: Request) -> Response:
    # Only names that are in the folder: no path of a request reaches the file system.
    file = console_files().get(path)
    if file is None:
        # Other addresses are pages of the application, which routes them itself.
        return _page(path)
    return file_response(file, request)


def _page(path: str) -> HTMLResponse:
    if path.startswith("assets/"):
        # Of a former release: the browser must not take the page for a script.
        raise NotFound
    nonce = secrets.token_urlsafe(16)
    try:
        content = console_page().substitute(nonce=nonce)
    except NotBuilt:
        raise NotFound from None
    return HTMLResponse(
        content,
        headers={
            "Content-Security-Policy": POLICY.format(nonce=nonce),
            "Cache-Control": "no-store",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
        },
    )
