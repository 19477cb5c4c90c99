"""Handlers of endpoints without FastAPI's resolution of dependencies, which takes 50 to 130 us of
CPU for a light request (measured).
"""

from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any

from fastapi._compat import ModelField
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_validation_alias, request_params_to_args
from fastapi.exceptions import RequestValidationError
from fastapi.params import Form
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

Handler = Callable[[Request], Coroutine[Any, Any, Response]]

# The name under which an endpoint's own parameters do not hide the request.
_REQUEST = "request of the endpoint"


def without_direct(dependant: Dependant) -> Dependant:
    """Return the endpoint's dependencies without those that have `of_request`. The endpoint gets
    their values without FastAPI, which takes 14 us of CPU for each (measured).
    """
    endpoint = dependant.call
    direct = {
        each.name: each.call.of_request  # type: ignore[union-attr]
        for each in dependant.dependencies
        if each.name is not None and hasattr(each.call, "of_request")
    }
    if endpoint is None or not direct or not iscoroutinefunction(endpoint):
        return dependant
    own_name = dependant.request_param_name

    @wraps(endpoint)
    async def call(**values: Any) -> Any:
        request = values.pop(_REQUEST) if own_name is None else values[own_name]
        for name, of_request in direct.items():
            values[name] = of_request(request)
        return await endpoint(**values)

    return replace(
        dependant,
        call=call,
        request_param_name=own_name or _REQUEST,
        dependencies=[each for each in dependant.dependencies if each.name not in direct],
    )


def direct_handler(route: APIRoute) -> Handler | None:
    """Return the handler of an endpoint that returns a Response and depends on coroutines alone:
    the validation, the errors and their order are FastAPI's. None: FastAPI must handle it.
    """
    top, endpoint = route.dependant, route.endpoint
    if not iscoroutinefunction(endpoint) or not _is_response(endpoint) or not _is_plain(top):
        return None
    if route._embed_body_fields:  # noqa: SLF001 (FastAPI's handler gets it the same way)
        return None
    body_fields = top.body_params
    resolve = _resolver(top)

    async def handle(request: Request) -> Response:
        errors: list[Any] = []
        values = await resolve(request, errors)
        for field in body_fields:
            values[field.name], faults = field.validate(await request.json(), {}, loc=("body",))
            errors += faults
        if errors:
            raise RequestValidationError(errors)
        response: Response = await endpoint(**values)
        return response

    return handle


def direct_app(handler: Handler) -> ASGIApp:
    """Return the ASGI application of a direct handler. It needs none of the exit stacks that
    FastAPI opens for each request, and the middleware around all routes renders errors.
    """

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        response = await handler(Request(scope, receive, send))
        await response(scope, receive, send)

    return app


def _is_response(endpoint: Callable[..., Any]) -> bool:
    returned = signature(endpoint).return_annotation
    return isinstance(returned, type) and issubclass(returned, Response)


def _is_plain(top: Dependant) -> bool:
    """Whether it needs nothing of FastAPI but values of the request, each dependency once."""
    below = list(_below(top))
    counts = Counter(each.call for each in below if not hasattr(each.call, "of_request"))
    return (
        all(count == 1 and iscoroutinefunction(call) for call, count in counts.items())
        and not any(each.body_params or each.concurrency or not each.name for each in below)
        and not any(isinstance(field.field_info, Form) for field in top.body_params)
        and not any(map(_takes_more_than_the_request, (top, *below)))
    )


def _takes_more_than_the_request(dependant: Dependant) -> bool:
    return bool(
        dependant.websocket_param_name
        or dependant.http_connection_param_name
        or dependant.response_param_name
        or dependant.background_tasks_param_name
        or dependant.security_scopes_param_name
    )


def _below(dependant: Dependant) -> Iterator[Dependant]:
    for each in dependant.dependencies:
        yield each
        yield from _below(each)


# Stands for the default of a parameter that FastAPI must resolve also when it is absent.
NEEDED = object()


def _absence(field: ModelField) -> tuple[str, Any]:
    """Return the name of a parameter in the request, and its value when it is absent."""
    info = field.field_info
    is_simple = (
        not info.is_required()
        and info.default_factory is None
        and not info.validate_default
        and not field.config
        and isinstance(info.validation_alias, str | None)
        and isinstance(field.default, str | int | float | None)
    )
    return get_validation_alias(field), field.default if is_simple else NEEDED


Resolve = Callable[[Request, list[Any]], Coroutine[Any, Any, dict[str, Any]]]


def _resolver(dependant: Dependant) -> Resolve:
    """Return what finds the arguments of a call in the request. It adds to a list of errors."""
    direct: list[tuple[str, Callable[[Request], Any]]] = []
    awaited: list[tuple[str, Callable[..., Any], Resolve]] = []
    for each in dependant.dependencies:
        name, call = each.name or "", each.call
        if hasattr(call, "of_request"):
            direct.append((name, call.of_request))  # type: ignore[union-attr]
        elif call is not None:
            awaited.append((name, call, _resolver(each)))
    parameters = [
        (place, fields, [_absence(field) for field in fields])
        for place, fields in (
            ("path_params", dependant.path_params),
            ("query_params", dependant.query_params),
            ("headers", dependant.header_params),
            ("cookies", dependant.cookie_params),
        )
        if fields
    ]
    own_name = dependant.request_param_name

    async def resolve(request: Request, errors: list[Any]) -> dict[str, Any]:
        values = {name: of_request(request) for name, of_request in direct}
        for name, call, resolve_below in awaited:
            faults: list[Any] = []
            arguments = await resolve_below(request, faults)
            if faults:
                errors += faults
            else:
                values[name] = await call(**arguments)
        for place, fields, absences in parameters:
            received = getattr(request, place)
            present = []
            for field, (alias, default) in zip(fields, absences, strict=True):
                if default is not NEEDED and alias not in received:
                    values[field.name] = default
                else:
                    present.append(field)
            found, faults = request_params_to_args(present, received)
            values |= found
            errors += faults
        if own_name is not None:
            values[own_name] = request
        return values

    return resolve
