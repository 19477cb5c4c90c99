"""The job of a simulation. After a crash it continues at its last checkpoint."""

import asyncio
import time
from collections.abc import Sequence
from uuid import UUID

import structlog
from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.policies import NotEvaluated, Policy, Tally, outcome_of
from acredita.jobs import JobContext, LeasedJob, PermanentFailure, Queue, job
from acredita.models import PolicySimulation, SimulationStatus
from acredita.ports import JobEnding
from acredita.resources.policies import service as policies
from acredita.resources.policy_trials import past_verifications as past
from acredita.resources.policy_trials.past_verifications import Filters, Judged, Past

log = structlog.get_logger()

# Verifications that are read together and judged before the next checkpoint.
BATCH = 250
# Seconds after which a run ends, so that other jobs get its place.
LONGEST_RUN = 20.0


async def give_up(session: AsyncSession, services: JobEnding, leased: LeasedJob) -> None:  # noqa: ARG001
    row = await _lock(session, UUID(leased.payload["simulation_id"]))
    if row is not None:
        log.error("policies.simulation_failed", simulation_id=str(row.id))
        _end(row, SimulationStatus.FAILED)


@job("policies.simulate", queue=Queue.LIGHT, timeout=120, on_dead=give_up)
async def simulate(context: JobContext, simulation_id: UUID) -> None:
    """Evaluate a version of a policy on past verifications, batch after batch."""
    ends_at = time.monotonic() + LONGEST_RUN
    while context.may_go_on and time.monotonic() < ends_at:
        if not await _advance(context, simulation_id):
            return
    async with context.finish():
        context.run_again(delay=0)


async def _advance(context: JobContext, simulation_id: UUID) -> bool:
    """Evaluate the next batch and store the counts. Return whether there may be more."""
    keys = context.services.keys
    async with context.services.database.transaction() as session:
        row = await session.get(PolicySimulation, simulation_id)
        if row is None or row.status != SimulationStatus.RUNNING:
            return False
        version = await policies.unchanged_version(session, row)
        filters = Filters(row.organization_id, row.workflow_id, row.since, row.until)
        total = await past.count(session, filters, row.most) if row.total is None else row.total
        place = None
        if row.last_created_at is not None and row.last_id is not None:
            place = (row.last_created_at, row.last_id)
        size = min(BATCH, row.most - row.processed)
        batch = await past.read_batch(session, filters, place, size)
    if version is None:
        # A change of the draft cancels the simulation, so this is a row of another release.
        raise PermanentFailure("the rules of the simulation have changed")
    # In a thread and without a connection: the event loop runs other jobs meanwhile.
    rules = Policy.from_document(version.document)
    judged = await asyncio.to_thread(past.judge_all, keys, rules, batch, row.measure)
    async with context.checkpoint() as session:
        row = await _lock(session, simulation_id)
        if row is None:
            return False
        row.total = total
        _count(row, batch, judged)
        if len(batch) < size or row.processed == row.most:
            row.total = row.processed
            _end(row, SimulationStatus.DONE)
    return row.status == SimulationStatus.RUNNING


def _count(
    row: PolicySimulation, batch: Sequence[Past], judged: Sequence[Judged | NotEvaluated]
) -> None:
    """Add a batch to the counts, and move the place behind it."""
    tally = Tally.from_document(row.counts)
    for one, found in zip(batch, judged, strict=True):
        verification_id, stored = str(one.verification.id), one.verification.decision
        if isinstance(found, NotEvaluated) or stored is None:
            reason = found if isinstance(found, NotEvaluated) else NotEvaluated.NO_DECISION
            tally.skip(verification_id, reason)
            continue
        tally.add(verification_id, stored["status"], found.concluded, one.reviewed)
        if found.score is not None and one.reviewed is not None:
            outcome = outcome_of(found.concluded)
            tally.measure(verification_id, outcome, found.score, one.reviewed)
    row.counts = tally.document()
    row.processed += len(batch)
    if batch:
        last = batch[-1].verification
        row.last_created_at, row.last_id = last.created_at, last.id


async def _lock(session: AsyncSession, simulation_id: UUID) -> PolicySimulation | None:
    """Return the simulation if it is running, locked until the transaction ends."""
    found = await session.get(
        PolicySimulation, simulation_id, with_for_update=True, populate_existing=True
    )
    return found if found is not None and found.status == SimulationStatus.RUNNING else None


def _end(row: PolicySimulation, status: SimulationStatus) -> None:
    row.status = status
    row.finished_at = func.now()
