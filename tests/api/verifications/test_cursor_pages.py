"""Pages after a cursor: each list whole and in order, while rows are added."""

from itertools import chain
from uuid import UUID, uuid4

from sqlalchemy import text

from acredita.domain.audit import Action, ActorType
from acredita.models import Delivery, Event, WebhookEndpoint
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from tests.factories.organizations import make_verification, make_workflow


async def pages(member, path, key, *, meanwhile=None, **query):
    """Follow the cursors; return the pages' rows and their paginations."""
    rows, seen, cursor = [], [], {}
    while True:
        answer = await member.get(path, params=query | cursor)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        rows.append([row["id"] for row in page[key]])
        seen.append(page["pagination"])
        assert ("nextCursor" in page) == page["pagination"]["hasMore"]
        if "nextCursor" not in page:
            return rows, seen
        cursor = {"cursor": page["nextCursor"]}
        if meanwhile is not None:
            await meanwhile()


def flat(rows):
    return list(chain.from_iterable(rows))


async def test_verifications_come_once_each_although_new_ones_arrive_between_the_pages(
    banco, services
):
    workflow_id = await make_workflow(banco)
    created = [await make_verification(banco, workflow_id, externalId="yes") for _ in range(5)]
    # Three of one moment, so that a page ends between two of them.
    async with services.database.transaction() as session:
        for table, key in (("verification", "id"), ("verification_search", "verification_id")):
            await session.execute(
                text(f"UPDATE {table} SET created_at = '2026-01-01Z' WHERE {key} = ANY(:ids)"),  # noqa: S608
                {"ids": [UUID(each) for each in created[:3]]},
            )

    async def create():
        await make_verification(banco, workflow_id, externalId="no")

    expected = created[:2:-1] + sorted(created[:3])
    since = {"createdFrom": "2026-01-01T00:00:00Z"}
    for filters in (
        {},
        {"status": "PENDING"},
        {"search": "yes"},
        {"search": "ye"},
        since,
        since | {"status": "PENDING"},
        since | {"search": "yes", "status": "PENDING"},
    ):
        rows, paginations = await pages(
            banco, "/v1/verifications", "verifications", limit=2, meanwhile=create, **filters
        )
        assert flat(rows)[-5:] == expected
        assert [page["offset"] for page in paginations] == [2 * n for n in range(len(rows))]
        assert {page["total"] for page in paginations} == {len(flat(rows))}
        assert len(set(flat(rows))) == len(flat(rows))
        assert [page["hasMore"] for page in paginations][-2:] == [True, False]


async def test_the_audit_log_comes_once_each_by_cursor(banco, rival, services):
    actor = Actor(UUID(banco.organization_id), ActorType.SERVICE)
    made = UUID(banco.organization_id)
    for _ in range(4):
        async with services.database.transaction() as session:
            audit.record(session, actor, Action.WORKFLOW_UPDATED, made)
    whole = (await banco.get("/v1/audit-logs")).json()["auditLogs"]
    for filters, expected in (({}, whole), ({"action": "workflow.updated"}, whole[:4])):
        rows, _ = await pages(banco, "/v1/audit-logs", "auditLogs", limit=2, **filters)
        assert flat(rows) == [entry["id"] for entry in expected]


async def test_deliveries_come_once_each_by_cursor(banco, services):
    organization_id = UUID(banco.organization_id)
    async with services.database.transaction() as session:
        endpoint = WebhookEndpoint(
            organization_id=organization_id,
            url="https://localhost/",
            events=["verification.created"],
        )
        endpoint.id = uuid4()
        endpoint.secret.seal(services.keys, "a secret of 16 or more")
        session.add(endpoint)
        await session.flush()
        for _ in range(5):
            event = Event(organization_id=organization_id, kind="verification.created", data=b"{}")
            session.add(event)
            await session.flush()
            session.add(
                Delivery(
                    organization_id=organization_id,
                    event_id=event.id,
                    endpoint_id=endpoint.id,
                    receiver_id=endpoint.id,
                    state="failed",
                )
            )
        path = f"/v1/webhooks/{endpoint.id}/deliveries"
    whole = (await banco.get(path)).json()["deliveries"]
    rows, paginations = await pages(banco, path, "deliveries", limit=2, state="failed")
    assert flat(rows) == [delivery["id"] for delivery in whole]
    assert [page["total"] for page in paginations] == [5, 5, 5]


async def test_a_cursor_that_does_not_fit_is_refused_with_a_reason(banco):
    workflow_id = await make_workflow(banco)
    for _ in range(2):
        await make_verification(banco, workflow_id)
    first = (await banco.get("/v1/verifications", params={"limit": 1})).json()
    cursor = first["nextCursor"]
    for path, query, reason in (
        ("/v1/verifications", {"cursor": "x"}, "not one that this service returned"),
        ("/v1/verifications", {"cursor": ""}, "not one that this service returned"),
        ("/v1/verifications", {"cursor": cursor, "status": "PENDING"}, "other filters"),
        ("/v1/audit-logs", {"cursor": cursor}, "another list"),
        ("/v1/verifications", {"cursor": cursor, "offset": 1}, "either a cursor or an offset"),
    ):
        answer = await banco.get(path, params=query)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["code"] == "INVALID_CURSOR"
        assert reason in answer.json()["error"]["message"]
