"""The events that browsers receive while a verification advances, over real connections."""

import asyncio
import time
from contextlib import AsyncExitStack
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import select, text

from acredita.api import event_streams
from acredita.api import subscriptions as subscriptions_module
from acredita.domain.events import EventKind
from acredita.models import Event
from acredita.resources.sdk import stream as stream_module
from acredita.resources.verifications.pipeline import channel_of
from acredita.resources.webhooks import events
from tests.api.documents.live import served
from tests.api.sdk.streams import watching
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification


@pytest.fixture
async def url(app):
    async with served(app) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
async def verification_id(banco):
    return await make_verification(banco)


async def decide(member, verification_id, status="APPROVED"):
    where = f"/v1/verifications/{verification_id}/status"
    assert (await member.patch(where, json={"status": status})).status_code == 200


async def upload(client, verification_id, role="front"):
    where = f"/v1/sdk/verifications/{verification_id}/inputs"
    answer = await client.post(where, files={role: ("a.png", picture())})
    assert answer.status_code == 202, answer.text


async def recorded(services, verification_id):
    query = select(Event.id, Event.kind).where(Event.verification_id == UUID(verification_id))
    async with services.database.transaction() as session:
        rows = await session.execute(query.order_by(Event.created_at, Event.id))
        return [(str(row.id), row.kind) for row in rows]


async def test_it_tells_the_present_state_then_each_event_and_ends_with_the_verification(
    url, client, banco, services, verification_id
):
    async with watching(url, verification_id) as stream:
        headers = stream.answer.headers
        assert headers["content-type"].startswith("text/event-stream")
        assert headers["cache-control"] == "no-store"
        first = await stream.message()
        assert (first.event, first.view["status"]) == ("verification.created", "PENDING")
        status = await client.get(f"/v1/sdk/verifications/{verification_id}")
        assert first.view == status.json()
        began = time.monotonic()
        await upload(client, verification_id)
        second = await stream.message()
        # Long before the next heartbeat: it was notified.
        assert time.monotonic() - began < 8
        assert (second.event, second.view["status"]) == ("verification.updated", "IN_PROGRESS")
        await upload(client, verification_id, "selfie")
        await decide(banco, verification_id)
        rest = await stream.rest()
    told = [(m.id, m.event) for m in (first, second, *rest) if m.id is not None]
    assert told == await recorded(services, verification_id)
    assert rest[-1].view["status"] == "APPROVED"
    assert rest[-1].view["next"]["action"] == "done"


async def test_it_goes_on_after_the_last_event_that_was_seen(url, client, banco, verification_id):
    async with watching(url, verification_id) as stream:
        first = await stream.message()
    await upload(client, verification_id)
    await decide(banco, verification_id)
    async with watching(url, verification_id, after=first.id) as stream:
        rest = await stream.rest()
    assert [message.event for message in rest] == [
        "verification.updated",
        "verification.updated",
        "verification.completed",
        "verification.approved",
    ]
    # After the end, a client that saw all events and one that saw none both get the last event.
    foreign = await make_verification(banco)
    async with watching(url, foreign) as stream:
        others_event = (await stream.message()).id
    for after in (None, rest[-1].id, str(uuid4()), "x", others_event):
        async with watching(url, verification_id, after=after) as stream:
            assert await stream.rest() == rest[-1:], after


async def test_what_monitoring_finds_is_not_told(url, banco, services, verification_id):
    async with services.database.transaction() as session:
        await events.record(
            session,
            organization_id=UUID(banco.organization_id),
            verification_id=UUID(verification_id),
            kind=EventKind.AML_MATCH,
            data={},
        )
    async with watching(url, verification_id) as stream:
        assert (await stream.message()).event == "verification.created"


async def test_a_lost_notification_costs_the_time_until_the_next_look(
    url, client, banco, services, verification_id, monkeypatch
):
    monkeypatch.setattr(stream_module, "MIN_HEARTBEAT", 0.2)
    monkeypatch.setattr(stream_module, "HEARTBEAT", 0.3)
    async with watching(url, verification_id) as stream:
        await stream.message()
        async with services.database.transaction() as session:
            update = text("UPDATE verification SET status = 'EXPIRED' WHERE id = :id")
            await session.execute(update, {"id": verification_id})
        (last,) = await stream.rest()
    # No event tells of it; the state does.
    assert (last.id, last.view["status"]) == (None, "EXPIRED")


async def test_it_outlives_the_loss_of_its_connection_to_redis(
    url, app, client, services, verification_id, monkeypatch
):
    monkeypatch.setattr(subscriptions_module, "PAUSE_AFTER_FAULT", 0.05)
    async with watching(url, verification_id) as stream:
        await stream.message()
        await until_heard(services, verification_id)
        assert await services.redis.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
        await upload(client, verification_id)
        assert (await stream.message()).view["status"] == "IN_PROGRESS"


async def test_while_redis_is_away_streams_read_the_database_at_once_and_again(
    url, app, client, services, verification_id, monkeypatch
):
    nowhere = services.settings.model_copy(update={"redis_url": "redis://127.0.0.1:1/0"})
    monkeypatch.setattr(app.state.subscriptions, "_settings", nowhere)
    async with watching(url, verification_id) as stream:
        await stream.message()
        await upload(client, verification_id)
        async with asyncio.timeout(5):
            assert (await stream.message()).view["status"] == "IN_PROGRESS"


async def until_heard(services, verification_id):
    async def listens():
        ((_, number),) = await services.redis.pubsub_numsub(channel_of(verification_id))
        return number

    await until(listens)


async def until(condition):
    async with asyncio.timeout(10):
        while not await condition():  # noqa: ASYNC110 (nobody tells)
            await asyncio.sleep(0.02)


async def test_streams_are_counted_and_their_places_become_free(
    url, app, banco, rival, services, verification_id
):
    other = await make_verification(banco)
    settings = services.settings.model_copy(
        update={"sdk_streams": 14, "sdk_streams_per_address": 7}
    )
    app.state.subscriptions._settings = settings
    async with AsyncExitStack() as stack:
        for _ in range(5):
            stream = await stack.enter_async_context(watching(url, verification_id))
            assert (await stream.message()) is not None
        sixth = await stack.enter_async_context(watching(url, verification_id))
        assert await refusal(sixth) == (429, "TOO_MANY_STREAMS")
        for _ in range(2):
            await stack.enter_async_context(watching(url, other))
        eighth = await stack.enter_async_context(watching(url, other))
        assert await refusal(eighth) == (429, "TOO_MANY_STREAMS")
        # While few streams are open, neither address nor organization limits them.
        object.__setattr__(settings, "sdk_streams", 20)
        await stack.enter_async_context(watching(url, other))
        # An organization has at most half; another address of another organization has room.
        object.__setattr__(settings, "sdk_streams", 16)
        object.__setattr__(settings, "sdk_streams_per_address", 16)
        ninth = await stack.enter_async_context(watching(url, other))
        assert await refusal(ninth) == (429, "TOO_MANY_STREAMS")
        foreign = await make_verification(rival)
        stream = await stack.enter_async_context(watching(url, foreign))
        assert (await stream.message()) is not None
        object.__setattr__(settings, "sdk_streams", 7)
        tenth = await stack.enter_async_context(watching(url, other))
        assert await refusal(tenth) == (503, "SERVICE_UNAVAILABLE")

    async def all_left():
        return not app.state.subscriptions._by_address

    await until(all_left)
    assert not app.state.subscriptions._by_channel
    async with watching(url, verification_id) as stream:
        assert (await stream.message()) is not None


async def refusal(stream):
    content = await stream.answer.aread()
    answer = httpx.Response(stream.answer.status_code, content=content)
    return answer.status_code, answer.json()["error"]["code"]


async def test_many_streams_hold_nothing_of_the_database(url, app, banco):
    """FLT-10, small: more streams than connections, and requests are answered all the same."""
    ids = [await make_verification(banco) for _ in range(4)]
    async with AsyncExitStack() as stack:
        for verification_id in ids * 5:
            stream = await stack.enter_async_context(watching(url, verification_id))
            assert (await stream.message()) is not None
        answers = await asyncio.gather(
            *(banco.get(f"/v1/verifications/{each}") for each in ids * 3)
        )
        assert {answer.status_code for answer in answers} == {200}
        assert app.state.subscriptions._by_address.total() == 20
        assert app.state.services.database.pool.usage()[0] == 0


async def test_a_process_that_ends_lets_its_streams_go_at_once(url, app, verification_id):
    async with watching(url, verification_id) as stream:
        await stream.message()
        app.state.subscriptions.close()
        began = time.monotonic()
        assert await stream.rest() == []
        assert time.monotonic() - began < 1
    # A stream that opens during the shutdown gets the state and ends, so the client reconnects.
    async with watching(url, verification_id) as stream:
        (only,) = await stream.rest()
        assert only.view["status"] == "PENDING"


async def test_a_reader_that_takes_nothing_is_let_go(app, services, verification_id, monkeypatch):
    monkeypatch.setattr(event_streams, "WRITE_TIMEOUT", 0.05)
    sent = []

    async def send(message):
        sent.append(message["type"])
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def receive():
        return await asyncio.Event().wait()

    place = app.state.subscriptions.subscribe(channel_of(verification_id), uuid4(), "203.0.113.7")
    stream = event_streams.EventStream(
        place,
        lambda subscription: stream_module.messages(
            services.reads, UUID(verification_id), subscription, after=None
        ),
    )
    async with asyncio.timeout(10):
        await stream({}, receive, send)
    # One message was on its way to it, and nothing waited behind that.
    assert sent == ["http.response.start", "http.response.body"]
    assert not app.state.subscriptions._by_address
