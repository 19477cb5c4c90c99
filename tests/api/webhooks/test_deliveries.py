"""From a recorded event to its receivers: real ledger, real TLS, hostile receivers."""

import asyncio
import json
import logging
from itertools import pairwise

import pytest
from sqlalchemy import select, text

from acredita.domain.events import EventKind
from acredita.jobs import Queue, ledger
from acredita.models import DeliveryState, Job
from acredita.resources.webhooks import events, signed_request
from tests.api.webhooks.conftest import CALLBACK_SECRET, DELAYS, working
from tests.factories.receiver import (
    answer,
    answer_after,
    endless_body,
    gzip_bomb,
    hang,
    huge_header,
    reset,
    slow_body,
)


async def test_an_event_reaches_its_subscriber_signed(tenant, worker, authority):
    async with authority.receiver() as receiver:
        endpoint = await tenant.register(receiver.url(), EventKind.VERIFICATION_APPROVED)
        await tenant.record(previousStatus="IN_PROGRESS", newStatus="APPROVED")
        (request,) = await receiver.wait_for(1)
        await worker.until_idle()
    (delivery,) = await tenant.deliveries()
    (attempt,) = await tenant.attempts()
    assert delivery.state == DeliveryState.DELIVERED
    assert delivery.finished_at is not None
    assert (attempt.number, attempt.response_status, attempt.error) == (1, 200, None)

    body = json.loads(request.body)
    assert body == {
        "id": f"evt_{delivery.id.hex}",
        "event": "verification.approved",
        "createdAt": body["createdAt"],
        "data": {
            "verificationId": str(tenant.verification_id),
            "previousStatus": "IN_PROGRESS",
            "newStatus": "APPROVED",
        },
    }
    headers = request.headers
    assert headers["content-type"] == "application/json"
    assert headers["user-agent"] == "Service-Webhooks/1.0"
    assert headers["x-service-event"] == "verification.approved"
    assert headers["x-service-delivery"] == str(attempt.id)
    assert headers["x-service-signature"] == signed_request.signature(endpoint.secret, request.body)
    assert headers["webhook-signature"] == signed_request.standard_signature(
        endpoint.secret, body["id"], headers["webhook-timestamp"], request.body
    )


async def test_a_failing_delivery_is_tried_five_times_and_succeeds_at_last(
    tenant, worker, authority
):
    failures = [answer(500), reset, answer(404), answer(503)]
    async with authority.receiver(*failures) as receiver:
        await tenant.register(receiver.url())
        await tenant.record()
        requests = await receiver.wait_for(5)
        await worker.until_idle()
        assert len(receiver.received) == 5
    assert len({request.body for request in requests}) == 1
    assert len({request.headers["webhook-id"] for request in requests}) == 1
    assert len({request.headers["x-service-delivery"] for request in requests}) == 5
    gaps = [later.at - earlier.at for earlier, later in pairwise(requests)]
    for gap, delay in zip(gaps, DELAYS, strict=True):
        # Only ever longer than specified; a second covers a slow machine.
        assert delay <= gap < delay * 1.1 + 1
    (delivery,) = await tenant.deliveries()
    assert (delivery.state, delivery.attempts) == (DeliveryState.DELIVERED, 5)
    outcomes = [(attempt.response_status, attempt.error) for attempt in await tenant.attempts()]
    assert outcomes == [
        (500, "http_status"),
        (None, "disconnected"),
        (404, "http_status"),
        (503, "http_status"),
        (200, None),
    ]


async def test_after_five_failures_there_is_no_sixth(tenant, worker, authority):
    async with authority.receiver() as receiver:
        receiver.otherwise = answer(500)
        await tenant.register(receiver.url())
        await tenant.record()
        await receiver.wait_for(5)
        await worker.until_idle()
        assert len(receiver.received) == 5
    (delivery,) = await tenant.deliveries()
    assert (delivery.state, delivery.attempts) == (DeliveryState.FAILED, 5)
    assert delivery.finished_at is not None


@pytest.mark.parametrize(
    ("behaviour", "status", "error"),
    [
        (hang, None, "timeout"),
        (slow_body, None, "timeout"),
        (answer(302, Location="/elsewhere"), 302, "http_status"),
        (answer(307, Location="/elsewhere"), 307, "http_status"),
        (huge_header, None, "too_large"),
        (reset, None, "disconnected"),
        (answer(199), None, "timeout"),  # informational: the answer is still to come
        (answer(204), 204, None),
        (answer(299), 299, None),
        (endless_body, 200, None),
        (gzip_bomb, 200, None),
    ],
)
async def test_what_counts_as_delivered(tenant, worker, authority, behaviour, status, error):
    async with authority.receiver(behaviour) as receiver:
        await tenant.register(receiver.url())
        await tenant.record()
        await receiver.wait_for(1)
        await worker.until_idle()
        assert {request.path for request in receiver.received} == {"/hook"}
    first = (await tenant.attempts())[0]
    assert (first.response_status, first.error) == (status, error)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [(answer_after(0.7), None), (answer_after(1.3), "timeout"), (slow_body, "timeout")],
)
async def test_the_whole_exchange_has_so_much_time_and_no_more(
    tenant, worker, authority, behaviour, reason
):
    """WH-09, ten seconds scaled to one: name, connection, headers and body together."""
    async with authority.receiver(behaviour) as receiver:
        await tenant.register(receiver.url())
        await tenant.record()
        await receiver.wait_for(1)
        await worker.until_idle()
    first = (await tenant.attempts())[0]
    assert first.error == reason
    if reason:
        assert 950 <= first.duration_ms <= 1500


class TestForbiddenAddresses:
    """Without ACREDITA_WEBHOOK_ALLOW_PRIVATE: names that turned inwards after registration."""

    @pytest.fixture
    def settings(self, settings):
        return settings.model_copy(update={"webhook_allow_private": False})

    @pytest.mark.parametrize("addresses", [["127.0.0.1"], ["8.8.8.8", "127.0.0.1"]])
    async def test_are_not_dialled_by_webhooks_nor_by_callbacks(
        self, tenant, neighbour, worker, authority, addresses
    ):
        async with authority.receiver() as canary:
            authority.names.write_text("receiver.test 8.8.8.8\n")
            await tenant.register(canary.url("/hook"))
            await neighbour.set_callback(canary.url("/callback"))
            authority.names.write_text(f"receiver.test {' '.join(addresses)}\n")
            await tenant.record()
            await neighbour.record(EventKind.VERIFICATION_COMPLETED)
            await worker.until_idle()
            assert canary.received == []
        for each in (tenant, neighbour):
            attempts = await each.attempts()
            assert [(one.response_status, one.error) for one in attempts] == [
                (None, "blocked_address")
            ] * 5

    async def test_are_not_dialled_for_a_callback_that_writes_one_out(
        self, tenant, worker, authority
    ):
        async with authority.receiver() as canary:
            await tenant.set_callback(canary.url("/callback", host="127.0.0.1"))
            await tenant.record(EventKind.VERIFICATION_COMPLETED)
            await worker.until_idle()
            assert canary.received == []
        assert {one.error for one in await tenant.attempts()} == {"blocked_address"}


async def test_only_subscribers_of_the_organization_and_kind_hear_of_it(
    tenant, neighbour, worker, authority
):
    async with authority.receiver() as receiver:
        await tenant.register(receiver.url("/mine"), EventKind.VERIFICATION_APPROVED)
        await tenant.register(
            receiver.url("/both"), EventKind.STEP_FAILED, EventKind.STEP_COMPLETED
        )
        await neighbour.register(receiver.url("/theirs"))
        for kind in EventKind:
            await tenant.record(kind)
        await receiver.wait_for(3)
        await worker.until_idle()
        heard = sorted((each.path, each.headers["x-service-event"]) for each in receiver.received)
    assert heard == [
        ("/both", "step.completed"),
        ("/both", "step.failed"),
        ("/mine", "verification.approved"),
    ]
    assert await neighbour.deliveries() == []


async def test_a_failing_receiver_does_not_hold_the_others_up(tenant, worker, authority):
    async with authority.receiver(host="sick.test") as sick, authority.receiver() as well:
        authority.name("sick.test", "127.0.0.1")
        sick.otherwise = answer(500)
        await tenant.register(sick.url(host="sick.test"))
        await tenant.register(well.url("/one"))
        await tenant.register(well.url("/two"))
        await tenant.record()
        healthy = await well.wait_for(2)
        await sick.wait_for(5)
        await worker.until_idle()
        assert len(well.received) == 2
        assert len(sick.received) == 5
        ids = {each.headers["webhook-id"] for each in [*well.received, *sick.received]}
        assert len(ids) == 3
        assert max(each.at for each in healthy) < sick.received[-1].at


async def test_nobody_to_hear_costs_nothing(tenant, neighbour, services, authority):
    async with authority.receiver() as receiver:
        await neighbour.register(receiver.url())
        await tenant.register(receiver.url(), EventKind.STEP_FAILED)
        await tenant.record(EventKind.VERIFICATION_APPROVED)
    await ledger.rouse(services.database, Queue.WEBHOOKS)
    assert await tenant.deliveries() == await neighbour.deliveries() == []
    async with services.database.reading() as connection:
        assert (await connection.execute(select(Job.id))).all() == []


async def test_an_event_that_rolls_back_never_happened(tenant, services, authority):
    async with authority.receiver() as receiver:
        await tenant.register(receiver.url())
        async with services.database.transaction() as session:
            await events.record(
                session,
                organization_id=tenant.id,
                verification_id=tenant.verification_id,
                kind=EventKind.STEP_FAILED,
                data={},
            )
            await session.rollback()
    async with services.database.reading() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM event"))).scalar() == 0
        assert (await connection.execute(text("SELECT count(*) FROM delivery"))).scalar() == 0


async def test_an_endpoint_that_comes_later_does_not_hear_of_the_past(tenant, services, authority):
    async with authority.receiver() as receiver:
        await tenant.register(receiver.url("/early"))
        await tenant.record()
        await tenant.register(receiver.url("/late"))
        async with working(services) as worker:
            await worker.until_idle()
        assert [request.path for request in receiver.received] == ["/early"]


class TestRemovedEndpoints:
    async def test_get_nothing_more(self, tenant, services, worker, authority):
        async with authority.receiver(answer(500), answer(500)) as receiver:
            endpoint = await tenant.register(receiver.url())
            await tenant.record()
            await receiver.wait_for(2)
            await tenant.remove(endpoint.id)
            await tenant.register(receiver.url())  # the same address again is a new endpoint
            await worker.until_idle()
            assert len(receiver.received) == 2
        (delivery,) = await tenant.deliveries()
        assert (delivery.state, delivery.attempts) == (DeliveryState.CANCELLED, 2)

    async def test_are_left_alone_by_events_that_saw_them_alive(self, tenant, services, authority):
        """Recorded while the endpoint was there, committed after it was removed."""
        async with authority.receiver() as receiver:
            endpoint = await tenant.register(receiver.url())
            async with services.database.transaction() as session:
                await events.record(
                    session,
                    organization_id=tenant.id,
                    verification_id=tenant.verification_id,
                    kind=EventKind.STEP_FAILED,
                    data={},
                )
                # Another task, as another request: this one holds a connection.
                await asyncio.create_task(tenant.remove(endpoint.id))
            (delivery,) = await tenant.deliveries()
            assert delivery.state == DeliveryState.PENDING
            async with working(services) as worker:
                await worker.until_idle()
            assert receiver.received == []
        (delivery,) = await tenant.deliveries()
        assert delivery.state == DeliveryState.CANCELLED

    async def test_a_post_in_flight_that_fails_is_not_repeated(
        self, tenant, services, worker, authority
    ):
        async with authority.receiver(hang) as receiver:
            endpoint = await tenant.register(receiver.url())
            await tenant.record()
            await receiver.wait_for(1)
            await tenant.remove(endpoint.id)
            await worker.until_idle()
            assert len(receiver.received) == 1
        (delivery,) = await tenant.deliveries()
        assert (delivery.state, delivery.attempts) == (DeliveryState.CANCELLED, 1)


class TestCallbacks:
    async def test_completion_is_posted_with_the_verifications_own_secret(
        self, tenant, neighbour, worker, authority
    ):
        async with authority.receiver() as receiver:
            await tenant.set_callback(receiver.url("/callback"))
            await neighbour.set_callback(receiver.url("/theirs"))
            for kind in EventKind:
                await tenant.record(kind, status="APPROVED")
            (request,) = await receiver.wait_for(1)
            await worker.until_idle()
            assert len(receiver.received) == 1
        assert request.path == "/callback"
        assert json.loads(request.body)["event"] == "verification.completed"
        assert request.headers["x-service-event"] == "verification.completed"
        signature = request.headers["x-service-signature"]
        assert signature == signed_request.signature(CALLBACK_SECRET, request.body)

    async def test_a_changed_decision_is_told_to_the_callback_alone(
        self, tenant, services, worker, authority
    ):
        async with authority.receiver() as receiver:
            await tenant.register(receiver.url("/endpoint"))
            await tenant.set_callback(receiver.url("/callback"))
            async with services.database.transaction() as session:
                await events.record(
                    session,
                    organization_id=tenant.id,
                    verification_id=tenant.verification_id,
                    kind=EventKind.VERIFICATION_COMPLETED,
                    data={"status": "REJECTED"},
                    callback_only=True,
                )
            await worker.until_idle()
            (request,) = receiver.received
        assert request.path == "/callback"
        envelope = json.loads(request.body)
        assert (envelope["event"], envelope["data"]) == (
            "verification.completed",
            {"status": "REJECTED"},
        )

    async def test_failures_are_retried_like_those_of_endpoints(self, tenant, worker, authority):
        async with authority.receiver(answer(500), answer(500)) as receiver:
            await tenant.set_callback(receiver.url("/callback"))
            await tenant.record(EventKind.VERIFICATION_COMPLETED)
            requests = await receiver.wait_for(3)
            await worker.until_idle()
        assert len({request.body for request in requests}) == 1
        (delivery,) = await tenant.deliveries()
        assert (delivery.state, delivery.attempts) == (DeliveryState.DELIVERED, 3)


async def test_no_secret_and_no_address_is_logged(tenant, worker, authority, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    async with authority.receiver() as receiver:
        receiver.otherwise = answer(500, b"the receiver's own words")
        endpoint = await tenant.register(receiver.url("/hook/token-4711"))
        await tenant.record()
        await worker.until_idle()
    captured = capfd.readouterr()
    written = caplog.text + captured.out + captured.err
    assert "webhooks.gave_up" in written
    for secret in (endpoint.secret, "token-4711", "the receiver's own words"):
        assert secret not in written
