"""What is recorded, who sees it, and that it holds no personal data."""

import json
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from acredita.domain.audit import Action, ActorType
from acredita.resources.audit import service as audit
from acredita.resources.audit.chaining import chain_all
from acredita.resources.audit.service import Actor
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.steps.running import CHECK_UNAVAILABLE
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification, make_workflow, with_new_key

PATH = "/v1/audit-logs"


async def logs_of(member, query=""):
    answer = await member.get(PATH + query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_entry_says_who_did_what_to_what(banco, services):
    workflow_id = await make_workflow(banco)
    await chain_all(services.database, services.signer)
    answer = await logs_of(banco)
    assert set(answer) == {"auditLogs", "pagination"}
    assert answer["pagination"] == {"total": 2, "limit": 50, "offset": 0, "hasMore": False}
    newest, registration = answer["auditLogs"]
    assert set(newest) == {
        "id",
        "position",
        "action",
        "actor",
        "resourceType",
        "resourceId",
        "details",
        "hash",
        "createdAt",
    }
    assert newest["action"] == "workflow.created"
    assert newest["actor"] == {"type": "client", "id": banco.registration["apiKey"]["id"]}
    assert (newest["resourceType"], newest["resourceId"]) == ("workflow", workflow_id)
    assert registration["action"] == "organization.registered"
    assert registration["actor"] == {"type": "user", "id": banco.registration["user"]["id"]}
    assert registration["details"] == {
        "user": banco.registration["user"]["id"],
        "apiKey": banco.registration["apiKey"]["id"],
    }
    assert [newest["position"], registration["position"]] == [2, 1]


async def test_every_change_of_the_account_leaves_its_entry(banco):
    workflow_id = await make_workflow(banco)
    key = await with_new_key(banco, "REVIEWER")
    webhook = await banco.post(
        "/v1/webhooks", json={"url": "https://localhost/", "events": ["verification.created"]}
    )
    webhook_id = webhook.json()["webhook"]["id"]
    await banco.delete(f"/v1/webhooks/{webhook_id}")
    await banco.delete(f"/v1/organizations/me/api-keys/{key.registration['id']}")
    await banco.patch("/v1/organizations/me", json={"name": "Juana Pérez, S.A."})
    recorded = [
        (entry["action"], entry["resourceId"], entry["details"])
        for entry in (await logs_of(banco))["auditLogs"]
    ]
    assert recorded[:-1] == [
        (
            "organization.updated",
            banco.organization_id,
            {
                "changes": ["name"],
                "dataRetentionDays": 365,
                "dataRetentionYears": None,
                "retentionStart": "CREATION",
            },
        ),
        ("api_key.revoked", key.registration["id"], {}),
        ("webhook.deleted", webhook_id, {}),
        ("webhook.created", webhook_id, {"events": ["verification.created"]}),
        ("api_key.created", key.registration["id"], {"role": "REVIEWER", "rateLimit": 10}),
        ("workflow.created", workflow_id, {}),
    ]


async def test_settings_and_roles_are_recorded_with_their_former_values(banco):
    settings = {"requiresSecondReviewer": True, "reviewSlaHours": 8, "dataRetentionDays": 90}
    assert (await banco.patch("/v1/organizations/me", json=settings)).status_code == 200
    invited = await banco.post(
        "/v1/organizations/me/users", json={"email": "luz@banco.example", "role": "REVIEWER"}
    )
    user_id = invited.json()["user"]["id"]
    await banco.patch(f"/v1/organizations/me/users/{user_id}", json={"role": "MEMBER"})
    recorded = {entry["action"]: entry["details"] for entry in (await logs_of(banco))["auditLogs"]}
    assert recorded["user.updated"] == {
        "changes": ["role"],
        "role": "MEMBER",
        "previousRole": "REVIEWER",
    }
    assert recorded["organization.updated"] == {
        "changes": sorted(settings),
        "requiresSecondReviewer": True,
        "previousRequiresSecondReviewer": False,
        "reviewSlaHours": 8,
        "previousReviewSlaHours": None,
        "dataRetentionDays": 90,
        "previousDataRetentionDays": 365,
        "dataRetentionYears": None,
        "retentionStart": "CREATION",
    }


async def test_uploads_views_and_decisions_are_recorded(client, banco, rival, services):
    workflow_id = await make_workflow(banco, "LIVENESS")
    verification_id = await make_verification(banco, workflow_id)
    upload = await banco.post(
        f"/v1/verifications/{verification_id}/inputs",
        files=[("liveness", ("a.png", picture())), ("liveness", ("b.png", picture()))],
    )
    assert upload.status_code == 202, upload.text
    documents = [document["id"] for document in upload.json()["uploaded"]]
    async with services.database.transaction() as session:
        verification = await queries.lock(session, UUID(verification_id))
        (step,) = await queries.list_steps(session, verification.id)
        await pipeline.finish_step(session, services, verification, step, CHECK_UNAVAILABLE)
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    link = shown["documents"][0]["imageUrl"].removeprefix("http://test")
    viewed = shown["documents"][0]["id"]
    assert (await banco.get(f"/v1/documents/{viewed}/image")).status_code == 200
    # The link opens it for anyone. Who else is known to belong to the organization is named.
    for member in (client, rival, banco):
        assert (await member.get(link)).status_code == 200
    assert (await client.get(f"/v1/documents/{viewed}/image")).status_code == 401
    logged = (await logs_of(banco))["auditLogs"][:6]
    views, of_verification = logged[:4], logged[4:]
    assert [(e["action"], e["resourceId"], e["details"]) for e in views] == [
        ("document.viewed", viewed, {})
    ] * 4
    anyone = {"type": "link", "id": None}
    key = {"type": "client", "id": banco.registration["apiKey"]["id"]}
    assert [entry["actor"] for entry in views] == [key, anyone, anyone, key]
    by_action = {entry["action"]: entry for entry in of_verification}
    assert by_action["verification.documents_uploaded"]["details"] == {
        "documents": documents,
        "roles": ["liveness", "liveness"],
    }
    decided = by_action["verification.status_changed"]
    assert decided["actor"] == {"type": "service", "id": None}
    assert decided["details"]["previousStatus"] == "IN_PROGRESS"
    assert decided["details"]["newStatus"] == "MANUAL_REVIEW"
    assert {e["resourceId"] for e in of_verification} == {verification_id}


async def test_what_was_refused_leaves_no_entry(banco):
    before = (await logs_of(banco))["pagination"]["total"]
    answers = [
        await banco.post("/v1/workflows", json={"name": "x", "steps": []}),
        await banco.delete(f"/v1/organizations/me/api-keys/{uuid4()}"),
        await banco.delete(f"/v1/organizations/me/api-keys/{banco.registration['apiKey']['id']}"),
    ]
    assert [answer.status_code for answer in answers] == [422, 404, 409]
    assert (await logs_of(banco))["pagination"]["total"] == before


async def test_filters_narrow_and_pages_go_on_without_gap_or_repetition(banco, services):
    workflows = [await make_workflow(banco) for _ in range(5)]
    await chain_all(services.database, services.signer)
    only = await logs_of(banco, f"?resourceType=workflow&resourceId={workflows[1]}")
    assert [entry["resourceId"] for entry in only["auditLogs"]] == [workflows[1]]
    assert only["pagination"]["total"] == 1
    by_action = await logs_of(banco, "?action=workflow.created&limit=2&offset=2")
    assert [e["resourceId"] for e in by_action["auditLogs"]] == [workflows[2], workflows[1]]
    assert by_action["pagination"] == {"total": 5, "limit": 2, "offset": 2, "hasMore": True}
    pages = [(await logs_of(banco, f"?limit=4&offset={offset}")) for offset in (0, 4, 8)]
    assert [e["position"] for page in pages for e in page["auditLogs"]] == [6, 5, 4, 3, 2, 1]
    assert [page["pagination"]["hasMore"] for page in pages] == [True, False, False]


@pytest.mark.parametrize(
    "query",
    [
        "resourceType=nothing",
        "resourceId=nothing",
        "resourceId=%F0%9F%99%82",
        "resourceId=0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11",
        "action=workflow",
        "action=%25",
        "offset=9223372036854775807",
    ],
)
async def test_what_matches_nothing_is_an_empty_page(banco, query):
    assert (await logs_of(banco, f"?{query}"))["auditLogs"] == []


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=1.5",
        "limit=5&limit=500",
        "offset=-1",
        "offset=9223372036854775808",
        f"offset={'9' * 400}",
        "action=%00",
        f"action={'x' * 256}",
        "unknown=1",
    ],
)
async def test_a_query_out_of_bounds_is_refused(banco, query):
    assert (await banco.get(f"{PATH}?{query}")).status_code == 422


async def test_the_log_is_the_organizations_own_and_its_admins(client, banco, rival):
    """TEN-03, in part."""
    workflow_id = await make_workflow(banco)
    seen = (await rival.get(PATH)).text
    assert workflow_id not in seen
    assert banco.organization_id not in seen
    assert (await logs_of(rival))["pagination"]["total"] == 1
    foreign = await logs_of(rival, f"?resourceId={workflow_id}")
    assert foreign["pagination"]["total"] == 0
    for role in ("REVIEWER", "MEMBER"):
        lower = await with_new_key(banco, role)
        assert (await lower.get(PATH)).status_code == 403
    assert (await client.get(PATH)).status_code == 401


async def test_the_log_holds_no_personal_text(banco, services):
    await banco.patch("/v1/organizations/me", json={"name": "Juana Pérez, S.A."})
    await banco.post("/v1/organizations/me/api-keys", json={"name": "clave de Juana"})
    secret = "whsec_the_receivers_own_secret"
    await banco.post(
        "/v1/webhooks",
        json={
            "url": "https://localhost/juana",
            "events": ["verification.created"],
            "secret": secret,
        },
    )
    async with services.database.reading() as connection:
        rows = await connection.execute(text("SELECT audit_log::text FROM audit_log"))
        everything = " ".join(rows.scalars())
    assert "workflow" in everything or "organization.updated" in everything
    for personal in ("Juana", "juana", "clave", secret, banco.api_key, "owner@"):
        assert personal not in everything


@pytest.mark.parametrize(
    "fact",
    ["PERJ800101MDFRNN09", "ana@banco.example", "Juana Pérez", "+525512345678", "", ["Juana P."]],
)
async def test_text_that_is_no_word_of_ours_cannot_be_recorded(banco, services, fact):
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)
    async with services.database.transaction() as session:
        with pytest.raises(ValueError, match="ids, digests, numbers"):
            audit.record(session, actor, Action.WORKFLOW_CREATED, uuid4(), note=fact)


async def test_an_act_that_is_rolled_back_leaves_no_entry(banco, services):
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)

    async def act_and_fail():
        async with services.database.transaction() as session:
            audit.record(session, actor, Action.WORKFLOW_CREATED, uuid4())
            raise LookupError

    with pytest.raises(LookupError):
        await act_and_fail()
    assert (await logs_of(banco))["pagination"]["total"] == 1


async def test_details_come_back_as_they_were_recorded(banco, services):
    actor, other = Actor(UUID(banco.organization_id), ActorType.SERVICE), uuid4()
    async with services.database.transaction() as session:
        audit.record(
            session,
            actor,
            Action.WORKFLOW_UPDATED,
            other,
            some_ids=[other],
            digest=b"\x00\xff",
            number=-1,
            truth=True,
            nothing=None,
            word=Action.WORKFLOW_UPDATED,
        )
    entry = (await logs_of(banco))["auditLogs"][0]
    assert entry["actor"] == {"type": "service", "id": None}
    assert json.loads(json.dumps(entry["details"])) == {
        "someIds": [str(other)],
        "digest": "00ff",
        "number": -1,
        "truth": True,
        "nothing": None,
        "word": "workflow.updated",
    }
