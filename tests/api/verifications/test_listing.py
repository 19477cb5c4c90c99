"""Lists: whose, how many, in which order, page by page."""

import asyncio
from datetime import UTC, datetime
from uuid import UUID

import pytest
from sqlalchemy import text, update

from acredita.models import Verification
from tests.factories.organizations import make_verification, make_workflow

STATUSES = ("PENDING", "IN_PROGRESS", "APPROVED", "REJECTED", "EXPIRED", "MANUAL_REVIEW")


async def page(member, **query):
    answer = await member.get("/v1/verifications", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def total(member, **query):
    return (await page(member, **query))["pagination"]["total"]


async def set_status(services, verification_id, status):
    async with services.database.transaction() as session:
        await session.execute(
            update(Verification).where(Verification.id == verification_id).values(status=status)
        )


async def test_an_empty_organization_has_an_empty_page(banco):
    assert await page(banco) == {
        "verifications": [],
        "pagination": {"total": 0, "limit": 20, "offset": 0, "hasMore": False},
    }


async def test_a_list_shows_the_newest_first_and_no_more_than_the_specification_names(banco):
    workflow_id = await make_workflow(banco)
    created = [await make_verification(banco, workflow_id, externalId=f"c-{n}") for n in range(3)]
    shown = await page(banco)
    assert [row["id"] for row in shown["verifications"]] == created[::-1]
    assert [row["externalId"] for row in shown["verifications"]] == ["c-2", "c-1", "c-0"]
    assert all(
        set(row) == {"id", "status", "externalId", "createdAt"} for row in shown["verifications"]
    )
    assert shown["pagination"] == {"total": 3, "limit": 20, "offset": 0, "hasMore": False}


async def test_verifications_of_one_moment_are_in_the_order_of_their_ids(banco, services):
    workflow_id = await make_workflow(banco)
    created = [await make_verification(banco, workflow_id) for _ in range(5)]
    async with services.database.transaction() as session:
        await session.execute(text("UPDATE verification SET created_at = '2026-01-01Z'"))
    assert [row["id"] for row in (await page(banco))["verifications"]] == sorted(created)


async def test_pages_follow_each_other_without_gap_or_overlap(banco):
    workflow_id = await make_workflow(banco)
    created = [await make_verification(banco, workflow_id) for _ in range(5)]
    seen = []
    for offset in (0, 2, 4):
        shown = await page(banco, limit=2, offset=offset)
        seen += [row["id"] for row in shown["verifications"]]
        assert shown["pagination"] == {
            "total": 5,
            "limit": 2,
            "offset": offset,
            "hasMore": offset < 4,
        }
    assert seen == created[::-1]


async def test_a_status_filters_rows_and_total(banco, services):
    workflow_id = await make_workflow(banco)
    by_status = {}
    for status in STATUSES:
        by_status[status] = await make_verification(banco, workflow_id)
        await set_status(services, by_status[status], status)
    for status, verification_id in by_status.items():
        shown = await page(banco, status=status)
        assert [row["id"] for row in shown["verifications"]] == [verification_id]
        assert shown["verifications"][0]["status"] == status
        assert shown["pagination"]["total"] == 1


async def test_a_period_filters_rows_and_total(banco, services):
    workflow_id = await make_workflow(banco)
    created = [await make_verification(banco, workflow_id, externalId="yes") for _ in range(3)]
    async with services.database.transaction() as session:
        for day, verification_id in enumerate(created, 1):
            for table, key in (("verification", "id"), ("verification_search", "verification_id")):
                await session.execute(
                    text(f"UPDATE {table} SET created_at = :moment WHERE {key} = :id"),  # noqa: S608
                    {"moment": datetime(2026, 1, day, tzinfo=UTC), "id": UUID(verification_id)},
                )
    second = "2026-01-01T18:00:00-06:00"
    for period, expected in (
        ({"createdFrom": second}, created[:0:-1]),
        ({"createdBefore": second}, created[:1]),
        ({"createdFrom": second, "createdBefore": "2026-01-02T00:00:00.001Z"}, created[1:2]),
        ({"createdFrom": "2026-01-03T00:00:00.001Z"}, []),
    ):
        for others in ({}, {"status": "PENDING"}, {"search": "yes"}, {"search": "ye"}):
            shown = await page(banco, **period, **others)
            assert [row["id"] for row in shown["verifications"]] == expected
            assert shown["pagination"]["total"] == len(expected)
    assert await total(banco, createdFrom=second, status="APPROVED") == 0


async def test_another_organization_sees_nothing_of_a_list(banco, rival):
    await make_verification(banco, externalId="solo del banco")
    mine = await make_verification(rival)
    assert [row["id"] for row in (await page(rival))["verifications"]] == [mine]
    assert await total(rival) == 1
    assert await total(rival, status="PENDING") == 1
    for search in ("solo del banco", "so"):
        assert await total(rival, search=search) == 0
        assert await total(banco, search=search) == 1


@pytest.mark.parametrize(
    "query",
    [
        "limit=0", "limit=101", "limit=1.5", "limit=", "limit=-1", "limit=5&limit=500",
        "offset=-1", "offset=1.5", "offset=x", f"offset={2**63}", f"offset={'9' * 400}",
        "status=approved", "status=", "status=DONE", f"search={'x' * 256}", "search=%00",
        "sort=id", "limit=5&page=2", "createdFrom=ayer", "createdBefore=2026-01-01",
    ],
)  # fmt: skip
async def test_a_query_out_of_bounds_is_refused(banco, query):
    answer = await banco.get(f"/v1/verifications?{query}")
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize("search", [{}, {"search": "abc"}, {"search": "a"}])
@pytest.mark.parametrize("offset", [1, 2**31, 2**53, 2**63 - 1])
async def test_a_page_beyond_the_end_is_empty(banco, offset, search):
    await make_verification(banco, externalId="abc")
    shown = await page(banco, offset=offset, **search)
    assert shown["verifications"] == []
    assert shown["pagination"] == {
        "total": 1,
        "limit": 20,
        "offset": offset,
        "hasMore": False,
    }


async def test_totals_are_exact_while_verifications_are_created_moved_and_removed(
    client, banco, services
):
    """This holds for any order of the commits, and while a job folds the tallies."""
    from acredita.resources.verifications.listing import fold_tallies

    workflow_id = await make_workflow(banco)
    ids = [await make_verification(banco, workflow_id) for _ in range(20)]

    async def move(verification_id, number):
        await set_status(services, verification_id, STATUSES[number % len(STATUSES)])
        if number % 4 == 0:
            async with services.database.transaction() as session:
                await session.execute(
                    text("DELETE FROM verification WHERE id = :id"), {"id": verification_id}
                )

    async def undone(verification_id):
        async with services.database.transaction() as session:
            await session.execute(
                text("UPDATE verification SET status = 'REJECTED' WHERE id = :id"),
                {"id": verification_id},
            )
            await session.rollback()

    async def fold():
        async with services.database.transaction() as session:
            await fold_tallies(session)

    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM event"))
    await asyncio.gather(
        *(move(verification_id, number) for number, verification_id in enumerate(ids[4:])),
        *(undone(verification_id) for verification_id in ids[:4]),
        *(make_verification(banco, workflow_id) for _ in range(10)),
        *(fold() for _ in range(6)),
    )
    for _ in range(2):
        async with services.database.reading() as connection:
            counted = dict(
                map(
                    tuple,
                    await connection.execute(
                        text("SELECT status, count(*) FROM verification GROUP BY status")
                    ),
                )
            )
        assert await total(banco) == sum(counted.values()) == 26
        assert {s: await total(banco, status=s) for s in STATUSES} == {
            s: counted.get(s, 0) for s in STATUSES
        }
        await fold()


async def test_folding_leaves_one_row_for_each_status(banco, services):
    from acredita.resources.verifications.listing import fold_tallies

    workflow_id = await make_workflow(banco)
    for status in ("PENDING", "APPROVED", "APPROVED"):
        await set_status(services, await make_verification(banco, workflow_id), status)
    async with services.database.transaction() as session:
        await fold_tallies(session)
        rows = await session.execute(text("SELECT status, change FROM verification_tally"))
        assert sorted(map(tuple, rows)) == [("APPROVED", 2), ("PENDING", 1)]


async def test_statements_over_many_rows_are_counted_once(banco, services):
    workflow_id = await make_workflow(banco)
    for _ in range(3):
        await make_verification(banco, workflow_id)
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "INSERT INTO verification"
                " (id, organization_id, workflow_id, status, expires_at)"
                " SELECT gen_random_uuid(), organization_id, workflow_id, 'EXPIRED', now()"
                " FROM verification, generate_series(1, 100)"
            )
        )
        await session.execute(text("UPDATE verification SET status = 'REJECTED'"))
    assert await total(banco) == await total(banco, status="REJECTED") == 303
    async with services.database.transaction() as session:
        await session.execute(text("DELETE FROM verification"))
    assert await total(banco) == await total(banco, status="REJECTED") == 0
