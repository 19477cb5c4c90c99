"""A small `make chaos`: every kind of fault, once at least; and proof that its findings find."""

import asyncio

import asyncpg
import orjson
import pytest

from tests.chaos.course import run
from tests.chaos.customers import PLANS, Account, Customers
from tests.chaos.faults import A_MINUTE, Faults
from tests.chaos.findings import Findings
from tests.chaos.installation import Installation, plain_url
from tests.chaos.promises import Finding

# Longer than most: the machine may be busy, and the faults take their time.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]


# In short, the installation is the smallest, and no worker loads engines, which takes seconds of
# the processor each time: no document is read.
WITHOUT_READING = ("upload", "upload", "metadata")


@pytest.mark.parametrize(
    ("count", "seconds", "processes", "plans"),
    [
        pytest.param(
            *(10, 5, {"apis": 1, "workers": 2, "readers": 0}, WITHOUT_READING), id="in short"
        ),
        pytest.param(45, 30, {}, PLANS, id="for longer", marks=pytest.mark.thorough),
    ],
)
def test_whatever_is_killed_nothing_is_lost_stuck_or_decided_twice(
    tmp_path, count, seconds, processes, plans
):
    installation = Installation(tmp_path, seed=7, **processes)
    with installation.running():
        customers = Customers(installation, seed=17, plans=plans, has_policies=True)
        faults = Faults(installation, seconds=seconds, seed=7)
        told = asyncio.run(run(installation, customers, faults, count=count))
        assert told.is_kept, told.text()
        assert told.faults.keys() == A_MINUTE.keys()
        # The faults did hit: customers noticed, and repeated what failed.
        assert sum(told.figures["calls that had to be repeated"].values()) > 0
        for worker in installation.workers:
            worker.stop(20)
        found = asyncio.run(_after_damage(installation, told.account, asked=count + 1))
        broken = {finding.promise for finding in found if not finding.is_kept}
        assert broken == {
            "customers who were never served",
            "creations answered 201 that are lost",
            "creations that were made twice",
            "verifications without an end",
            "verifications not decided exactly once",
            "verifications without exactly one terminal event",
            "steps that ended twice",
            "decisions that are not by the published policy",
            "decisions that the history has not once",
            "required steps that are lost or doubled",
            "shadows not compared exactly once",
            "decisions that do not follow from the evidence",
            "events without their deliveries",
            "deliveries that never arrived",
            "deliveries that were changed on the way or between attempts",
            "requests of no delivery",
            "attempts that share an X-Service-Delivery",
            "files that are lost",
            "audit chains that are broken",
            "jobs overdue by more than 5 s",
            "processes that ended by themselves",
        }


async def _after_damage(
    installation: Installation, account: Account, *, asked: int
) -> list[Finding]:
    """Violate each guarantee once, and return the findings."""
    connection = await asyncpg.connect(plain_url(installation.database_url))
    try:
        await connection.execute(DAMAGE)
        key = await connection.fetchval("SELECT storage_key FROM document LIMIT 1")
    finally:
        await connection.close()
    (installation.files / key).unlink()
    lines = [orjson.loads(line) for line in installation.received.read_text().splitlines()]
    forgotten, changed = lines[0]["id"], next(line for line in lines if line != lines[0])
    lines = [line for line in lines if line["id"] != forgotten] + [changed | {"sha256": "other"}]
    installation.received.write_bytes(b"\n".join(orjson.dumps(line) for line in lines))
    process = installation.apis[0]._process
    assert process is not None
    process.kill()
    process.wait()
    installation.apis[0].start()
    return await Findings(installation, account).all(asked=asked)


DAMAGE = """
    UPDATE verification SET external_id = 'nobody' WHERE external_id = 'customer-0';
    UPDATE verification SET external_id = 'customer-1' WHERE external_id = 'customer-2';
    UPDATE verification SET status = 'IN_PROGRESS' WHERE external_id = 'customer-3';
    ALTER TABLE audit_log DISABLE TRIGGER USER;
    UPDATE audit_log SET resource_id = gen_random_uuid() WHERE id = (
        SELECT audit_log.id FROM audit_log JOIN verification ON verification.id = resource_id
        WHERE action = 'verification.status_changed' AND external_id = 'customer-4');
    UPDATE event SET kind = 'verification.updated' WHERE id = (
        SELECT event.id FROM event JOIN verification ON verification.id = verification_id
        WHERE kind = 'verification.completed' AND external_id = 'customer-5');
    UPDATE event SET data = (SELECT data FROM event WHERE kind LIKE 'step.%' ORDER BY id LIMIT 1)
        WHERE id = (SELECT id FROM event WHERE kind LIKE 'step.%' ORDER BY id DESC LIMIT 1);
    DELETE FROM delivery WHERE id = (SELECT id FROM delivery ORDER BY id DESC LIMIT 1);
    UPDATE verification SET decision = jsonb_set(decision, '{policy,version}', '9')
        WHERE external_id = 'customer-6';
    UPDATE verification SET decision = jsonb_set(decision, '{status}', '"EXPIRED"')
        WHERE external_id = 'customer-7';
    ALTER TABLE verification_history DISABLE TRIGGER USER;
    DELETE FROM verification_history WHERE kind = 'verification.decided' AND verification_id = (
        SELECT id FROM verification WHERE external_id = 'customer-8');
    DELETE FROM verification_history WHERE id = (
        SELECT id FROM verification_history WHERE kind = 'verification.step_required' LIMIT 1);
    DELETE FROM policy_comparison WHERE verification_id = (
        SELECT id FROM verification WHERE external_id = 'customer-9');
    UPDATE job SET run_at = now() - interval '1 minute' WHERE once_key = 'recurring:jobs.purge'
"""
