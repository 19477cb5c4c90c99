"""VAL rows: every input gets a response in the envelope, and never a 500."""

import json

import pytest

from tests.factories.organizations import make_workflow

STEPS = [{"type": "DOCUMENT_OCR", "order": 0}]


def is_envelope(answer):
    error = answer.json()["error"]
    return {"code", "message", "requestId"} <= set(error) <= {
        "code",
        "message",
        "details",
        "requestId",
        "retryAfter",
    } and error["requestId"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b'{"a": \xff}',
        b"\xef\xbb\xbf{}",
        b'{"name": NaN}',
        b'{"name": 1e999}',
        b'{"name": ' + b"9" * 5000 + b"}",
        b'{"name": "\\ud800"}',
        b'{"name": "\\u0000"}',
        b'{"name": "x", "name": "y"}',
        b'{"name": ' + b"[" * 300 + b"]" * 300 + b"}",
        b"[" * 100_000,
        b'{"a":' * 100_000,
    ],
)
async def test_a_body_that_is_no_json_of_ours_is_a_422(banco, body):
    answer = await banco.post(
        "/v1/workflows", content=body, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"
    assert is_envelope(answer)


@pytest.mark.parametrize("content_type", ["text/plain", "", "application/x-www-form-urlencoded"])
async def test_another_content_type_is_a_415(banco, content_type):
    answer = await banco.post(
        "/v1/workflows", content=b"{}", headers={"Content-Type": content_type}
    )
    assert answer.status_code == 415
    assert is_envelope(answer)


async def test_a_body_over_the_limit_is_a_413_declared_or_not(banco):
    async def endless():
        for _ in range(6):
            yield b" " * 1024 * 1024

    declared = await banco.post(
        "/v1/workflows",
        content=b" " * (4 * 1024 * 1024 + 1),
        headers={"Content-Type": "application/json"},
    )
    chunked = await banco.post(
        "/v1/workflows", content=endless(), headers={"Content-Type": "application/json"}
    )
    for answer in (declared, chunked):
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "PAYLOAD_TOO_LARGE"
        assert is_envelope(answer)


@pytest.mark.parametrize(
    "metadata",
    [
        {"deep": json.loads("[" * 60 + "]" * 60)},
        {"large": 2**63 - 1, "small": -(2**63), "fraction": 0.1},
        {"emoji": "🙂", "ñ": "Ñandú", "quote": '"\\'},
    ],
)
async def test_free_form_objects_are_kept_as_they_are(banco, metadata):
    workflow_id = await make_workflow(banco)
    answer = await banco.post(
        "/v1/verifications", json={"workflowId": workflow_id, "metadata": metadata}
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["verification"]["metadata"] == metadata


@pytest.mark.parametrize("metadata", [{"n": 2**70}, {"text": "x" * 16_384}, [1], "text"])
async def test_metadata_that_cannot_be_kept_is_refused(banco, metadata):
    workflow_id = await make_workflow(banco)
    answer = await banco.post(
        "/v1/verifications", json={"workflowId": workflow_id, "metadata": metadata}
    )
    assert answer.status_code == 422
    assert is_envelope(answer)


@pytest.mark.parametrize("query", ["unknown=1", "a=1&a=2", "%00=1", "search=%00"])
async def test_unknown_query_parameters_are_refused(banco, query):
    answer = await banco.get(f"/v1/workflows?{query}")
    assert answer.status_code == 422
    assert is_envelope(answer)


async def test_an_unknown_query_parameter_is_named_unless_it_may_be_a_value(banco):
    answer = await banco.get("/v1/verifications?pageSize=5&ANA%20MARIA=1")
    named, unnamed = answer.json()["error"]["details"]
    assert named.startswith("query.pageSize: an unknown parameter; accepted: ")
    assert {"limit", "offset", "search", "status"} <= set(named.rpartition(": ")[2].split(", "))
    assert unnamed.startswith("query: an unknown parameter")


@pytest.mark.parametrize(
    ("given", "is_kept"),
    [
        ("abc.DEF_1-2", True),
        ("x" * 128, True),
        ("x" * 129, False),
        ("a b", False),
        ("", False),
        ("<s>", False),
    ],
)
async def test_a_request_id_is_echoed_when_it_is_of_the_agreed_form(client, given, is_kept):
    answer = await client.get("/nowhere", headers={"X-Request-Id": given})
    assert (answer.headers["x-request-id"] == given) is is_kept
    assert is_envelope(answer)


async def test_unknown_addresses_and_methods_answer_in_the_envelope(client, banco):
    unknown = await client.get("/v1/nowhere")
    assert unknown.status_code == 404
    assert unknown.json()["error"]["code"] == "NOT_FOUND"
    method = await client.request("PURGE", "/v1/workflows")
    assert method.status_code == 405
    assert method.json()["error"]["code"] == "METHOD_NOT_ALLOWED"
    assert "GET" in method.headers["allow"]
    slash = await banco.get("/v1/workflows/")
    assert slash.status_code == 404
    assert all(is_envelope(answer) for answer in (unknown, method, slash))


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/custom-input/forms", "POST"),
        ("GET", "/v1/custom-input/submit", "POST"),
        ("GET", "/v1/esignature/sign", "POST"),
        ("PATCH", "/v1/dl-groundtruth/upload", "POST"),
        ("DELETE", "/v1/dl-groundtruth/export", "GET"),
        ("PATCH", "/v1/dl-groundtruth/states", "GET"),
        ("PATCH", "/v1/dl-state-groundtruth/stats", "GET"),
        ("GET", "/v1/selfie-groundtruth/upload", "POST"),
        ("DELETE", "/v1/selfie-groundtruth/export", "GET"),
    ],
)
async def test_a_fixed_path_is_no_id_of_another_endpoint(client, method, path, allowed):
    answer = await client.request(method, path)
    assert answer.status_code == 405, answer.text
    assert answer.headers["allow"] == allowed


async def test_every_answer_carries_the_safety_headers_and_no_server_name(client, banco):
    for answer in (
        await client.get("/health"),
        await banco.get("/v1/workflows"),
        await client.get("/x"),
    ):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers
