"""What must always hold: broken on purpose, it is found, and put right where that is safe."""

import asyncio
import time
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text

from acredita import worker
from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.resources.invariants import checks, queries, repairs, service
from acredita.resources.invariants.checks import INVARIANTS
from acredita.resources.invariants.queries import Window
from tests.factories.belongings import picture
from tests.factories.organizations import make_verification, make_workflow
from tests.observability.conftest import numbers_of
from tests.pipeline.conftest import decided, show, until

PERSON = {"curp": "HEGG560427MVZRRL04"}


@pytest.fixture
def settings(settings, authority):
    return settings.model_copy(update=authority.settings)


async def execute(services, statement, **parameters):
    async with services.database.transaction() as session:
        result = await session.execute(text(statement), parameters)
        return result.all() if result.returns_rows else []


async def check(services, invariant) -> dict[str, int]:
    return dict(await service.check(services, invariant))


# Of engines and webhooks, some tests look at what waits.
OTHERS = [queue for queue in Queue if queue not in (Queue.ENGINES, Queue.WEBHOOKS)]


async def work(services):
    """Do what is due, once."""
    runner = Runner(services, dict.fromkeys(OTHERS, 4))
    for queue in OTHERS:
        await runner.pull(queue)
    await runner.stop(grace=30)


async def asking(services, member) -> str:
    """A verification that is about to ask the registries, by a job that waits."""
    workflow = await make_workflow(member, "GOVERNMENT_VERIFY")
    verification = await make_verification(member, workflow, metadata=PERSON)
    await work(services)
    return verification


async def steps_are(services, verification, status):
    await execute(
        services,
        "UPDATE verification_step SET status = :status WHERE verification_id = :id",
        status=status,
        id=UUID(verification),
    )


async def forget_jobs(services, kind="verification.%"):
    await execute(services, "DELETE FROM job WHERE kind LIKE :kind", kind=kind)


async def test_a_running_step_whose_job_is_gone_starts_again(services, banco):
    verification = await asking(services, banco)
    assert await check(services, checks.VERIFICATION_STUCK) == {}
    await forget_jobs(services)
    assert await check(services, checks.VERIFICATION_STUCK) == {"repaired": 1}
    assert await check(services, checks.VERIFICATION_STUCK) == {}
    await work(services)
    assert (await show(banco, verification))["verification"]["status"] not in (
        "PENDING",
        "IN_PROGRESS",
    )


async def test_a_step_that_was_never_begun_begins(services, banco):
    verification = await asking(services, banco)
    await forget_jobs(services)
    await steps_are(services, verification, "PENDING")
    assert await check(services, checks.VERIFICATION_STUCK) == {"repaired": 1}
    await work(services)
    await decided(banco, verification)


async def test_a_verification_whose_beginning_was_given_up_begins(services, banco):
    workflow = await make_workflow(banco, "GOVERNMENT_VERIFY")
    verification = await make_verification(banco, workflow, metadata=PERSON)
    await execute(services, "UPDATE job SET state = 'dead' WHERE kind = 'verification.begin'")
    assert await check(services, checks.VERIFICATION_STUCK) == {"repaired": 1}
    await work(services)
    await decided(banco, verification)


async def test_a_verification_whose_steps_have_ended_is_decided(services, banco):
    verification = await asking(services, banco)
    await steps_are(services, verification, "PASSED")
    assert await check(services, checks.VERIFICATION_STUCK) == {"repaired": 1}
    assert (await show(banco, verification))["verification"]["status"] == "APPROVED"


async def test_a_front_that_waits_for_its_back_for_ever_is_found(services, banco):
    verification = await make_verification(banco)
    await banco.post(
        f"/v1/verifications/{verification}/inputs", files={"front": ("x.png", picture())}
    )
    await steps_are(services, verification, "WAITING_INPUT")
    assert await check(services, checks.VERIFICATION_STUCK) == {}, "its job waits, too"
    await forget_jobs(services)
    assert await check(services, checks.VERIFICATION_STUCK) == {"repaired": 1}
    [[status]] = await execute(services, "SELECT status FROM verification_step")
    assert status == "RUNNING"


async def test_what_waits_for_its_person_is_left_alone(services, banco):
    required = await make_workflow(banco, config={"requireBack": True})
    for workflow in (required, await make_workflow(banco, "FACE_MATCH")):
        verification = await make_verification(banco, workflow)
        await banco.post(
            f"/v1/verifications/{verification}/inputs", files={"front": ("x.png", picture())}
        )
    retake = await make_verification(banco)
    await banco.post(f"/v1/verifications/{retake}/inputs", files={"front": ("x.png", picture())})
    await execute(
        services,
        "UPDATE verification_step SET status = 'WAITING_INPUT', code = 'DOCUMENT_UNREADABLE'"
        " WHERE verification_id = :id",
        id=UUID(retake),
    )
    await make_verification(banco)
    await forget_jobs(services)
    assert await check(services, checks.VERIFICATION_STUCK) == {}


async def test_a_repair_that_fails_is_told_of(services, banco, monkeypatch):
    async def fail(services, subject):
        raise RuntimeError

    monkeypatch.setitem(repairs.REPAIRS, checks.VERIFICATION_STUCK.name, fail)
    before = await numbers_of(services)
    await asking(services, banco)
    await forget_jobs(services)
    assert await check(services, checks.VERIFICATION_STUCK) == {"found": 1}
    after = await numbers_of(services)
    labels = {"name": "verification_stuck", "outcome": "found"}
    counted = after.of("invariant_violations_total", **labels)
    assert counted == before.of("invariant_violations_total", **labels) + 1


async def subscribe(services, member) -> UUID:
    """An endpoint that was there long before."""
    answer = await member.post(
        "/v1/webhooks",
        json={"url": "https://receiver.test/", "events": ["verification.created"]},
    )
    endpoint = UUID(answer.json()["webhook"]["id"])
    await execute(
        services,
        "UPDATE webhook_endpoint SET created_at = now() - interval '1 day' WHERE id = :id",
        id=endpoint,
    )
    return endpoint


async def age_events(services):
    """Let what happened have happened five minutes ago."""
    milliseconds = int((time.time() - 300) * 1000)
    for [old] in await execute(services, "SELECT id FROM event"):
        new = UUID(int=milliseconds << 80 | old.int & (1 << 80) - 1)
        await execute(
            services,
            "WITH aged AS (UPDATE event SET id = :new, created_at = now() - interval '5 min'"
            " WHERE id = :old) UPDATE delivery SET event_id = :new WHERE event_id = :old",
            new=new,
            old=old,
        )


async def test_an_event_without_its_deliveries_is_sent(services, banco, rival):
    endpoint = await subscribe(services, banco)
    await subscribe(services, rival)
    await make_verification(banco)
    await make_verification(rival)
    await age_events(services)
    assert await check(services, checks.EVENT_NOT_SENT) == {}
    await execute(services, "DELETE FROM checked_until")
    lost = "DELETE FROM delivery WHERE endpoint_id = :id"
    await execute(services, lost, id=endpoint)
    assert await check(services, checks.EVENT_NOT_SENT) == {"repaired": 1}
    made = await execute(
        services, "SELECT receiver_id, state FROM delivery WHERE endpoint_id = :id", id=endpoint
    )
    assert made == [(endpoint, "pending")]
    await execute(services, lost, id=endpoint)
    assert await check(services, checks.EVENT_NOT_SENT) == {}, "each moment is looked at once"


async def test_a_callback_that_was_not_made_is_sent(services, banco):
    workflow = await make_workflow(banco, "GOVERNMENT_VERIFY")
    verification = await make_verification(
        banco, workflow, metadata=PERSON, callbackUrl="https://receiver.test/callback"
    )
    await work(services)
    await work(services)
    await decided(banco, verification)
    await age_events(services)
    [[receiver]] = await execute(services, "DELETE FROM delivery RETURNING receiver_id")
    assert await check(services, checks.EVENT_NOT_SENT) == {"repaired": 1}
    assert await execute(services, "SELECT receiver_id, endpoint_id FROM delivery") == [
        (receiver, None)
    ]


async def test_an_endpoint_hears_nothing_of_what_happened_before_it_came(services, banco):
    await make_verification(banco)
    await age_events(services)
    answer = await banco.post(
        "/v1/webhooks",
        json={"url": "https://receiver.test/", "events": ["verification.created"]},
    )
    assert answer.status_code == 201
    assert await check(services, checks.EVENT_NOT_SENT) == {}


async def test_a_receiver_that_nobody_serves_is_served_again(services, banco):
    await subscribe(services, banco)
    await make_verification(banco)
    assert await check(services, checks.DELIVERY_IDLE) == {}, "it is due for a moment only"
    await execute(services, "UPDATE delivery SET next_at = now() - interval '5 min'")
    assert await check(services, checks.DELIVERY_IDLE) == {"repaired": 1}
    assert await execute(
        services, "SELECT kind, state, run_at <= now() FROM job WHERE queue = 'webhooks'"
    ) == [("webhooks.drain", "pending", True)]
    assert await check(services, checks.DELIVERY_IDLE) == {}


async def test_a_receiver_that_is_left_to_rest_is_no_violation(services, banco):
    endpoint = await subscribe(services, banco)
    await make_verification(banco)
    await execute(services, "UPDATE delivery SET next_at = now() - interval '5 min'")
    await execute(
        services,
        "INSERT INTO webhook_receiver (id, organization_id, resting_until)"
        " VALUES (:id, CAST(:organization AS uuid), now() + interval '1 min')",
        id=endpoint,
        organization=banco.organization_id,
    )
    assert await check(services, checks.DELIVERY_IDLE) == {}


async def add_job(services, state, *, kind="invariants.check", age=0, priority=0):
    """A job that was due `age` seconds ago; a lease of it ended just then, too."""
    await execute(
        services,
        "INSERT INTO job (id, kind, payload, queue, state, run_at, max_attempts, priority,"
        " lease_token, lease_expires_at) SELECT gen_random_uuid(), :kind, '{}', 'light',"
        " CAST(:state AS text), now() - make_interval(secs => :age), 5, :priority,"
        " CASE WHEN :state = 'running' THEN gen_random_uuid() END,"
        " CASE WHEN :state = 'running' THEN now() - make_interval(secs => :age) END",
        kind=kind,
        state=state,
        age=age,
        priority=priority,
    )


async def test_a_lease_that_nobody_holds_is_taken_back(services):
    await add_job(services, "running", age=10)
    assert await check(services, checks.LEASE_ABANDONED) == {}, "the reaper has not come by yet"
    await add_job(services, "running", age=300)
    assert await check(services, checks.LEASE_ABANDONED) == {"repaired": 1}


async def test_a_lease_of_a_kind_that_nobody_knows_is_told_of(services):
    await add_job(services, "running", kind="of.another.release", age=300)
    assert await check(services, checks.LEASE_ABANDONED) == {"found": 1}


async def test_a_job_that_is_passed_over_is_told_of(services):
    await add_job(services, "pending", kind="of.another.release", age=600)
    await add_job(services, "running", age=-10)
    assert await check(services, checks.JOB_UNCLAIMED) == {"found": 1}


ENDED = """
    INSERT INTO job_finished (id, kind, payload, queue, attempts, created_at, run_at, finished_at)
    SELECT gen_random_uuid(), 'x', '{}', :queue, 1, now(), now(),
           now() - make_interval(secs => :age)
"""


async def test_a_queue_that_stands_still_is_told_of(services):
    await add_job(services, "pending", age=600)
    await execute(services, ENDED, queue="light", age=61)
    await execute(services, ENDED, queue="webhooks", age=0)
    assert await check(services, checks.JOB_UNCLAIMED) == {"found": 1}
    await execute(services, ENDED, queue="light", age=10)
    assert await check(services, checks.JOB_UNCLAIMED) == {}


@pytest.mark.parametrize(
    "busy",
    [
        {"state": "running", "age": 700},
        {"state": "running", "age": 0, "priority": 1, "kind": "some.urgent.work"},
        {"state": "running", "age": 0, "kind": "of.the.same"},
    ],
)
async def test_a_backlog_is_no_violation(services, busy):
    await add_job(services, "pending", kind="of.the.same", age=600)
    await add_job(services, **busy)
    assert await check(services, checks.JOB_UNCLAIMED) == {}


@pytest.mark.parametrize(
    "breaking",
    [
        "DELETE FROM event WHERE kind = 'verification.completed'",
        """INSERT INTO event (id, organization_id, verification_id, kind, data)
        SELECT gen_random_uuid(), organization_id, verification_id, kind, data FROM event
        WHERE kind = 'verification.completed'""",
    ],
    ids=["none", "two"],
)
async def test_a_decision_that_was_not_told_exactly_once_is_told_of(services, banco, breaking):
    verification = await asking(services, banco)
    await work(services)
    await decided(banco, verification)
    aged = "UPDATE verification SET updated_at = now() - interval '5 min'"
    await execute(services, aged)
    assert await check(services, checks.DECISION_NOT_TOLD) == {}
    await execute(services, "DELETE FROM checked_until")
    await execute(services, breaking)
    assert await check(services, checks.DECISION_NOT_TOLD) == {"found": 1}
    assert await check(services, checks.DECISION_NOT_TOLD) == {}, "each is reported once"


async def test_one_check_that_fails_leaves_the_others_be(services, banco, monkeypatch):
    broken = checks.Invariant("broken", "nothing", "is no SQL", "SELECT nonsense")
    monkeypatch.setattr(service, "INVARIANTS", (broken, checks.VERIFICATION_STUCK))
    await asking(services, banco)
    await forget_jobs(services)
    await service.check_all(services)
    assert await check(services, checks.VERIFICATION_STUCK) == {}, "it was repaired"


async def test_a_check_cannot_write(services):
    async with queries.looking(services.database) as connection:
        with pytest.raises(Exception, match="read-only"):
            await connection.execute(text("DELETE FROM job"))


async def test_a_busy_system_that_is_well_breaks_none(services, banco, rival):
    """Looked at without a pause and up to this very moment, while everything happens."""
    for member in (banco, rival):
        await member.post(
            "/v1/webhooks",
            json={
                "url": "https://receiver.test:1/",
                "events": ["verification.created", "verification.completed", "step.completed"],
            },
        )
    await execute(services, "UPDATE webhook_endpoint SET created_at = now() - interval '1 day'")
    workflows = {
        member.organization_id: await make_workflow(member, "GOVERNMENT_VERIFY", "LIVENESS")
        for member in (banco, rival)
    }
    stop, looks = asyncio.Event(), 0
    serving = asyncio.create_task(worker.serve(services, (*OTHERS, Queue.WEBHOOKS), stop))

    async def customers():
        made = []
        for number in range(30):
            member = (banco, rival)[number % 2]
            verification = await make_verification(
                member, workflows[member.organization_id], metadata=PERSON
            )
            made.append((member, verification))
            if number % 5 == 0:
                override = {"status": "APPROVED", "notes": "seen"}
                await member.patch(f"/v1/verifications/{verification}/status", json=override)
        for member, verification in made:

            async def has_moved(member=member, verification=verification):
                shown = await show(member, verification)
                return shown["verification"]["status"] != "PENDING" or None

            await until(has_moved)

    flow = asyncio.create_task(customers())
    while not flow.done():
        async with queries.looking(services.database) as connection:
            now = await queries.end_of_transactions(connection)
            window = Window(now - timedelta(hours=1), now + timedelta(hours=1))
            for invariant in INVARIANTS:
                assert await queries.find(connection, invariant, window) == [], invariant.name
        looks += 1
    await flow
    stop.set()
    await serving
    assert looks >= 5
    [[events]] = await execute(services, "SELECT count(*) FROM event")
    assert events > 60


async def test_the_id_of_a_window_is_the_first_of_its_moment(services):
    from acredita.kit import ids

    before = ids.sortable()
    [[first]] = await execute(
        services,
        f"SELECT {checks.FIRST_ID.format(moment='CAST(:moment AS timestamptz)')}::uuid",
        moment=services.clock.now(),
    )
    # Ids count milliseconds of the same clock.
    assert abs((first.int >> 80) - (before.int >> 80)) < 5_000
    assert first.int & ((1 << 80) - 1) == 0


async def test_an_unknown_subject_is_repaired_by_doing_nothing(services):
    for repair in repairs.REPAIRS.values():
        await repair(services, uuid4())
