"""The outermost layer: request ids, headers of all responses, access log, unhandled errors."""

import re
import time
import uuid

import structlog
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from acredita.api import errors, metamap, metrics
from acredita.api.errors import MUST_CLOSE, InternalError, envelope, status_of
from acredita.api.rate_limits import headers_of
from acredita.domain.errors import DomainError, ServiceUnavailable
from acredita.kit import tracing
from acredita.kit.db import is_contended, is_unavailable
from acredita.kit.logging import describe

log = structlog.get_logger()

REQUEST_ID = "acredita.request_id"
ACCEPTABLE_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,128}")
# Headers of every response that does not set them itself.
HEADERS = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"x-frame-options": b"DENY",
    b"cache-control": b"no-store",
}


class Edge:
    """Pure ASGI: a BaseHTTPMiddleware would triple the cost of a light request (measured)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif tracing.is_on():
            await self._answer_traced(scope, receive, send)
        else:
            await self._answer(scope, receive, send)

    async def _answer_traced(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Start a new trace: an outside caller must not decide what is traced."""
        method = metrics.known(scope["method"])
        with tracing.begun(method, "server", **{"http.request.method": method}):
            status = await self._answer(scope, receive, send)
            route = _route(scope)
            known: dict[str, tracing.Value] = {
                "http.route": route,
                "http.response.status_code": status,
            }
            tracing.note(name=f"{method} {route}", **known)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> int:
        """Answer; return the status."""
        request_id = _request_id(scope)
        scope[REQUEST_ID] = request_id
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id, **tracing.log_ids())
        started = time.perf_counter()
        status = 0
        metrics.IN_PROGRESS.inc()

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = {**HEADERS, b"x-request-id": request_id.encode()}
                for name, _ in message["headers"]:
                    headers.pop(name, None)
                message["headers"] = [
                    *message["headers"],
                    *headers.items(),
                    *headers_of(scope),
                ]
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers)
        except Exception as fault:
            if status:
                # The response has begun; only closing the connection shows the error.
                raise
            answer = render(_as_answer(fault), scope)
            await answer(scope, receive, send_with_headers)
        finally:
            duration = time.perf_counter() - started
            route = _route(scope)
            metrics.IN_PROGRESS.dec()
            metrics.count(scope["method"], route, status, duration)
            log.info(
                "request",
                method=scope["method"],
                route=route,
                status=status,
                milliseconds=round(duration * 1000, 1),
            )
        return status


def render(fault: DomainError, scope: Scope) -> JSONResponse:
    """Return the error response, in the format of the API that the path belongs to."""
    if metamap.is_compatible_path(scope["path"]):
        body, status = metamap.body_of(fault), metamap.status_of(fault)
    else:
        body, status = envelope(fault, scope[REQUEST_ID]), status_of(fault)
    headers = errors.headers_of(fault)
    if scope.get(MUST_CLOSE):
        headers["Connection"] = "close"
    return JSONResponse(body, status, headers=headers)


def _as_answer(fault: Exception) -> DomainError:
    if is_unavailable(fault):
        log.warning("database unavailable", error=describe(fault))
        return ServiceUnavailable()
    if is_contended(fault):
        log.warning("statement ended by contention", error=describe(fault))
        return ServiceUnavailable()
    log.error("unexpected error", exc_info=fault)
    return InternalError()


def _request_id(scope: Scope) -> str:
    given = Headers(scope=scope).get("x-request-id", "")
    return given if ACCEPTABLE_REQUEST_ID.fullmatch(given) else uuid.uuid4().hex


def _route(scope: Scope) -> str:
    """Return the route's template: the path itself may contain ids that are capabilities."""
    return getattr(scope.get("route"), "path", "(none)")
