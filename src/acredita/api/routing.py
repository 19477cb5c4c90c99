"""Routes that check the caller first and read their input strictly.

Order of checks (DECISIONS): 401, then 403, then everything about the input.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Param, ParamTypes
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from acredita.api import json_body
from acredita.api.errors import (
    Forbidden,
    NotFound,
    PayloadTooLarge,
    RequestTimeout,
    ServiceUnavailable,
    Unauthorized,
    UnsupportedMediaType,
    ValidationFailed,
    responses,
)
from acredita.api.permissions import CALLER, RoleNeeded, is_public

# Every body that the specification's bounds admit fits, e-signature apart (DECISIONS).
LARGEST_JSON_BODY = 4 * 1024 * 1024
SLOWEST_JSON_BODY = 30.0
SECURITY: list[dict[str, list[str]]] = [{"bearer": []}, {"apiKey": []}]

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class StrictRequest(Request):
    """A request whose JSON body is bounded in size, time, depth and content."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            declared = self.headers.get("content-length", "0")
            if declared.isdecimal() and int(declared[:20]) > LARGEST_JSON_BODY:
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
            if len(content) > LARGEST_JSON_BODY:
                raise PayloadTooLarge
        return bytes(content)

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = await json_body.parse(await self.body())
        return self._json


class StrictRoute(APIRoute):
    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.permission = _permission(self.dependant)
        if (self.permission is None) != is_public(endpoint):
            raise TypeError(f"{endpoint.__qualname__} must state a role or be public, not both")
        if self.permission is not None:
            self.openapi_extra = {"security": SECURITY, **(self.openapi_extra or {})}

    def get_route_handler(self) -> Handler:
        handler = super().get_route_handler()
        permission = _permission(self.dependant)
        takes_json = self.body_field is not None
        known = _query_parameters(self.dependant)

        async def handle(request: Request) -> Response:
            request = StrictRequest(request.scope, request.receive, request._send)  # noqa: SLF001
            if permission is not None:
                caller = await request.app.state.credentials.identify(request)
                permission.check(caller)
                request.scope[CALLER] = caller
            if request.scope["query_string"]:
                _check_query(request, known)
            if "\x00" in request.scope["path"]:
                raise NotFound
            if takes_json:
                _check_content_type(request)
                await request.json()
            return await handler(request)

        return handle


def _permission(dependant: Dependant) -> RoleNeeded | None:
    for dependency in dependant.dependencies:
        if isinstance(dependency.call, RoleNeeded):
            return dependency.call
    return None


def _query_parameters(dependant: Dependant) -> frozenset[str]:
    return frozenset(
        field.alias
        for field in get_flat_params(dependant)
        if isinstance(field.field_info, Param) and field.field_info.in_ == ParamTypes.query
    )


def _check_query(request: Request, known: frozenset[str]) -> None:
    faults = []
    seen: set[str] = set()
    for name, value in request.query_params.multi_items():
        if name not in known:
            faults.append("query: an unknown parameter")
        elif name in seen:
            faults.append(f"query.{name}: is given twice")
        elif "\x00" in value:
            faults.append(f"query.{name}: holds a NUL character")
        seen.add(name)
    if faults:
        raise ValidationFailed(details=faults[:20])


def _check_content_type(request: Request) -> None:
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise UnsupportedMediaType


def router(prefix: str, *, tag: str) -> APIRouter:
    """The router of a resource; every route of it is strict."""
    return APIRouter(
        prefix=prefix,
        tags=[tag],
        route_class=StrictRoute,
        redirect_slashes=False,
        responses=responses(ServiceUnavailable),
    )


def secured() -> dict[int | str, dict[str, Any]]:
    """The OpenAPI entries that every endpoint with a role shares."""
    return responses(Unauthorized, Forbidden)
