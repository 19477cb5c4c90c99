"""The router of the compatible API, whose errors are described in its own words."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import AfterValidator, WithJsonSchema

from acredita.api.errors import PayloadTooLarge, RequestTimeout
from acredita.api.metamap import PREFIX, BadRequest, responses
from acredita.api.routing import StrictRoute
from acredita.domain.errors import Forbidden, NotFound, ServiceUnavailable, Unauthorized
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


class SlashedRoute(StrictRoute):
    """Answers its path with a slash at the end, too: the other API's reference prints both forms.

    No redirect, which clients follow with GET or not at all.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.path_regex = re.compile(self.path_regex.pattern.removesuffix("$") + "/?$")


def router() -> APIRouter:
    return APIRouter(
        prefix=PREFIX,
        tags=[TAG],
        route_class=SlashedRoute,
        redirect_slashes=False,
        responses=responses(ServiceUnavailable),
    )
