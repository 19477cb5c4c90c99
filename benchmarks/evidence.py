"""Measure the evidence file of a decision by a policy of 50 rules, time stamp included.

    python -m acredita.embedded run -- python -m benchmarks.evidence [--files 20]

The measure is the CPU time of all processes of the service and of PostgreSQL for one file, which
does not depend on what else the machine does; the time on the clock stands beside it. The offline
verifier checks each file. The time-stamping authority is the one of development, in this process: a
real one adds the time of its answer. Exits with 1 if a file takes more than 2 seconds.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Sequence
from statistics import median
from uuid import UUID

import asyncpg
import psutil
from sqlalchemy import select

from acredita.domain.caller import Caller, CallerKind
from acredita.domain.roles import Role
from acredita.engines.evidence.verification import verify
from acredita.kit import ids
from acredita.models import PolicyVersion, Verification
from acredita.resources.verifications import policy_decisions, queries
from acredita.resources.verifications.evidence.zip_file import evidence_file
from acredita.resources.verifications.policy_decisions import DecisionBasis
from acredita.services import Services, open_services
from acredita.settings import Settings
from benchmarks.bars import Bar, report
from benchmarks.service import living_cpu_seconds, own_database
from benchmarks.simulation import RULES, fill

BAR = 2.0


async def measure(url: str, files: int) -> list[Bar]:
    settings = Settings(
        _env_file=None, database_url=url, redis_url=os.environ["ACREDITA_REDIS_URL"]
    )
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    backend = psutil.Process(await connection.fetchval("SELECT pg_backend_pid()"))
    postmaster = backend.parent()
    assert postmaster is not None
    clock: list[float] = []
    async with open_services(settings, purpose="benchmark") as services:
        owner, _ = await fill(services, files + 1)
        caller = Caller(owner, CallerKind.USER, ids.sortable(), Role.REVIEWER)
        first, *others = await _decide(services)
        # The first one starts the process that composes reports.
        await evidence_file(services, caller, first)
        before = _cpu(postmaster)
        for verification_id in others:
            began = time.monotonic()
            content = await evidence_file(services, caller, verification_id)
            clock.append(time.monotonic() - began)
        each = (_cpu(postmaster) - before) / len(others)
        # It runs an event loop of its own.
        wrong = (await asyncio.to_thread(verify, content)).faults
        if wrong:
            raise SystemExit(f"the file is wrong: {wrong}")
    await connection.close()
    print(f"{len(others)} files of {len(content):,} bytes, {RULES} rules")
    print(f"on the clock: median {median(clock):.2f} s, slowest {max(clock):.2f} s")
    return [Bar.at_most("CPU of a file", each, BAR, " s")]


async def _decide(services: Services) -> list[UUID]:
    """Decide all verifications by the policy; return their ids."""
    async with services.database.transaction() as session:
        version = (await session.scalars(select(PolicyVersion))).one()
        rows = (await session.scalars(select(Verification))).all()
        for row in rows:
            assert row.completed_at is not None
            steps = await queries.list_steps(session, row.id)
            basis = DecisionBasis.from_steps(services.keys, row, steps)
            concluded, about = await policy_decisions.evaluate(
                session, services.keys, basis, version, at=row.completed_at
            )
            row.decision = {
                "status": concluded.decision.status.value,
                "reasons": list(concluded.decision.reasons),
                "rules": concluded.decision.rules,
                "policy": dict(about),
            }
        return [row.id for row in rows]


def _cpu(postmaster: psutil.Process) -> float:
    """Of this process, its children and PostgreSQL, in seconds."""
    own = psutil.Process()
    return living_cpu_seconds([own, *own.children(recursive=True), *postmaster.children()])


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evidence", description=__doc__)
    parser.add_argument("--files", type=int, default=20)
    files = parser.parse_args(given).files
    with own_database(os.environ["ACREDITA_DATABASE_URL"]) as url:
        return report(asyncio.run(measure(url, files)))


if __name__ == "__main__":
    sys.exit(main())
