"""Webhooks of the format `metamap` past the cycle of the invariants, and one that has no words."""

import json
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from acredita.models import EventTurn
from acredita.resources.invariants import service as invariants
from acredita.resources.invariants.checks import EVENT_NOT_SENT
from acredita.resources.metamap import event_bodies
from tests.api.metamap.recorded import Integration, photo, selfie
from tests.api.webhooks.conftest import working
from tests.factories.belongings import picture
from tests.factories.films import make_film, shades
from tests.factories.organizations import make_workflow
from tests.observability.test_invariants import age_events, execute, work

KINDS = [
    "verification.created",
    "verification.updated",
    "verification.completed",
    "verification.approved",
    "verification.rejected",
    "verification.manual_review",
    "step.completed",
    "step.failed",
]
PERSON = {"curp": "CURA900505MDFRZN03"}
# What a delivery fell to before the invariant knew of formats.
WRONG = """
    INSERT INTO delivery (id, organization_id, event_id, endpoint_id, receiver_id, next_at)
    SELECT :id, organization_id, id, CAST(:endpoint AS uuid), CAST(:endpoint AS uuid),
           now() - interval '1 h'
    FROM event WHERE kind = 'verification.updated' AND turn IS NULL
    ORDER BY id LIMIT 1
"""


@pytest.fixture
def settings(settings, authority):
    delays = {"webhook_retry_delays": (0.05, 0.05, 0.05, 0.05)}
    return settings.model_copy(update=authority.settings | delays)


@pytest.fixture
async def integration(client, banco):
    calls = Integration(client, "/v1/metamap", banco.organization_id, banco.api_key)
    await calls.authorize()
    return calls


async def subscribe(banco, receiver) -> str:
    body = {"url": receiver.url(), "events": KINDS, "format": "metamap"}
    return (await banco.post("/v1/webhooks", json=body)).json()["webhook"]["id"]


async def decide_some(services, integration, banco, count, **config):
    """Verifications that the registries decide, and that a person decides otherwise."""
    flow = await make_workflow(banco, "GOVERNMENT_VERIFY", config=config)
    started = [await integration.start(flow, metadata=PERSON) for _ in range(count)]
    for _ in range(3):
        await work(services)
    for each in started:
        address = f"/v2/verifications/{each['id']}/status"
        assert (
            await integration.call("PUT", address, json={"status": "rejected"})
        ).status_code == 200
    return started


async def deliver(services):
    async with working(services) as worker:
        await worker.until_idle()


async def errors_of(services):
    return [error for (error,) in await execute(services, "SELECT error FROM delivery_attempt")]


async def test_a_check_of_the_invariants_adds_no_delivery(
    services, integration, banco, authority, capfd
):
    async with authority.receiver() as receiver:
        await subscribe(banco, receiver)
        await execute(services, "UPDATE webhook_endpoint SET created_at = now() - interval '1 day'")
        asked = ["renapo", "ine"]
        started = await decide_some(services, integration, banco, 4, registries=asked)
        await deliver(services)
        sent = len(receiver.received)
        for _ in range(2):
            await age_events(services)
            await execute(services, "DELETE FROM checked_until")
            assert dict(await invariants.check(services, EVENT_NOT_SENT)) == {}
            await invariants.check_all(services)
            await deliver(services)
        assert len(receiver.received) == sent
    assert await errors_of(services) == [None] * sent
    of_each = {each["id"]: [] for each in started}
    for request in receiver.received:
        notice = json.loads(request.body)
        # Receivers find their customer by it, in every notice.
        assert notice["metadata"] == PERSON
        step = notice.get("step", {})
        told = (notice["eventName"], step.get("id"), (step.get("error") or {}).get("code"))
        of_each[notice["resource"].rpartition("/")[2]].append(told)
    for told in of_each.values():
        assert told == [
            ("verification_started", None, None),
            # One for each step of that API, the one with an error first.
            ("step_completed", "mexican-ine-validation", "ine.notEnoughParams"),
            ("step_completed", "mexican-curp-validation", None),
            ("verification_completed", None, None),
            ("verification_updated", None, None),
        ]
    [[events]] = await execute(services, "SELECT count(*) FROM event")
    assert events > sent, "some have no words in this format"
    logged = capfd.readouterr().err
    assert '"level": "info"' in logged
    assert '"level": "error"' not in logged


async def test_the_steps_of_that_api_concern_its_receivers_alone(
    services, integration, client, banco, rival, authority
):
    async with authority.receiver() as receiver:
        await subscribe(banco, receiver)
        for member in (banco, rival):
            ours = {"url": receiver.url("/ours"), "events": KINDS}
            assert (await member.post("/v1/webhooks", json=ours)).status_code == 201
        of_rival = Integration(client, "/v1/metamap", rival.organization_id, rival.api_key)
        await of_rival.authorize()
        for calls, member in ((integration, banco), (of_rival, rival)):
            await decide_some(services, calls, member, 1, registries=["renapo", "ine"])
        await deliver(services)
    bodies = [json.loads(each.body) for each in receiver.received if each.path == "/ours"]
    steps = [body["data"]["stepId"] for body in bodies if body["event"] == "step.completed"]
    assert len(steps) == len(set(steps)) == 2
    owners = "SELECT organization_id FROM event WHERE turn = 'further_step'"
    assert await execute(services, owners) == [(UUID(banco.organization_id),)]


class FormerNames(dict):
    """The names of turns in a worker of the former release, which another one replaces."""

    def __getitem__(self, turn):
        if turn is EventTurn.LAST_INPUT and not self.get("is_replaced"):
            self["is_replaced"] = True
            raise KeyError(turn)
        return super().__getitem__(turn)


async def test_inputs_that_come_one_by_one_are_complete_once(
    services, integration, banco, authority, tmp_path, monkeypatch
):
    """Pages and some clients send each file in a request of its own.

    A worker that does not know the event delays it alone.
    """
    names = FormerNames(event_bodies.TURNS)
    monkeypatch.setattr(event_bodies, "TURNS", names)
    film = {"inputType": "selfie-video", "data": {"filename": "vida.mp4"}}
    uploads = [
        (photo("front", "INE-1.jpg"), picture()),
        (selfie("yo.jpg"), picture()),
        (film, make_film(tmp_path, shades(9))),
        (film, make_film(tmp_path, shades(8))),
    ]
    async with authority.receiver() as receiver:
        await subscribe(banco, receiver)
        ours = {"url": receiver.url("/ours"), "events": KINDS}
        assert (await banco.post("/v1/webhooks", json=ours)).status_code == 201
        flow = await make_workflow(banco, "DOCUMENT_OCR", "LIVENESS")
        started = await integration.start(flow)
        counts = []
        for upload in uploads:
            (sent,) = await integration.send(started["identity"], upload)
            assert sent["result"] is True
            counted = "SELECT count(*) FROM event WHERE turn = 'last_input'"
            counts += await execute(services, counted)
        # Nobody reads the documents here.
        await execute(services, "DELETE FROM job WHERE kind NOT LIKE 'webhooks.%'")
        await deliver(services)
    assert [count for (count,) in counts] == [0, 0, 1, 1]
    assert names["is_replaced"]
    assert sorted(await errors_of(services), key=str) == [None] * 4 + ["not_rendered"]
    bodies = {path: [] for path in ("/ours", "/")}
    for each in receiver.received:
        bodies["/ours" if each.path == "/ours" else "/"].append(json.loads(each.body))
    assert sorted(body["eventName"] for body in bodies["/"]) == [
        "verification_inputs_completed",
        "verification_started",
    ]
    # Receivers of the other format get changes alone.
    kinds = sorted(body["event"] for body in bodies["/ours"])
    assert kinds == ["verification.created", "verification.updated"]


async def test_a_lost_delivery_is_made_by_the_check(services, integration, banco, authority):
    async with authority.receiver() as receiver:
        await subscribe(banco, receiver)
        await execute(services, "UPDATE webhook_endpoint SET created_at = now() - interval '1 day'")
        await decide_some(services, integration, banco, 1)
        await execute(services, "DELETE FROM delivery")
        await age_events(services)
        assert dict(await invariants.check(services, EVENT_NOT_SENT)) == {"repaired": 4}
        await deliver(services)
    names = [json.loads(request.body)["eventName"] for request in receiver.received]
    # Several are posted at a time, so that they may arrive in another order.
    assert sorted(names) == [
        "step_completed",
        "verification_completed",
        "verification_started",
        "verification_updated",
    ]


async def test_a_delivery_without_words_fails_alone(services, integration, banco, authority):
    wrong = uuid4()
    async with authority.receiver() as receiver:
        endpoint = await subscribe(banco, receiver)
        await decide_some(services, integration, banco, 3)
        await execute(services, WRONG, id=wrong, endpoint=UUID(endpoint))
        await deliver(services)
    assert len(receiver.received) == 12
    log = (await banco.get(f"/v1/webhooks/{endpoint}/deliveries?limit=100")).json()["deliveries"]
    assert len(log) == 13
    states = {each["id"]: each["state"] for each in log}
    assert states.pop(str(wrong)) == "failed"
    assert set(states.values()) == {"delivered"}
    (failed,) = [each for each in log if each["id"] == str(wrong)]
    reasons = [(attempt["reason"], attempt["responseCode"]) for attempt in failed["attempts"]]
    assert reasons == [("not_rendered", None)] * 5
    assert await execute(services, "SELECT FROM webhook_receiver") == [], "the receiver is well"


async def test_data_that_cannot_be_told_concern_their_event_alone(
    services, integration, banco, authority, monkeypatch
):
    """The rendering of the event raises an error of any class."""
    computed = event_bodies.computed_view

    def fail_for_one(verification, today):
        if verification.metadata["n"] == 1:
            raise ZeroDivisionError
        return computed(verification, today)

    monkeypatch.setattr(event_bodies, "computed_view", fail_for_one)
    flow = await make_workflow(banco)
    async with authority.receiver() as receiver:
        endpoint = await subscribe(banco, receiver)
        for number in range(3):
            one = await integration.start(flow, metadata={"n": number})
            address = f"/v2/verifications/{one['id']}/status"
            await integration.call("PUT", address, json={"status": "verified"})
        await deliver(services)
    names = [json.loads(each.body)["eventName"] for each in receiver.received]
    assert sorted(names) == ["verification_completed"] * 2 + ["verification_started"] * 3
    failed = await banco.get(f"/v1/webhooks/{endpoint}/deliveries?state=failed")
    assert [len(each["attempts"]) for each in failed.json()["deliveries"]] == [5]

    # Mended, it is sent when somebody asks for it.
    monkeypatch.setattr(event_bodies, "computed_view", computed)
    (delivery,) = failed.json()["deliveries"]
    again = f"/v1/webhooks/{endpoint}/deliveries/{delivery['id']}/redeliver"
    async with authority.receiver() as receiver:
        async with services.database.transaction() as session:
            query = text("UPDATE webhook_endpoint SET url = :url")
            await session.execute(query, {"url": receiver.url()})
        assert (await banco.post(again)).status_code == 202
        await deliver(services)
    assert [json.loads(each.body)["metadata"] for each in receiver.received] == [{"n": 1}]
