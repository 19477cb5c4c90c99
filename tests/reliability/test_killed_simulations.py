"""A simulation counts every verification once, also when its workers are killed beside traffic."""

import asyncio
import random
import signal
from collections import Counter

import pytest
from sqlalchemy import text

from acredita import jobs
from acredita.domain.policies import Tally
from acredita.models import PolicySimulation
from acredita.resources.policy_trials.jobs import simulate
from benchmarks import simulation
from tests.api.verifications.test_history import history_of
from tests.api.verifications.test_override import shown
from tests.factories.organizations import make_verification, make_workflow
from tests.reliability.fleet import Fleet
from tests.reliability.simulating_worker import BATCH

LEASE = 4.0
OPEN = {"PENDING", "IN_PROGRESS"}
# Different decisions of the time: one verification that is lost and one that is counted twice do
# not make up for each other.
VARY = """
    UPDATE verification SET decision = jsonb_set(decision, '{status}', to_jsonb(
        (ARRAY['APPROVED', 'REJECTED', 'MANUAL_REVIEW'])[1 + get_byte(uuid_send(id), 15) % 3]))
    WHERE organization_id = :owner
"""
DECIDED = """
    SELECT decision->>'status', count(*) FROM verification WHERE organization_id = :owner GROUP BY 1
"""


@pytest.fixture
def fleet(services):
    fleets = []

    def of(*program, lease=LEASE):
        settings = services.settings
        environment = {
            "ACREDITA_ENV": "test",
            "ACREDITA_DATABASE_URL": settings.database_url,
            "ACREDITA_REDIS_URL": settings.redis_url,
            "ACREDITA_DATA_DIR": str(settings.data_dir),
            "ACREDITA_JOB_LEASE": str(lease),
        }
        fleets.append(Fleet(1, environment, *program))
        fleets[-1].keep_up()
        return fleets[-1]

    yield of
    for each in fleets:
        each.kill()


async def begin(services, number):
    """Start a simulation of so many verifications. Return its id, and how many were decided how."""
    owner, simulation_id = await simulation.fill(services, number)
    async with services.database.transaction() as session:
        await session.execute(text(VARY), {"owner": owner})
        decided = dict((await session.execute(text(DECIDED), {"owner": owner})).all())
        payload = {"simulation_id": simulation_id}
        await jobs.add(session, simulate, payload, organization_id=owner)
    assert len(decided) == 3
    return simulation_id, decided


async def progress(services, simulation_id):
    """Return the simulation. Its counts are always those of what was processed."""
    async with services.database.transaction() as session:
        row = await session.get_one(PolicySimulation, simulation_id)
    assert sum(counts_of(row).values()) == row.processed
    return row


def counts_of(row):
    matrix = list(Tally.from_document(row.counts).matrix())
    assert {simulated for _, simulated, _ in matrix} <= {"APPROVED"}
    return {decided: counted.count for decided, _, counted in matrix}


async def until_ended(services, simulation_id):
    while (row := await progress(services, simulation_id)).status == "RUNNING":  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    return row


async def until_decided(member, verification_ids):
    """Wait for the verifications, and check that each is decided once."""
    for verification_id in verification_ids:
        while (await shown(member, verification_id))["status"] in OPEN:  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        entries = (await history_of(member, verification_id))["history"]
        assert Counter(each["kind"] for each in entries)["verification.decided"] == 1


async def test_a_simulation_goes_on_at_its_checkpoint_wherever_its_worker_dies(
    rival, services, fleet
):
    workflow_id = await make_workflow(rival, "GOVERNMENT_VERIFY")
    simulation_id, decided = await begin(services, 6 * BATCH)
    customers, places = [], []
    # After a batch is judged, within its checkpoint, and after some checkpoints.
    for function, call in (("judge_all", 2), ("_count", 2), ("judge_all", 3)):
        customers.append(await make_verification(rival, workflow_id))
        worker = fleet("tests.reliability.simulating_worker", function, str(call)).workers[0]
        assert await asyncio.to_thread(worker.wait, 60) == -signal.SIGKILL
        row = await progress(services, simulation_id)
        assert row.status == "RUNNING"
        places.append(row.processed)
    # A busy machine loses leases, so a batch may have been judged twice before its checkpoint.
    assert places == sorted(places)
    assert 0 < places[-1] < 6 * BATCH
    fleet("tests.reliability.simulating_worker")
    async with asyncio.timeout(60):
        row = await until_ended(services, simulation_id)
        await until_decided(rival, customers)
    assert (row.status, row.processed, row.total) == ("DONE", 6 * BATCH, 6 * BATCH)
    assert counts_of(row) == decided


@pytest.mark.thorough
@pytest.mark.timeout(3600)
async def test_five_thousand_are_counted_once_beside_traffic_with_killed_workers(
    rival, services, fleet
):
    number, chance = 5_000, random.Random(21)
    workflow_id = await make_workflow(rival, "GOVERNMENT_VERIFY")
    simulation_id, decided = await begin(services, number)
    workers = fleet("acredita.cli", "worker", "--queues=light,registries,webhooks", lease=15.0)
    customers, kills, is_over = [], [], asyncio.Event()

    async def traffic():
        while not is_over.is_set():
            customers.append(await make_verification(rival, workflow_id))
            await asyncio.sleep(0.5)

    coming = asyncio.create_task(traffic())
    seen, next_kill = 0, 500
    while (row := await progress(services, simulation_id)).status == "RUNNING":
        assert row.processed >= seen
        seen = row.processed
        if seen >= next_kill:
            await asyncio.to_thread(workers.kill)
            kills.append(seen)
            next_kill = seen + chance.randrange(700, 1_300)
            await asyncio.to_thread(workers.keep_up)
        await asyncio.sleep(chance.uniform(0.05, 0.5))
    is_over.set()
    await coming
    async with asyncio.timeout(60):
        await until_decided(rival, customers)
    assert (row.status, row.processed, row.total) == ("DONE", number, number)
    assert counts_of(row) == decided
    assert len(kills) > 3
