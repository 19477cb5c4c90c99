"""The review queue: who waits, who holds a case, and that two reviewers never hold the same one."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from uuid import UUID, uuid4

import httpx
import pytest
from sqlalchemy import func, select, update

from acredita.models import AuditEntry, ReviewCase, User, Verification
from acredita.resources.audit import service as audit
from acredita.resources.retention import purge
from acredita.resources.reviews import stream as stream_module
from tests.api.documents.live import served
from tests.api.sdk.streams import Stream
from tests.api.verifications.test_history import as_owner, second_user, sign_in
from tests.factories.clocks import ShiftedClock
from tests.factories.organizations import make_verification, make_workflow, with_new_key

QUEUE = "/v1/reviews"


@pytest.fixture
async def ana(banco):
    return await as_owner(banco)


@pytest.fixture
async def luis(banco, services):
    return await second_user(banco, services)


async def in_review(services, member, workflow_id=None, reasons=(), policy=None, **body):
    verification_id = await make_verification(member, workflow_id, **body)
    async with services.database.transaction() as session:
        await session.execute(
            update(Verification)
            .where(Verification.id == UUID(verification_id))
            .values(
                status="MANUAL_REVIEW",
                updated_at=func.clock_timestamp(),
                decision={
                    "status": "MANUAL_REVIEW",
                    "reasons": list(reasons),
                    **({} if policy is None else {"policy": policy}),
                },
            )
        )
    return verification_id


def pass_time(app, services, by):
    app.state.services = replace(services, clock=ShiftedClock(by))


async def queue(member, **filters):
    answer = await member.get(QUEUE, params=filters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def ids_in(member, **filters):
    return [item["verificationId"] for item in (await queue(member, **filters))["items"]]


async def reviewers_for(member):
    """Whom a reviewer can hand a verification over to: ids and names alone."""
    return (await member.get("/v1/reviews/reviewers")).json()["reviewers"]


async def act(member, verification_id, name, **body):
    return await member.post(f"{QUEUE}/{verification_id}/{name}", json=body or None)


async def decide(member, verification_id, status="APPROVED"):
    return await member.patch(
        f"/v1/verifications/{verification_id}/status", json={"status": status}
    )


def refused(answer, code, status=409):
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code), answer.text
    return answer.json()["error"]["message"]


async def test_the_queue_says_what_waits_why_and_until_when(app, banco, rival, services, luis):
    await banco.patch("/v1/organizations/me", json={"reviewSlaHours": 24})
    faces = await make_workflow(banco)
    reasons = ["FACE_MATCH: FACE_UNCERTAIN", "FORM: REVIEW", "POLICY: FACE_UNCERTAIN"]
    first = await in_review(services, banco, faces, reasons, externalId="cliente-1")
    second = await in_review(services, banco)
    third = await in_review(services, banco)
    await in_review(services, rival)
    found = await queue(banco)
    assert found["total"] == 3
    item = found["items"][0]
    assert item["reasons"] == [
        {"code": "FACE_UNCERTAIN", "message": item["reasons"][0]["message"]},
        {"code": "REVIEW", "message": None},
    ]
    assert item["reasons"][0]["message"]
    expected = {
        "verificationId": first,
        "externalId": "cliente-1",
        "workflow": {"id": faces, "name": "Alta de cuenta"},
        "queue": None,
        "rule": None,
        "overdue": False,
        "assignee": None,
        "leaseExpiresAt": None,
        "proposal": False,
    }
    assert item | expected == item
    assert item["deadline"][:10] > item["waitingSince"][:10]
    # Filters, orders and pages.
    assert await ids_in(banco) == [first, second, third]
    assert await ids_in(banco, sort="newest") == [third, second, first]
    page = await queue(banco, limit=2)
    following = await queue(banco, limit=2, cursor=page["nextCursor"])
    assert following["total"] == 3
    assert [item["verificationId"] for item in following["items"]] == [third]
    assert "nextCursor" not in following
    assert await ids_in(banco, workflowId=faces) == [first]
    assert await ids_in(banco, workflowId="x") == []
    assert await ids_in(banco, reason="FACE_UNCERTAIN") == [first]
    await act(luis, second, "claim")
    me = (await luis.get(f"{QUEUE}?assignee=me")).json()["items"][0]["assignee"]
    assert await ids_in(luis, assignee="me") == [second]
    assert await ids_in(banco, assignee=me["id"]) == [second]
    assert await ids_in(banco, assignee="none") == [first, third]
    assert await ids_in(banco, minAgeHours=1) == await ids_in(banco, overdue=True) == []
    pass_time(app, services, timedelta(hours=25))
    assert len(await ids_in(banco, minAgeHours=24)) == len(await ids_in(banco, overdue=True)) == 3
    assert all(item["overdue"] for item in (await queue(banco))["items"])
    # What is decided leaves the queue, and what is purged.
    assert (await decide(banco, first)).status_code == 200
    async with services.database.transaction() as session:
        mine = select(Verification.organization_id).where(Verification.id == UUID(second))
        actor = audit.Actor(await session.scalar(mine))
        await purge._purge(session, actor, [UUID(second)], services.clock.now())
    assert await ids_in(banco) == [third]
    # What a reviewer sends to review waits, too.
    assert (await decide(banco, first, "MANUAL_REVIEW")).status_code == 200
    assert await ids_in(banco) == [third, first]


async def test_the_queue_of_a_policy_is_shown_and_narrows_the_queue(banco, rival, services, ana):
    policy = {"queue": "fraude", "rule": "Parecido bajo"}
    risky = await in_review(services, banco, policy=policy)
    plain = await in_review(services, banco, policy={"queue": None, "rule": None})
    await in_review(services, rival, policy={"queue": "secreta", "rule": "Suya"})
    item = (await queue(banco, queue="fraude"))["items"][0]
    assert (item["verificationId"], item["queue"], item["rule"]) == (
        risky,
        "fraude",
        "Parecido bajo",
    )
    assert await ids_in(banco, queue="fraude") == [risky]
    assert await ids_in(banco, queue="secreta") == await ids_in(banco, queue="") == []
    assert (await queue(banco))["items"][1]["queue"] is None
    listed = await banco.get(f"{QUEUE}/queues")
    assert listed.json() == {"queues": [{"name": "fraude", "total": 1}]}
    taken = await ana.post(f"{QUEUE}/next", json={"queue": "fraude"})
    assert taken.json()["verificationId"] == risky
    assert (await ana.post(f"{QUEUE}/next", json={"queue": "fraude"})).status_code == 204
    # A reviewer sends back what the rules approved: no rule of the policy did.
    assert (await decide(ana, risky, "APPROVED")).status_code == 200
    async with services.database.transaction() as session:
        approved = {"status": "APPROVED", "reasons": [], "policy": policy}
        await session.execute(
            update(Verification)
            .where(Verification.id == UUID(risky))
            .values(decision=approved, updated_at=func.clock_timestamp())
        )
    assert (await decide(ana, risky, "MANUAL_REVIEW")).status_code == 200
    assert await ids_in(banco) == [plain, risky]
    assert (await queue(banco))["items"][1]["rule"] is None


async def test_a_claim_keeps_others_from_claiming_and_deciding_until_it_ends(
    app, banco, services, ana, luis
):
    case = await in_review(services, banco)
    item = (await act(luis, case, "claim")).json()
    assert item["leaseExpiresAt"]
    name = item["assignee"]["name"]
    claimed = await act(ana, case, "claim")
    assert name in refused(claimed, "ALREADY_CLAIMED")
    # The console names the holder in its own language.
    assert claimed.json()["error"]["details"] == [name]
    assert name in refused(await decide(ana, case), "ALREADY_CLAIMED")
    rerun = f"/v1/verifications/{case}/run-again"
    refused(await ana.post(rerun), "ALREADY_CLAIMED")
    reviewer = await with_new_key(banco, "REVIEWER")
    refused(await act(reviewer, case, "release"), "ALREADY_CLAIMED")
    refused(
        await act(reviewer, case, "hand-over", userId=item["assignee"]["id"]), "ALREADY_CLAIMED"
    )
    # A claim again and a note renew it; time without activity ends it.
    minutes = services.settings.review_lease_minutes
    pass_time(app, services, timedelta(minutes=minutes - 1))
    note = await luis.post(f"/v1/verifications/{case}/notes", json={"note": "Sigo"})
    assert note.status_code == 201
    pass_time(app, services, timedelta(minutes=2 * minutes - 2))
    refused(await act(ana, case, "claim"), "ALREADY_CLAIMED")
    assert (await act(luis, case, "claim")).status_code == 200
    pass_time(app, services, timedelta(minutes=4 * minutes))
    assert (await act(ana, case, "claim")).status_code == 200
    refused(await decide(luis, case), "ALREADY_CLAIMED")
    # The holder hands it over, or releases it.
    refused(await act(ana, case, "hand-over", userId=str(uuid4())), "NOT_FOUND", 404)
    async with services.database.transaction() as session:
        await session.execute(update(User).where(User.email == name).values(role="MEMBER"))
    who = item["assignee"]["id"]
    refused(await act(ana, case, "hand-over", userId=who), "VALIDATION_ERROR", 422)
    assert who not in [one["id"] for one in await reviewers_for(ana)]
    async with services.database.transaction() as session:
        await session.execute(update(User).where(User.email == name).values(role="REVIEWER"))
    assert {"id": who, "name": name} in await reviewers_for(ana)
    handed = await act(ana, case, "hand-over", userId=who)
    assert handed.json()["assignee"]["id"] == who
    luis = await sign_in(luis, name)
    refused(await decide(ana, case), "ALREADY_CLAIMED")
    assert (await act(luis, case, "release")).status_code == 204
    assert (await act(luis, case, "release")).status_code == 204
    # An ADMIN ends anybody's claim.
    assert (await act(luis, case, "claim")).status_code == 200
    assert (await act(ana, case, "release")).status_code == 204
    # API keys decide at any time, as before.
    assert (await act(luis, case, "claim")).status_code == 200
    assert (await decide(banco, case)).status_code == 200
    refused(await act(luis, case, "claim"), "NOT_IN_REVIEW")
    refused(await act(luis, str(uuid4()), "claim"), "NOT_FOUND", 404)
    async with services.database.transaction() as session:
        actions = select(AuditEntry.action).where(AuditEntry.resource_id == UUID(case))
        logged = set(await session.scalars(actions))
    assert {"verification.claimed", "verification.unclaimed", "verification.handed_over"} <= logged


async def test_concurrent_reviewers_never_hold_the_same_case(banco, services, ana, luis):
    cases = {await in_review(services, banco) for _ in range(6)}
    members = [ana, luis] * 4
    answers = await asyncio.gather(*(each.post(f"{QUEUE}/next", json={}) for each in members))
    assert sorted(answer.status_code for answer in answers) == [200] * 6 + [204] * 2
    taken = [answer.json()["verificationId"] for answer in answers if answer.status_code == 200]
    assert set(taken) == cases
    (one, *_) = cases
    await act(ana, one, "release")
    race = await asyncio.gather(*(act(each, one, "claim") for each in members))
    holders = {answer.json()["assignee"]["id"] for answer in race if answer.status_code == 200}
    assert len(holders) == 1
    assert {answer.status_code for answer in race} == {200, 409}
    # A claim and a decision at once: one of them is refused, or the claim was the decider's.
    await act(ana, one, "release")
    claimed, decided = await asyncio.gather(act(luis, one, "claim"), decide(ana, one))
    assert {claimed.status_code, decided.status_code} == {200, 409}


async def test_a_proposal_frees_the_case_for_another_reviewer(banco, services, ana, luis):
    await ana.patch("/v1/organizations/me", json={"requiresSecondReviewer": True})
    case = await in_review(services, banco)
    await act(ana, case, "claim")
    proposal = (await decide(ana, case)).json()["proposal"]["id"]
    (item,) = (await queue(ana))["items"]
    assert (item["assignee"], item["proposal"]) == (None, True)
    assert (await ana.post(f"{QUEUE}/next", json={})).status_code == 204
    taken = await luis.post(f"{QUEUE}/next", json={"sort": "newest"})
    assert taken.json()["verificationId"] == case
    declined = await luis.post(
        f"/v1/verifications/{case}/proposal/decline", json={"proposal": proposal}
    )
    assert declined.status_code == 200
    assert not (await queue(ana))["items"][0]["proposal"]
    proposal = (await decide(ana, case, "MANUAL_REVIEW")).json()["proposal"]["id"]
    where = f"/v1/verifications/{case}/proposal/confirm"
    assert (await luis.post(where, json={"proposal": proposal})).status_code == 200
    assert not (await queue(ana))["items"][0]["proposal"]
    proposal = (await decide(ana, case)).json()["proposal"]["id"]
    assert (await luis.post(where, json={"proposal": proposal})).status_code == 200
    assert await ids_in(ana) == []
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(ReviewCase)) == 0


async def test_each_user_saves_filters_of_their_own(banco, ana, luis):
    body = {"name": "Rostros", "filter": {"reason": "FACE_UNCERTAIN", "assignee": "none"}}
    saved = await ana.post(f"{QUEUE}/filters", json=body)
    assert saved.status_code == 201, saved.text
    assert saved.json()["filter"] | body == saved.json()["filter"]
    refused(await ana.post(f"{QUEUE}/filters", json=body), "FILTER_EXISTS")
    refused(await banco.post(f"{QUEUE}/filters", json=body), "FORBIDDEN", 403)
    (listed,) = (await ana.get(f"{QUEUE}/filters")).json()["filters"]
    assert listed == saved.json()["filter"]
    assert (await luis.get(f"{QUEUE}/filters")).json()["filters"] == []
    refused(await luis.delete(f"{QUEUE}/filters/{listed['id']}"), "NOT_FOUND", 404)
    assert (await ana.delete(f"{QUEUE}/filters/{listed['id']}")).status_code == 204
    assert (await ana.get(f"{QUEUE}/filters")).json()["filters"] == []


async def test_members_do_not_see_the_queue(banco):
    member = await with_new_key(banco, "MEMBER")
    for method, path in (("GET", QUEUE), ("GET", f"{QUEUE}/events"), ("POST", f"{QUEUE}/next")):
        refused(await member.request(method, path), "FORBIDDEN", 403)


async def test_the_stream_tells_of_each_change(app, banco, services, ana, monkeypatch):
    monkeypatch.setattr(stream_module, "SPACING", 0.0)
    async with (
        served(app) as port,
        httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60, headers=ana.headers
        ) as client,
        client.stream("GET", f"{QUEUE}/events") as answer,
    ):
        assert answer.status_code == 200
        stream = Stream(answer)
        assert (await stream.message())[1:] == ("queue", {"total": 0})
        case = await make_verification(banco)
        assert (await decide(banco, case, "MANUAL_REVIEW")).status_code == 200
        await until_total(stream, 1)
        await act(ana, case, "claim")
        assert (await stream.message())[1:] == ("queue", {"total": 1})
        await decide(ana, case)
        await until_total(stream, 0)


async def until_total(stream, total):
    while (await stream.message()).view["total"] != total:
        pass
