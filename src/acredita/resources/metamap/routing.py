"""The router of the compatible API, whose errors have that API's format."""

import re
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import AfterValidator, WithJsonSchema

from acredita.api import json_body
from acredita.api.client_credentials import FORM, parse_form
from acredita.api.errors import UnsupportedMediaType
from acredita.api.metamap import PREFIX, STRUCTURE, BadRequest
from acredita.api.routing import StrictRequest, StrictRoute, media_type
from acredita.domain import strict_json
from acredita.domain.errors import (
    NotFound,
    ValidationFailed,
)
from acredita.kit.upload_limits import Form
from acredita.resources.metamap.id_aliases import parse
from acredita.resources.metamap.input_upload import INPUT_TYPES, INPUTS, MOST_INPUTS, Input

TAG = "Compatibility"
JSON = "application/json"


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


class LenientRoute(StrictRoute):
    """Takes what clients of the other API send.

    It also matches its path with a slash at the end, because that API's reference has both forms. A
    redirect would not do: clients follow it with GET or not at all. Bodies may be forms, and JSON
    may have another type or none.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint, **options)
        self.path_regex = re.compile(self.path_regex.pattern.removesuffix("$") + "/?$")

    async def read_json(self, request: StrictRequest) -> StrictRequest:
        if media_type(request) == JSON:
            return await super().read_json(request)
        return request.with_json(await read_object(request))


def make_router() -> APIRouter:
    return APIRouter(
        prefix=PREFIX,
        tags=[TAG],
        route_class=LenientRoute,
        redirect_slashes=False,
    )


async def read_object(request: StrictRequest) -> Any:
    """Return the values of a body in JSON or of a URL-encoded form.

    JSON may have no type, or the types that curl and fetch give it unless they are told another.
    Raise UnsupportedMediaType, ValidationFailed, PayloadTooLarge, RequestTimeout.
    """
    if media_type(request) not in (JSON, FORM, "text/plain", ""):
        raise UnsupportedMediaType
    content = await request.body()
    if media_type(request) == JSON or content.lstrip().startswith((b"{", b"[")):
        return await json_body.parse(content)
    return parse_form(content)


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
