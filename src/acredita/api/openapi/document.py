"""The OpenAPI 3.1 document: what FastAPI derives from the routes, and what all routes share.

An endpoint states its summary, roles, schemas with examples of their fields, and errors. This
module adds what follows from the kind of route: errors of reading a request, headers, operation
ids, examples of whole bodies, and links from operations that create a resource to those that take
its id.
"""

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic.alias_generators import to_camel
from pydantic.json_schema import models_json_schema

from acredita.api import metamap
from acredita.api.errors import (
    EXAMPLE_REQUEST_ID,
    ErrorEnvelope,
    InternalError,
    PayloadTooLarge,
    RequestTimeout,
    UnsupportedMediaType,
    responses,
)
from acredita.api.openapi.codes import describe_codes
from acredita.api.openapi.examples import EXAMPLE_OF_DATA, add_examples
from acredita.api.openapi.links import add_links
from acredita.api.routing import API_PREFIX, SECURITY, StrictRoute
from acredita.domain.errors import (
    DomainError,
    Forbidden,
    NotFound,
    RateLimited,
    ServiceUnavailable,
    Unauthorized,
    ValidationFailed,
)

TITLE = "Identity Verification API"
# The version of the API (specification), not of the product.
VERSION = "1.0.0"
DESCRIPTION = """\
Identity verification for the Mexican market. Create a verification of a workflow, upload the
documents, and get the result by polling or by webhook.

**Authentication.** Exchange an API key for a token at `POST /v1/auth/token`, and send the token as
`Authorization: Bearer …`. Or send the key itself as `X-Api-Key`. An id of another organization gets
404, the same as an id that does not exist.

**Requests.** Bodies are JSON in UTF-8, except uploads. Unknown keys and unknown query parameters
are refused. When you create a resource, `null` means the same as an absent field.

**Responses.** Every field is always present. A field without a value is `null`. Timestamps are in
UTC, with milliseconds. Each response has an `X-Request-Id`. It is the id that the caller sent, if
that has 1 to 128 characters of `A-Z a-z 0-9 . _ -`; otherwise it is a new one. All errors have the
same envelope. Programs use `error.code`.
"""
TAGS = {
    "System": "Health and this API description.",
    "Authentication": "Accounts, tokens and passwords.",
    "Organization": "The caller's organization: its settings, users and API keys.",
    "Workflows": "Named, ordered lists of steps, which verifications run.",
    "Policies": "Rules that decide the verifications of workflows, with versions.",
    "Verifications": "One identity check of one person.",
    "Reviews": "The queue of verifications that wait for a reviewer.",
    "Overview": "What became of the verifications of a period, in numbers.",
    "Retention": "Legal holds, and the erasure of a person's data on request.",
    "Documents": "Uploaded files and their images.",
    "Browser flow": (
        "The endpoints that the person's browser calls. The verification's id is the credential."
    ),
    "Custom forms": "Forms with an organization's own questions.",
    "One-time passwords": "Codes that confirm a person's phone number or e-mail address.",
    "Electronic signatures": (
        "Documents signed as one sealed PDF, with the evidence of the signature."
    ),
    "Credit": "Credit reports on a person from a credit bureau.",
    "Location": "Location of an IP address.",
    "Watchlists": "Screening of names against sanctions and warning lists.",
    "Webhooks": "Endpoints that receive events, and their deliveries.",
    "Events": "What the service sends to webhook endpoints.",
    "Compatibility": "MetaMap's API for the usual flows, with its addresses, bodies and errors.",
    "Audit": "Who did what, and when.",
    "Training": "Labels that reviewers give to documents, and their metrics.",
    "Ground truth": "Images with known content, and the engines' results for them.",
    "Administration": "Statistics of the organization's documents, jobs and deliveries.",
    "Pages": "Pages for people, in a browser.",
}
SECURITY_SCHEMES = {
    "bearer": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token from POST /v1/auth/token, valid for one hour.",
    },
    "apiKey": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Api-Key",
        "description": "A raw API key, instead of a token.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-acredita_session",
        "description": (
            "The session of a user in a browser, from POST /v1/auth/session. Requests other than"
            " GET and HEAD also need the header X-CSRF-Token with the session's `csrfToken`. A"
            " request with the header X-Unattended, which a page makes by itself, does not keep the"
            " session from ending when it is idle. Over plain http on loopback, the name has no"
            " prefix: acredita_session."
        ),
    },
}
REQUEST_ID = {
    "description": "Identifies this request and its response. Equals `error.requestId`.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"},
    "example": EXAMPLE_REQUEST_ID,
}
RETRY_AFTER = {
    "description": "Seconds to wait. Equals `error.retryAfter`.",
    "required": True,
    "schema": {"type": "string", "pattern": "^[1-9][0-9]*$"},
    "example": "2",
}
CHALLENGE = {
    "description": "The authentication scheme to use.",
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
        (
            "Limit",
            ("The burst size of the stricter limit: the most requests that it allows at once."),
            "20",
        ),
        ("Remaining", "Requests that the stricter limit allows right now.", "19"),
        ("Reset", "Seconds until the stricter limit allows its full burst again.", "1"),
    )
}
ENVELOPE = {"$ref": f"#/components/schemas/{ErrorEnvelope.__name__}"}
METAMAP_ERROR = {"$ref": f"#/components/schemas/{metamap.MetamapError.__name__}"}


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, cached: building it takes at least a tenth of a second."""
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
        webhooks=app.webhooks.routes,
        license_info={"name": "Apache 2.0", "identifier": "Apache-2.0"},
        servers=[{"url": "/", "description": "The installation that serves this description."}],
    )
    used = {tag for _, operation in _operations(app, document) for tag in operation["tags"]}
    used |= {tag for item in document["webhooks"].values() for tag in item["post"]["tags"]}
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
    _, errors = models_json_schema(
        [(model, "serialization") for model in (ErrorEnvelope, metamap.MetamapError)],
        ref_template="#/components/schemas/{model}",
    )
    components["schemas"] |= errors["$defs"]
    describe_codes(components["schemas"])
    shared_answers: dict[str, Any] = {}
    for route, operation in _operations(app, document):
        operation["operationId"] = to_camel(route.name)
        operation.setdefault("security", [])
        _remove_null_from_parameters(operation.get("parameters", []))
        _complete_answers(
            operation["responses"],
            _implied_errors(route, operation),
            is_compatible=metamap.is_compatible_path(route.path),
        )
        if route.is_rate_limited:
            _add_rate_headers(operation["responses"])
        add_examples(operation, components["schemas"])
        _share_errors(operation["responses"], shared_answers)
    components["responses"] = shared_answers
    _complete_webhooks(app, document)
    add_links(document)
    # The schemas of FastAPI's own 422, which nothing uses any more.
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


def _complete_webhooks(app: FastAPI, document: dict[str, Any]) -> None:
    """Complete the requests that the service sends."""
    for webhook in app.webhooks.routes:
        assert isinstance(webhook, APIRoute)  # noqa: S101 (narrows the type)
        operation = document["webhooks"][webhook.path_format]["post"]
        operation["operationId"] = to_camel(webhook.name)
        operation["responses"] = {"2XX": operation["responses"]["204"]}
        operation["security"] = []
        # openapi-generator makes methods of a client from webhooks, in Python with syntax errors.
        # It leaves out operations with this mark; of their bodies it still makes types.
        operation["x-internal"] = True
        _remove_null_from_parameters(operation["parameters"])
        add_examples(operation, document["components"]["schemas"])
        if data := operation.pop(EXAMPLE_OF_DATA, None):
            [media] = operation["requestBody"]["content"].values()
            media["example"]["data"] = data


def _implied_errors(route: StrictRoute, operation: dict[str, Any]) -> list[type[DomainError]]:
    """Return the errors that occur before or beside the endpoint's own work."""
    implied: list[type[DomainError]] = [InternalError, ServiceUnavailable]
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


def _remove_null_from_parameters(parameters: list[dict[str, Any]]) -> None:
    """Remove null from the types: a query can omit a parameter, but not send null."""
    for parameter in parameters:
        schema = parameter["schema"]
        choices = [choice for choice in schema.get("anyOf", []) if choice != {"type": "null"}]
        if len(choices) == 1:
            del schema["anyOf"]
            schema.update(choices[0])
        # The parameter has the same description.
        schema.pop("description", None)


def _complete_answers(
    answers: dict[str, Any], implied: list[type[DomainError]], *, is_compatible: bool
) -> None:
    """`is_compatible`: this operation's errors have the compatible API's format."""
    described = (metamap.responses if is_compatible else responses)(*implied)
    schema = METAMAP_ERROR if is_compatible else ENVELOPE
    # FastAPI's own 422 describes another envelope.
    if _is_default_422(answers.get("422", {})):
        del answers["422"]
    for status, answer in described.items():
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
            # An endpoint that answers with an image or a page still answers errors in JSON.
            content = answer["content"]["application/json"]
            answer["content"] = {"application/json": {**content, "schema": schema}}


def _add_rate_headers(answers: dict[str, Any]) -> None:
    """Add the rate limit headers to all responses except errors before the count."""
    for status, answer in answers.items():
        if status < "400" or status == "429":
            answer["headers"] |= {
                name: {"$ref": f"#/components/headers/{name}"} for name in RATE_LIMIT
            }


def _share_errors(answers: dict[str, Any], shared: dict[str, Any]) -> None:
    """Move errors with a single code to the shared components."""
    for status, answer in answers.items():
        examples = answer.get("content", {}).get("application/json", {}).get("examples", {})
        if status >= "400" and len(examples) == 1:
            (code,) = examples
            shared[code] = answer
            answers[status] = {"$ref": f"#/components/responses/{code}"}


def _is_default_422(answer: dict[str, Any]) -> bool:
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    return str(schema.get("$ref", "")).endswith("/HTTPValidationError")
