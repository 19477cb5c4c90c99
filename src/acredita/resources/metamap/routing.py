"""The router of the compatible API, whose errors are described in its own words."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import AfterValidator, WithJsonSchema

from acredita.api.errors import (
    Forbidden,
    NotFound,
    PayloadTooLarge,
    RequestTimeout,
    ServiceUnavailable,
    Unauthorized,
)
from acredita.api.metamap import PREFIX, BadRequest, responses
from acredita.api.routing import StrictRoute
from acredita.resources.metamap.naming import parse

TAG = "Compatibility"
SECURED = responses(Unauthorized, Forbidden)
BODY = responses(BadRequest, PayloadTooLarge, RequestTimeout)


def _name_or_not_found(text: str) -> str:
    if parse(text) is None:
        raise NotFound
    return text


# What is of neither form is not found, whatever else is wrong with the request.
NameInPath = Annotated[
    str,
    AfterValidator(_name_or_not_found),
    WithJsonSchema({"type": "string", "pattern": "^([0-9a-f]{24}|[0-9a-f-]{36})$"}),
]


def router() -> APIRouter:
    return APIRouter(
        prefix=PREFIX,
        tags=[TAG],
        route_class=StrictRoute,
        redirect_slashes=False,
        responses=responses(ServiceUnavailable),
    )
