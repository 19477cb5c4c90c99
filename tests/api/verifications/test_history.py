"""GET /v1/verifications/{id}/history, decisions by two reviewers, and what the purge leaves."""

from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from acredita.engines import digests
from acredita.version import release
from tests.api.verifications.test_override import begin, finish, put, shown
from tests.factories.organizations import PASSWORD, Member, make_verification, with_new_key
from tests.factories.samples import picture
from tests.retention.conftest import Days

ME = "/v1/organizations/me"


def path(verification_id: str, rest: str = "") -> str:
    return f"/v1/verifications/{verification_id}{rest}"


async def history_of(member, verification_id, **parameters):
    answer = await member.get(path(verification_id, "/history"), params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def decide(member, verification_id, status, **body):
    body = {"status": status, **body}
    return await member.patch(path(verification_id, "/status"), json=body)


async def sign_in(member, email):
    answer = await member.client.post("/v1/auth/login", json={"email": email, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    token = answer.json()["access_token"]
    return Member(member.client, member.organization_id, member.api_key, token)


async def as_owner(member):
    slug = member.registration["org"]["slug"]
    return await sign_in(member, f"owner@{slug}.example")


async def second_user(member, services, role="REVIEWER"):
    """A user with the owner's password: the invitation's mail is not the subject here."""
    email = f"{role.lower()}@banco.example"
    added = await member.post(f"{ME}/users", json={"email": email, "role": role})
    assert added.status_code == 201, added.text
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "UPDATE user_account SET password_hash = (SELECT password_hash FROM user_account"
                " WHERE role = 'OWNER' LIMIT 1) WHERE email = :email"
            ),
            {"email": email},
        )
    return await sign_in(member, email)


async def test_the_history_tells_everything_in_order_and_no_decision_replaces_another(
    banco, rival, services
):
    verification_id = await make_verification(banco, externalId="c-1", metadata={"a": 1})
    files = [("front", ("x.jpg", picture(), "image/jpeg"))]
    assert (await banco.post(path(verification_id, "/inputs"), files=files)).status_code == 202
    assert await finish(services, await begin(services, verification_id), "REVIEW")
    said = await decide(
        banco, verification_id, "REJECTED", notes="Es falsa", reason="FRAUD_CONFIRMED"
    )
    assert said.status_code == 200
    assert (await banco.post(path(verification_id, "/notes"), json={"note": "Llamó"})).is_success
    assert (await decide(banco, verification_id, "APPROVED")).status_code == 200

    page = await history_of(banco, verification_id)
    items = page["history"]
    assert [item["kind"].partition(".")[2] for item in items] == [
        "documents_uploaded",
        "step_finished",
        "decided",
        "overridden",
        "note_added",
        "overridden",
    ]
    assert page["pagination"]["total"] == 6
    uploaded, finished, decided, rejected, noted, approved = items
    assert uploaded["details"]["roles"] == ["front"]
    assert finished["details"]["code"] == "DOCUMENT_EXPIRED"
    assert decided["actor"] == {"type": "service", "id": None}
    assert decided["details"] == {
        "previousStatus": "IN_PROGRESS",
        "newStatus": "MANUAL_REVIEW",
        "status": "MANUAL_REVIEW",
        "reasons": ["DOCUMENT_OCR: DOCUMENT_EXPIRED"],
        "rules": "decision/1",
        "service": {
            **release(),
            "code": digests.code(),
            "libraries": digests.libraries(),
        },
    }
    assert (rejected["note"], rejected["details"]["reason"]) == ("Es falsa", "FRAUD_CONFIRMED")
    assert rejected["actor"]["type"] == "client"
    assert noted["note"] == "Llamó"
    assert approved["details"]["previousStatus"] == "REJECTED"
    assert (approved["note"], approved["details"]["reason"]) == (None, None)
    assert [item["createdAt"] for item in items] == sorted(item["createdAt"] for item in items)

    part = await history_of(banco, verification_id, limit=2, offset=3)
    assert part["history"] == items[3:5]
    assert (await history_of(banco, verification_id, offset=9))["pagination"]["total"] == 6
    seen = await shown(banco, verification_id)
    assert (seen["externalId"], seen["metadata"]) == ("c-1", {"a": 1})
    lower = await with_new_key(banco, "MEMBER")
    assert (await lower.get(path(verification_id, "/history"))).status_code == 403
    assert (await rival.get(path(verification_id, "/history"))).status_code == 404
    for changed in ("reason", "note"):
        body = {"reason": "SURPRISE"} if changed == "reason" else {"notes": 5}
        assert (await decide(banco, verification_id, "APPROVED", **body)).status_code == 422


async def test_a_reason_fits_the_status_that_it_is_given_for(banco):
    verification_id = await make_verification(banco)

    async def refused(status, reason):
        answer = await decide(banco, verification_id, status, reason=reason)
        assert answer.status_code == 422, answer.text
        (said,) = answer.json()["error"]["details"]
        return said

    approving = "EVIDENCE_CONFIRMED, WATCHLIST_MATCH_DISMISSED"
    said = await refused("APPROVED", "FRAUD_CONFIRMED")
    assert said.startswith("body: FRAUD_CONFIRMED is no reason for APPROVED: expected")
    assert said.endswith(approving)
    assert await refused("APPROVED", "DOCUMENT_EXPIRED")
    assert (await refused("REJECTED", "EVIDENCE_CONFIRMED")).endswith(", or a step's code")
    for status in ("APPROVED", "REJECTED", "MANUAL_REVIEW"):
        assert await refused(status, "POLICY_NOT_EVALUATED")
    assert await refused("MANUAL_REVIEW", "PERSON_WITHDREW")
    assert (await shown(banco, verification_id))["status"] == "PENDING"
    for status, reason in (
        ("MANUAL_REVIEW", "WATCHLIST_MATCH_CONFIRMED"),
        ("REJECTED", "DOCUMENT_EXPIRED"),
        ("APPROVED", "WATCHLIST_MATCH_DISMISSED"),
    ):
        assert (await decide(banco, verification_id, status, reason=reason)).is_success


async def test_the_history_is_append_only_and_its_notes_are_sealed_and_purged(banco, services):
    verification_id = await make_verification(banco)
    await decide(banco, verification_id, "REJECTED", notes="Señora Gómez")
    async with services.database.transaction() as session:
        sealed = await session.scalar(text("SELECT note_sealed FROM verification_history"))
    assert b"mez" not in sealed
    for change in (
        "UPDATE verification_history SET kind = 'verification.decided'",
        "UPDATE verification_history SET details = '{}'",
        "DELETE FROM verification_history",
        "TRUNCATE verification_history",
    ):
        with pytest.raises(DBAPIError, match="append-only"):
            async with services.database.transaction() as session:
                await session.execute(text(change))
    await Days(services).purge(400)
    assert [i["note"] for i in (await history_of(banco, verification_id))["history"][:1]] == [None]
    # A decision about the tombstone can have a note; the next purge deletes it.
    await decide(banco, verification_id, "APPROVED", notes="Señora Gómez")
    assert (await history_of(banco, verification_id))["history"][-1]["note"] == "Señora Gómez"
    await Days(services).purge(401)
    assert {i["note"] for i in (await history_of(banco, verification_id))["history"]} == {None}
    with pytest.raises(DBAPIError, match="append-only"):
        async with services.database.transaction() as session:
            await session.execute(text("UPDATE verification_history SET note_sealed = 'x'"))


async def test_the_note_of_a_release_without_history_stays_with_its_decision(banco, services):
    verification_id = UUID(await make_verification(banco))
    async with services.database.transaction() as session:
        verification = (
            await session.execute(text("SELECT organization_id FROM verification"))
        ).one()
        await session.execute(
            text(
                "INSERT INTO audit_log (id, organization_id, actor_type, action, resource_type,"
                " resource_id, details) VALUES (gen_random_uuid(), :organization, 'user',"
                " 'verification.status_changed', 'verification', :id,"
                """ '{"newStatus":"REJECTED","previousStatus":"PENDING"}')"""
            ),
            {"organization": verification[0], "id": verification_id},
        )
    sealed = services.keys.seal(b"Antes", context=f"verification:{verification_id}")
    async with services.database.transaction() as session:
        await session.execute(
            text("UPDATE verification SET notes_sealed = :sealed"), {"sealed": sealed}
        )
    await decide(banco, str(verification_id), "APPROVED", notes="Ahora")
    items = (await history_of(banco, str(verification_id)))["history"]
    assert [item["note"] for item in items] == ["Antes", "Ahora"]


async def test_two_reviewers_decide_and_the_proposer_cannot_confirm(banco, services):
    assert (await banco.patch(ME, json={"requiresSecondReviewer": True})).status_code == 200
    owner, reviewer = await as_owner(banco), await second_user(banco, services)
    verification_id = await make_verification(banco)
    confirm, decline = (path(verification_id, f"/proposal/{it}") for it in ("confirm", "decline"))

    # The holder of a key could be the one who proposed.
    assert (await decide(banco, verification_id, "APPROVED")).status_code == 403
    unknown = {"proposal": verification_id}
    assert (await owner.post(confirm, json=unknown)).json()["error"]["code"] == "NO_PROPOSAL"
    reason = "IDENTITY_CONFIRMED_IN_PERSON"
    proposed = await decide(owner, verification_id, "APPROVED", notes="Vino", reason=reason)
    assert proposed.status_code == 202
    assert proposed.json()["verification"]["status"] == "PENDING"
    assert proposed.json()["proposal"]["reason"] == reason
    first = {"proposal": proposed.json()["proposal"]["id"]}
    for member, address in ((owner, confirm), (owner, decline), (banco, confirm)):
        refused = await member.post(address, json=first)
        assert refused.json()["error"]["code"] == "SECOND_REVIEWER_NEEDED", refused.text
        assert refused.status_code == 403
    assert (await shown(banco, verification_id))["status"] == "PENDING"

    assert (await reviewer.post(decline, json=first | {"notes": "No"})).status_code == 200
    assert (await reviewer.post(confirm, json=first)).status_code == 409
    # A reviewer's new proposal replaces the pending one, so its own author cannot confirm it.
    replaced, last_one = [
        {"proposal": (await decide(member, verification_id, status)).json()["proposal"]["id"]}
        for member, status in ((owner, "APPROVED"), (reviewer, "REJECTED"))
    ]
    assert (await reviewer.post(confirm, json=last_one)).status_code == 403
    # What was replaced cannot be confirmed by who read it before.
    assert (await reviewer.post(confirm, json=replaced)).status_code == 409
    confirmed = await owner.post(confirm, json=last_one | {"notes": "De acuerdo"})
    assert confirmed.json()["verification"]["status"] == "REJECTED"
    last = (await history_of(banco, verification_id))["history"][-1]
    users = (await owner.get(f"{ME}/users")).json()["users"]
    by_role = {user["role"]: user["id"] for user in users}
    assert last["kind"] == "verification.overridden"
    assert last["note"] == "De acuerdo"
    assert last["actor"]["id"] == by_role["OWNER"]
    assert last["details"]["proposedBy"] == by_role["REVIEWER"]
    assert (await owner.post(confirm, json=last_one)).status_code == 409

    # Nobody but an owner can go back to one reviewer.
    off = {"requiresSecondReviewer": False}
    assert (await banco.patch(ME, json=off)).status_code == 403
    assert (await owner.patch(ME, json=off)).status_code == 200
    assert (await decide(banco, verification_id, "APPROVED")).status_code == 200


async def test_retention_counts_years_from_the_end_of_the_relationship(banco, services):
    body = {"dataRetentionYears": 10, "retentionStart": "RELATIONSHIP_END"}
    org = (await banco.patch(ME, json=body)).json()["org"]
    assert {name: org[name] for name in body} == body
    assert (await banco.patch(ME, json={"dataRetentionYears": 31})).status_code == 422
    ended, lasting = [await make_verification(banco) for _ in range(2)]
    for verification_id in (ended, lasting):
        await put(services, UUID(verification_id), status="REJECTED")
    end = (services.clock.now()).replace(microsecond=0)
    answer = await banco.patch(path(ended), json={"relationshipEndedAt": end.isoformat()})
    assert answer.status_code == 200, answer.text
    assert answer.json()["verification"]["relationshipEndedAt"][:19] == end.isoformat()[:19]
    assert (await banco.patch(path(ended), json={"relationshipEndedAt": "soon"})).status_code == 422

    async def purged():
        async with services.database.transaction() as session:
            query = text("SELECT id FROM verification WHERE purged_at IS NOT NULL")
            return [str(found) for found in await session.scalars(query)]

    await Days(services).purge(10 * 365)
    assert await purged() == []
    await Days(services).purge(10 * 365 + 4)
    assert await purged() == [ended]
    await Days(services).purge(40 * 366)
    assert await purged() == [ended]
    cleared = await banco.patch(path(lasting), json={"relationshipEndedAt": None})
    assert cleared.json()["verification"]["relationshipEndedAt"] is None
