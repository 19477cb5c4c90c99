"""Routes that check the caller first and read their input strictly.

Order of checks (DECISIONS): 401, then 429, then 403, then everything about the input.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, ClassVar, TypeVar

from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Param, ParamTypes
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Scope

from acredita.api import json_body, metamap
from acredita.api.credentials import Credentials
from acredita.api.direct_handling import Handler, direct_app, direct_handler, without_direct
from acredita.api.errors import PayloadTooLarge, RequestTimeout, UnsupportedMediaType
from acredita.api.permissions import CALLER, RoleNeeded, is_part_of_setup, is_public, may_be_known
from acredita.api.rate_limits import RateLimits, limit_of
from acredita.domain.errors import (
    NotFound,
    ServiceUnavailable,
    ValidationFailed,
)

# Fits every body within the specification's bounds, except those of e-signature (DECISIONS).
LARGEST_JSON_BODY = 4 * 1024 * 1024
SLOWEST_JSON_BODY = 30.0
# How many large bodies a process holds at once.
MOST_LARGE_BODIES = 4
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"apiKey": []}, {"session": []}]

BodyReader = Callable[["StrictRequest"], Awaitable[Any]]
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
# Unknown query parameters are rejected under this prefix, except in the compatible API, whose
# clients were written for another service. Pages and /health ignore them.
API_PREFIX = "/v1/"


class StrictRequest(Request):
    """A request whose JSON body is bounded in size, time, depth and content."""

    largest_body = LARGEST_JSON_BODY
    # Whether it counts as one of the MOST_LARGE_BODIES.
    is_large = False
    large_bodies: ClassVar[int] = 0

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            declared = self.headers.get("content-length", "0")
            if declared.isdecimal() and int(declared[:20]) > self.largest_body:
                raise PayloadTooLarge
            try:
                async with asyncio.timeout(SLOWEST_JSON_BODY):
                    self._body = await self._read()
            except TimeoutError:
                raise RequestTimeout from None
        return self._body

    async def _read(self) -> bytes:
        content = bytearray()
        async for chunk in self.stream():
            content += chunk
            if len(content) > self.largest_body:
                raise PayloadTooLarge
            if len(content) > LARGEST_JSON_BODY and not self.is_large:
                self._count_as_large()
        return bytes(content)

    def _count_as_large(self) -> None:
        if StrictRequest.large_bodies >= MOST_LARGE_BODIES:
            raise ServiceUnavailable
        StrictRequest.large_bodies += 1
        self.is_large = True

    def release(self) -> None:
        """Free the place of a large body, once the response is ready."""
        if self.is_large:
            StrictRequest.large_bodies -= 1
            self.is_large = False

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = await json_body.parse(await self.body())
        return self._json

    def with_json(self, value: Any) -> "StrictRequest":
        """Return this request with `value` as its parsed JSON body."""
        headers = [(name, text) for name, text in self.scope["headers"] if name != b"content-type"]
        headers.append((b"content-type", b"application/json"))
        taken = StrictRequest({**self.scope, "headers": headers}, self.receive, self._send)
        # FastAPI checks for a non-empty body before it calls json().
        taken._body, taken._json = b"{}", value
        return taken


def body_read_by(reader: BodyReader) -> Callable[[Endpoint], Endpoint]:
    """Let `reader` read the endpoint's body, which may have other formats than JSON."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.body_reader = reader  # type: ignore[attr-defined]
        return endpoint

    return mark


def largest_body(size: int) -> Callable[[Endpoint], Endpoint]:
    """Set the size limit of the endpoint's JSON body, in bytes."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.largest_body = size  # type: ignore[attr-defined]
        return endpoint

    return mark


class StrictRoute(APIRoute):
    """A route whose description is its endpoint's docstring, as one paragraph."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        options["description"] = options.get("description") or " ".join(
            (endpoint.__doc__ or "").split()
        )
        super().__init__(path, endpoint, **options)
        self.fixed_part = path.partition("{")[0]
        if self.is_direct:
            self.app = direct_app(self.get_route_handler())
        self.permission = _permission(self.dependant)
        if (self.permission is None) != is_public(endpoint):
            raise TypeError(f"{endpoint.__qualname__} must state a role or be public, not both")
        self.is_rate_limited = self.permission is not None or limit_of(endpoint) is not None
        if self.permission is not None:
            self.openapi_extra = {"security": SECURITY, **(self.openapi_extra or {})}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        # Comparing the beginning takes a fifth of what the regular expression takes, and a request
        # is compared with some hundred routes.
        if scope["path"].startswith(self.fixed_part) or scope.get("root_path"):
            return super().matches(scope)
        return Match.NONE, {}

    def get_route_handler(self) -> Handler:
        handler = direct_handler(self)
        self.is_direct = handler is not None
        if handler is None:
            described = self.dependant
            self.dependant = without_direct(described)
            handler = super().get_route_handler()
            self.dependant = described
        admit = _admission(_permission(self.dependant), self.endpoint)
        takes_json = self.body_field is not None
        needs_body = self.body_field is not None and self.body_field.field_info.is_required()
        known = _query_parameters(self.dependant)
        is_strict = self.path.startswith(API_PREFIX) and not metamap.is_compatible_path(self.path)
        body_reader: BodyReader | None = getattr(self.endpoint, "body_reader", None)
        largest: int = getattr(self.endpoint, "largest_body", LARGEST_JSON_BODY)

        async def handle(given: Request) -> Response:
            request = StrictRequest(given.scope, given.receive, given._send)  # noqa: SLF001
            request.largest_body = largest
            try:
                return await answer(request)
            finally:
                request.release()

        async def answer(request: StrictRequest) -> Response:
            await admit(request)
            if request.scope["query_string"] and is_strict:
                _check_query(request, known)
            if "\x00" in request.scope["path"]:
                raise NotFound
            if body_reader is not None:
                request = request.with_json(await body_reader(request))
            elif takes_json and (needs_body or await request.body()):
                request = await self.read_json(request)
            return await handler(request)

        return handle

    async def read_json(self, request: StrictRequest) -> StrictRequest:
        """Return the request with its JSON body parsed. Raise UnsupportedMediaType,
        ValidationFailed, PayloadTooLarge, RequestTimeout.
        """
        check_content_type(request)
        await request.json()
        return request


def reserve_fixed_paths(routes: Sequence[BaseRoute]) -> None:
    """Let a path with a parameter not match another route's path: `/licences/{id}` not
    `/licences/export`. A method that the latter hasn't is then a 405 with the right `Allow`.
    """
    described = [route for route in routes if isinstance(route, StrictRoute)]
    fixed = {route.path for route in described if "{" not in route.path}
    for route in described:
        taken = "|".join(re.escape(path) for path in sorted(fixed) if route.path_regex.match(path))
        if taken and "{" in route.path:
            pattern = route.path_regex.pattern.removeprefix("^")
            route.path_regex = re.compile(f"^(?!(?:{taken})$){pattern}")


def _permission(dependant: Dependant) -> RoleNeeded | None:
    for dependency in dependant.dependencies:
        if isinstance(dependency.call, RoleNeeded):
            return dependency.call
    return None


def _admission(
    permission: RoleNeeded | None, endpoint: Callable[..., Any]
) -> Callable[[Request], Awaitable[None]]:
    """Return the check of credentials, rate limit and role, which precedes reading the input."""
    limit = limit_of(endpoint)
    asks_who_is_known = may_be_known(endpoint)
    is_setup = is_part_of_setup(endpoint)

    async def admit(request: Request) -> None:
        limits: RateLimits = request.app.state.rate_limits
        credentials: Credentials = request.app.state.credentials
        caller = None
        if permission is not None or (asks_who_is_known and credentials.are_sent(request)):
            caller = await credentials.identify(request, is_setup=is_setup)
        elif asks_who_is_known:
            caller = await credentials.identify_session(request)
        if caller is not None:
            await limits.count(request, *caller.buckets)
            if permission is not None:
                permission.check(caller)
            request.scope[CALLER] = caller
        elif limit is not None:
            await limits.count(request, limits.of_address(request, limit))

    return admit


def _query_parameters(dependant: Dependant) -> frozenset[str]:
    return frozenset(
        field.alias
        for field in get_flat_params(dependant)
        # The fields of a model that the query fills are no Param.
        if not isinstance(field.field_info, Param) or field.field_info.in_ == ParamTypes.query
    )


def _check_query(request: Request, known: frozenset[str]) -> None:
    faults = []
    seen: set[str] = set()
    for name, value in request.query_params.multi_items():
        if name not in known:
            faults.append(_unknown_parameter(name, known))
        elif name in seen:
            faults.append(f"query.{name}: is given twice")
        elif "\x00" in value:
            faults.append(f"query.{name}: holds a NUL character")
        seen.add(name)
    if faults:
        raise ValidationFailed(details=faults[:20])


def _unknown_parameter(name: str, known: frozenset[str]) -> str:
    """Name a parameter that looks like a name; anything else may be a value with personal data."""
    shown = f".{name}" if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,40}", name) else ""
    accepted = ", ".join(sorted(known)) or "none"
    return f"query{shown}: an unknown parameter; accepted: {accepted}"


def media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def check_content_type(request: Request) -> None:
    if media_type(request) != "application/json":
        raise UnsupportedMediaType


def make_router(prefix: str, *, tag: str) -> APIRouter:
    """Return the router of a resource, with strict routes."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        route_class=StrictRoute,
        redirect_slashes=False,
    )


def file_of(media_type: str, description: str) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI entry of a response that is a file."""
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {200: {"description": description, "content": content}}
