"""What is older than its organization's retention goes; a tombstone and the audit log stay."""

import asyncio
from uuid import UUID

import pytest
from sqlalchemy import select, text

from acredita.jobs import JobContext, Later
from acredita.kit.dependencies import DependencyUnavailable
from acredita.models import Document, Verification
from acredita.resources.files.deletion import delete_file
from acredita.resources.retention import jobs as retention
from acredita.resources.retention.purge import BATCH, purge_some
from tests.factories.organizations import make_verification, make_workflow
from tests.retention.conftest import count, finished_verification, row, set_retention

PERSONAL = (
    "subject_sealed",
    "external_id",
    "metadata",
    "callback_url",
    "callback_secret_sealed",
    "ip_address",
)


def stored(services):
    root = services.settings.storage_folder
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


async def whole(services, verification_id):
    return await row(services, "verification", id=UUID(verification_id))


async def is_purged(services, verification_id):
    return (await whole(services, verification_id))["purged_at"] is not None


async def test_after_its_retention_a_verification_is_a_tombstone(banco, services, days):
    await set_retention(banco, 30)
    verification_id = await finished_verification(banco, services)
    before = await whole(services, verification_id)
    assert all(before[name] is not None for name in PERSONAL)
    assert len(stored(services)) == 2
    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    image = shown["documents"][0]["imageUrl"].removeprefix("http://test")
    assert (await banco.client.get(image)).status_code == 200
    audited = await count(services, "audit_log")

    await days.purge(29)
    assert await whole(services, verification_id) == before
    await days.purge(31)

    after = await whole(services, verification_id)
    assert all(after[name] is None for name in PERSONAL)
    for name in ("status", "created_at", "updated_at", "decision", "completed_at", "workflow_id"):
        assert after[name] == before[name]
    step = await row(services, "verification_step", verification_id=UUID(verification_id))
    assert (step["status"], step["code"]) == ("FAILED", "DOCUMENT_EXPIRED")
    assert (step["result_sealed"], step["evidence_sealed"]) == (None, None)
    searched = ("verification_search", "name_word", "person_identifier")
    for table in ("document", "media", "event", "delivery", *searched):
        assert await count(services, table) == 0, table
    assert stored(services) == set()
    assert await count(services, "audit_log") == audited + 1
    assert await count(services, "audit_log", "action = 'verification.purged'") == 1

    shown = (await banco.get(f"/v1/verifications/{verification_id}")).json()
    assert shown["verification"]["status"] == "REJECTED"
    assert shown["verification"]["steps"][0]["result"]["code"] == "DOCUMENT_EXPIRED"
    assert (shown["documents"], shown["extraction"]) == ([], [])
    assert (await banco.client.get(image)).status_code == 404
    for wanted in ("cliente-4711", "1234"):
        found = (await banco.get("/v1/verifications", params={"search": wanted})).json()
        assert found["pagination"]["total"] == 0
    listed = (await banco.get("/v1/verifications")).json()["verifications"]
    assert [(item["id"], item["externalId"]) for item in listed] == [(verification_id, None)]


async def test_each_organization_has_a_retention_of_its_own(banco, rival, services, days):
    await set_retention(banco, 30)
    await set_retention(rival, 60)
    ours = await finished_verification(banco, services)
    theirs = await finished_verification(rival, services)
    await days.purge(31)
    assert await is_purged(services, ours)
    assert not await is_purged(services, theirs)
    assert len(stored(services)) == 2
    assert all(key.startswith(rival.organization_id) for key in stored(services))
    shown = (await rival.get(f"/v1/verifications/{theirs}")).json()
    assert shown["extraction"][0]["value"] == "GOCA850101HDFRRL09"
    await days.purge(61)
    assert await is_purged(services, theirs)
    assert stored(services) == set()


async def test_an_open_verification_is_left_to_its_time_out(banco, services, days):
    verification_id = await make_verification(banco)
    await days.purge(400)
    assert not await is_purged(services, verification_id)
    async with services.database.transaction() as session:
        verification = await session.get_one(Verification, UUID(verification_id))
        verification.status = "EXPIRED"
    await days.purge(400)
    assert await is_purged(services, verification_id)


async def test_a_second_run_changes_nothing_but_notes_written_since(banco, services, days):
    verification_id = await finished_verification(banco, services)
    await days.purge(400)
    purged = await whole(services, verification_id)
    await days.purge(401)
    assert await whole(services, verification_id) == purged
    assert await count(services, "audit_log", "action = 'verification.purged'") == 1
    await banco.request(
        "PATCH",
        f"/v1/verifications/{verification_id}/status",
        json={"status": "APPROVED", "notes": "Ana Gómez is back."},
    )
    assert await count(services, "verification_history", "note_sealed IS NOT NULL") == 1
    await days.purge(402)
    again = await whole(services, verification_id)
    assert await count(services, "verification_history", "note_sealed IS NOT NULL") == 0
    assert again["status"] == "APPROVED"
    assert again["purged_at"] == purged["purged_at"]


async def test_from_the_commit_on_the_files_keys_are_gone_and_deletions_are_repeated(
    banco, services, days
):
    verification_id = await finished_verification(banco, services)
    root = services.settings.storage_folder
    away = root.with_name("away")
    root.rename(away)
    root.write_bytes(b"")  # nothing below it can be reached
    later = days.later(400)
    await retention.purge(JobContext(later, None))
    assert await is_purged(services, verification_id)
    assert await count(services, "document") == 0
    keys = await days.files_to_delete()
    assert len(keys) == 2
    for key in keys:
        with pytest.raises(DependencyUnavailable):
            await delete_file(JobContext(later, None), storage_key=key)
    root.unlink()
    away.rename(root)
    assert stored(services) == set(keys)
    await days.delete_files()
    await days.delete_files()
    assert stored(services) == set()


async def grow_old(services, member, workflow_id, number):
    async with services.database.transaction() as session:
        await session.execute(
            text(
                "INSERT INTO verification (id, organization_id, workflow_id, status, external_id,"
                " created_at, expires_at) SELECT gen_random_uuid(), :organization, :workflow,"
                " 'REJECTED', 'x', now() - interval '40 days', now() FROM generate_series(1, :n)"
            ),
            {"organization": UUID(member.organization_id), "workflow": UUID(workflow_id)}
            | {"n": number},
        )


async def test_runs_at_the_same_time_purge_everything_and_each_once(banco, services, days):
    await set_retention(banco, 30)
    number = 3 * BATCH + 7
    await grow_old(services, banco, await make_workflow(banco), number)
    await asyncio.gather(*(days.purge(0) for _ in range(3)))
    await days.purge(0)
    assert await count(services, "verification", "purged_at IS NOT NULL") == number
    assert await count(services, "verification", "external_id IS NOT NULL") == 0
    assert await count(services, "audit_log", "action = 'verification.purged'") == number


async def test_one_that_is_held_by_a_transaction_is_left_to_the_next_run(banco, services, days):
    await set_retention(banco, 30)
    await grow_old(services, banco, await make_workflow(banco), 3)
    async with services.database.transaction() as session:
        query = select(Verification.id).order_by(Verification.id).limit(1).with_for_update()
        locked = await session.scalar(query)
        await days.purge(0)
        assert await count(services, "verification", "purged_at IS NULL") == 1
    assert not await is_purged(services, str(locked))
    await days.purge(0)
    assert await is_purged(services, str(locked))


async def test_what_cannot_be_purged_stays_whole_and_keeps_nobody_elses_data(
    banco, rival, services, days
):
    ours = await finished_verification(banco, services)
    theirs = await finished_verification(rival, services)
    function = (
        "CREATE FUNCTION refuse_purge() RETURNS trigger LANGUAGE plpgsql AS"
        " $$ BEGIN RAISE EXCEPTION 'refused'; END $$"
    )
    trigger = (
        "CREATE TRIGGER refuse_purge BEFORE UPDATE ON verification FOR EACH ROW"
        f" WHEN (NEW.id = '{ours}') EXECUTE FUNCTION refuse_purge()"
    )
    async with services.database.transaction() as session:
        await session.execute(text(function))
        await session.execute(text(trigger))
    try:
        with pytest.raises(Later, match="1 organizations"):
            await days.purge(400)
    finally:
        async with services.database.transaction() as session:
            await session.execute(text("DROP FUNCTION refuse_purge CASCADE"))
    await days.delete_files()
    assert not await is_purged(services, ours)
    assert await is_purged(services, theirs)
    assert len(stored(services)) == 2
    async with services.database.transaction() as session:
        document = (await session.scalars(select(Document))).one()
    assert document.verification_id == UUID(ours)
    assert (await banco.get(f"/v1/documents/{document.id}/image")).status_code == 200


async def test_a_hold_set_while_a_purge_waits_is_honoured(banco, services, days):
    """The purge takes the row as it is once it has the lock, not as it was when it looked."""
    verification_id = await finished_verification(banco, services)
    async with services.database.transaction() as session:
        held = await session.get_one(Verification, UUID(verification_id), with_for_update=True)
        held.held_at = services.clock.now()
        await session.flush()
        async with services.database.transaction() as other:
            organization_id = UUID(banco.organization_id)
            assert await purge_some(other, organization_id, days.later(400).clock.now()) == 0
    await days.purge(400)
    assert not await is_purged(services, verification_id)
