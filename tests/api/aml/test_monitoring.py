"""Monitors run every 24 hours for 90 days and on every change, and report only new matches."""

from datetime import datetime, timedelta
from uuid import uuid4

import orjson
import pytest
from sqlalchemy import func, select, text

from acredita.engines.screening import Question
from acredita.jobs import JobContext, Queue
from acredita.jobs.runner import Runner
from acredita.models import AuditEntry, Job, Monitor
from acredita.resources.aml.monitors.findings import MonitorScreening, record_screening
from acredita.resources.aml.monitors.jobs import find_overdue_monitors
from acredita.resources.webhooks import signed_request
from tests.api.aml.conftest import monitored, shown, told
from tests.factories.described_events import check_envelope
from tests.factories.organizations import make_verification, with_new_key
from tests.retention.conftest import Days as Retention

NAME = "Evaristo Quimbaya Lunario"
EVENT = {"verificationId", "fullName", "newMatches", "externalId", "screeningId"}
LISTED = "1,person,Evaristo Quimbaya Lunario,,,MX,"
OTHERS = [f"{number},person,Persona Inventada {number},,,MX," for number in range(100, 110)]


async def matches_of(member, verification_id):
    return (await shown(member, verification_id))["matches"]


async def outcomes_of(member, verification_id):
    history = (await shown(member, verification_id))["history"]
    return [(each["outcome"], each["matches"], each["cause"]) for each in reversed(history)]


async def test_who_is_listed_already_is_found_at_once_and_told_of_once(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, "Evaristo Quimbaya Lunaryo", external_id="c-7")
    await days.pass_to(0)
    found = await shown(banco, verification_id)
    (match,) = found["matches"]
    assert (match["list"], match["name"], match["entryId"]) == ("private", NAME, "1")
    assert (match["dismissed"], match["goneAt"], match["country"]) == (False, None, "MX")
    assert match["firstSeenAt"] == match["seenAt"] == found["screenedAt"]
    assert (found["outcome"], found["state"], found["monitoring"]) == ("hit", "active", True)
    assert found["fullName"] == "Evaristo Quimbaya Lunaryo"
    (event,) = await told(days.services)
    assert set(event) == EVENT
    assert (event["verificationId"], event["externalId"]) == (verification_id, "c-7")
    assert event["fullName"] == "Evaristo Quimbaya Lunaryo"
    (new,) = event["newMatches"]
    assert (new["list"], new["name"], new["score"]) == ("private", NAME, match["score"])
    for day in (1, 2, 3):
        await days.pass_to(day)
    assert len(await told(days.services)) == 1
    assert await outcomes_of(banco, verification_id) == [("hit", 1, "enabled")]


async def test_a_name_that_comes_onto_a_list_is_told_of_without_waiting_for_the_next_day(
    banco, lists, days
):
    await lists.write(*OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    unconcerned = await monitored(banco, "Otilia Ferreyra Zendejas")
    await days.pass_to(0)
    assert await outcomes_of(banco, verification_id) == [("clean", 0, "enabled")]
    before = await shown(banco, unconcerned)

    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0.2)
    assert await outcomes_of(banco, verification_id) == [
        ("clean", 0, "enabled"),
        ("hit", 1, "list_change"),
    ]
    (event,) = await told(days.services)
    assert event["verificationId"] == verification_id
    # The day's own screening stays when it was.
    assert await shown(banco, unconcerned) == before


async def test_a_delisted_entry_ends_its_match_and_a_listed_again_one_is_new(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    await lists.write(*OTHERS)
    await days.pass_to(0.1)
    (match,) = await matches_of(banco, verification_id)
    assert match["goneAt"] is not None
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0.2)
    (match,) = await matches_of(banco, verification_id)
    assert match["goneAt"] is None
    assert [outcome for outcome, _, _ in await outcomes_of(banco, verification_id)] == [
        "hit",
        "clean",
        "hit",
    ]
    assert len(await told(days.services)) == 2


async def test_a_score_that_rises_is_told_of_again_from_a_twentieth_on(banco, lists, days):
    await lists.write("1,person,Evaristo Cumbaya Lunarios,,,MX,", *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    (match,) = await matches_of(banco, verification_id)
    assert 0.75 <= match["score"] <= 0.95
    await lists.write("1,person,Evaristo Cumbaya Lunarios,,1960-01-01,MX,", *OTHERS)
    await days.pass_to(0.1)
    assert len(await told(days.services)) == 1, "the entry changed, the score did not"
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0.2)
    first, second = await told(days.services)
    assert second["newMatches"][0]["score"] == 1.0
    assert second["newMatches"][0]["score"] - first["newMatches"][0]["score"] >= 0.05


async def test_a_dismissed_match_is_silent_until_its_entry_changes(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    (match,) = await matches_of(banco, verification_id)
    path = f"/v1/aml/monitor/{verification_id}/matches/{match['id']}"
    answer = await banco.patch(path, json={"dismissed": True, "notes": "Nació en otro año."})
    assert answer.status_code == 200, answer.text
    assert answer.json()["dismissed"] is True
    assert answer.json()["notes"] == "Nació en otro año."
    assert (await shown(banco, verification_id))["outcome"] == "clean"

    await days.pass_to(1)
    await lists.write(LISTED, "2,person,Alguien Más Cualquiera,,,MX,", *OTHERS)
    await days.pass_to(1.5)
    await days.pass_to(2)
    (match,) = await matches_of(banco, verification_id)
    assert match["dismissed"] is True
    assert len(await told(days.services)) == 1

    await lists.write(f"{LISTED}QULE600101AB1", *OTHERS, force=True)
    await days.pass_to(2.5)
    (match,) = await matches_of(banco, verification_id)
    assert (match["dismissed"], match["notes"]) == (False, "Nació en otro año.")
    assert len(await told(days.services)) == 2
    assert await outcomes_of(banco, verification_id) == [
        ("hit", 1, "enabled"),
        ("clean", 0, "review"),
        ("hit", 1, "list_change"),
    ]


async def test_a_dismissal_of_a_former_release_stays_after_the_upgrade(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    (match,) = await matches_of(banco, verification_id)
    path = f"/v1/aml/monitor/{verification_id}/matches/{match['id']}"
    await banco.patch(path, json={"dismissed": True, "notes": "Nació en otro año."})
    async with days.services.database.transaction() as session:
        # As a former release left it.
        await session.execute(text("UPDATE aml_monitor_match SET hit_id = NULL"))
        await session.execute(text("DELETE FROM aml_hit"))
    for day in (1, 2):
        await days.pass_to(day)
        (match,) = await matches_of(banco, verification_id)
        assert (match["dismissed"], match["notes"]) == (True, "Nació en otro año.")
    hit = (await banco.get(f"/v1/aml/matches/{match['matchId']}")).json()["match"]
    assert (hit["state"], hit["decidedAt"]) == ("false_hit", match["dismissedAt"])
    assert len(await told(days.services)) == 1


async def test_a_dismissal_can_be_taken_back(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    (match,) = await matches_of(banco, verification_id)
    path = f"/v1/aml/monitor/{verification_id}/matches/{match['id']}"
    await banco.patch(path, json={"dismissed": True})
    await banco.patch(path, json={"dismissed": False})
    assert (await shown(banco, verification_id))["outcome"] == "hit"
    async with days.services.database.transaction() as session:
        query = select(AuditEntry.action).where(AuditEntry.action.like("aml_%"))
        actions = list(await session.scalars(query.order_by(AuditEntry.id)))
    assert sorted(actions) == [
        "aml_match.dismissed",
        "aml_match.restored",
        "aml_match.reviewed",
        "aml_match.reviewed",
        "aml_monitor.enabled",
        "aml_screening.made",
    ]


async def test_a_reviewer_dismisses_and_a_member_does_not(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    (match,) = await matches_of(banco, verification_id)
    path = f"/v1/aml/monitor/{verification_id}/matches/{match['id']}"
    member, reviewer = await with_new_key(banco, "MEMBER"), await with_new_key(banco, "REVIEWER")
    assert (await member.patch(path, json={"dismissed": True})).status_code == 403
    assert (await reviewer.patch(path, json={"dismissed": True})).status_code == 200
    unknown = f"/v1/aml/monitor/{verification_id}/matches/{uuid4()}"
    assert (await reviewer.patch(unknown, json={"dismissed": True})).status_code == 404


async def test_a_name_is_screened_daily_for_ninety_days_and_then_no_more(banco, lists, days):
    await lists.write(*OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    moments = set()
    for day in range(95):
        await days.pass_to(day + 0.01)
        moments.add((await shown(banco, verification_id))["screenedAt"])
    assert len(moments) == 90
    found = await shown(banco, verification_id)
    assert (found["state"], found["monitoring"]) == ("ended", False)
    assert found["nextScreeningAt"] is None
    started, ends = (datetime.fromisoformat(found[name]) for name in ("startedAt", "endsAt"))
    assert ends - started == timedelta(days=90)
    async with days.services.database.transaction() as session:
        waiting = select(func.count()).where(
            Job.kind == "aml.screen_monitor", Job.state == "pending"
        )
        assert await session.scalar(waiting) == 0
        query = select(AuditEntry.action).where(AuditEntry.action == "aml_monitor.ended")
        assert len(list(await session.scalars(query))) == 1


async def test_days_that_were_missed_are_made_up_for_by_one_screening(banco, lists, days):
    await lists.write(*OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    before = datetime.fromisoformat((await shown(banco, verification_id))["nextScreeningAt"])
    await days.pass_to(5.4)
    found = await shown(banco, verification_id)
    after = datetime.fromisoformat(found["nextScreeningAt"])
    assert after - before == timedelta(days=5)
    assert after > datetime.fromisoformat(found["screenedAt"])


async def test_a_monitor_whose_job_was_lost_is_given_it_back(banco, lists, days):
    await lists.write(*OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    async with days.services.database.transaction() as session:
        await session.execute(text("DELETE FROM job WHERE kind = 'aml.screen_monitor'"))
    before = (await shown(banco, verification_id))["screenedAt"]
    await find_overdue_monitors(JobContext(days.at(1.5), None))
    await days.pass_to(1.5)
    assert (await shown(banco, verification_id))["screenedAt"] > before


async def test_what_is_switched_off_is_screened_no_more(banco, lists, days):
    await lists.write(*OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    body = {"verificationId": verification_id, "fullName": NAME, "enabled": False}
    answer = await banco.post("/v1/aml/monitor", json=body)
    assert answer.status_code == 200
    assert set(answer.json()) == {"verificationId", "monitoring", "message"}
    assert answer.json()["monitoring"] is False
    before = await shown(banco, verification_id)
    assert before["state"] == "disabled"
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(3)
    assert await shown(banco, verification_id) == before
    assert await told(days.services) == []
    again = await banco.post("/v1/aml/monitor", json=body)
    assert (again.status_code, again.json()["monitoring"]) == (200, False)


async def test_switching_on_what_is_on_changes_nothing_but_another_name_begins_anew(
    banco, lists, days
):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    before = await shown(banco, verification_id)
    body = {"verificationId": verification_id, "fullName": NAME, "enabled": True}
    assert (await banco.post("/v1/aml/monitor", json=body)).json()["monitoring"] is True
    assert await shown(banco, verification_id) == before
    body["fullName"] = "Otilia Ferreyra Zendejas"
    await banco.post("/v1/aml/monitor", json=body)
    await days.pass_to(0)
    found = await shown(banco, verification_id)
    assert found["endsAt"] > before["endsAt"]
    assert found["outcome"] == "clean"
    assert found["matches"][0]["goneAt"] is not None


async def test_a_repeated_request_with_its_key_does_nothing_anew(banco, sandbox):
    verification_id = await make_verification(banco)
    body = {"verificationId": verification_id, "fullName": NAME, "enabled": True}
    key = {"Idempotency-Key": "once"}
    first = await banco.post("/v1/aml/monitor", json=body, headers=key)
    await banco.post("/v1/aml/monitor", json=body | {"enabled": False})
    second = await banco.post("/v1/aml/monitor", json=body, headers=key)
    assert (second.status_code, second.content) == (200, first.content)
    assert (await shown(banco, verification_id))["monitoring"] is False
    other = await banco.post("/v1/aml/monitor", json=body | {"enabled": False}, headers=key)
    assert other.status_code == 409


@pytest.mark.parametrize("written", ["x", "7f0c1a52-3b0e-4f7e-9d5a-0f5f3a1c2b4d", "é" * 255])
async def test_an_unknown_verification_is_not_monitored(banco, written):
    body = {"verificationId": written, "fullName": NAME, "enabled": True}
    assert (await banco.post("/v1/aml/monitor", json=body)).status_code == 404


async def test_another_organizations_verification_is_not_monitored(banco, rival):
    foreign = await make_verification(rival)
    body = {"verificationId": foreign, "fullName": NAME, "enabled": True}
    assert (await banco.post("/v1/aml/monitor", json=body)).status_code == 404
    assert (await rival.get(f"/v1/aml/monitor/{foreign}")).status_code == 404


@pytest.mark.parametrize(
    "change",
    [
        {"verificationId": ""},
        {"verificationId": "x" * 256},
        {"fullName": "x"},
        {"fullName": "x" * 501},
        {"fullName": "- . -"},
        {"enabled": None},
        {"enabled": "true"},
        {"other": 1},
    ],
)
async def test_a_request_out_of_bounds_is_refused(banco, change):
    body = {"verificationId": str(uuid4()), "fullName": NAME, "enabled": True} | change
    assert (await banco.post("/v1/aml/monitor", json=body)).status_code == 422


async def test_no_monitored_name_stands_in_the_database_in_the_clear(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, "Evaristo Quimbayah Lunario", rfc="QULE600101AB1")
    await days.pass_to(0)
    assert (await shown(banco, verification_id))["matches"]
    async with days.services.database.reading() as connection:
        for table in ("aml_monitor", "aml_monitor_match", "aml_monitor_outcome", "event", "job"):
            rows = await connection.scalars(text(f"SELECT t::text FROM {table} t"))  # noqa: S608
            for row in rows:
                for word in ("Quimbayah", "QULE600101AB1"):
                    # Bytes are shown as hexadecimal digits.
                    assert word not in row
                    assert word.encode().hex() not in row


async def test_a_monitor_ends_with_its_verification(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    async with days.services.database.transaction() as session:
        await session.execute(text("UPDATE verification SET status = 'APPROVED'"))
    await Retention(days.services).purge(400)
    async with days.services.database.reading() as connection:
        for table in ("aml_monitor", "aml_monitor_match", "aml_monitor_outcome", "event"):
            count = text(f"SELECT count(*) FROM {table}")  # noqa: S608
            assert (await connection.execute(count)).scalar_one() == 0, table
    assert (await banco.get(f"/v1/aml/monitor/{verification_id}")).status_code == 404
    body = {"verificationId": verification_id, "fullName": NAME, "enabled": True}
    assert (await banco.post("/v1/aml/monitor", json=body)).status_code == 404
    await days.pass_to(401)


async def test_a_monitor_without_any_list_waits_for_one(banco, lists, days):
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    found = await shown(banco, verification_id)
    assert (found["outcome"], found["screenedAt"]) == (None, None)
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0.5)
    assert (await shown(banco, verification_id))["outcome"] == "hit"


async def test_what_was_found_of_a_name_that_was_replaced_meanwhile_is_not_kept(banco, lists, days):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    verification_id = await monitored(banco, "Otilia Ferreyra Zendejas")
    await days.pass_to(0)
    services = days.services
    async with services.database.transaction() as session:
        monitor = (await session.scalars(select(Monitor))).one()
        of_another = Monitor.subject.seal(services.keys, monitor.id, {"full_name": NAME})
    served = await services.screener.current()
    screening = await served.screen(Question(NAME))
    assert screening.total == 1
    result = MonitorScreening(
        monitor.id,
        monitor.verification_id,
        of_another,
        served,
        screening,
        "daily",
        services.clock.now(),
    )
    async with services.database.transaction() as session:
        assert await record_screening(session, services, result) is None
    assert await matches_of(banco, verification_id) == []
    assert await told(services) == []


async def test_matches_reach_the_webhooks_receiver_signed_and_with_the_name(
    banco, lists, days, authority
):
    await lists.write(LISTED, *OTHERS)
    await days.pass_to(0)
    async with authority.receiver() as receiver:
        body = {"url": receiver.url(), "events": ["aml.match"]}
        secret = (await banco.post("/v1/webhooks", json=body)).json()["webhook"]["secret"]
        verification_id = await monitored(banco, NAME)
        await days.pass_to(0)
        runner = Runner(days.services, {Queue.WEBHOOKS: 2})
        await runner.pull(Queue.WEBHOOKS)
        (post,) = await receiver.wait_for(1)
        await runner.stop(grace=5)
    assert post.headers["x-service-event"] == "aml.match"
    assert post.headers["x-service-signature"] == signed_request.signature(secret, post.body)
    envelope = orjson.loads(post.body)
    check_envelope(envelope)
    assert envelope["event"] == "aml.match"
    assert envelope["data"]["verificationId"] == verification_id
    assert envelope["data"]["fullName"] == NAME
    assert envelope["data"]["newMatches"][0]["entryId"] == "1"
