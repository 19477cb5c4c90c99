"""Reviewers decide matches; a false hit is remembered until the entry or the person changes."""

from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import orjson
import pytest
from sqlalchemy import select, text

from acredita.jobs import JobContext
from acredita.models import AuditEntry, User, WatchlistEntity
from acredita.resources.aml.hits import recording
from acredita.resources.aml.hits.recording import Customer, found_of, question_of
from acredita.resources.retention import jobs as retention
from tests.api.aml.conftest import monitored, shown, told
from tests.api.reviews.test_queue import pass_time, reviewers_for
from tests.api.verifications.test_history import as_owner, second_user
from tests.factories.clocks import ShiftedClock
from tests.factories.organizations import make_verification, with_new_key
from tests.retention.conftest import count

SCREEN = "/v1/aml/screen"
MATCHES = "/v1/aml/matches"
USERS = "/v1/organizations/me/users"
NAME = "Evaristo Quimbaya Lunario"
LISTED = "1,person,Evaristo Quimbaya Lunario,,1961-04-17,MX,"
OTHERS = [f"{number},person,Persona Inventada {number},,,MX," for number in range(100, 110)]
NOTE = "Nació en Culiacán en 1990."


async def screen(member, **body):
    answer = await member.post(SCREEN, json={"fullName": NAME} | body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def state_of(member, **body):
    """(state of the only match, number of open matches)"""
    answer = await screen(member, **body)
    (match,) = answer["matches"]
    return match["review"]["state"], answer["openMatches"]


def owner_of(member):
    return f"owner@{member.registration['org']['slug']}.example"


async def post(member, match_id, path, **body):
    return await member.post(f"{MATCHES}/{match_id}/{path}", json=body or None)


async def review(member, match_id, decision):
    opened_at = (await detail(member, match_id))["openedAt"]
    body = {"decision": decision, "openedAt": opened_at, "note": NOTE}
    return await post(member, match_id, "review", **body)


async def decide(member, match_id, decision="false_hit"):
    answer = await review(member, match_id, decision)
    assert answer.status_code == 200, answer.text
    return answer.json()["match"]


async def queue(member, **filters):
    answer = await member.get(MATCHES, params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()["matches"]


async def detail(member, match_id):
    answer = await member.get(f"{MATCHES}/{match_id}")
    assert answer.status_code == 200, answer.text
    return answer.json()["match"]


@pytest.fixture
async def served(lists):
    await lists.write(LISTED, *OTHERS)
    await lists.serve()
    return lists


async def test_a_false_hit_is_remembered_for_its_customer_in_screens_and_batches(
    banco, rival, services, served
):
    customer = {"externalId": "c-1", "dateOfBirth": "1990-05-05"}
    first = await screen(banco, **customer)
    (match,) = first["matches"]
    assert match["review"] == {"state": "open", "decidedAt": None}
    assert (first["totalMatches"], first["openMatches"]) == (1, 1)
    assert (await screen(banco, **customer))["matches"][0]["matchId"] == match["matchId"]
    (waiting,) = await queue(banco)
    assert (waiting["id"], waiting["state"]) == (match["matchId"], "open")
    assert waiting["entry"] == match["entry"]["id"]
    assert waiting["screeningId"] != first["screeningId"]
    decided = await decide(banco, match["matchId"])
    assert (decided["state"], decided["person"]["fullName"]) == ("false_hit", NAME)
    (review,) = decided["reviews"]
    assert (review["kind"], review["decision"], review["note"]) == ("decided", "false_hit", NOTE)
    assert review["current"] is True
    assert await state_of(banco, **customer) == ("false_hit", 0)
    # Less known about the same person changes nothing.
    assert await state_of(banco, externalId="c-1") == ("false_hit", 0)
    of_customer = await make_verification(banco, externalId="c-1")
    assert await state_of(banco, verificationId=of_customer) == ("false_hit", 0)
    queries = [{"fullName": NAME, "externalId": each} for each in ("c-1", "c-2", "c-1")]
    batch = (await banco.post(f"{SCREEN}/batch", json={"queries": queries})).json()["results"]
    assert [each["matches"][0]["review"]["state"] for each in batch] == [
        "false_hit",
        "open",
        "false_hit",
    ]
    assert [each["openMatches"] for each in batch] == [0, 1, 0]
    # Neither for another customer nor for another organization.
    assert await state_of(banco) == ("open", 1)
    assert await state_of(rival, externalId="c-1") == ("open", 1)
    assert (await rival.get(f"{MATCHES}/{match['matchId']}")).status_code == 404
    record = (await banco.get(f"/v1/aml/screenings/{first['screeningId']}")).json()
    assert record["answer"]["matches"][0]["review"]["state"] == "open"
    assert record["question"]["externalId"] == "c-1"
    async with services.database.transaction() as session:
        rows = (await session.scalars(text("SELECT t::text FROM aml_hit t"))).all()
        rows += (await session.scalars(text("SELECT t::text FROM aml_hit_review t"))).all()
        query = select(AuditEntry).where(AuditEntry.action == "aml_match.reviewed")
        (audited,) = await session.scalars(query)
    assert not any("Quimbaya" in row or b"Quimbaya".hex() in row for row in rows)
    assert not any(NOTE in row or NOTE.encode().hex() in row for row in rows)
    assert orjson.loads(audited.details) == {
        "decision": "false_hit",
        "review": review["id"],
        "verificationId": None,
    }
    assert str(audited.resource_id) == match["matchId"]


async def test_a_decision_ends_when_the_entry_or_the_person_changes(banco, lists, served):
    customer = {"externalId": "c-1", "dateOfBirth": "1990-05-05"}
    match_id = (await screen(banco, **customer))["matches"][0]["matchId"]
    await decide(banco, match_id)
    # The person: another date of birth, or an identifier that the reviewer did not know.
    for change in ({"dateOfBirth": "1961-04-17"}, {"rfc": "QULE610417AB1"}):
        assert await state_of(banco, **(customer | change)) == ("open", 1)
        await decide(banco, match_id)
    (match,) = (await screen(banco, externalId="c-1", fullName="Evaristo Quimbaya"))["matches"] or [
        None
    ]
    assert match["review"]["state"] == "open"
    await screen(banco, **customer)
    await decide(banco, match_id)
    # The entry.
    await lists.write(LISTED.replace("1961-04-17", "1961"), *OTHERS)
    await lists.serve()
    assert await state_of(banco, **customer) == ("open", 1)
    (again,) = await queue(banco)
    assert again["id"] == match_id
    reviews = (await detail(banco, match_id))["reviews"]
    assert len(reviews) == 4
    assert not any(review["current"] for review in reviews)


async def test_a_decision_holds_in_screenings_that_know_different_facts(banco, served):
    """A CRM knows the date of birth, a nightly batch the RFC: in turn, they open nothing."""
    at_desk = {
        "externalId": "c-1",
        "dateOfBirth": "1990-05-05",
        "aliases": ["Varo Quimbaya", "V. Lunario"],
        "nationalities": ["MX", "CO"],
        "identifiers": [{"kind": "passport", "value": "G12345678"}],
    }
    nightly = {"externalId": "c-1", "rfc": "QULE900505AB1", "curp": "QULE900505HSLRNV09"}
    match_id = (await screen(banco, **at_desk))["matches"][0]["matchId"]
    await decide(banco, match_id)
    # The RFC is news, so a reviewer sees it with all that is known.
    assert await state_of(banco, **nightly) == ("open", 1)
    person = (await decide(banco, match_id))["person"]
    assert (person["rfc"], person["dateOfBirth"]) == ("QULE900505AB1", "1990-05-05")
    assert person["identifiers"] == at_desk["identifiers"]
    for known in (at_desk, nightly, at_desk | nightly):
        assert await state_of(banco, **known) == ("false_hit", 0)
    # Another order or notation is no change of the person.
    assert await state_of(
        banco,
        externalId="c-1",
        fullName=NAME.upper(),
        rfc="qule900505ab1",
        curp="qule900505hslrnv09",
        aliases=["v lunario", "QUIMBAYA, Varo"],
        nationalities=["CO", "MX"],
        identifiers=[{"kind": "passport", "value": "g-12345678"}],
    ) == ("false_hit", 0)
    # A batch may ask for one customer twice; a contradiction opens the match whatever the order.
    other = {"fullName": NAME, "externalId": "c-1", "dateOfBirth": "1961-04-17"}
    queries = [other, {"fullName": NAME} | at_desk]
    batch = await banco.post(f"{SCREEN}/batch", json={"queries": queries})
    results = batch.json()["results"]
    assert [each["openMatches"] for each in results] == [1, 0]
    assert (await detail(banco, match_id))["state"] == "open"


async def test_facts_of_two_verifications_stay_apart(banco, services, served):
    first, second = [await make_verification(banco, externalId="c-1") for _ in range(2)]
    found = await screen(banco, verificationId=first, curp="QULE900505HSLRNV09")
    match_id = found["matches"][0]["matchId"]
    await screen(banco, verificationId=second, dateOfBirth="1990-05-05")
    hit = await detail(banco, match_id)
    assert (hit["verificationId"], hit["person"]["curp"]) == (second, None)
    # Facts without a verification are kept with one, and its purge deletes them.
    await screen(banco, externalId="c-1", rfc="QULE900505AB1")
    hit = await detail(banco, match_id)
    assert (hit["verificationId"], hit["person"]["dateOfBirth"]) == (second, "1990-05-05")
    await banco.request("DELETE", f"/v1/metamap/v2/verifications/{second}")
    assert await count(services, "aml_hit") == 0


async def test_a_decision_about_facts_that_the_reviewer_did_not_see_is_refused(banco, served, days):
    customer = {"externalId": "c-1", "dateOfBirth": "1990-05-05"}
    match_id = (await screen(banco, **customer))["matches"][0]["matchId"]
    seen = {"decision": "false_hit", "openedAt": (await detail(banco, match_id))["openedAt"]}
    await screen(banco, **(customer | {"dateOfBirth": "1961-04-17"}))
    refused = await post(banco, match_id, "review", **seen)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "MATCH_CHANGED")
    found = await detail(banco, match_id)
    assert (found["state"], found["reviews"]) == ("open", [])
    assert found["person"]["dateOfBirth"] == "1961-04-17"
    assert (await decide(banco, match_id))["state"] == "false_hit"
    # A dismissal may name what was seen.
    await days.pass_to(0)
    verification_id = await monitored(banco, NAME)
    await days.pass_to(0)
    (match,) = (await shown(banco, verification_id))["matches"]
    path = f"/v1/aml/monitor/{verification_id}/matches/{match['id']}"
    refused = await banco.patch(path, json={"dismissed": True, "openedAt": seen["openedAt"]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "MATCH_CHANGED")
    opened_at = (await detail(banco, match["matchId"]))["openedAt"]
    answer = await banco.patch(path, json={"dismissed": True, "openedAt": opened_at})
    assert answer.json()["dismissed"] is True


async def test_the_queue_has_filters_and_reviewers_claim_its_matches(app, banco, services, served):
    owner, reviewer = await as_owner(banco), await second_user(banco, services)
    verification_id = await make_verification(banco)
    ids = [
        (await screen(banco, **body))["matches"][0]["matchId"]
        for body in (
            {"externalId": "c-1"},
            {"verificationId": verification_id},
            {"externalId": "c-3"},
        )
    ]
    assert [each["id"] for each in await queue(banco)] == ids[::-1]
    pages = await banco.get(MATCHES, params={"limit": 2})
    rest = await queue(banco, limit=2, cursor=pages.json()["nextCursor"])
    assert [each["id"] for each in [*pages.json()["matches"], *rest]] == ids[::-1]
    assert [each["id"] for each in await queue(banco, externalId="c-3")] == [ids[2]]
    assert [each["id"] for each in await queue(banco, verificationId=verification_id)] == [ids[1]]
    assert await queue(banco, externalId="c-9") == await queue(banco, list="other") == []
    assert await queue(banco, verificationId="x") == []
    assert len(await queue(banco, list="private")) == 3

    claimed = await post(reviewer, ids[0], "claim")
    assert claimed.status_code == 200, claimed.text
    assert [each["id"] for each in await queue(reviewer, assigned="me")] == [ids[0]]
    assert await queue(owner, assigned="me") == []
    assert len(await queue(owner, assigned="nobody")) == 2
    for refused in (await post(owner, ids[0], "claim"), await review(owner, ids[0], "true_hit")):
        assert refused.json()["error"]["code"] == "CLAIMED_BY_ANOTHER"
    assert (await post(owner, ids[0], "release")).json()["match"]["claimedBy"] is None
    assert (await post(owner, ids[0], "claim")).status_code == 200
    assert (await post(reviewer, ids[0], "release")).status_code == 409
    # Time without an act ends a claim; another claim renews it.
    lease = services.settings.review_lease
    pass_time(app, services, lease)
    assert await queue(owner, assigned="anybody") == []
    assert (await post(reviewer, ids[0], "claim")).status_code == 200
    pass_time(app, services, lease * 3 / 2)
    assert (await post(reviewer, ids[0], "claim")).status_code == 200
    pass_time(app, services, lease * 2)
    assert (await post(owner, ids[0], "claim")).status_code == 409
    assert (await post(owner, ids[0], "release")).json()["match"]["claimedAt"] is None
    assert (await post(owner, ids[0], "claim")).status_code == 200
    assert (await decide(owner, ids[0], "needs_information"))["claimedBy"] is not None
    assert (await decide(owner, ids[0], "true_hit"))["claimedBy"] is None
    assert [each["id"] for each in await queue(owner, state="true_hit")] == [ids[0]]
    assert len(await queue(owner)) == 2
    assert await state_of(banco, externalId="c-1") == ("true_hit", 1)
    member = await with_new_key(banco, role="MEMBER")
    seen = {"decision": "true_hit", "openedAt": claimed.json()["match"]["openedAt"]}
    assert (await review(member, ids[1], "true_hit")).status_code == 403
    assert (await post(owner, str(uuid4()), "review", **seen)).status_code == 404
    assert (await review(owner, ids[1], "open")).status_code == 422
    assert (await post(owner, ids[1], "review", decision="true_hit")).status_code == 422


async def test_a_match_is_assigned_to_another_reviewer_of_the_organization(
    app, banco, rival, services, served
):
    owner, reviewer = await as_owner(banco), await second_user(banco, services)
    third = await second_user(banco, services, role="MEMBER")
    match_id = (await screen(banco, externalId="c-1"))["matches"][0]["matchId"]
    names = {each["name"]: each["id"] for each in await reviewers_for(owner)}
    boss, colleague = names[owner_of(banco)], names["reviewer@banco.example"]

    async def hand_over(member, to, status, code=None):
        answer = await post(member, match_id, "hand-over", userId=to)
        assert answer.status_code == status, answer.text
        if code:
            assert answer.json()["error"]["code"] == code
        return answer.json().get("match")

    handed = await hand_over(owner, colleague, 200)
    assert (handed["claimedBy"], handed["state"]) == (colleague, "open")
    assert [each["id"] for each in await queue(reviewer, assigned="me")] == [match_id]
    assert [each["id"] for each in await queue(owner, assigned=colleague)] == [match_id]
    assert await queue(owner, assigned=boss) == await queue(owner, assigned="nobody") == []
    assert (await owner.get(MATCHES, params={"assigned": "x"})).status_code == 422
    # Nobody else decides it, or takes it; an administrator takes it away.
    assert (await review(owner, match_id, "true_hit")).status_code == 409
    key = await with_new_key(banco, role="REVIEWER")
    await hand_over(key, boss, 409, "CLAIMED_BY_ANOTHER")
    assert (await hand_over(owner, boss, 200))["claimedBy"] == boss
    await hand_over(reviewer, colleague, 409, "CLAIMED_BY_ANOTHER")
    await hand_over(owner, colleague, 200)
    assert (await hand_over(reviewer, boss, 200))["claimedBy"] == boss
    # Only to active users of the organization who may review.
    async with services.database.transaction() as session:
        users = {user.email: str(user.id) for user in await session.scalars(select(User))}
    stranger = users[owner_of(rival)]
    for to in (stranger, str(uuid4()), "x"):
        await hand_over(owner, to, 404, "NOT_FOUND")
    await hand_over(owner, users["member@banco.example"], 422, "VALIDATION_ERROR")
    assert (await post(third, match_id, "hand-over", userId=boss)).status_code == 403
    assert (await post(rival, match_id, "hand-over", userId=stranger)).status_code == 404
    # The holder releases it. No time ends an assignment, nor does an act of its holder.
    assert (await post(owner, match_id, "release")).json()["match"]["claimedBy"] is None
    await hand_over(owner, colleague, 200)
    assert (await post(reviewer, match_id, "claim")).status_code == 200
    assert (await decide(reviewer, match_id, "needs_information"))["claimedBy"] == colleague
    pass_time(app, services, timedelta(days=30))
    assert [each["id"] for each in await queue(owner, assigned=colleague)] == [match_id]
    assert (await review(owner, match_id, "needs_information")).status_code == 409
    # Who may not review any more, or is removed, holds nothing.
    for role in ("MEMBER", "REVIEWER"):
        changed = await owner.patch(f"{USERS}/{colleague}", json={"role": role})
        assert changed.status_code == 200, changed.text
    assert await queue(owner, assigned="anybody") == []
    await hand_over(owner, colleague, 200)
    assert (await owner.request("DELETE", f"{USERS}/{colleague}")).status_code == 204
    assert [each["id"] for each in await queue(owner, assigned="nobody")] == [match_id]
    async with services.database.transaction() as session:
        query = select(AuditEntry).where(AuditEntry.action == "aml_match.handed_over")
        entries = await session.scalars(query.order_by(AuditEntry.id))
        logged = [orjson.loads(entry.details) for entry in entries]
    handed = [colleague, boss, colleague, boss, colleague, colleague]
    assert [each["to"] for each in logged] == handed


async def test_where_two_reviewers_decide_a_final_decision_waits_for_another_user(
    banco, services, served
):
    owner, reviewer = await as_owner(banco), await second_user(banco, services)
    match_id = (await screen(banco, externalId="c-1"))["matches"][0]["matchId"]
    changed = await owner.patch("/v1/organizations/me", json={"requiresSecondReviewer": True})
    assert changed.status_code == 200, changed.text
    refused = await review(banco, match_id, "false_hit")
    assert refused.json()["error"]["code"] == "SECOND_REVIEWER_NEEDED"
    assert (await decide(banco, match_id, "needs_information"))["state"] == "needs_information"
    proposed = await decide(reviewer, match_id)
    assert proposed["state"] == "needs_information"
    assert proposed["proposal"]["decision"] == "false_hit"
    assert await state_of(banco, externalId="c-1") == ("needs_information", 1)
    assert [each["id"] for each in await queue(owner, hasProposal="true")] == [match_id]
    seen = {"proposal": proposed["proposal"]["id"]}
    for member in (reviewer, banco):
        own = await post(member, match_id, "proposal/confirm", **seen)
        assert own.json()["error"]["code"] == "SECOND_REVIEWER_NEEDED"
    declined = await post(owner, match_id, "proposal/decline", **seen, note=NOTE)
    assert declined.json()["match"]["proposal"] is None
    late = await post(owner, match_id, "proposal/confirm", **seen)
    assert late.json()["error"]["code"] == "NO_PROPOSAL"
    seen = {"proposal": (await decide(reviewer, match_id))["proposal"]["id"]}
    confirmed = (await post(owner, match_id, "proposal/confirm", **seen)).json()["match"]
    assert (confirmed["state"], confirmed["proposal"]) == ("false_hit", None)
    assert [review["kind"] for review in confirmed["reviews"]] == [
        "decided",
        "proposed",
        "declined",
        "proposed",
        "decided",
    ]
    assert await state_of(banco, externalId="c-1") == ("false_hit", 0)


async def test_a_false_hit_silences_monitors_and_a_dismissal_is_a_false_hit(banco, served, days):
    await days.pass_to(0)
    first = await monitored(banco, NAME)
    await days.pass_to(0)
    (event,) = await told(days.services)
    (new,) = event["newMatches"]
    assert new["review"]["state"] == "open"
    assert new["entry"]["entryId"] == "1"
    (match,) = (await shown(banco, first))["matches"]
    assert match["matchId"] == new["matchId"]
    assert [each["id"] for each in await queue(banco, verificationId=first)] == [new["matchId"]]
    await decide(banco, new["matchId"])
    found = await shown(banco, first)
    assert (found["matches"][0]["dismissed"], found["outcome"]) == (True, "clean")
    assert await state_of(banco, verificationId=first) == ("false_hit", 0)
    await days.pass_to(1)
    assert len(await told(days.services)) == 1
    # A customer that was decided about by a screening is monitored silently.
    known = await make_verification(banco, externalId="c-1")
    await decide(banco, (await screen(banco, externalId="c-1"))["matches"][0]["matchId"])
    body = {"verificationId": known, "fullName": NAME, "enabled": True}
    assert (await banco.post("/v1/aml/monitor", json=body)).status_code == 200
    await days.pass_to(1)
    assert len(await told(days.services)) == 1
    (silent,) = (await shown(banco, known))["matches"]
    assert silent["dismissed"] is True
    path = f"/v1/aml/monitor/{known}/matches/{silent['id']}"
    assert (await banco.patch(path, json={"dismissed": False})).status_code == 200
    assert await state_of(banco, externalId="c-1") == ("open", 1)
    assert (await banco.patch(path, json={"dismissed": True})).status_code == 200
    assert await state_of(banco, externalId="c-1") == ("false_hit", 0)
    # A restoration leaves a true hit, and nobody decides what another reviewer claimed.
    await decide(banco, silent["matchId"], "true_hit")
    assert (await banco.patch(path, json={"dismissed": False})).status_code == 200
    assert await state_of(banco, externalId="c-1") == ("true_hit", 1)
    reviewer = await with_new_key(banco, "REVIEWER")
    assert (await post(reviewer, silent["matchId"], "claim")).status_code == 200
    refused = await banco.patch(path, json={"dismissed": True})
    assert refused.json()["error"]["code"] == "CLAIMED_BY_ANOTHER"


async def test_hits_go_with_their_verification_and_after_ten_years(banco, services, served):
    verification_id = await make_verification(banco)
    match_id = (await screen(banco, verificationId=verification_id))["matches"][0]["matchId"]
    await decide(banco, match_id)
    await screen(banco, externalId="c-1")
    deleted = await banco.request("DELETE", f"/v1/metamap/v2/verifications/{verification_id}")
    assert deleted.is_success, deleted.text
    assert (await banco.get(f"{MATCHES}/{match_id}")).status_code == 404
    assert await count(services, "aml_hit_review") == 0
    assert await count(services, "aml_hit") == 1
    later = replace(services, clock=ShiftedClock(timedelta(days=3654)))
    await retention.purge(JobContext(later, None))
    assert await count(services, "aml_hit") == 0
    assert UUID(match_id).version == 5


async def test_a_step_that_ends_after_the_purge_of_its_verification_leaves_no_hit(
    banco, services, served
):
    async def add(verification_id):
        customer = Customer(
            UUID(banco.organization_id), question_of(NAME), None, UUID(verification_id)
        )
        async with services.database.transaction() as session:
            entity_id = (await session.scalars(select(WatchlistEntity.id).limit(1))).one()
        hits = found_of(services.signer, customer, [(entity_id, b"", 1.0)])
        await recording.add(services.writes, services.keys, hits, services.clock.now())

    purged, kept = await make_verification(banco), await make_verification(banco)
    await banco.request("DELETE", f"/v1/metamap/v2/verifications/{purged}")
    await add(purged)
    assert await count(services, "aml_hit") == 0
    await add(kept)
    assert await count(services, "aml_hit") == 1


async def test_a_hit_goes_with_the_verification_whose_facts_it_keeps(banco, services, served):
    first, second = [await make_verification(banco, externalId="c-1") for _ in range(2)]
    found = await screen(banco, verificationId=first, curp="QULE610417HSLRNV09")
    match_id = found["matches"][0]["matchId"]
    # The second screening knows less, so the facts stay those of the first verification.
    await screen(banco, verificationId=second)
    hit = await detail(banco, match_id)
    assert (hit["verificationId"], hit["person"]["curp"]) == (first, "QULE610417HSLRNV09")
    await banco.request("DELETE", f"/v1/metamap/v2/verifications/{first}")
    assert await count(services, "aml_hit") == 0
    # Other facts bring their own verification.
    third = await make_verification(banco, externalId="c-1")
    await screen(banco, verificationId=second)
    await screen(banco, verificationId=third, curp="QULE610417HSLRNV09")
    assert (await detail(banco, match_id))["verificationId"] == third
