"""The router of the compatible API, whose errors have that API's format."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import AfterValidator, WithJsonSchema

from acredita.api.errors import PayloadTooLarge, RequestTimeout
from acredita.api.metamap import PREFIX, BadRequest, responses
from acredita.api.routing import StrictRoute
from acredita.domain.errors import Forbidden, NotFound, ServiceUnavailable, Unauthorized
from acredita.resources.metamap.id_aliases import parse

TAG = "Compatibility"
SECURED = responses(Unauthorized, Forbidden)
BODY = responses(BadRequest, PayloadTooLarge, RequestTimeout)


def _id_or_not_found(text: str) -> str:
    if parse(text) is None:
        raise NotFound
    return text


# A text in neither form gets 404, even if the request has other errors.
IdOrAliasInPath = Annotated[
    str,
    AfterValidator(_id_or_not_found),
    WithJsonSchema({"type": "string", "pattern": "^([0-9a-f]{24}|[0-9a-f-]{36})$"}),
]


class SlashedRoute(StrictRoute):
    """Also matches its path with a slash at the end: the other API's reference has both forms.

    A redirect would not do: clients follow it with GET or not at all.
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
