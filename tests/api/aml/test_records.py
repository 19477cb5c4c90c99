"""The record of a screening: what an auditor reads, how long, and that it is the original."""

import inspect
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import asyncpg
import orjson
import pypdfium2
import pytest
from sqlalchemy import select, text, update

from acredita.jobs import JobContext
from acredita.models import AuditEntry, ScreeningRecord, Verification
from acredita.resources.aml.screening import records
from acredita.resources.retention import jobs as retention
from tests.api.aml.conftest import monitored, told
from tests.api.aml.conftest import shown as monitor_of
from tests.factories.clocks import ShiftedClock
from tests.factories.organizations import make_verification
from tests.retention.conftest import count

SCREEN = "/v1/aml/screen"
RECORDS = "/v1/aml/screenings"
LISTED, CLEAN = "Otolina Fanshawe Dubois", "Nadie Con Este Nombre"


async def screen(member, name, **body):
    answer = await member.post(SCREEN, json={"fullName": name} | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def shown(member, screening_id):
    answer = await member.get(f"{RECORDS}/{screening_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()


async def listed(member, **filters):
    answer = await member.get(RECORDS, params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def audited(services, action, screening_id):
    query = select(AuditEntry).where(
        AuditEntry.action == action, AuditEntry.resource_id == screening_id
    )
    async with services.database.transaction() as session:
        return list(await session.scalars(query))


async def purge(services, days):
    later = replace(services, clock=ShiftedClock(timedelta(days=days)))
    await retention.purge(JobContext(later, None))


def test_the_driver_remembers_the_statement_that_adds_records():
    most = inspect.signature(asyncpg.connect).parameters["max_cacheable_statement_size"].default
    assert len(records.ADD) < most


async def test_a_record_opens_what_was_asked_and_answered_and_the_audit_log_has_its_digest(
    banco, services, sandbox
):
    person = {"dateOfBirth": "1969-09-14", "country": "GB", "entityType": "person"}
    given = await screen(banco, LISTED, fuzzyThreshold=0.8, **person)
    record = await shown(banco, given["screeningId"])
    unasked = ("rfc", "curp", "birthYear", "aliases", "nationalities", "gender", "identifiers")
    unasked = (*unasked, "externalId")
    assert record["question"] == {"fullName": LISTED, **dict.fromkeys(unasked)} | person
    assert record["answer"] == {
        key: given[key] for key in ("matches", "totalMatches", "openMatches", "screened", "sandbox")
    }
    assert record["answer"]["matches"]
    assert (record["id"], record["screenedAt"]) == (given["screeningId"], given["screenedAt"])
    (screened_list,) = record["lists"]
    assert given["lists"] == [screened_list]
    loaded_at = screened_list.pop("loadedAt")
    assert screened_list == {"id": "sandbox", "version": 1, "asOf": None}
    assert loaded_at <= given["screenedAt"]
    assert (record["threshold"], record["totalMatches"], record["complete"]) == (0.8, 1, True)
    assert record["sandbox"] is record["intact"] is True
    assert record["engineVersion"]
    assert record["indexVersion"] >= 1
    (made,) = await audited(services, "aml_screening.made", record["id"])
    assert orjson.loads(made.details) == {"digest": record["digest"]}
    assert record["caller"] == {"type": made.actor_type, "id": str(made.actor_id)}
    assert len(await audited(services, "aml_screening.viewed", record["id"])) == 1
    async with services.database.transaction() as session:
        (row,) = (await session.execute(text("SELECT t::text FROM aml_screening t"))).one()
        assert b"Fanshawe".hex() not in row
        assert "Fanshawe" not in row
        await session.execute(update(ScreeningRecord).values(threshold=0.9))
    altered = await shown(banco, given["screeningId"])
    assert (altered["digest"] != record["digest"], altered["intact"]) == (True, False)
    pdf = await banco.get(f"{RECORDS}/{given['screeningId']}/certificate")
    (page,) = pypdfium2.PdfDocument(pdf.content)
    assert "REGISTRO ALTERADO" in page.get_textpage().get_text_range()


async def test_what_no_list_or_not_all_of_the_answer_covers_is_incomplete(banco, lists):
    without = await screen(banco, CLEAN)
    record = await shown(banco, without["screeningId"])
    assert (record["complete"], record["lists"], record["indexVersion"]) == (False, [], None)
    await lists.write(*(f"{number},person,{LISTED},,,MX," for number in range(51)))
    await lists.serve()
    many = await shown(banco, (await screen(banco, LISTED))["screeningId"])
    assert (many["totalMatches"], len(many["answer"]["matches"])) == (51, 50)
    assert many["complete"] is False


async def test_records_are_listed_by_time_and_matches_and_only_to_their_organization(
    banco, rival, services, sandbox
):
    names = [LISTED, CLEAN, LISTED, CLEAN, CLEAN]
    made = [await screen(banco, name) for name in names]
    theirs = (await screen(rival, LISTED))["screeningId"]
    newest_first = [each["screeningId"] for each in reversed(made)]
    whole = await listed(banco)
    assert [each["id"] for each in whole["screenings"]] == newest_first
    assert whole["pagination"]["total"] == 5
    assert "question" not in whole["screenings"][0]
    matched = await listed(banco, hasMatches="true")
    assert [each["totalMatches"] for each in matched["screenings"]] == [1, 1]
    assert (await listed(banco, hasMatches="false"))["pagination"]["total"] == 3
    first = await listed(banco, limit=2)
    second = await listed(banco, limit=2, cursor=first["nextCursor"])
    last = await listed(banco, limit=2, cursor=second["nextCursor"])
    pages = [each["id"] for page in (first, second, last) for each in page["screenings"]]
    assert pages == newest_first
    assert "nextCursor" not in last
    offset = await listed(banco, limit=2, offset=4)
    assert [each["id"] for each in offset["screenings"]] == newest_first[4:]
    future = (services.clock.now() + timedelta(hours=1)).isoformat()
    assert (await listed(banco, screenedFrom=future))["screenings"] == []
    assert (await listed(banco, screenedBefore=future))["pagination"]["total"] == 5
    assert (await listed(banco, verificationId="x"))["screenings"] == []
    other = await banco.get(RECORDS, params={"cursor": first["nextCursor"], "hasMatches": "true"})
    assert other.json()["error"]["code"] == "INVALID_CURSOR"
    for unknown in (theirs, str(uuid4()), "x"):
        assert (await banco.get(f"{RECORDS}/{unknown}")).status_code == 404
    assert (await shown(rival, theirs))["id"] == theirs


async def test_a_batch_records_each_question_or_none(banco, rival, services, sandbox):
    mine, theirs = await make_verification(banco), await make_verification(rival)
    queries = [{"fullName": LISTED, "verificationId": mine}, {"fullName": CLEAN}]
    for other in (theirs, str(uuid4()), "x"):
        wrong = [*queries, {"fullName": CLEAN, "verificationId": other}]
        assert (await banco.post(f"{SCREEN}/batch", json={"queries": wrong})).status_code == 404
        single = await banco.post(SCREEN, json={"fullName": CLEAN, "verificationId": other})
        assert single.status_code == 404
    assert await count(services, "aml_screening") == 0
    assert await count(services, "audit_log", "action = 'aml_screening.made'") == 0
    answer = await banco.post(f"{SCREEN}/batch", json={"queries": queries})
    first, second = answer.json()["results"]
    assert (await shown(banco, first["screeningId"]))["verificationId"] == mine
    record = await shown(banco, second["screeningId"])
    assert (record["question"]["fullName"], record["totalMatches"]) == (CLEAN, 0)
    assert await count(services, "audit_log", "action = 'aml_screening.made'") == 2
    of_person = await listed(banco, verificationId=mine)
    assert [each["id"] for each in of_person["screenings"]] == [first["screeningId"]]


@pytest.mark.parametrize("batch", [1, 50])
async def test_records_are_deleted_after_ten_years_unless_their_verification_is_held(
    banco, rival, services, sandbox, monkeypatch, batch
):
    for module in (records, retention):
        monkeypatch.setattr(module, "BATCH", batch)
    verification_id = await make_verification(banco)
    await screen(banco, CLEAN)
    await screen(rival, CLEAN)
    held = (await screen(banco, CLEAN, verificationId=verification_id))["screeningId"]
    async with services.database.transaction() as session:
        await session.execute(
            update(Verification)
            .where(Verification.id == verification_id)
            .values(held_at=services.clock.now())
        )
    await purge(services, 3650)
    assert await count(services, "aml_screening") == 3
    await purge(services, 3654)
    assert [each["id"] for each in (await listed(banco))["screenings"]] == [held]
    assert await count(services, "audit_log", "action = 'aml_screening.purged'") == 2


async def test_a_monitor_records_each_new_answer_and_confirms_the_same_one(
    banco, rival, services, lists, days
):
    others = [f"{number},person,Persona Inventada {number},,,MX," for number in range(2, 12)]
    await lists.write(*others)
    await days.pass_to(0)
    verification_id = await monitored(banco, CLEAN, external_id="c-7", dateOfBirth="1990-05-05")
    await days.pass_to(0)
    monitor = await monitor_of(banco, verification_id)
    first = await shown(banco, monitor["screeningId"])
    assert (first["screenedAt"], first["confirmed"]) == (monitor["screenedAt"], None)
    assert (first["complete"], first["totalMatches"], first["intact"]) == (True, 0, True)
    assert (first["verificationId"], first["caller"]["type"]) == (verification_id, "monitor")
    question = {key: value for key, value in first["question"].items() if value is not None}
    assert question == {"fullName": CLEAN, "dateOfBirth": "1990-05-05", "externalId": "c-7"}
    (made,) = await audited(services, "aml_screening.made", first["id"])
    assert (made.actor_type, made.actor_id) == ("service", None)

    # Other entries, the same answer: the record says until when, against which versions.
    await lists.write(*others, "12,person,Alguien Nuevo,,,MX,")
    for day in (1, 2):
        await days.pass_to(day)
    monitor = await monitor_of(banco, verification_id)
    second = await shown(banco, first["id"])
    assert (monitor["screeningId"], second["digest"]) == (first["id"], first["digest"])
    assert second["confirmed"]["at"] == monitor["screenedAt"] > first["screenedAt"]
    assert second["confirmed"]["indexVersion"] > first["indexVersion"]
    assert [each["version"] for each in second["confirmed"]["lists"]] == [2]
    assert [each["version"] for each in second["lists"]] == [1]
    assert second["intact"] is True
    pdf = await banco.get(f"{RECORDS}/{first['id']}/certificate")
    (page,) = pypdfium2.PdfDocument(pdf.content)
    assert "Igual el (UTC)" in page.get_textpage().get_text_range()

    await lists.write(*others, f"1,person,{CLEAN},,,MX,")
    await days.pass_to(2.2)
    for _ in range(2):
        monitor = await monitor_of(banco, verification_id)
        (match,) = monitor["matches"]
        found = await shown(banco, monitor["screeningId"])
        assert [each["matchId"] for each in found["answer"]["matches"]] == [match["matchId"]]
        assert (found["totalMatches"], found["answer"]["openMatches"]) == (1, 1)
        await days.pass_to(3)
    (event,) = await told(days.services)
    assert event["screeningId"] == found["id"]
    hit = (await banco.get(f"/v1/aml/matches/{match['matchId']}")).json()["match"]
    assert hit["screeningId"] == found["id"]
    summary = (await banco.get("/v1/aml/monitors")).json()["monitors"][0]
    assert summary["screeningId"] == found["id"]
    for filters in ({"verificationId": verification_id}, {"callerType": "monitor"}):
        newest_first = (await listed(banco, **filters))["screenings"]
        assert [each["id"] for each in newest_first] == [found["id"], first["id"]]
        assert (await listed(rival, **filters))["screenings"] == []
    assert (await listed(banco, callerType="step"))["screenings"] == []


async def test_each_period_of_a_monitor_has_its_record_until_the_purge_of_the_person(
    banco, services, sandbox, days
):
    verification_id = await monitored(banco, CLEAN)
    await days.pass_to(0)
    first = (await monitor_of(banco, verification_id))["screeningId"]
    body = {"verificationId": verification_id, "fullName": CLEAN}
    for enabled in (False, True):
        await banco.post("/v1/aml/monitor", json=body | {"enabled": enabled})
    assert (await monitor_of(banco, verification_id))["screeningId"] is None
    await days.pass_to(0.1)
    assert (await monitor_of(banco, verification_id))["screeningId"] not in {None, first}
    assert await count(services, "aml_screening") == 2
    await banco.request("DELETE", f"/v1/metamap/v2/verifications/{verification_id}")
    assert await count(services, "aml_screening") == 0


async def test_a_record_goes_with_its_verification(banco, services, sandbox):
    verification_id = await make_verification(banco)
    named = await screen(banco, LISTED, verificationId=verification_id)
    other = await screen(banco, LISTED)
    deleted = await banco.request("DELETE", f"/v1/metamap/v2/verifications/{verification_id}")
    assert deleted.is_success, deleted.text
    assert (await banco.get(f"{RECORDS}/{named['screeningId']}")).status_code == 404
    assert (await shown(banco, other["screeningId"]))["totalMatches"] == 1
    again = await banco.post(SCREEN, json={"fullName": CLEAN, "verificationId": verification_id})
    assert again.status_code == 404
