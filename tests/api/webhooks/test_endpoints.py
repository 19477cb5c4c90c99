"""The webhook endpoints over HTTP, for two organizations and several roles."""

import asyncio
import json
import logging
import time
import uuid

import pytest
from sqlalchemy import select, text

from acredita.access.api_keys import make_key
from acredita.domain.events import EventKind
from acredita.domain.roles import Role
from acredita.models import ApiKey, WebhookEndpoint
from acredita.resources.webhooks import secrets, signed_request
from tests.api.webhooks.conftest import Tenant, add_verification
from tests.factories.described_events import check_envelope
from tests.factories.organizations import Member
from tests.factories.receiver import answer, endless_body, hang, reset, slow_body

URL = "https://receiver.test/hook"
ALL_KINDS = [kind.value for kind in EventKind]


def body(url: str = URL, **changes):
    return {"url": url, "events": ["verification.approved"], **changes}


async def create(member: Member, **changes) -> dict:
    response = await member.post("/v1/webhooks", json=body(**changes))
    assert response.status_code == 201, response.text
    return response.json()["webhook"]


async def with_role(member: Member, services, role: Role) -> Member:
    """Another API key of the same organization."""
    key = make_key(services.signer)
    async with services.database.transaction() as session:
        session.add(
            ApiKey(
                organization_id=uuid.UUID(member.organization_id),
                name=role.value,
                prefix=key.prefix,
                digest=key.digest,
                role=role,
            )
        )
    token = await member.client.post(
        "/v1/auth/token",
        json={
            "grant_type": "client_credentials",
            "client_id": member.organization_id,
            "client_secret": key.raw,
        },
    )
    return Member(member.client, member.organization_id, key.raw, token.json()["access_token"])


async def tenant_of(member: Member, services) -> Tenant:
    """Gives the organization a workflow and a verification."""
    return await add_verification(services, uuid.UUID(member.organization_id))


class TestCreate:
    async def test_answers_with_the_endpoint_and_its_secret_once(self, banco):
        webhook = await create(banco, events=ALL_KINDS)
        assert list(webhook) == [
            "id",
            "url",
            "events",
            "secret",
            "format",
            "isActive",
            "createdAt",
        ]
        assert (webhook["url"], webhook["isActive"]) == (URL, True)
        assert webhook["events"] == ALL_KINDS
        assert webhook["secret"].startswith("whsec_")
        assert len(webhook["secret"]) == len(secrets.new_secret())

        (listed,) = (await banco.get("/v1/webhooks")).json()["webhooks"]
        assert list(listed) == ["id", "url", "events", "format", "isActive", "createdAt"]
        assert listed == {name: webhook[name] for name in listed}

    @pytest.mark.parametrize("length", [16, 256])
    async def test_takes_a_secret_of_the_callers_own(self, banco, length):
        assert (await create(banco, secret="s" * length))["secret"] == "s" * length

    async def test_takes_null_for_no_secret(self, banco):
        assert (await create(banco, secret=None))["secret"].startswith("whsec_")

    @pytest.mark.parametrize(
        ("changes", "place"),
        [
            ({"secret": "s" * 15}, "body.secret"),
            ({"secret": "s" * 257}, "body.secret"),
            ({"secret": 1234567890123456}, "body.secret"),
            ({"events": []}, "body.events"),
            ({"events": ["verification.approved"] * 2}, "body.events"),
            ({"events": ["verification.vanished"]}, "body.events.0"),
            ({"events": "verification.approved"}, "body.events"),
            ({"events": [None]}, "body.events.0"),
            ({"events": None}, "body.events"),
            ({"url": ""}, "body.url"),
            ({"url": None}, "body.url"),
            ({"url": "https://receiver.test/" + "a" * 2027}, "body.url"),
            ({"isActive": False}, "body.isActive"),
            ({"id": str(uuid.uuid4())}, "body.id"),
        ],
    )
    async def test_refuses_what_is_not_as_specified(self, banco, changes, place):
        response = await banco.post("/v1/webhooks", json=body(**changes))
        assert response.status_code == 422, response.text
        error = response.json()["error"]
        assert error["code"] == "VALIDATION_ERROR"
        assert error["details"][0].startswith(f"{place}: ")
        assert (await banco.get("/v1/webhooks")).json() == {"webhooks": []}

    async def test_takes_the_longest_address(self, banco):
        await create(banco, url="https://receiver.test/" + "a" * 2026)

    @pytest.mark.parametrize("missing", ["url", "events"])
    async def test_needs_address_and_events(self, banco, missing):
        response = await banco.post(
            "/v1/webhooks", json={k: v for k, v in body().items() if k != missing}
        )
        assert response.status_code == 422
        assert response.json()["error"]["details"][0].startswith(f"body.{missing}: ")

    async def test_is_for_administrators(self, banco, services):
        reviewer = await with_role(banco, services, Role.REVIEWER)
        assert (await reviewer.post("/v1/webhooks", json=body())).status_code == 403
        assert (await reviewer.get("/v1/webhooks")).json() == {"webhooks": []}

    async def test_keeps_the_secret_sealed(self, banco, services, caplog, capfd):
        caplog.set_level(logging.DEBUG)
        await create(banco, secret="my own secret 4711")
        async with services.database.transaction() as session:
            row = (await session.scalars(select(WebhookEndpoint))).one()
        async with services.database.reading() as connection:
            dump = str(
                (await connection.execute(text("SELECT w::text FROM webhook_endpoint w"))).all()
            )
        assert b"4711" not in row.secret_sealed
        assert row.secret.open(services.keys) == "my own secret 4711"
        captured = capfd.readouterr()
        for written in (dump, caplog.text, captured.out, captured.err):
            assert "my own secret" not in written


class TestTargets:
    """Without ACREDITA_WEBHOOK_ALLOW_PRIVATE, as in production."""

    @pytest.fixture
    def settings(self, settings):
        return settings.model_copy(update={"webhook_allow_private": False})

    @pytest.mark.parametrize(
        "url",
        [
            "http://example.com/",
            "ftp://example.com/",
            "https://user:password@example.com/",
            "https://example.com:0/",
            "https://example.com\\@127.0.0.1/",
            "https://example.com/\r\nX-A: b",
            "https://127.0.0.1/",
            "https://127.1/",
            "https://2130706433/",
            "https://①②⑦.0.0.1/",
            "https://[::ffff:127.0.0.1]/",
            "https://169.254.169.254/latest/meta-data/",
            "https://localhost/",
            "https://receiver.test/",
            "https://mixed.test/",
            "not an address",
        ],
    )
    async def test_that_lead_elsewhere_than_outside_are_refused(self, banco, authority, url):
        authority.name("mixed.test", "8.8.8.8", "10.0.0.1")
        response = await banco.post("/v1/webhooks", json=body(url))
        assert response.status_code == 422, response.text
        assert response.json()["error"]["details"][0].startswith("body.url: ")
        assert (await banco.get("/v1/webhooks")).json() == {"webhooks": []}

    @pytest.mark.parametrize("addresses", [["8.8.8.8"], ["8.8.8.8", "2606:4700::1"], []])
    async def test_that_lead_outside_or_nowhere_yet_are_admitted(self, banco, authority, addresses):
        authority.name("outside.test", *addresses)
        await create(banco, url="https://outside.test/hook")

    async def test_that_turn_inwards_later_are_not_dialled(self, banco, services, authority):
        authority.name("turncoat.test", "8.8.8.8")
        await tenant_of(banco, services)
        async with authority.receiver(host="turncoat.test") as receiver:
            webhook = await create(banco, url=receiver.url(host="turncoat.test"))
            authority.names.write_text("turncoat.test 127.0.0.1\n")
            response = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
            assert response.json() == {"delivered": False}
            assert receiver.received == []


class TestList:
    async def test_is_newest_first_and_of_ones_own(self, banco, rival):
        mine = [(await create(banco, url=f"{URL}/{number}"))["id"] for number in range(3)]
        theirs = await create(rival)
        listed = (await banco.get("/v1/webhooks")).json()["webhooks"]
        assert [webhook["id"] for webhook in listed] == mine[::-1]
        listed = (await rival.get("/v1/webhooks")).json()["webhooks"]
        assert [webhook["id"] for webhook in listed] == [theirs["id"]]

    async def test_is_for_every_member(self, banco, services):
        member = await with_role(banco, services, Role.MEMBER)
        assert (await member.get("/v1/webhooks")).status_code == 200

    async def test_needs_a_caller(self, client):
        assert (await client.get("/v1/webhooks")).status_code == 401


class TestDelete:
    async def test_takes_the_endpoint_out_of_use(self, banco):
        webhook = await create(banco)
        response = await banco.delete(f"/v1/webhooks/{webhook['id']}")
        assert (response.status_code, response.content) == (204, b"")
        assert (await banco.get("/v1/webhooks")).json() == {"webhooks": []}
        assert (await banco.delete(f"/v1/webhooks/{webhook['id']}")).status_code == 404
        assert (await banco.post(f"/v1/webhooks/{webhook['id']}/test")).status_code == 404

    async def test_is_for_administrators(self, banco, services):
        webhook = await create(banco)
        reviewer = await with_role(banco, services, Role.REVIEWER)
        assert (await reviewer.delete(f"/v1/webhooks/{webhook['id']}")).status_code == 403
        assert len((await banco.get("/v1/webhooks")).json()["webhooks"]) == 1


@pytest.mark.parametrize(("method", "suffix"), [("DELETE", ""), ("POST", "/test")])
async def test_foreign_and_unknown_endpoints_are_equally_absent(
    banco, rival, services, method, suffix
):
    await tenant_of(banco, services)
    theirs = (await create(rival))["id"]
    answers = []
    for id_ in (theirs, str(uuid.uuid4()), "not-an-id", theirs.upper(), "a" * 2000):
        response = await banco.request(method, f"/v1/webhooks/{id_}{suffix}")
        assert response.status_code == 404, response.text
        error = response.json()["error"]
        answers.append((error["code"], error["message"]))
    assert len(set(answers)) == 1
    assert [w["id"] for w in (await rival.get("/v1/webhooks")).json()["webhooks"]] == [theirs]


class TestTest:
    async def test_posts_a_synthetic_event_of_the_newest_verification(
        self, banco, rival, services, authority
    ):
        await tenant_of(banco, services)
        newest = await tenant_of(banco, services)
        await tenant_of(rival, services)
        async with authority.receiver() as receiver:
            webhook = await create(banco, url=receiver.url())
            response = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
            assert (response.status_code, response.json()) == (200, {"delivered": True})
            (request,) = receiver.received
        envelope = json.loads(request.body)
        assert envelope == {
            "id": request.headers["webhook-id"],
            "event": "verification.created",
            "createdAt": envelope["createdAt"],
            "data": {
                "verificationId": str(newest.verification_id),
                "workflowId": str(newest.workflow_id),
                "status": "PENDING",
                "externalId": None,
                "test": True,
            },
        }
        check_envelope(envelope)
        signature = request.headers["x-service-signature"]
        assert signature == signed_request.signature(webhook["secret"], request.body)
        assert request.headers["x-service-event"] == "verification.created"
        assert uuid.UUID(request.headers["x-service-delivery"])

    async def test_works_for_every_member_whatever_the_subscription(
        self, banco, services, authority
    ):
        await tenant_of(banco, services)
        member = await with_role(banco, services, Role.MEMBER)
        async with authority.receiver() as receiver:
            webhook = await create(banco, url=receiver.url(), events=["step.failed"])
            response = await member.post(f"/v1/webhooks/{webhook['id']}/test")
            assert response.json() == {"delivered": True}

    async def test_needs_a_verification(self, banco, rival, services, authority):
        await tenant_of(rival, services)
        async with authority.receiver() as receiver:
            webhook = await create(banco, url=receiver.url())
            response = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
            assert response.status_code == 409
            assert response.json()["error"]["code"] == "NO_VERIFICATION"
            assert receiver.received == []

    @pytest.mark.parametrize(
        "behaviour",
        [
            answer(500, b"stack trace of the receiver"),
            answer(302, Location="/elsewhere"),
            hang,
            slow_body,
            reset,
        ],
    )
    async def test_says_no_more_than_that_it_failed(self, banco, services, authority, behaviour):
        await tenant_of(banco, services)
        async with authority.receiver(behaviour) as receiver:
            webhook = await create(banco, url=receiver.url())
            start = time.monotonic()
            response = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
            # The time-out is scaled from 10 seconds to 1.
            assert time.monotonic() - start < 2
            assert (response.status_code, response.json()) == (200, {"delivered": False})
            assert len(receiver.received) == 1

    async def test_is_not_held_up_by_an_endless_answer(self, banco, services, authority):
        await tenant_of(banco, services)
        async with authority.receiver(endless_body) as receiver:
            webhook = await create(banco, url=receiver.url())
            response = await banco.post(f"/v1/webhooks/{webhook['id']}/test")
            assert response.json() == {"delivered": True}

    async def test_holds_no_transaction_and_no_connection_meanwhile(
        self, app, banco, services, authority
    ):
        await tenant_of(banco, services)
        pool = app.state.services.database.engine.pool
        async with authority.receiver(hang) as receiver:
            webhook = await create(banco, url=receiver.url())
            testing = asyncio.create_task(banco.post(f"/v1/webhooks/{webhook['id']}/test"))
            await receiver.wait_for(1)
            assert pool.usage()[0] == 0
            assert (await testing).json() == {"delivered": False}
