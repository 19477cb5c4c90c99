"""The overview's numbers are those of the verifications, however they came about."""

import random
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import delete, func, select, text

from acredita.domain.overview import quantile
from acredita.models import DayTally, Verification
from acredita.resources.overview import queries
from tests.factories.organizations import make_verification, make_workflow

STATUSES = ("PENDING", "IN_PROGRESS", "APPROVED", "REJECTED", "EXPIRED", "MANUAL_REVIEW")


async def overview(member, **query):
    answer = await member.get("/v1/overview", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def move(services, verification_id, **values):
    async with services.database.transaction() as session:
        row = await session.get_one(Verification, UUID(verification_id))
        for name, value in values.items():
            setattr(row, name, value)


def decision(*codes):
    return {"reasons": [f"FACE_MATCH: {code}" for code in codes]}


async def test_it_counts_what_became_of_the_verifications_of_the_period(banco, rival, services):
    workflow = await make_workflow(banco)
    made = [await make_verification(banco, workflow) for _ in range(5)]
    await make_verification(banco)
    await make_verification(rival)
    async with services.database.transaction() as session:
        created = await session.scalar(
            select(Verification.created_at).where(Verification.id == UUID(made[0]))
        )
    for each in made[:4]:
        await move(services, each, status="IN_PROGRESS")
    for each, seconds, status, codes in (
        (made[0], 10, "APPROVED", ()),
        (made[1], 100, "REJECTED", ("FACE_MISMATCH",)),
        (made[2], 1000, "MANUAL_REVIEW", ("FACE_UNCERTAIN", "FACE_MISMATCH")),
    ):
        row_created = created
        async with services.database.transaction() as session:
            row_created = await session.scalar(
                select(Verification.created_at).where(Verification.id == UUID(each))
            )
        await move(
            services,
            each,
            status=status,
            decision=decision(*codes),
            completed_at=row_created + timedelta(seconds=seconds),
        )
    await move(services, made[3], status="EXPIRED")
    await move(services, made[4], status="EXPIRED")
    found = await overview(banco, workflowId=workflow)
    assert found["funnel"] == {"created": 5, "submitted": 4, "decided": 3}
    assert found["outcomes"] == {"approved": 1, "rejected": 1, "manualReview": 1, "expired": 2}
    assert found["medianSecondsToDecision"] == pytest.approx(100, rel=0.05)
    assert found["p95SecondsToDecision"] == pytest.approx(1000, rel=0.05)
    assert found["reasons"] == [
        {"code": "FACE_MISMATCH", "count": 2},
        {"code": "FACE_UNCERTAIN", "count": 1},
    ]
    assert found["reviewQueue"]["waiting"] == 1
    assert found["reviewQueue"]["oldestSeconds"] >= 0
    today = datetime.now(UTC).date()
    assert (len(found["days"]), found["to"]) == (30, today.isoformat())
    assert {"date": created.date().isoformat(), "created": 5, "approved": 1, "rejected": 1,
            "review": 1} in found["days"]  # fmt: skip
    assert (await overview(banco))["funnel"]["created"] == 6
    assert (await overview(banco, workflowId="x"))["funnel"]["created"] == 0
    # A reviewer decides it: it leaves the review.
    answer = await banco.patch(f"/v1/verifications/{made[2]}/status", json={"status": "APPROVED"})
    assert answer.status_code == 200
    found = await overview(banco, workflowId=workflow)
    assert found["outcomes"] == {"approved": 2, "rejected": 1, "manualReview": 0, "expired": 2}
    assert found["reviewQueue"] == {"waiting": 0, "oldestSeconds": None}
    old = (today - timedelta(days=60)).isoformat()
    assert (await overview(banco, to=old))["funnel"]["created"] == 0
    period = {"from": today.isoformat(), "to": old}
    # A number would be seconds since 1970.
    for wrong in (period, {"from": "2020-01-01"}, {"to": "x"}, {"to": "0"}, {"to": "1767225600"}):
        assert (await banco.get("/v1/overview", params=wrong)).status_code == 422
    lines = (await banco.get("/v1/overview.csv", params={"to": today.isoformat()})).text.split()
    assert lines[0] == "date,created,approved,rejected,review"
    assert lines[-1] == f"{today},6,2,1,0" or lines[-2].startswith(f"{created.date()},6")


async def test_the_csv_has_each_workflow_and_each_reason_and_no_formula(banco, rival, services):
    """A workflow's name is a text that a member chose, and an auditor opens the file."""
    formula = await make_workflow(banco, name="=HYPERLINK(1)")
    online = await make_workflow(banco, name="Alta, en línea")
    made = [await make_verification(banco, online) for _ in range(2)]
    await make_verification(banco, formula)
    await make_verification(rival)
    for each, codes in zip(
        made, (("FACE_MISMATCH",), ("FACE_MISMATCH", "FACE_UNCERTAIN")), strict=True
    ):
        await move(services, each, status="MANUAL_REVIEW", decision=decision(*codes))

    async def lines(**query):
        answer = await banco.get("/v1/overview.csv", params=query)
        assert answer.status_code == 200, answer.text
        return answer.text.split("\r\n")[1:-1]

    assert await lines(by="workflow") == [
        f"{formula},'=HYPERLINK(1),1,0,0,0,0,0,0,,",
        f'{online},"Alta, en línea",2,2,2,0,0,2,0,,',
    ]
    answer = await banco.get("/v1/overview/workflows")
    assert answer.status_code == 200, answer.text
    first, second = answer.json()["workflows"]
    assert (first["id"], first["name"]) == (online, "Alta, en línea")
    assert first["funnel"] == {"created": 2, "submitted": 2, "decided": 2}
    assert first["outcomes"] == {"approved": 0, "rejected": 0, "manualReview": 2, "expired": 0}
    assert (second["id"], second["funnel"]["created"]) == (formula, 1)
    old = {"to": "2020-01-01"}
    assert (await banco.get("/v1/overview/workflows", params=old)).json()["workflows"] == []
    assert await lines(by="workflow", workflowId=formula) == [
        f"{formula},'=HYPERLINK(1),1,0,0,0,0,0,0,,"
    ]
    assert await lines(by="reason") == [
        f'{online},"Alta, en línea",FACE_MISMATCH,2',
        f'{online},"Alta, en línea",FACE_UNCERTAIN,1',
    ]
    assert await lines(by="reason", workflowId=formula) == []
    assert len(await lines(by="day")) == 30
    assert (await banco.get("/v1/overview.csv?by=person")).status_code == 422


async def test_the_kept_numbers_are_those_of_a_scan_and_merging_changes_none(banco, services):
    """As the backfill of the migration counts them, after any changes."""
    chance = random.Random(5)
    made = [await make_verification(banco) for _ in range(6)]
    for _ in range(40):
        await move(
            services,
            chance.choice(made),
            status=chance.choice(STATUSES),
            decision=chance.choice([None, decision(), decision("A", "B"), decision("B")]),
            completed_at=chance.choice([None, datetime.now(UTC) + timedelta(hours=1)]),
        )
    async with services.database.transaction() as session:
        await session.execute(delete(Verification).where(Verification.id == UUID(made[0])))
    kept = await numbers(services)
    async with services.database.transaction() as session:
        await queries.fold(session)
    assert await numbers(services) == kept
    async with services.database.transaction() as session:
        count = await session.scalar(select(func.count()).select_from(DayTally))
        assert count == len(kept)
        scanned = await session.execute(
            text(
                "SELECT workflow_id::text, measure, count(*) FROM verification AS v,"
                " verification_measures(v.status, v.created_at, v.completed_at, v.decision)"
                " AS measure GROUP BY 1, 2"
            )
        )
        expected = {(workflow, measure): number for workflow, measure, number in scanned}
    shown = {key: number for key, number in kept.items() if key[1] != "submitted"}
    assert shown == expected


async def numbers(services):
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(DayTally.workflow_id, DayTally.measure, func.sum(DayTally.change)).group_by(
                DayTally.workflow_id, DayTally.measure
            )
        )
        return {
            (str(workflow), measure): int(number) for workflow, measure, number in rows if number
        }


def test_a_quantile_is_within_five_per_cent():
    assert quantile({}, 0.5) is None
    assert quantile({0: 3}, 0.95) == pytest.approx(1, rel=0.05)
    assert quantile({8: 1, 80: 1}, 0.5) == pytest.approx(2, rel=0.05)
    assert quantile({8: 1, 80: 1}, 0.95) == pytest.approx(1024, rel=0.05)
