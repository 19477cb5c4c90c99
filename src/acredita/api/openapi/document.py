"""OpenAPI 3.1: what FastAPI derives from the routes, and what holds for all of them.

Endpoints state what is their own: summary, roles, schemas with examples at each field, errors. What
follows from a route's kind is written here, once: the errors that reading a request can end in,
headers, operation ids, examples put together from the fields', links from what makes a resource to
what takes its id.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.alias_generators import to_camel

from acredita.api import metamap
from acredita.api.errors import (
    EXAMPLE_REQUEST_ID,
    ApiError,
    ErrorEnvelope,
    Forbidden,
    InternalError,
    NotFound,
    PayloadTooLarge,
    RateLimited,
    RequestTimeout,
    ServiceUnavailable,
    Unauthorized,
    UnsupportedMediaType,
    ValidationFailed,
    responses,
)
from acredita.api.openapi.examples import add_examples
from acredita.api.openapi.links import add_links
from acredita.api.routing import API_PREFIX, SECURITY, StrictRoute

TITLE = "Identity Verification API"
# Of the description, as the specification says; not of the product.
VERSION = "1.0.0"
DESCRIPTION = """\
Identity verification for the Mexican market. Create a verification against a workflow, upload the
documents, and learn the result by polling or by webhook.

**Calling.** Exchange an API key for a token at `POST /v1/auth/token` and send it as
`Authorization: Bearer …`, or send the key itself as `X-Api-Key`. Ids of other organizations are
answered as unknown ones are: 404.

**Input.** Bodies are JSON in UTF-8, save uploads. Unknown keys and unknown query parameters are
refused. When something is created, `null` counts as absent.

**Answers.** Fields are always present, `null` where there is nothing; moments are UTC, with
milliseconds. Each answer carries `X-Request-Id`: the caller's, if it sent one of 1 to 128
characters out of `A-Z a-z 0-9 . _ -`, else a new one. Every error has the same envelope; programs
go by `error.code`.
"""
TAGS = {
    "System": "Health, and this description.",
    "Authentication": "Accounts, tokens and passwords.",
    "Organization": "The caller's organization: its settings, users and API keys.",
    "Workflows": "What a verification checks, step by step.",
    "Verifications": "One identity check of one person.",
    "Documents": "What a person uploads, and its images.",
    "Browser flow": "What the person's own browser calls: the verification's id is its key.",
    "Custom forms": "What else an organization asks of a person.",
    "One-time passwords": "Whether a phone or a mailbox is the person's.",
    "Electronic signatures": "Documents signed as one sealed PDF, and what the signature rests on.",
    "Credit": "What a credit bureau says of a person.",
    "Location": "Where an address on the network is.",
    "Watchlists": "Whether a name is one that sanctions or warnings are about.",
    "Webhooks": "Where events are delivered.",
    "Compatibility": "The API of MetaMap for the usual flows: its addresses, bodies and errors.",
    "Audit": "What was done, by whom.",
    "Training": "Documents that were read, and what reviewers say of them.",
    "Ground truth": "Pictures whose content is known, and what the engines make of them.",
    "Administration": "How the organization's work gets on.",
    "Pages": "For people, in a browser.",
}
SECURITY_SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of POST /v1/auth/token, valid for an hour.",
    },
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "A raw API key, in place of a token.",
    },
}
REQUEST_ID = {
    "description": "Names this exchange; the same as `error.requestId`.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    "example": EXAMPLE_REQUEST_ID,
}
RETRY_AFTER = {
    "description": "Seconds to wait; the same as `error.retryAfter`.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[1-9][0-9]*$"},
    "example": "2",
}
CHALLENGE = {
    "description": "The scheme by which to prove who is calling.",
    "required": True,
    "schema": {"type": "string"},
    "example": "Bearer",
}
RATE_LIMIT = {
    f"RateLimit-{name}": {
        "description": description,
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
        "example": example,
    }
    for name, description, example in (
        ("Limit", "Requests that the tighter of the limits admits at once.", "20"),
        ("Remaining", "Requests that it admits right now.", "19"),
        ("Reset", "Seconds until it admits as many again as at first.", "1"),
    )
}
ENVELOPE = {"$ref": f"#/components/schemas/{ErrorEnvelope.__name__}"}
METAMAP_ERROR = {"$ref": f"#/components/schemas/{metamap.MetamapError.__name__}"}


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, made once; making it takes a tenth of a second or more."""
    if app.openapi_schema is None:
        app.openapi_schema = _describe(app)
    return app.openapi_schema


def _describe(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=TITLE,
        version=VERSION,
        openapi_version="3.1.0",
        description=DESCRIPTION,
        routes=app.routes,
        servers=[{"url": "/", "description": "The installation that serves this description."}],
    )
    used = {tag for _, operation in _operations(app, document) for tag in operation["tags"]}
    document["tags"] = [
        {"name": name, "description": text} for name, text in TAGS.items() if name in used
    ]
    components = document["components"]
    components["securitySchemes"] = SECURITY_SCHEMES
    components["headers"] = {
        "RequestId": REQUEST_ID,
        "RetryAfter": RETRY_AFTER,
        "Challenge": CHALLENGE,
        **RATE_LIMIT,
    }
    shared_answers: dict[str, Any] = {}
    for route, operation in _operations(app, document):
        operation["operationId"] = to_camel(route.name)
        operation.setdefault("security", [])
        _let_parameters_be_absent(operation.get("parameters", []))
        _complete_answers(
            operation["responses"],
            _implied_errors(route, operation),
            is_compatible=metamap.speaks(route.path),
        )
        if route.is_rate_limited:
            _tell_of_rates(operation["responses"])
        add_examples(operation, components["schemas"])
        _share_errors(operation["responses"], shared_answers)
    components["responses"] = shared_answers
    add_links(document)
    # FastAPI's own 422, which nothing refers to any more.
    for unused in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(unused, None)
    return document


def _operations(
    app: FastAPI, document: dict[str, Any]
) -> Iterator[tuple[StrictRoute, dict[str, Any]]]:
    for route in app.routes:
        if isinstance(route, StrictRoute) and route.include_in_schema:
            for method in route.methods or ():
                yield route, document["paths"][route.path_format][method.lower()]


def _implied_errors(route: StrictRoute, operation: dict[str, Any]) -> list[type[ApiError]]:
    """What a request can come to before or beside the endpoint's own work."""
    implied: list[type[ApiError]] = [InternalError, ServiceUnavailable]
    if route.path.startswith(API_PREFIX):
        implied.append(ValidationFailed)
    if route.is_rate_limited:
        implied.append(RateLimited)
    if operation["security"] == SECURITY:
        implied += [Unauthorized, Forbidden]
    if "{" in route.path:
        implied.append(NotFound)
    if "requestBody" in operation:
        implied += [PayloadTooLarge, UnsupportedMediaType, RequestTimeout]
    return implied


def _let_parameters_be_absent(parameters: list[dict[str, Any]]) -> None:
    """A query can leave a parameter out; it cannot say null."""
    for parameter in parameters:
        schema = parameter["schema"]
        choices = [choice for choice in schema.get("anyOf", []) if choice != {"type": "null"}]
        if len(choices) == 1:
            del schema["anyOf"]
            schema.update(choices[0])
        # Said once, beside the schema.
        schema.pop("description", None)


def _complete_answers(
    answers: dict[str, Any], implied: list[type[ApiError]], *, is_compatible: bool
) -> None:
    """`is_compatible`: the errors of this operation are in the compatible API's words."""
    described = (metamap.responses if is_compatible else responses)(*implied)
    schema = METAMAP_ERROR if is_compatible else ENVELOPE
    # The 422 that FastAPI writes of itself tells of an envelope that is not ours.
    if _is_frameworks_own(answers.get("422", {})):
        del answers["422"]
    for status, answer in described.items():
        del answer["model"]
        answers.setdefault(str(status), answer)
    for status in sorted(answers):
        answers[status] = answer = answers.pop(status)
        if answer["description"] == "Successful Response":
            answer["description"] = HTTPStatus(int(status)).phrase
        headers = answer.setdefault("headers", {})
        headers["X-Request-Id"] = {"$ref": "#/components/headers/RequestId"}
        if status in {"429", "503"}:
            headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
        if status == "401":
            headers["WWW-Authenticate"] = {"$ref": "#/components/headers/Challenge"}
        if status >= "400":
            # An endpoint that answers with an image or a page has its errors in JSON all the same.
            content = answer["content"]["application/json"]
            answer["content"] = {"application/json": {**content, "schema": schema}}


def _tell_of_rates(answers: dict[str, Any]) -> None:
    """Of refusals before the count nothing is promised, of all others it is."""
    for status, answer in answers.items():
        if status < "400" or status == "429":
            answer["headers"] |= {
                name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT
            }


def _share_errors(answers: dict[str, Any], shared: dict[str, Any]) -> None:
    """Errors of one code are the same everywhere, and written once."""
    for status, answer in answers.items():
        examples = answer.get("content", {}).get("application/json", {}).get("examples", {})
        if status >= "400" and len(examples) == 1:
            (code,) = examples
            shared[code] = answer
            answers[status] = {"$ref": f"#/components/responses/{code}"}


def _is_frameworks_own(answer: dict[str, Any]) -> bool:
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return str(schema.get("$ref", "")).endswith("/HTTPValidationError")
