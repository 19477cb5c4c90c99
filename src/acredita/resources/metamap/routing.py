"""The router of the compatible API, whose errors are described in its own words."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import WithJsonSchema

from acredita.api.errors import (
    Forbidden,
    PayloadTooLarge,
    RequestTimeout,
    ServiceUnavailable,
    Unauthorized,
)
from acredita.api.metamap import PREFIX, BadRequest, responses
from acredita.api.routing import StrictRoute

TAG = "Compatibility"
SECURED = responses(Unauthorized, Forbidden)
BODY = responses(BadRequest, PayloadTooLarge, RequestTimeout)

# Held to its form by whoever looks it up: what names nothing is not found.
NameInPath = Annotated[
    str, WithJsonSchema({"type": "string", "pattern": "^([0-9a-f]{24}|[0-9a-f-]{36})$"})
]


def router() -> APIRouter:
    return APIRouter(
        prefix=PREFIX,
        tags=[TAG],
        route_class=StrictRoute,
        redirect_slashes=False,
        responses=responses(ServiceUnavailable),
    )
