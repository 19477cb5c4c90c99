"""The HTTP handler of the Inngest SDK, which checks the signatures."""

import logging
import urllib.parse
from collections.abc import Awaitable, Callable, Mapping

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from acredita.kit.db import Database
from acredita.settings import Environment, Settings

PATH = "/api/inngest"
APP = "acredita"
SIGNATURE = "x-inngest-signature"
OLDEST_SIGNATURE = 300
"""Seconds. The SDK does not check the age of a signature, so old requests could be replayed."""

Serve = Callable[[Request], Awaitable[Response]]


class Gateway:
    """Passes requests to the SDK's handler of the HTTP method."""

    def __init__(self, serve: Mapping[str, Serve], *, is_signed: bool) -> None:
        self._serve = serve
        self._is_signed = is_signed

    async def answer(self, request: Request, now: float) -> Response | None:
        """The SDK's response; None if the signature is missing, wrong or too old."""
        if self._is_signed and not _is_fresh(request, now):
            return None
        response = await self._serve[request.method](request)
        return None if response.status_code == 401 else response


def gateway_of(settings: Settings, database: Database) -> Gateway | None:
    """The gateway; None if Inngest is not configured."""
    key = settings.inngest_signing_key.get_secret_value()
    is_unsigned = settings.inngest_dev and settings.env is Environment.DEVELOPMENT
    if not key and not is_unsigned:
        return None
    # Few installations use it, and the import is slow.
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
    # The SDK can only add routes to a FastAPI application. It gets a separate one, which serves no
    # requests; our own routes have strict bodies, documentation and rate limits.
    theirs = FastAPI(openapi_url=None)
    inngest.fast_api.serve(
        theirs,
        client,
        functions_of(client, database),
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
