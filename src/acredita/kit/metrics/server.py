"""A separate port with a process's metrics and health.

It runs in the process's event loop on purpose: a process that hangs does not answer.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from aiohttp import web

from acredita.kit import side_port
from acredita.kit.metrics.exposition import Exposition

# Bytes. No request to this port has a body.
LARGEST_BODY = 1024


@asynccontextmanager
async def serve(
    host: str, port: int, exposition: Exposition, *, works: Callable[[], bool]
) -> AsyncIterator[None]:
    """Serve GET /metrics and GET /health. Raise OSError if the port is in use."""

    async def metrics(request: web.Request) -> web.Response:
        if not exposition.admits(request.headers.get("Authorization", "")):
            return web.Response(status=401, headers={"WWW-Authenticate": "Bearer"})
        return web.Response(
            body=await exposition.render(), headers={"Content-Type": exposition.content_type}
        )

    async def health(_: web.Request) -> web.Response:
        healthy = works()
        answer = {"status": "ok" if healthy else "failing"}
        return web.json_response(answer, status=200 if healthy else 503)

    app = web.Application(client_max_size=LARGEST_BODY)
    app.router.add_get("/metrics", metrics)
    app.router.add_get("/health", health)
    async with side_port.serving(app, host, port):
        yield
