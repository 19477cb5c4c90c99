"""The time-out: which verifications it ends, and what it leaves alone."""

import asyncio
from datetime import timedelta
from uuid import UUID

import pytest
from sqlalchemy import select, text

from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext
from acredita.models import Event, Job, Verification
from acredita.resources.verifications import jobs, queries
from acredita.resources.verifications.steps import running
from tests.factories.organizations import make_verification, make_workflow


async def expire(services):
    """One run of the recurring job."""
    await jobs.expire_verifications.handler(JobContext(services, None))


async def put(services, verification_id, **values):
    async with services.database.transaction() as session:
        verification = await queries.lock(session, verification_id)
        for name, value in values.items():
            setattr(verification, name, value)


async def run_out(services, verification_id=None, *, by="1 second"):
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "UPDATE verification SET expires_at = now() - CAST(:by AS text)::interval"
                " WHERE CAST(:id AS uuid) IS NULL OR id = :id"
            ),
            {"id": verification_id, "by": by},
        )


async def status(services, verification_id):
    async with services.database.transaction() as session:
        return await session.scalar(
            select(Verification.status).where(Verification.id == verification_id)
        )


async def test_a_verification_lives_as_long_as_the_setting_says(banco, services):
    verification_id = await make_verification(banco)
    async with services.database.transaction() as session:
        row = await session.get(Verification, verification_id)
    lifetime = timedelta(seconds=services.settings.verification_ttl)
    assert services.settings.verification_ttl == 24 * 3600
    assert abs(row.expires_at - row.created_at - lifetime) < timedelta(seconds=5)


async def test_one_whose_time_has_not_come_stays(banco, services):
    verification_id = await make_verification(banco)
    await run_out(services, verification_id, by="-5 seconds")
    await expire(services)
    assert await status(services, verification_id) == "PENDING"


@pytest.mark.parametrize("start", ["PENDING", "IN_PROGRESS"])
async def test_an_unfinished_one_expires_and_tells_of_it_once(banco, services, start):
    verification_id = await make_verification(banco)
    await put(services, verification_id, status=start)
    await run_out(services)
    await expire(services)
    await expire(services)
    assert await status(services, verification_id) == "EXPIRED"
    async with services.database.transaction() as session:
        kinds = (await session.scalars(select(Event.kind).order_by(Event.created_at))).all()
    assert kinds == ["verification.created", "verification.updated"]


async def test_one_that_needs_no_upload_and_was_never_begun_begins_instead_and_then_expires(
    banco, services
):
    workflow_id = await make_workflow(banco, "GOVERNMENT_VERIFY")
    verification_id = await make_verification(banco, workflow_id)
    uploading = await make_verification(banco)
    async with services.database.transaction() as session:
        # As a former release left it.
        await session.execute(text("DELETE FROM job WHERE kind = 'verification.begin'"))
    await run_out(services)
    await expire(services)
    assert await status(services, uploading) == "EXPIRED"
    assert await status(services, verification_id) == "PENDING"
    async with services.database.transaction() as session:
        [job] = await session.scalars(select(Job).where(Job.kind == "verification.begin"))
        row = await session.get(Verification, UUID(verification_id))
        assert row.expires_at > services.clock.now()
    assert job.payload == {"verification_id": verification_id}
    # It does not live for ever if its job comes to nothing.
    await put(services, verification_id, created_at=row.created_at - timedelta(hours=49))
    await run_out(services, verification_id)
    await expire(services)
    assert await status(services, verification_id) == "EXPIRED"


@pytest.mark.parametrize("decided", ["APPROVED", "REJECTED", "MANUAL_REVIEW"])
async def test_a_decided_one_never_expires(banco, services, decided):
    verification_id = await make_verification(banco)
    await put(services, verification_id, status=decided)
    await run_out(services)
    await expire(services)
    assert await status(services, verification_id) == decided


async def test_a_step_that_still_runs_then_changes_nothing(banco, services):
    verification_id = await make_verification(banco)
    await put(services, verification_id, status="IN_PROGRESS")
    async with services.database.transaction() as session:
        step = (await queries.list_steps(session, verification_id))[0]
        step.status = StepStatus.RUNNING
    await run_out(services)
    await expire(services)
    async with services.database.transaction() as session:
        assert await running.load(session, step.id, lock=True) is None


async def test_one_run_ends_all_that_are_due(banco, services):
    await make_verification(banco, await make_workflow(banco))
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "INSERT INTO verification (id, organization_id, workflow_id, status, expires_at)"
                " SELECT gen_random_uuid(), organization_id, workflow_id, status, expires_at"
                " FROM verification, generate_series(1, :more)"
            ),
            {"more": jobs.EXPIRE_BATCH + 10},
        )
    await run_out(services)
    await expire(services)
    totals = (await banco.get("/v1/verifications?status=EXPIRED")).json()["pagination"]
    assert totals["total"] == jobs.EXPIRE_BATCH + 11


async def test_one_that_somebody_holds_is_left_for_the_next_run(banco, services):
    held = await make_verification(banco)
    other = await make_verification(banco)
    await run_out(services)
    async with services.database.transaction() as session:
        await queries.lock(session, held)
        await asyncio.wait_for(expire(services), timeout=10)
        assert await status(services, other) == "EXPIRED"
        assert await status(services, held) == "PENDING"
    await expire(services)
    assert await status(services, held) == "EXPIRED"


async def test_an_expired_one_can_still_be_decided_by_hand(banco, services):
    verification_id = await make_verification(banco)
    await run_out(services)
    await expire(services)
    answer = await banco.request(
        "PATCH", f"/v1/verifications/{verification_id}/status", json={"status": "APPROVED"}
    )
    assert answer.status_code == 200
    await expire(services)
    assert await status(services, verification_id) == "APPROVED"
