"""One definition of who receives which event: what is added, checked and repaired is the same."""

from uuid import UUID

import pytest
from sqlalchemy import text

from acredita.domain.events import METAMAP_NAMES, EventKind
from acredita.models import EventTurn, WebhookFormat
from acredita.resources.invariants import checks, queries, repairs
from acredita.resources.metamap import event_bodies
from acredita.resources.webhooks import events

OF_METAMAP_ALONE = {
    EventTurn.LAST_INPUT,
    EventTurn.POSTPONED,
    EventTurn.SIGNED,
    EventTurn.FURTHER_STEP,
}
OLD = "UPDATE webhook_endpoint SET created_at = now() - interval '1 day'"
MADE = "SELECT event_id, endpoint_id, receiver_id, organization_id FROM delivery"


async def execute(services, statement, **parameters):
    async with services.database.transaction() as session:
        result = await session.execute(text(statement), parameters)
        return result.all() if result.returns_rows else []


async def missing(services) -> list[UUID]:
    async with queries.looking(services.database) as connection:
        query = checks.MISSING_DELIVERIES.format(events="true")
        return [row.event_id for row in await connection.execute(text(query))]


async def record_everything(tenant) -> dict[UUID, tuple[EventKind, EventTurn | None]]:
    """An event of each kind with each turn and without one, and a callback."""
    made = {}
    async with tenant.services.database.transaction() as session:
        who = {"organization_id": tenant.id, "verification_id": tenant.verification_id}
        for kind in EventKind:
            for turn in (None, *EventTurn):
                event_id = await events.record(session, **who, kind=kind, data={}, turn=turn)
                made[event_id] = (kind, turn)
        completed = EventKind.VERIFICATION_COMPLETED
        await events.record(session, **who, kind=completed, data={}, callback_only=True)
    return made


@pytest.fixture
async def endpoints(tenant, neighbour):
    """By id, what each is subscribed to and in which format; of `tenant` alone."""
    kinds_of = {"all": list(EventKind), "one": [EventKind.VERIFICATION_UPDATED]}
    made = {}
    for format_ in WebhookFormat:
        for kinds in kinds_of.values():
            endpoint = await tenant.register("https://receiver.test/", *kinds, format=format_)
            made[endpoint.id] = (format_, kinds)
        await neighbour.register("https://receiver.test/", format=format_)
    gone = await tenant.register("https://receiver.test/")
    await tenant.remove(gone.id)
    await tenant.set_callback("https://receiver.test/callback")
    await execute(tenant.services, OLD)
    return made


async def test_what_is_added_is_what_is_checked_and_what_is_repaired(tenant, endpoints):
    recorded = await record_everything(tenant)
    added = await execute(tenant.services, MADE)
    expected = {
        (event_id, endpoint_id)
        for event_id, (kind, turn) in recorded.items()
        for endpoint_id, (format_, kinds) in endpoints.items()
        if kind in kinds
        and (
            turn not in OF_METAMAP_ALONE
            if format_ is WebhookFormat.STANDARD
            else turn is not None or kind in METAMAP_NAMES
        )
    }
    to_endpoints = {row[:2] for row in added if row.endpoint_id is not None}
    assert to_endpoints == expected
    callbacks = [row for row in added if row.endpoint_id is None]
    assert len(callbacks) == len(EventTurn) + 2
    assert await missing(tenant.services) == []

    await execute(tenant.services, "DELETE FROM delivery")
    lost = await missing(tenant.services)
    assert sorted(lost) == sorted(row.event_id for row in added)
    for event_id in set(lost):
        await repairs.send_event(tenant.services, event_id)
    assert sorted(map(str, await execute(tenant.services, MADE))) == sorted(map(str, added))


async def test_every_event_that_a_metamap_endpoint_receives_has_a_name_there(tenant, endpoints):
    recorded = await record_everything(tenant)
    sent = {row.event_id for row in await execute(tenant.services, MADE) if row.endpoint_id}
    foreign = [
        endpoint for endpoint, (format_, _) in endpoints.items() if format_ == WebhookFormat.METAMAP
    ]
    for row in await execute(tenant.services, MADE):
        if row.endpoint_id in foreign:
            kind, turn = recorded[row.event_id]
            assert turn in event_bodies.TURNS if turn else kind in METAMAP_NAMES
    assert sent
