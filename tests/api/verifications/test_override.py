"""PATCH /v1/verifications/{id}/status: what a reviewer decides stands."""

import asyncio
import itertools
import random

import orjson
import pytest
from sqlalchemy import select, text, update

from acredita.domain.reasons import DocumentReason
from acredita.domain.steps import DOCUMENT_OCR
from acredita.domain.verification import StepStatus
from acredita.models import (
    ApiKey,
    AuditEntry,
    Event,
    HistoryEntry,
    Verification,
    VerificationStep,
)
from acredita.resources.verifications import pipeline, queries
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.steps import running
from tests.factories.organizations import make_verification, make_workflow
from tests.pipeline.conftest import until

STATUSES = ("PENDING", "IN_PROGRESS", "APPROVED", "REJECTED", "EXPIRED", "MANUAL_REVIEW")
DECIDED = ("APPROVED", "REJECTED", "MANUAL_REVIEW")


async def decide(member, verification_id, status, **body):
    return await member.request(
        "PATCH", f"/v1/verifications/{verification_id}/status", json={"status": status, **body}
    )


async def shown(member, verification_id):
    return (await member.get(f"/v1/verifications/{verification_id}")).json()["verification"]


async def put(services, verification_id, **values):
    async with services.database.transaction() as session:
        await session.execute(
            update(Verification).where(Verification.id == verification_id).values(**values)
        )


async def begin(services, verification_id):
    """Bring a verification to where its first step runs."""
    await put(services, verification_id, status="IN_PROGRESS")
    async with services.database.transaction() as session:
        step = (await queries.list_steps(session, verification_id))[0]
        step.status = StepStatus.RUNNING
        return step.id


async def finish(services, step_id, status):
    """What the step's job does at its end; whether it changed anything."""
    async with services.database.transaction() as session:
        found = await running.load(session, step_id, lock=True)
        if found is None:
            return False
        code = None if status == "PASSED" else DocumentReason.DOCUMENT_EXPIRED
        outcome = StepOutcome(status, code=code)
        await pipeline.finish_step(session, services, found.verification, found.step, outcome)
        return True


async def events_of(services, verification_id):
    async with services.database.transaction() as session:
        found = await session.scalars(
            select(Event)
            .where(Event.verification_id == verification_id)
            .order_by(Event.created_at, Event.id)
        )
        return [(e.kind, orjson.loads(e.data), e.callback_only) for e in found]


def chain_of(events):
    """The moves that the status events tell of, in order."""
    return [
        (data["previousStatus"], data["newStatus"]) for _, data, _ in events if "newStatus" in data
    ]


async def test_the_answer_is_what_the_specification_shows(banco):
    verification_id = await make_verification(banco)
    before = await shown(banco, verification_id)
    answer = await decide(banco, verification_id, "APPROVED", notes="Vista en sucursal")
    assert answer.status_code == 200
    changed = answer.json()["verification"]
    assert set(changed) == {"id", "status", "updatedAt"}
    assert (changed["id"], changed["status"]) == (verification_id, "APPROVED")
    assert changed["updatedAt"] > before["updatedAt"]
    after = await shown(banco, verification_id)
    assert (after["status"], after["updatedAt"]) == ("APPROVED", changed["updatedAt"])


@pytest.mark.parametrize("to", DECIDED)
@pytest.mark.parametrize("start", STATUSES)
async def test_every_status_can_be_overridden_to_every_decided_one(banco, services, start, to):
    verification_id = await make_verification(banco)
    await put(services, verification_id, status=start)
    assert (await decide(banco, verification_id, to)).status_code == 200
    assert (await shown(banco, verification_id))["status"] == to
    events = await events_of(services, verification_id)
    kinds = [kind for kind, _, _ in events]
    updated = ["verification.updated"] if to != start else []
    assert kinds == [
        "verification.created",
        *updated,
        "verification.completed",
        f"verification.{to.lower()}",
    ]
    assert chain_of(events) == [(start, to)]


async def test_the_run_ends_with_its_unfinished_steps_skipped(banco, services):
    workflow_id = await make_workflow(banco, "DOCUMENT_OCR", "GOVERNMENT_VERIFY", "LIVENESS")
    verification_id = await make_verification(banco, workflow_id)
    step_id = await begin(services, verification_id)
    assert await finish(services, step_id, StepStatus.PASSED)
    async with services.database.transaction() as session:
        second = (await queries.list_steps(session, verification_id))[1].id
    await decide(banco, verification_id, "REJECTED")
    steps = (await shown(banco, verification_id))["steps"]
    assert [step["status"] for step in steps] == ["PASSED", "SKIPPED", "SKIPPED"]
    assert not await finish(services, second, StepStatus.PASSED)
    assert (await shown(banco, verification_id))["status"] == "REJECTED"
    completed = [d for k, d, _ in await events_of(services, verification_id) if "completed" in k]
    assert completed[-1]["status"] == "REJECTED"
    assert [step["status"] for step in completed[-1]["steps"]] == ["PASSED", "SKIPPED", "SKIPPED"]


async def test_completed_fires_once_and_later_decisions_go_to_the_callback_alone(banco, services):
    verification_id = await make_verification(
        banco, callbackUrl="https://127.0.0.1:9/callback", externalId="c-1"
    )
    for status in ("MANUAL_REVIEW", "APPROVED", "APPROVED", "REJECTED"):
        await decide(banco, verification_id, status)
    events = await events_of(services, verification_id)
    completed = [(d["status"], only) for k, d, only in events if k == "verification.completed"]
    assert completed == [("MANUAL_REVIEW", False), ("APPROVED", True), ("REJECTED", True)]
    assert chain_of(events) == [
        ("PENDING", "MANUAL_REVIEW"),
        ("MANUAL_REVIEW", "APPROVED"),
        ("APPROVED", "APPROVED"),
        ("APPROVED", "REJECTED"),
    ]


async def test_an_override_is_audited_and_its_notes_are_sealed(banco, services):
    notes = "La firma no coincide con la credencial"
    verification_id = await make_verification(banco)
    await decide(banco, verification_id, "REJECTED", notes=notes)
    async with services.database.transaction() as session:
        row = (await session.scalars(select(HistoryEntry))).one()
        entry = (
            await session.scalars(
                select(AuditEntry).where(AuditEntry.action == "verification.status_changed")
            )
        ).one()
    assert row.note.open(services.keys) == notes
    details = orjson.loads(entry.details)
    assert (details["previousStatus"], details["newStatus"]) == ("PENDING", "REJECTED")
    assert len(details["notes"]) == 64
    assert entry.actor_type == "client"
    assert str(entry.resource_id) == verification_id
    for stored in (entry.details, row.note_sealed.hex()):
        assert "firma" not in stored


@pytest.mark.parametrize(
    "body",
    [
        {}, {"status": None}, {"status": "PENDING"}, {"status": "EXPIRED"}, {"status": "approved"},
        {"status": 1}, {"status": "IN_PROGRESS"}, {"status": "APPROVED", "notes": "x" * 2001},
        {"status": "APPROVED", "notes": 5}, {"status": "APPROVED", "reviewer": "yo"}, [],
    ],
)  # fmt: skip
async def test_a_body_of_another_form_is_refused_and_changes_nothing(banco, body):
    verification_id = await make_verification(banco)
    answer = await banco.request("PATCH", f"/v1/verifications/{verification_id}/status", json=body)
    assert answer.status_code == 422
    assert (await shown(banco, verification_id))["status"] == "PENDING"


async def test_notes_may_have_two_thousand_letters_and_may_be_null(banco):
    verification_id = await make_verification(banco)
    for notes in ("ñ" * 2000, "", None):
        assert (await decide(banco, verification_id, "APPROVED", notes=notes)).status_code == 200


async def test_another_organization_cannot_decide(banco, rival):
    verification_id = await make_verification(banco)
    answer = await decide(rival, verification_id, "APPROVED")
    assert answer.status_code == 404
    assert (await shown(banco, verification_id))["status"] == "PENDING"


@pytest.mark.parametrize(("role", "status"), [("REVIEWER", 200), ("MEMBER", 403)])
async def test_a_reviewer_may_decide_and_a_member_may_not(client, services, banco, role, status):
    verification_id = await make_verification(banco)
    async with services.database.transaction() as session:
        await session.execute(update(ApiKey).values(role=role))
    client._transport.app.state.credentials._cache.clear()
    assert (await decide(banco, verification_id, "APPROVED")).status_code == status


@pytest.mark.slow
@pytest.mark.parametrize("races", [10, pytest.param(200, marks=pytest.mark.thorough)])
async def test_whatever_the_automation_does_at_the_same_time_the_reviewers_word_is_the_last(
    banco, services, races
):
    chance = random.Random(4)
    workflow_id = await make_workflow(banco)
    humans_first = 0
    for _ in range(races):
        verification_id = await make_verification(banco, workflow_id)
        step_id = await begin(services, verification_id)
        word = chance.choice(DECIDED)
        outcome = chance.choice([StepStatus.PASSED, StepStatus.FAILED, StepStatus.REVIEW])
        both = [decide(banco, verification_id, word), finish(services, step_id, outcome)]
        answers = await asyncio.gather(*(both if chance.random() < 0.5 else both[::-1]))
        automated = next(answer for answer in answers if isinstance(answer, bool))
        humans_first += not automated
        assert (await shown(banco, verification_id))["status"] == word
        events = await events_of(services, verification_id)
        moves = chain_of(events)
        assert moves[0][0] == "IN_PROGRESS"
        assert moves[-1][1] == word
        assert len(moves) == 1 + automated
        assert all(earlier[1] == later[0] for earlier, later in itertools.pairwise(moves))
        completed = [only for kind, _, only in events if kind == "verification.completed"]
        assert completed.count(False) == 1
    async with services.database.transaction() as session:
        audited = await session.scalar(
            text("SELECT count(*) FROM audit_log WHERE action = 'verification.status_changed'")
        )
        unfinished = await session.scalars(
            select(VerificationStep.status).where(
                VerificationStep.type == DOCUMENT_OCR,
                VerificationStep.status.in_(["RUNNING", "PENDING", "WAITING_INPUT"]),
            )
        )
        assert audited == races + (races - humans_first)
        assert not unfinished.all()


# Other tests run in other databases of the same server.
WAITING = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE wait_event_type = 'Lock' AND datname = current_database()"
)


@pytest.mark.parametrize("human_first", [True, False])
async def test_whoever_comes_first_to_the_row_is_followed_by_the_other(
    banco, services, human_first
):
    verification_id = await make_verification(banco)
    step_id = await begin(services, verification_id)

    async def waiting(count):
        async def are_there():
            async with services.database.reading() as connection:
                return await connection.scalar(WAITING) >= count

        await until(are_there)

    def human():
        return asyncio.create_task(decide(banco, verification_id, "REJECTED"))

    def automation():
        return asyncio.create_task(finish(services, step_id, StepStatus.PASSED))

    tasks = []
    async with services.database.transaction() as session:
        await queries.lock(session, verification_id)
        for number, start in enumerate((human, automation) if human_first else (automation, human)):
            tasks.append(start())
            await waiting(number + 1)
    await asyncio.gather(*tasks)
    assert (await shown(banco, verification_id))["status"] == "REJECTED"
    assert chain_of(await events_of(services, verification_id)) == (
        [("IN_PROGRESS", "REJECTED")]
        if human_first
        else [("IN_PROGRESS", "APPROVED"), ("APPROVED", "REJECTED")]
    )


async def test_a_decision_replaces_none_that_its_reviewer_has_not_seen(banco):
    verification_id = await make_verification(banco)
    expected = {"status": "APPROVED", "expectedStatus": "PENDING"}
    where = f"/v1/verifications/{verification_id}/status"
    assert (await banco.patch(where, json={"status": "REJECTED"})).status_code == 200
    refused = await banco.patch(where, json=expected)
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "STATUS_CHANGED")
    assert (await banco.get(where.removesuffix("/status"))).json()["verification"][
        "status"
    ] == "REJECTED"
    seen = expected | {"expectedStatus": "REJECTED"}
    assert (await banco.patch(where, json=seen)).status_code == 200
