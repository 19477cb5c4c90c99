"""The headers that every response has, and those that no response has (VAL-09)."""

import re

import pytest

from tests.api.documents.live import sender
from tests.factories.belongings import OPERATIONS
from tests.loaded_processes import loaded_api

# What is the same for everybody may be kept; nothing else.
KEPT_BY_CACHES = {"/v1/openapi.json", "/docs/{name}"}
MAY_RUN_SCRIPTS = {
    "/docs",
    "/reset-password",
    "/confirm-email",
    "/console/label",
    "/console/{path:path}",
    "/go",
    "/verify/{verificationId}",
}
FILLED_IN = {"{name}": "swagger-ui.css"}


def path_of(operation):
    return re.sub(
        r"\{\w+\}",
        lambda part: FILLED_IN.get(part[0], "0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11"),
        operation.path,
    )


def check(answer, path):
    headers = answer.headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert re.fullmatch("[0-9a-f]{32}", headers["x-request-id"])
    if not (path in KEPT_BY_CACHES and answer.is_success):
        assert headers["cache-control"] == "no-store"
    for telling in ("server", "x-powered-by", "access-control-allow-origin"):
        assert telling not in headers
    # The callback deletes the cookie of the sign-in that it ends.
    assert "set-cookie" not in headers or path == "/auth/oidc/callback"
    if headers.get("content-type", "").startswith("text/html"):
        assert path in MAY_RUN_SCRIPTS
        assert "'unsafe" not in headers["content-security-policy"]


async def test_every_route_answers_with_the_same_safety(app, client, banco):
    # A stream ends after its first message.
    app.state.subscriptions.close()
    elsewhere = {"Origin": "https://elsewhere.example"}
    for operation in OPERATIONS:
        for asks in (client, banco):
            answer = await asks.request(operation.method, path_of(operation), headers=elsewhere)
            try:
                assert answer.status_code < 500
                check(answer, operation.path)
            except AssertionError as fault:
                fault.add_note(f"{operation.method} {operation.path}")
                raise
    # To the end, the caller was a known one.
    assert (await banco.get("/v1/organizations/me")).status_code == 200


async def test_refusals_before_any_route_are_no_different(client):
    for method, path in (("GET", "/x"), ("PURGE", "/v1/workflows"), ("OPTIONS", "/v1/workflows")):
        answer = await client.request(method, path, headers={"Origin": "https://elsewhere.example"})
        assert answer.status_code in {404, 405}
        check(answer, path)


@pytest.fixture
async def port(settings, services, tmp_path):
    """The API as it is started in production."""
    with loaded_api(settings, tmp_path / "log") as port:
        yield port


@pytest.mark.slow
async def test_on_the_wire_there_is_no_server_and_no_header_of_the_callers_making(port):
    """A request id with a line break would be two headers; a long one would fill the logs."""
    for given in ("a\r\nX-Forged: yes", "a\rX-Forged: yes", "a\nX-Forged: yes", "x" * 1024, "ñ"):
        headers = {"Content-Type": "", "X-Request-Id": given, "Connection": "close"}
        async with sender(port, "/v1/nowhere", headers) as sending:
            status, answered, _ = await sending.answer()
        assert status in {400, 404}
        assert "server" not in answered
        assert "x-forged" not in answered
        assert answered.get("x-request-id") != given
        if status == 404:
            assert re.fullmatch("[0-9a-f]{32}|a", answered["x-request-id"])
