"""The API application: lifespan, middleware, error handlers and routes."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from acredita.access.openid import Providers
from acredita.access.tokens import TokenKeys
from acredita.api import metamap
from acredita.api.credentials import Credentials
from acredita.api.cross_origin import CrossOrigin
from acredita.api.errors import InternalError, MethodNotAllowed, UnknownAddress
from acredita.api.middleware import Edge, render
from acredita.api.openapi import describe
from acredita.api.rate_limits import RateLimits
from acredita.api.routing import reserve_fixed_paths
from acredita.api.schemas import SeveralFaults
from acredita.api.session_credentials import SessionCredentials
from acredita.api.subscriptions import Subscriptions
from acredita.domain.errors import DomainError, ServiceUnavailable, ValidationFailed
from acredita.kit.clock import SystemClock
from acredita.kit.dependencies import DependencyUnavailable
from acredita.kit.password_hashing import TooManyPasswords
from acredita.kit.redis_pipeline import RedisLink
from acredita.kit.token_bucket import SharedBuckets
from acredita.resources.inngest.gateway import gateway_of
from acredita.resources.metrics.endpoints import router as metrics
from acredita.resources.metrics.service import exporting_traces, exposition_of, serving_metrics
from acredita.resources.routes import ROUTERS, WEBHOOKS
from acredita.services import Services, open_services
from acredita.settings import Settings

log = structlog.get_logger()
OpenServices = Callable[[Settings], AbstractAsyncContextManager[Services]]


def create_app(settings: Settings, *, services_opener: OpenServices = open_services) -> FastAPI:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            exporting_traces(settings, "acredita-api"),
            services_opener(settings) as services,
            RedisLink(services.redis) as link,
        ):
            app.state.services = services
            services.screener.start()
            app.state.tokens = TokenKeys(
                settings.signing_secrets, lifetime=settings.access_token_lifetime
            )
            app.state.rate_limits = RateLimits(settings, services.signer, SharedBuckets(link))
            app.state.credentials = Credentials(
                services.database,
                services.signer,
                app.state.tokens,
                services.clock,
                app.state.rate_limits,
                SessionCredentials(
                    services.database,
                    services.signer,
                    services.clock,
                    app.state.rate_limits,
                    settings,
                ),
            )
            app.state.providers = Providers(services.http, services.clock)
            app.state.inngest = gateway_of(services.settings, services.database)
            app.state.started_at = SystemClock().now()
            app.state.exposition = exposition_of(services)
            try:
                async with serving_metrics(settings, app.state.exposition), app.state.subscriptions:
                    yield
            finally:
                await app.state.credentials.key_usage.close()

    app = FastAPI(
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
    )
    # Created here because the process may get a stop signal before the lifespan starts.
    app.state.subscriptions = Subscriptions(settings)
    app.add_middleware(CrossOrigin, prefixes=("/v1/sdk/", "/v1/metamap/sdk/"))
    app.add_middleware(Edge)
    app.add_exception_handler(DomainError, _error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(TooManyPasswords, _busy)
    for resource in (*ROUTERS, metrics) if settings.metrics_token.get_secret_value() else ROUTERS:
        # Every router has its full prefix; `include_router` would match each request twice.
        app.router.routes.extend(resource.routes)
    # Routes are tried in order: the most frequent ones come first.
    app.router.routes.sort(key=lambda route: _rank(getattr(route, "path", "")))
    reserve_fixed_paths(app.router.routes)
    app.webhooks.routes.extend(WEBHOOKS)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    return app


def _rank(path: str) -> int:
    return 0 if "/v1/verifications" in path else 1 if metamap.is_compatible_path(path) else 2


async def _error(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, DomainError)  # noqa: S101 (narrows the type that Starlette widened)
    if isinstance(fault.__cause__, DependencyUnavailable):
        # The caller gets no reason; the operator needs it.
        log.warning("dependency unavailable", error=f"{fault.__cause__}")
    return render(fault, request.scope)


async def _invalid(request: Request, fault: Exception) -> Response:
    assert isinstance(fault, RequestValidationError)  # noqa: S101
    details = [
        f"{'.'.join(str(part) for part in error['loc'])}: {sentence}"
        for error in fault.errors()[:50]
        for sentence in _sentences(error)
    ]
    return render(ValidationFailed(details=details[:50]), request.scope)


async def _busy(request: Request, _fault: Exception) -> Response:
    return render(ServiceUnavailable(), request.scope)


def _sentences(error: dict[str, Any]) -> list[str]:
    cause = error.get("ctx", {}).get("error")
    if isinstance(cause, SeveralFaults):
        return cause.faults
    return [str(error["msg"]).removeprefix("Value error, ")]


async def _http_error(request: Request, fault: Exception) -> Response:
    """Answer errors of Starlette itself: unknown paths and methods."""
    assert isinstance(fault, HTTPException)  # noqa: S101
    answer: DomainError = InternalError()
    if fault.status_code == HTTPStatus.NOT_FOUND:
        answer = UnknownAddress()
    elif fault.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        answer = MethodNotAllowed(headers={"Allow": _allowed(request)})
    return render(answer, request.scope)


def _allowed(request: Request) -> str:
    """Return the methods of all routes of this path; Starlette returns those of the first."""
    methods = {
        method
        for route in request.app.routes
        if isinstance(route, APIRoute) and route.matches(request.scope)[0] is Match.PARTIAL
        for method in route.methods or ()
    }
    return ", ".join(sorted(methods))
