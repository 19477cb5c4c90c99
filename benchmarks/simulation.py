"""Measure a simulation: a policy of 50 rules on past verifications with sealed evidence.

    python -m acredita.embedded run -- python -m benchmarks.simulation [--verifications 5000]

The job runs in this process, as in a worker. The figures are the CPU times of this process and of
PostgreSQL for each verification, so they do not depend on what else the machine does: 500
verifications a second on two cores are 4 ms of both together. Exits with 1 if that is missed.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

import asyncpg
import psutil
from sqlalchemy import func, insert, text

from acredita import jobs
from acredita.domain.audit import canonical
from acredita.domain.documents import PageKind
from acredita.domain.history import HistoryKind
from acredita.domain.steps import AML_SCREEN, DOCUMENT_OCR, FACE_MATCH, GOVERNMENT_VERIFY
from acredita.domain.subject import Face, Field, Subject
from acredita.domain.verification import StepStatus
from acredita.jobs import Queue
from acredita.jobs.runner import Runner
from acredita.kit import ids
from acredita.models import (
    HistoryEntry,
    Organization,
    PolicyHead,
    PolicySimulation,
    PolicyStatus,
    PolicyVersion,
    SimulationStatus,
    Verification,
    VerificationStep,
    Workflow,
)
from acredita.resources.policy_trials.jobs import simulate

# The pipeline finds the steps in a table, which this import fills.
from acredita.resources.verifications import jobs as _jobs  # noqa: F401
from acredita.services import Services, open_services
from acredita.settings import Settings
from benchmarks.seed import FIELDS, REGISTRY_ANSWER
from benchmarks.service import living_cpu_seconds, own_database

CORES = 2
BAR = 500.0
RULES = 50
BATCH = 500
EVIDENCE = [
    {"field": name, "value": value, "confidence": 0.98, "decision": "ACCEPTED", "reasons": []}
    for name, value in FIELDS.items()
]
FACE = Face(ids.capability(), tuple(number / 128 for number in range(128)), "sface")
SUBJECT = Subject(
    kind=PageKind.INE_FRONT,
    fields={name: Field(value, True) for name, value in FIELDS.items()},
    selfie=FACE,
    living=FACE,
)
SCREENED = {"screened": True, "totalMatches": 0, "matches": []}
RESULTS = {
    DOCUMENT_OCR: {"documents": ["INE"], **FIELDS},
    FACE_MATCH: {"similarity": 0.91},
    GOVERNMENT_VERIFY: REGISTRY_ANSWER,
    AML_SCREEN: SCREENED,
}


def policy(rules: int) -> dict[str, object]:
    """Rules of which none applies, so that all are evaluated."""
    condition = (
        "face.known && face.similarity < 0.{:02} && person.age_known && person.age < 18"
        " || screening.score >= 0.9 || 'PHOTOCOPY' in signals.raised"
        " || step.GOVERNMENT_VERIFY.status == 'FAILED' && field.curp.confidence < 0.5"
    )
    review = {"outcome": "REVIEW", "reasons": ["RISK_ABOVE_LIMIT"]}
    return {
        "rules": [
            {"name": f"rule {n}", "when": condition.format(n), "then": review} for n in range(rules)
        ],
        "otherwise": {"outcome": "DEFAULT"},
    }


async def fill(services: Services, verifications: int) -> tuple[UUID, UUID]:
    """Make an organization with so many verifications; return its id, and that of a simulation."""
    organization = Organization(id=ids.sortable(), name="Banco Uno", slug="banco-uno")
    owner = organization.id
    workflow = Workflow(id=ids.sortable(), organization_id=owner, name="Alta", steps=[])
    head = PolicyHead(id=ids.sortable(), organization_id=owner, name="Riesgo")
    rules = policy(RULES)
    digest = sha256(canonical(rules).encode()).digest()
    author = {"author_type": "user", "author_id": ids.sortable()}
    simulation = PolicySimulation(
        id=ids.sortable(),
        organization_id=owner,
        policy_id=head.id,
        version=1,
        digest=digest,
        status=SimulationStatus.RUNNING,
        until=func.now() + timedelta(days=1),
        most=verifications,
        **author,
    )
    version = PolicyVersion(
        organization_id=owner,
        policy_id=head.id,
        version=1,
        status=PolicyStatus.DRAFT,
        document=rules,
        digest=digest,
        **author,
    )
    async with services.database.transaction() as session:
        for row in (organization, workflow, head, version, simulation):
            session.add(row)
            await session.flush()
    for start in range(0, verifications, BATCH):
        end = min(start + BATCH, verifications)
        rows = [_rows(services, owner, workflow.id, number) for number in range(start, end)]
        async with services.database.transaction() as session:
            for place, model in enumerate((Verification, VerificationStep, HistoryEntry)):
                await session.execute(insert(model), [one for row in rows for one in row[place]])
    async with services.database.reading() as connection:
        await connection.execute(text("VACUUM ANALYZE"))
    return owner, simulation.id


def _rows(
    services: Services, owner: UUID, workflow_id: UUID, number: int
) -> tuple[list[dict[str, object]], ...]:
    """A verification, its steps and what its history says of the decision."""
    verification_id, keys = ids.capability(), services.keys
    at = datetime.now(UTC) - timedelta(seconds=number)
    verification = {
        "id": verification_id,
        "organization_id": owner,
        "workflow_id": workflow_id,
        "status": "APPROVED",
        "created_at": at,
        "completed_at": at,
        "expires_at": at,
        "decision": {"status": "APPROVED", "reasons": [], "rules": "decision/1"},
        "subject_sealed": Verification.subject.seal(keys, verification_id, SUBJECT),
    }
    steps = []
    for position, (step_type, result) in enumerate(RESULTS.items()):
        step_id = ids.sortable()
        evidence = EVIDENCE if step_type == DOCUMENT_OCR else None
        steps.append(
            {
                "id": step_id,
                "organization_id": owner,
                "verification_id": verification_id,
                "position": position,
                "type": step_type,
                "config": {},
                "status": StepStatus.PASSED,
                "result_sealed": VerificationStep.result.seal(keys, step_id, result),
                "evidence_sealed": VerificationStep.evidence.seal(keys, step_id, evidence),
            }
        )
    entry = {
        "id": ids.sortable(),
        "organization_id": owner,
        "verification_id": verification_id,
        "kind": HistoryKind.DECIDED,
        "actor_type": "service",
        "details": {"newStatus": "APPROVED"},
    }
    return [verification], steps, [entry]


async def measure(url: str, verifications: int) -> bool:
    settings = Settings(
        _env_file=None, database_url=url, redis_url=os.environ["ACREDITA_REDIS_URL"]
    )
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    backend = psutil.Process(await connection.fetchval("SELECT pg_backend_pid()"))
    postmaster = backend.parent()
    assert postmaster is not None
    async with open_services(settings, purpose="benchmark") as services:
        owner, simulation_id = await fill(services, verifications)
        async with services.database.transaction() as session:
            payload = {"simulation_id": simulation_id}
            await jobs.add(session, simulate, payload, organization_id=owner)
        before, postgres, began = (
            os.times(),
            living_cpu_seconds(postmaster.children()),
            time.monotonic(),
        )
        row = await _run(services, simulation_id)
        took = time.monotonic() - began
        after = os.times()
        database = living_cpu_seconds(postmaster.children()) - postgres
    await connection.close()
    assert row.processed == verifications, row.processed
    assert [key[:2] for key in row.counts["pairs"]] == [["APPROVED", "APPROVED"]], row.counts
    python = after.user + after.system - before.user - before.system
    each = (python + database) / verifications
    print(f"{verifications:,} verifications, {RULES} rules, {took:.1f} s")
    print(f"CPU of each: {python / verifications * 1e3:.2f} ms here,", end=" ")
    print(f"{database / verifications * 1e3:.2f} ms in PostgreSQL")
    print(f"{1 / each:,.0f} a second on one core, {CORES / each:,.0f} on {CORES} (bar {BAR:,.0f})")
    return CORES / each >= BAR


async def _run(services: Services, simulation_id: UUID) -> PolicySimulation:
    runner = Runner(services, {Queue.LIGHT: 1})
    try:
        while True:
            await runner.pull(Queue.LIGHT)
            while runner.in_flight:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            async with services.database.transaction() as session:
                row = await session.get_one(PolicySimulation, simulation_id)
            if row.status != SimulationStatus.RUNNING:
                return row
    finally:
        await runner.stop(grace=5)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simulation", description=__doc__)
    parser.add_argument("--verifications", type=int, default=5_000)
    verifications = parser.parse_args(given).verifications
    with own_database(os.environ["ACREDITA_DATABASE_URL"]) as url:
        return 0 if asyncio.run(measure(url, verifications)) else 1


if __name__ == "__main__":
    sys.exit(main())
