"""The description is whole, valid and true to the routes; what it shows as an example fits."""

import json
import re
from functools import cache

import jsonschema_rs
import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31

from acredita.api import metamap
from acredita.api.errors import ErrorEnvelope
from acredita.api.openapi.document import TAGS
from acredita.api.openapi.examples import OF_TYPES, example_of
from acredita.api.routing import API_PREFIX, SECURITY
from acredita.domain.events import EventKind
from acredita.domain.reasons import REASONS
from acredita.main import create_app
from acredita.resources.routes import ROUTERS
from acredita.settings import Settings
from tests.conftest import PROJECT
from tools.events import PAGE, render

# Each process of a parallel run loads these tests, and to describe the service takes seconds.
DOCUMENT = json.loads((PROJECT / "openapi.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]
OPERATIONS = {
    (path, method): operation
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
}
ROUTES = {
    (route.path, method.lower()): route
    for router in ROUTERS
    for route in router.routes
    for method in route.methods
}
BY_ID = {operation["operationId"]: place for place, operation in OPERATIONS.items()}
ENVELOPE = {"$ref": f"#/components/schemas/{ErrorEnvelope.__name__}"}
METAMAP_ERROR = {"$ref": f"#/components/schemas/{metamap.MetamapError.__name__}"}
JSON = "application/json"


def answers(operation):
    for status, answer in operation["responses"].items():
        shared = answer.get("$ref", "").rpartition("/")[2]
        yield status, DOCUMENT["components"]["responses"][shared] if shared else answer


def bodies(operation):
    """Every body, asked for or answered."""
    places = [operation.get("requestBody", {}), *(answer for _, answer in answers(operation))]
    return [media for place in places for media in place.get("content", {}).values()]


def check(schema, value, *, formats=True):
    validator(json.dumps(schema), formats=formats).validate(value)


@cache
def validator(schema, *, formats):
    """Of the components that the schema needs: with all, it takes ten milliseconds to make."""
    needed, pending = {}, referred(schema)
    while pending:
        name = pending.pop()
        needed[name] = SCHEMAS[name]
        pending |= referred_by(name) - needed.keys()
    whole = {"components": {"schemas": needed}, **json.loads(schema)}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=formats)


def referred(schema):
    return set(re.findall(r'"\$ref": "#/components/schemas/([^"]+)"', schema))


@cache
def referred_by(name):
    return referred(json.dumps(SCHEMAS[name]))


def of_every_operation(test):
    """One test for all of them; what fails names the operation."""

    def whole():
        for place in OPERATIONS:
            try:
                test(place)
            except Exception as fault:
                fault.add_note(" ".join(place))
                raise

    whole.__name__ = test.__name__
    return whole


def test_the_file_and_the_page_of_events_describe_the_service_of_the_code():
    description = create_app(Settings(_env_file=None)).openapi()
    assert json.loads(json.dumps(description)) == DOCUMENT
    assert PAGE.read_text() == render(description), "run `make openapi`"


def test_it_is_valid_openapi_31():
    assert DOCUMENT["openapi"].startswith("3.1")
    jsonschema_rs.validator_for(OPENAPI_31).validate(DOCUMENT)
    for schema in SCHEMAS.values():
        jsonschema_rs.meta.validate(schema)


def test_every_route_is_described_and_everything_described_is_a_route():
    described = {place for place, route in ROUTES.items() if route.include_in_schema}
    assert set(OPERATIONS) == described
    hidden = set(ROUTES) - described
    # The compatible API has some addresses by two spellings, one of which is described.
    hidden = {path for path, _ in hidden if not path.startswith(metamap.PREFIX)}
    assert not [path for path in hidden if path.startswith(API_PREFIX)], "only pages are hidden"


def test_operation_ids_are_unique_and_read_as_names():
    assert len(BY_ID) == len(OPERATIONS)
    for operation_id in BY_ID:
        assert re.fullmatch(r"[a-z]+([A-Z][a-z]+)*", operation_id), operation_id


@of_every_operation
def test_an_operation_says_what_it_is_for_and_under_which_heading(place):
    operation = OPERATIONS[place]
    assert operation["summary"]
    assert operation["description"]
    assert len(operation["tags"]) == 1
    assert set(operation["tags"]) <= set(TAGS)
    for _, answer in answers(operation):
        assert answer["description"] not in {"", "Successful Response"}


@of_every_operation
def test_an_operation_shows_examples_that_fit_its_schemas(place):
    for media in bodies(OPERATIONS[place]):
        examples = [each["value"] for each in media.get("examples", {}).values()]
        examples += [media["example"]] if "example" in media else []
        assert examples
        for example in examples:
            check(media["schema"], example)
    for parameter in OPERATIONS[place].get("parameters", []):
        if parameter["in"] == "path":
            check(parameter["schema"], parameter["example"])


def test_every_kind_of_event_is_a_webhook_whose_example_fits_its_schema():
    assert set(DOCUMENT["webhooks"]) == set(EventKind)
    for kind, item in DOCUMENT["webhooks"].items():
        media = item["post"]["requestBody"]["content"][JSON]
        check(media["schema"], media["example"])
        assert media["example"]["event"] == kind
        data = media["example"]["data"]
        assert data.get("newStatus", kind).lower() in {kind, kind.removeprefix("verification.")}
        if kind in {"step.completed", "step.failed"}:
            assert (data["status"] == "FAILED") == (kind == "step.failed")
        assert item["post"]["description"]
        headers = {header["name"] for header in item["post"]["parameters"]}
        assert {"X-Service-Signature", "X-Service-Delivery", "webhook-id"} <= headers


def test_the_codes_of_all_errors_and_the_meaning_of_all_reasons_are_listed():
    listed = set(SCHEMAS["ErrorCode"]["x-extensible-enum"])
    shown = {
        code
        for place, operation in OPERATIONS.items()
        if not metamap.is_compatible_path(place[0])
        for status, answer in answers(operation)
        if status >= "400"
        for code in answer["content"][JSON]["examples"]
    }
    assert shown | {"METHOD_NOT_ALLOWED", "WORKFLOW_INACTIVE"} <= listed
    assert not [code for code in listed if code != code.upper()], "the compatible API's codes"
    reasons = SCHEMAS["ReasonCode"]
    assert set(reasons["enum"]) == set(REASONS)
    assert len(reasons["x-enum-descriptions"]) == len(reasons["enum"])


def test_no_two_enumerations_have_a_value_of_the_same_name():
    """Generated Go has one namespace for all of them."""
    names = [
        name.upper()
        for schema in SCHEMAS.values()
        if "enum" in schema
        for name in schema.get("x-enum-varnames", schema["enum"])
    ]
    assert len(names) == len(set(names))


@of_every_operation
def test_every_error_is_our_envelope_and_shows_each_of_its_codes(place):
    for status, answer in answers(OPERATIONS[place]):
        if status < "400":
            continue
        (media,) = answer["content"].values()
        if metamap.is_compatible_path(place[0]):
            assert media["schema"] == METAMAP_ERROR, status
            assert all(each["value"]["code"] == int(status) for each in media["examples"].values())
            continue
        assert media["schema"] == ENVELOPE, status
        codes = {each["value"]["error"]["code"] for each in media["examples"].values()}
        assert all(code in answer["description"] for code in codes)


def test_nothing_of_the_frameworks_own_errors_is_left():
    assert not [name for name in SCHEMAS if "ValidationError" in name]


@of_every_operation
def test_the_errors_that_follow_from_the_kind_of_a_route_are_described(place):
    path, _ = place
    route, statuses = ROUTES[place], set(OPERATIONS[place]["responses"])
    assert {"500", "503"} <= statuses
    if route.permission is not None:
        assert {"401", "403"} <= statuses
    if route.is_rate_limited:
        assert "429" in statuses
    if "{" in path:
        assert "404" in statuses
    if path.startswith(API_PREFIX):
        assert "422" in statuses
    if "requestBody" in OPERATIONS[place]:
        # The compatible API answers a body of another type with 400.
        other_type = "400" if metamap.is_compatible_path(path) else "415"
        assert {"408", "413", other_type, "422"} <= statuses


@of_every_operation
def test_what_needs_a_role_takes_a_token_or_a_key_and_what_is_public_neither(place):
    if ROUTES[place].permission is not None:
        assert OPERATIONS[place]["security"] == SECURITY
    else:
        # An image is opened by its owners, or by a signed link.
        assert OPERATIONS[place]["security"] == [] or "key" in {
            parameter["name"] for parameter in OPERATIONS[place].get("parameters", [])
        }


def test_links_lead_to_operations_by_parameters_that_they_have():
    links = [
        link
        for operation in OPERATIONS.values()
        for _, answer in answers(operation)
        for link in answer.get("links", {}).values()
    ]
    for link in links:
        path, _ = BY_ID[link["operationId"]]
        for name in link.get("parameters", {}):
            assert f"{{{name}}}" in path
        assert "requestBody" not in link, "openapi-generator refuses such a document"
    led_to = {link["operationId"] for link in links}
    assert {"getWorkflow", "deleteWorkflow", "getVerification"} <= led_to
    assert {"uploadDocuments", "getDocumentImage", "deleteWebhook", "revokeApiKey"} <= led_to


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_field_of_free_text_has_an_example_of_its_own(name):
    for field, schema in SCHEMAS[name].get("properties", {}).items():
        assert example_of(schema, SCHEMAS) != OF_TYPES["string"], field


# MetaMap's strict clients refuse a field that they do not know: it is there for those who ask.
MAY_BE_ABSENT = {
    "StartedIdentity": {"capture"},
    "StartedMetamapVerification": {"capture"},
    "SearchPagination": {"totalIsExact"},
}


def test_answers_promise_all_their_fields():
    seen = set()
    waiting = [
        media["schema"]
        for operation in OPERATIONS.values()
        for status, answer in answers(operation)
        if status < "400"
        for media in answer.get("content", {}).values()
    ]
    while waiting:
        schema = waiting.pop()
        name = schema.get("$ref", "").rpartition("/")[2]
        if name in seen:
            continue
        seen.add(name)
        if name:
            schema = SCHEMAS[name]
            fields = schema.get("properties", {})
            # Its absence marks the last page.
            promised = set(fields) - {"nextCursor"} - MAY_BE_ABSENT.get(name, set())
            assert set(schema.get("required", [])) == promised, name
            waiting += fields.values()
        else:
            waiting += schema.get("anyOf", [])
            waiting += [schema["items"]] if "items" in schema else []


def test_no_schema_is_named_as_the_constructor_of_another():
    """Generated Go has a function NewX for each X."""
    assert not [name for name in SCHEMAS if name.removeprefix("New") in SCHEMAS.keys() - {name}]


def test_names_of_schemas_are_ours():
    assert not [name for name in SCHEMAS if "__" in name], "two classes share a name"


# The bounds of the specification.
BOUNDS = [
    ("Registration", "orgName", {"minLength": 2, "maxLength": 100}),
    ("Registration", "password", {"minLength": 12, "maxLength": 128}),
    ("Login", "password", {"minLength": 1, "maxLength": 256}),
    ("PasswordReset", "token", {"minLength": 32, "maxLength": 128}),
    ("PasswordReset", "password", {"minLength": 12, "maxLength": 128}),
    ("TokenRequest", "client_id", {"minLength": 1}),
    ("TokenRequest", "client_secret", {"minLength": 1}),
    ("WorkflowCreate", "name", {"minLength": 1, "maxLength": 200}),
    ("WorkflowCreate", "description", {"maxLength": 1000}),
    ("WorkflowCreate", "steps", {"minItems": 1}),
    ("StepWrite", "order", {"minimum": 0}),
    ("VerificationCreate", "workflowId", {"minLength": 1}),
    ("VerificationCreate", "callbackUrl", {"maxLength": 2048}),
    ("VerificationCreate", "externalId", {"maxLength": 255}),
    ("StatusChange", "notes", {"maxLength": 2000}),
    ("WebhookCreate", "url", {"maxLength": 2048}),
    ("WebhookCreate", "events", {"minItems": 1, "uniqueItems": True}),
    ("WebhookCreate", "secret", {"minLength": 16, "maxLength": 256}),
    ("OrganizationUpdate", "name", {"minLength": 2, "maxLength": 100}),
    ("OrganizationUpdate", "dataRetentionDays", {"minimum": 30, "maximum": 3650}),
    ("ApiKeyCreate", "name", {"minLength": 1, "maxLength": 100}),
    ("ApiKeyCreate", "rateLimit", {"minimum": 0, "maximum": 1000}),
    ("OtpSend", "verificationId", {"format": "uuid"}),
    ("OtpSend", "destination", {"minLength": 1, "maxLength": 320}),
    ("OtpVerify", "verificationId", {"format": "uuid"}),
    ("OtpVerify", "code", {"pattern": "^[0-9]{6}$"}),
    ("FormCreate", "title", {"minLength": 1, "maxLength": 200}),
    ("FormCreate", "description", {"maxLength": 1000}),
    ("FormCreate", "fields", {"minItems": 1, "maxItems": 50}),
    ("FieldWrite", "id", {"minLength": 1, "maxLength": 100}),
    ("FieldWrite", "label", {"minLength": 1, "maxLength": 200}),
    ("FieldWrite", "placeholder", {"maxLength": 200}),
    ("FieldWrite", "options", {"maxItems": 100}),
    ("OptionWrite", "value", {"maxLength": 200}),
    ("OptionWrite", "label", {"maxLength": 200}),
    ("Constraints", "minLength", {"minimum": 0}),
    ("Constraints", "maxLength", {"minimum": 1}),
    ("Constraints", "pattern", {"maxLength": 500}),
    ("Submit", "verificationId", {"minLength": 1, "maxLength": 255}),
    ("Submit", "formId", {"minLength": 1, "maxLength": 255}),
]


@pytest.mark.parametrize(("schema", "field", "bounds"), BOUNDS)
def test_bounds_are_the_specifications(schema, field, bounds):
    described = SCHEMAS[schema]["properties"][field]
    described |= described.get("anyOf", [{}])[0]
    assert bounds.items() <= described.items()


def test_the_upload_describes_its_files():
    media = OPERATIONS["/v1/verifications/{id}/inputs", "post"]["requestBody"]["content"]
    (kind, form) = next(iter(media.items()))
    assert kind == "multipart/form-data"
    assert set(form["schema"]["properties"]) == {
        "front", "back", "selfie", "passport", "liveness", "proofOfAddress"
    }  # fmt: skip
    assert form["schema"]["additionalProperties"] is False
    for role, encoding in form["encoding"].items():
        assert set(encoding["contentType"].split(", ")) == {
            "image/jpeg",
            "image/png",
            "image/webp",
            "application/pdf",
        }, role
