"""The Python client against the running service."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from typing import Any

import pytest
from aiohttp import web
from fastapi import FastAPI

from acredita_client import (
    ApiError,
    Client,
    ConnectionFailed,
    InvalidSignature,
    WaitTimedOut,
    webhooks,
)
from tests.api.documents.live import served
from tests.factories.organizations import Member
from tests.factories.receiver import Authority, Receiver, answer, reset, serve
from tests.pipeline.test_registries import ACTIVE

GOVERNMENT = [{"type": "GOVERNMENT_VERIFY", "order": 1}]
TOKEN = answer(200, json.dumps({"access_token": "t", "expires_in": 3600}).encode())
Of = Callable[..., Client]


@pytest.fixture
async def of(app: FastAPI) -> AsyncIterator[Of]:
    """A client for a member, over a real socket."""
    async with served(app) as port:
        with ExitStack() as opened:

            def of(member: Member, **credentials: Any) -> Client:
                key = credentials.pop("key", member.api_key)
                return opened.enter_context(
                    Client.from_credentials(
                        f"http://127.0.0.1:{port}", member.organization_id, key, **credentials
                    )
                )

            yield of


async def _in_thread(work: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    return await asyncio.to_thread(work, *arguments, **named)


@pytest.mark.usefixtures("worker")
async def test_a_verification_is_created_waited_for_and_its_webhook_verified(
    of: Of, banco: Member, authority: Authority
):
    async with authority.receiver() as receiver:

        def verify_somebody() -> tuple[Any, Any]:
            client = of(banco)
            workflow = client.workflows.create("Registries", GOVERNMENT)
            endpoint = client.webhooks.create(receiver.url(), ["verification.approved"])
            created = client.verifications.create(
                workflow["id"], external_id="cliente-1", metadata={"curp": ACTIVE}
            )
            return endpoint, client.verifications.wait(created["id"], timeout_seconds=30)

        endpoint, shown = await _in_thread(verify_somebody)
        assert shown["verification"]["status"] == "APPROVED"
        [received] = await receiver.wait_for(1)
    event = webhooks.verify(received.body, received.headers, endpoint["secret"])
    assert event["event"] == "verification.approved"
    assert event["data"]["verificationId"] == shown["verification"]["id"]
    late = received.headers | {"webhook-timestamp": str(int(time.time()) - 3600)}
    for body, headers, secret in (
        (received.body + b" ", received.headers, endpoint["secret"]),
        (received.body, received.headers, "another secret altogether"),
        (received.body, late, endpoint["secret"]),
        (received.body, {}, endpoint["secret"]),
    ):
        with pytest.raises(InvalidSignature):
            webhooks.verify(body, headers, secret)


async def test_what_is_not_decided_in_time_says_so(of: Of, banco: Member):
    def wait() -> None:
        client = of(banco)
        workflow = client.workflows.create("Registries", GOVERNMENT)
        created = client.verifications.create(workflow["id"])
        with pytest.raises(WaitTimedOut) as timed_out:
            client.verifications.wait(created["id"], timeout_seconds=0.1)
        assert timed_out.value.status == "PENDING"
        assert [one["id"] for one in client.verifications.all()] == [created["id"]]
        client.verifications.set_status(created["id"], "REJECTED", notes="by hand")
        assert client.verifications.wait(created["id"])["verification"]["status"] == "REJECTED"

    await _in_thread(wait)


async def test_a_link_for_the_person_is_made_replaced_and_revoked(of: Of, banco: Member):
    def invite() -> None:
        verifications = of(banco).verifications
        workflow = of(banco).workflows.create("Registries", GOVERNMENT)
        created = verifications.create(workflow["id"], capture={"language": "pt"})
        assert f"/verify/{created['id']}?lang=pt#cl_" in created["capture"]["url"]
        assert "#cl_" in verifications.create(workflow["id"], capture={})["capture"]["url"]
        again = verifications.new_link(created["id"], {"expiresIn": 600})
        assert again["url"] != created["capture"]["url"]
        verifications.revoke_links(created["id"])
        shown = verifications.get(created["id"])["verification"]
        assert shown["capture"]["state"] == "revoked"

    await _in_thread(invite)


async def test_an_error_carries_its_code_details_and_request_id(
    of: Of, banco: Member, rival: Member
):
    def ask() -> None:
        workflow = of(banco).workflows.create("Registries", GOVERNMENT)
        with pytest.raises(ApiError) as foreign:
            of(rival).workflows.get(workflow["id"])
        assert (foreign.value.status, foreign.value.code) == (404, "NOT_FOUND")
        assert foreign.value.request_id
        with pytest.raises(ApiError) as faulty:
            of(banco).request("POST", "/v1/workflows", json={"name": ""})
        assert faulty.value.code == "VALIDATION_ERROR"
        assert any(fault.startswith("body.name") for fault in faulty.value.details)
        with pytest.raises(ApiError) as wrong:
            of(banco, key="ak_12345678_wrong").workflows.list()
        assert wrong.value.status == 401

    await _in_thread(ask)


async def test_requests_over_the_limit_wait_and_succeed(of: Of, banco: Member):
    def ask_often() -> None:
        key = of(banco).organization.create_api_key("slow", rate_limit=2)
        client = of(banco, key=key["key"])
        for _ in range(7):
            client.workflows.list()
        hasty = of(banco, key=key["key"], retries=0)
        with pytest.raises(ApiError) as refused:
            [hasty.workflows.list() for _ in range(7)]
        assert refused.value.code == "RATE_LIMITED"
        assert refused.value.retry_after is not None

    await _in_thread(ask_often)


async def test_a_token_that_ended_is_renewed():
    refused = answer(401, b'{"error": {"code": "UNAUTHORIZED", "message": "expired"}}')
    script = [TOKEN, refused, TOKEN, answer(200, b'{"workflows": []}')]
    async with serve(Receiver(script), None) as receiver:
        with Client.from_credentials(receiver.url("", "127.0.0.1"), "org", "ak_x") as client:
            assert await _in_thread(client.workflows.list) == []
        assert [each.path for each in receiver.received] == [
            "/v1/auth/token",
            "/v1/workflows",
            "/v1/auth/token",
            "/v1/workflows",
        ]


async def test_all_signals_of_a_verification_come_on_request():
    asked = []

    async def shown(receiver: Receiver, request: web.Request) -> web.Response:
        asked.append(request.path_qs)
        return web.json_response({"verification": {}})

    async with serve(Receiver([TOKEN, shown, shown]), None) as receiver:
        with Client.from_credentials(receiver.url("", "127.0.0.1"), "org", "ak_x") as client:
            await _in_thread(client.verifications.get, "one", signals="all")
            await _in_thread(client.verifications.get, "one")
    assert asked == ["/v1/verifications/one?signals=all", "/v1/verifications/one"]


async def test_only_what_can_do_no_harm_is_sent_again():
    created = answer(201, b'{"verification": {"id": "one"}}')
    script = [TOKEN, reset, answer(503), created, reset, answer(503)]
    async with serve(Receiver(script), None) as receiver:
        with Client.from_credentials(receiver.url("", "127.0.0.1"), "org", "ak_x") as client:
            assert (await _in_thread(client.verifications.create, "workflow"))["id"] == "one"
            keys = {each.headers["idempotency-key"] for each in receiver.received[1:]}
            assert len(keys) == 1
            assert len(receiver.received) == 4
            with pytest.raises(ConnectionFailed):
                await _in_thread(client.workflows.create, "name", GOVERNMENT)
            with pytest.raises(ApiError):
                await _in_thread(client.workflows.create, "name", GOVERNMENT)
            assert len(receiver.received) == 6
