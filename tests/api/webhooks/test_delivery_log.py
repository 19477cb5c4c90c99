"""The delivery log of an endpoint, and deliveries that are asked for once more."""

import asyncio
import uuid

import pytest
from sqlalchemy import select, text, update

from acredita.domain.roles import Role
from acredita.kit.http import Fault
from acredita.models import AuditEntry, Delivery, DeliveryAttempt, DeliveryState, Verification
from acredita.resources.webhooks import ageing
from acredita.resources.webhooks.posting import Reason
from tests.api.webhooks.conftest import Tenant, add_verification, working
from tests.api.webhooks.test_endpoints import with_role
from tests.factories.receiver import answer, reset


async def tenant_of(member, services) -> Tenant:
    return await add_verification(services, uuid.UUID(member.organization_id))


async def register(member, receiver) -> str:
    response = await member.post(
        "/v1/webhooks", json={"url": receiver.url(), "events": ["verification.approved"]}
    )
    assert response.status_code == 201, response.text
    return response.json()["webhook"]["id"]


async def log_of(member, webhook_id, **query) -> dict:
    response = await member.get(f"/v1/webhooks/{webhook_id}/deliveries", params=query)
    assert response.status_code == 200, response.text
    return response.json()


async def redeliver(member, webhook_id, delivery_id):
    return await member.post(f"/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver")


class TestLog:
    async def test_shows_each_attempt_with_status_code_duration_and_reason(
        self, banco, services, authority
    ):
        tenant = await tenant_of(banco, services)
        async with authority.receiver(answer(503, b"their own words"), reset) as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            page = await log_of(banco, webhook_id)
            requests = receiver.received
        assert page["pagination"] == {"total": 1, "limit": 20, "offset": 0, "hasMore": False}
        assert page["pausedUntil"] is None
        (delivery,) = page["deliveries"]
        assert delivery["eventId"] == requests[0].headers["webhook-id"]
        assert delivery["event"] == "verification.approved"
        assert delivery["verificationId"] == str(tenant.verification_id)
        assert (delivery["state"], delivery["nextAttemptAt"]) == ("delivered", None)
        assert delivery["finishedAt"] is not None
        attempts = delivery["attempts"]
        assert [each["id"] for each in attempts] == [
            request.headers["x-service-delivery"] for request in requests
        ]
        assert [(each["status"], each["responseCode"], each["reason"]) for each in attempts] == [
            ("failed", 503, "http_status"),
            ("failed", None, "disconnected"),
            ("succeeded", 200, None),
        ]
        assert all(each["durationMs"] >= 0 for each in attempts)
        payload = f"/v1/webhooks/{webhook_id}/deliveries/{delivery['id']}/payload"
        shown = await banco.get(payload)
        assert shown.json() == {"id": delivery["id"], "body": requests[0].body.decode()}
        unknown = payload.replace(delivery["id"], str(uuid.uuid4()))
        assert (await banco.get(unknown)).status_code == 404
        async with services.database.reading() as connection:
            actions = list(await connection.scalars(select(AuditEntry.action)))
        assert actions.count("webhook.payload_viewed") == 1
        assert "their own words" not in str(page)

    async def test_shows_what_is_still_to_come(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            (delivery,) = (await log_of(banco, webhook_id))["deliveries"]
        assert (delivery["state"], delivery["attempts"]) == ("pending", [])
        assert delivery["nextAttemptAt"] is not None
        assert delivery["finishedAt"] is None

    async def test_is_paged_newest_first_and_filtered_by_state(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            for _ in range(5):
                await tenant.record()
        created = [each.id for each in await tenant.deliveries()]
        async with services.database.transaction() as session:
            await session.execute(
                update(Delivery).where(Delivery.id == created[1]).values(state="failed")
            )
        shown = []
        for offset in (0, 2, 4):
            page = await log_of(banco, webhook_id, limit=2, offset=offset)
            shown += [uuid.UUID(each["id"]) for each in page["deliveries"]]
            assert page["pagination"]["total"] == 5
            assert page["pagination"]["hasMore"] == (offset < 4)
        assert shown == created[::-1]
        page = await log_of(banco, webhook_id, state="failed")
        assert [uuid.UUID(each["id"]) for each in page["deliveries"]] == [created[1]]
        assert page["pagination"]["total"] == 1
        assert (await log_of(banco, webhook_id, state="cancelled"))["deliveries"] == []

    async def test_says_until_when_the_endpoint_is_left_alone(self, banco, services, authority):
        await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
        insert = (
            "INSERT INTO webhook_receiver (id, organization_id, failures, resting_until)"
            " VALUES (:id, :organization, 20, now() + interval '1 minute')"
        )
        async with services.database.transaction() as session:
            organization_id = uuid.UUID(banco.organization_id)
            await session.execute(
                text(insert), {"id": uuid.UUID(webhook_id), "organization": organization_id}
            )
        assert (await log_of(banco, webhook_id))["pausedUntil"] is not None

    @pytest.mark.parametrize(
        "query", ["state=PENDING", "state=", "limit=0", "limit=101", "offset=-1", "status=failed"]
    )
    async def test_refuses_what_it_does_not_know(self, banco, services, authority, query):
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
        response = await banco.get(f"/v1/webhooks/{webhook_id}/deliveries?{query}")
        assert response.status_code == 422

    async def test_is_for_administrators_and_gone_with_the_endpoint(
        self, banco, services, authority
    ):
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
        reviewer = await with_role(banco, services, Role.REVIEWER)
        response = await reviewer.get(f"/v1/webhooks/{webhook_id}/deliveries")
        assert response.status_code == 403
        await banco.delete(f"/v1/webhooks/{webhook_id}")
        response = await banco.get(f"/v1/webhooks/{webhook_id}/deliveries")
        assert response.status_code == 404

    def test_every_fault_of_the_client_has_a_reason(self):
        assert {fault.value for fault in Fault} <= {reason.value for reason in Reason}
        assert Reason.HTTP_STATUS not in {fault.value for fault in Fault}


class TestRedelivery:
    async def test_sends_the_same_bytes_with_the_same_id_and_all_its_attempts(
        self, banco, services, authority
    ):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            receiver.otherwise = answer(500)
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            (delivery,) = await tenant.deliveries()
            assert (delivery.state, len(receiver.received)) == (DeliveryState.FAILED, 5)
            response = await redeliver(banco, webhook_id, delivery.id)
            assert (response.status_code, response.json()) == (
                202,
                {"id": str(delivery.id), "state": "pending"},
            )
            async with working(services) as worker:
                await receiver.wait_for(8)
                receiver.otherwise = answer(200)
                await worker.until_idle()
            assert 9 <= len(receiver.received) <= 10
            assert len({each.body for each in receiver.received}) == 1
            attempts = {each.headers["x-service-delivery"] for each in receiver.received}
            assert len(attempts) == len(receiver.received)
        (delivery,) = await tenant.deliveries()
        assert delivery.state == DeliveryState.DELIVERED
        assert delivery.earlier_attempts == 5
        numbers = [each.number for each in await tenant.attempts()]
        assert numbers == list(range(1, len(numbers) + 1))
        (shown,) = (await log_of(banco, webhook_id))["deliveries"]
        assert shown["redeliveredAt"] is not None

    async def test_one_that_fails_again_has_five_attempts_more(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            (delivery,) = await tenant.deliveries()
            receiver.otherwise = answer(500)
            assert (await redeliver(banco, webhook_id, delivery.id)).status_code == 202
            async with working(services) as worker:
                await worker.until_idle()
            assert len(receiver.received) == 1 + 5
        (delivery,) = await tenant.deliveries()
        assert (delivery.state, delivery.attempts) == (DeliveryState.FAILED, 6)

    async def test_a_double_click_is_one_request(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            (delivery,) = await tenant.deliveries()
            answers = await asyncio.gather(
                *(redeliver(banco, webhook_id, delivery.id) for _ in range(4))
            )
            assert {each.status_code for each in answers} == {202}
            async with working(services) as worker:
                await worker.until_idle()
            # Once more, when the first has arrived already.
            late = await redeliver(banco, webhook_id, delivery.id)
            assert (late.status_code, late.json()["state"]) == (202, "delivered")
            assert len(receiver.received) == 2
        assert len(await redeliveries(services)) == 1

    async def test_later_it_is_another_request(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                for _ in range(3):
                    await worker.until_idle()
                    (delivery,) = await tenant.deliveries()
                    await redeliver(banco, webhook_id, delivery.id)
                    await worker.until_idle()
                    async with services.database.transaction() as session:
                        await session.execute(
                            text("UPDATE delivery SET redelivered_at = now() - interval '11 s'")
                        )
            assert len(receiver.received) == 4
        assert len(await redeliveries(services)) == 3

    async def test_what_is_on_its_way_is_a_conflict(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            (delivery,) = await tenant.deliveries()
            response = await redeliver(banco, webhook_id, delivery.id)
        assert response.status_code == 409
        assert response.json()["error"]["code"] == "DELIVERY_PENDING"
        assert await redeliveries(services) == []

    async def test_is_audit_logged_with_ids_alone(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            (delivery,) = await tenant.deliveries()
            await redeliver(banco, webhook_id, delivery.id)
        (entry,) = await redeliveries(services)
        assert str(entry.resource_id) == webhook_id
        assert entry.details == f'{{"deliveryId":"{delivery.id}"}}'

    async def test_foreign_and_unknown_deliveries_are_equally_absent(
        self, banco, rival, services, authority
    ):
        tenant, foreign = await tenant_of(banco, services), await tenant_of(rival, services)
        async with authority.receiver() as receiver:
            mine = await register(banco, receiver)
            other = await register(banco, receiver)
            theirs = await register(rival, receiver)
            await tenant.record()
            await foreign.record()
            async with working(services) as worker:
                await worker.until_idle()
            by_endpoint = {str(each.endpoint_id): each.id for each in await tenant.deliveries()}
            (their_delivery,) = await foreign.deliveries()
            answers = [
                await redeliver(banco, webhook_id, delivery_id)
                for webhook_id, delivery_id in [
                    (mine, their_delivery.id),
                    (theirs, their_delivery.id),
                    (mine, by_endpoint[other]),
                    (mine, uuid.uuid4()),
                    (mine, "not-an-id"),
                    (uuid.uuid4(), by_endpoint[mine]),
                ]
            ]
            assert {each.status_code for each in answers} == {404}
            messages = {each.json()["error"]["message"] for each in answers}
            assert len(messages) == 1
            assert len(receiver.received) == 3

    async def test_is_for_administrators(self, banco, services, authority):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
        (delivery,) = await tenant.deliveries()
        reviewer = await with_role(banco, services, Role.REVIEWER)
        assert (await redeliver(reviewer, webhook_id, delivery.id)).status_code == 403

    async def test_nothing_is_left_to_redeliver_of_a_purged_verification(
        self, banco, services, authority
    ):
        tenant = await tenant_of(banco, services)
        async with authority.receiver() as receiver:
            webhook_id = await register(banco, receiver)
            await tenant.record()
            async with working(services) as worker:
                await worker.until_idle()
            (delivery,) = await tenant.deliveries()
            async with services.database.transaction() as session:
                await ageing.delete_events(session, [tenant.verification_id])
            assert (await redeliver(banco, webhook_id, delivery.id)).status_code == 404
        async with services.database.reading() as connection:
            assert not (await connection.execute(select(DeliveryAttempt.id))).all()
            assert (await connection.execute(select(Verification.id))).all()


async def redeliveries(services) -> list[AuditEntry]:
    async with services.database.transaction() as session:
        query = select(AuditEntry).where(AuditEntry.action == "webhook.redelivered")
        return list(await session.scalars(query))
