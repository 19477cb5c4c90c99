"""Inngest's own handler, where the settings have a key; the SDK checks the signatures."""

import logging
import urllib.parse
from collections.abc import Awaitable, Callable, Mapping

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from acredita.services import Services
from acredita.settings import Environment

PATH = "/api/inngest"
APP = "acredita"
SIGNATURE = "x-inngest-signature"
OLDEST_SIGNATURE = 300
"""Seconds. The SDK checks what was signed, not when: what was seen could be sent again."""

Serve = Callable[[Request], Awaitable[Response]]


class Gateway:
    """Answers for each method that Inngest uses."""

    def __init__(self, serve: Mapping[str, Serve], *, is_signed: bool) -> None:
        self._serve = serve
        self._is_signed = is_signed

    async def answer(self, request: Request, now: float) -> Response | None:
        """None: the signature is missing, wrong or old."""
        if self._is_signed and not _is_fresh(request, now):
            return None
        response = await self._serve[request.method](request)
        return None if response.status_code == 401 else response


def gateway_of(services: Services) -> Gateway | None:
    """None: Inngest is not configured."""
    settings = services.settings
    key = settings.inngest_signing_key.get_secret_value()
    is_unsigned = settings.inngest_dev and settings.env is Environment.DEVELOPMENT
    if not key and not is_unsigned:
        return None
    # Of use to few, and slow to import.
    import inngest  # noqa: PLC0415
    import inngest.fast_api  # noqa: PLC0415

    from acredita.resources.inngest.functions import functions_of  # noqa: PLC0415

    client = inngest.Inngest(
        app_id=APP,
        is_production=not is_unsigned,
        signing_key=key or None,
        api_base_url=settings.inngest_api_url or None,
        logger=logging.getLogger("acredita.inngest"),
    )
    # The SDK speaks to FastAPI alone: its routes are made on an application of their own, which
    # nobody calls, so that ours are strict, described and limited as all others are.
    theirs = FastAPI(openapi_url=None)
    inngest.fast_api.serve(
        theirs,
        client,
        functions_of(client, services),
        enable_unauthed_sync=is_unsigned,
        serve_origin=settings.public_url,
        serve_path=PATH,
    )
    serve = {
        method: route.endpoint
        for route in theirs.routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }
    return Gateway(serve, is_signed=not is_unsigned)


def _is_fresh(request: Request, now: float) -> bool:
    moment = urllib.parse.parse_qs(request.headers.get(SIGNATURE, "")).get("t", [""])[0]
    return moment.isdecimal() and abs(now - int(moment[:20])) <= OLDEST_SIGNATURE
