"""The router of the compatible API, whose errors have that API's format."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import AfterValidator, WithJsonSchema

from acredita.api.errors import PayloadTooLarge, RequestTimeout
from acredita.api.metamap import PREFIX, STRUCTURE, BadRequest, responses
from acredita.api.routing import StrictRoute
from acredita.domain import strict_json
from acredita.domain.errors import (
    Forbidden,
    NotFound,
    ServiceUnavailable,
    Unauthorized,
    ValidationFailed,
)
from acredita.kit.upload_limits import Form
from acredita.resources.metamap.id_aliases import parse
from acredita.resources.metamap.input_upload import INPUT_TYPES, INPUTS, MOST_INPUTS, Input

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
    WithJsonSchema(
        {
            "type": "string",
            "pattern": "^([0-9a-f]{24}|[0-9a-f-]{36})$",
            "examples": ["0b6a4c3e1f7b4c559a512f9b"],
        }
    ),
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


def read_inputs(form: Form) -> list[Input]:
    """Parse the list of inputs. Raise BadRequest, like the compatible API, for unknown inputs."""
    try:
        given = strict_json.parse(form.texts[INPUTS].encode())
    except ValidationFailed:
        raise BadRequest(STRUCTURE) from None
    if not isinstance(given, list) or not 0 < len(given) <= MOST_INPUTS:
        raise BadRequest(STRUCTURE)
    return [_parse_input(item) for item in given]


def _parse_input(item: Any) -> Input:
    data = item.get("data") if isinstance(item, dict) else None
    if not isinstance(data, dict) or not isinstance(item.get("inputType"), str):
        raise BadRequest(STRUCTURE)
    if item["inputType"] not in INPUT_TYPES:
        raise BadRequest(f"No input strategy found for {item['inputType'][:100]}")
    return Input(item["inputType"], data)
