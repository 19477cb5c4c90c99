"""Several workers serve one busy receiver: in parts, in order, within its limit."""

import asyncio
import json
from collections import Counter, defaultdict
from uuid import uuid4

import pytest
from sqlalchemy import text

from acredita.models import DeliveryState
from acredita.resources.webhooks import drain, jobs, parts
from acredita.resources.webhooks.parts import Part, Presence
from acredita.settings import Settings
from tests.api.webhooks.conftest import add_verification, working
from tests.factories.receiver import answer


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"webhook_workers": 3})


@pytest.fixture
def posted(monkeypatch) -> Counter[Part]:
    """The posts of each part. Runs are short, and this process leaves no part to another."""
    monkeypatch.setattr(drain, "RUN_SECONDS", 0.4)
    monkeypatch.setattr(parts, "MOST_LEAVES", 0)
    counted = Counter[Part]()

    class Counted(drain.Drain):
        async def _post(self, delivery):
            counted[self._part] += 1
            return await super()._post(delivery)

    monkeypatch.setattr(jobs, "Drain", Counted)
    return counted


async def execute(services, statement, **values):
    async with services.database.transaction() as session:
        found = await session.execute(text(statement), values)
        return [tuple(row) for row in found] if found.returns_rows else []


async def test_a_receiver_faster_than_a_worker_gets_more_and_keeps_its_limit_and_order(
    tenant, services, authority, posted, monkeypatch
):
    monkeypatch.setattr(drain, "FAST_ANSWER", 0.1)
    arrived, open_posts, most = defaultdict(list), set(), 0

    async def take(receiver, request):
        nonlocal most
        open_posts.add(id(request))
        most = max(most, len(open_posts))
        data = json.loads(receiver.received[-1].body)["data"]
        await asyncio.sleep(0.004)
        arrived[data["verificationId"]].append(data["number"])
        open_posts.discard(id(request))
        return await answer(200)(receiver, request)

    verifications = [await add_verification(services, tenant.id) for _ in range(40)]
    async with authority.receiver() as receiver:
        receiver.otherwise = take
        endpoint = await tenant.register(receiver.url())
        for verification in verifications:
            await verification.record(number=0)
        # Each verification gets as many again, with one statement.
        await execute(
            services,
            "WITH more AS (INSERT INTO event (id, organization_id, verification_id, kind, data)"
            " SELECT first_uuid7(clock_timestamp() + n * interval '1 ms' + i * interval '40 ms'),"
            " organization_id, verification_id, kind, convert_to(jsonb_set("
            " convert_from(data, 'utf8')::jsonb, '{number}', to_jsonb(i))::text, 'utf8')"
            " FROM (SELECT *, row_number() OVER () AS n FROM event) AS event,"
            " generate_series(1, 12) AS i RETURNING *)"
            " INSERT INTO delivery (id, organization_id, event_id, endpoint_id, receiver_id,"
            " next_at) SELECT gen_random_uuid(), organization_id, id, :endpoint, :endpoint,"
            " now() - interval '1 s' FROM more",
            endpoint=endpoint.id,
        )
        await execute(services, "UPDATE delivery SET next_at = now() - interval '1 s'")
        async with working(services) as worker, working(services):
            await worker.until_idle()
    assert {tuple(numbers) for numbers in arrived.values()} == {tuple(range(13))}
    assert len(arrived) == len(verifications)
    assert {each.state for each in await tenant.deliveries()} == {DeliveryState.DELIVERED}
    assert set(posted) == {parts.WHOLE, Part(0, 3), Part(1, 3), Part(2, 3)}
    assert most <= services.settings.webhook_concurrency
    async with working(services):
        async with asyncio.timeout(5):
            while await execute(  # noqa: ASYNC110
                services, "SELECT id FROM webhook_receiver WHERE parts > 1"
            ):
                await asyncio.sleep(0.02)


async def test_a_receiver_is_served_as_a_whole_only_when_no_part_of_it_is_any_more(
    tenant, services, authority, posted
):
    async with authority.receiver() as receiver:
        endpoint = await tenant.register(receiver.url())
        await execute(
            services,
            "INSERT INTO webhook_receiver (id, organization_id) VALUES (:id, :organization)",
            id=endpoint.id,
            organization=tenant.id,
        )
        await execute(
            services,
            "INSERT INTO job (id, kind, payload, queue, once_key, max_attempts, state, attempts,"
            " lease_token, lease_expires_at) VALUES (gen_random_uuid(), 'webhooks.help', '{}',"
            " 'webhooks', CAST(:key AS text), 5, 'running', 1, gen_random_uuid(),"
            " now() + interval '1 min')",
            key=f"webhooks.help:{endpoint.id}/1",
        )
        await tenant.record()
        async with working(services) as worker:
            await asyncio.sleep(0.5)
            assert not receiver.received
            await execute(services, "DELETE FROM job WHERE kind = 'webhooks.help'")
            await receiver.wait_for(1)
            await worker.until_idle()
    assert set(posted) == {parts.WHOLE}


async def test_a_slow_receiver_keeps_one_worker(tenant, services, authority, posted):
    async def take(receiver, request):
        await asyncio.sleep(0.05)
        return await answer(200)(receiver, request)

    async with authority.receiver() as receiver:
        receiver.otherwise = take
        await tenant.register(receiver.url())
        for _ in range(6):
            verification = await add_verification(services, tenant.id)
            for _ in range(10):
                await verification.record()
        async with working(services) as worker:
            await worker.until_idle()
    assert set(posted) == {parts.WHOLE}
    assert not await execute(services, "SELECT id FROM webhook_receiver")


def test_the_parts_share_the_places_of_the_receiver():
    assert [Part(number, 3).places(8) for number in range(3)] == [3, 3, 2]
    assert parts.WHOLE.places(8) == 8


def test_a_process_leaves_further_parts_to_others_for_a_while():
    presence, receiver_id = Presence(), uuid4()
    assert not presence.leaves(receiver_id, "1")
    with presence.serving(receiver_id):
        left = [presence.leaves(receiver_id, "1") for _ in range(parts.MOST_LEAVES + 2)]
    assert left == [True] * parts.MOST_LEAVES + [False, True]
