"""Start simulations, and show how far they are."""

from typing import Any
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound
from acredita.domain.policies import Counted, Tally
from acredita.jobs import Priority
from acredita.kit import ids
from acredita.models import PolicySimulation, SimulationStatus
from acredita.models.tenancy import fetch, owned
from acredita.resources.audit import service as audit
from acredita.resources.policies import service as policies
from acredita.resources.policy_trials.jobs import simulate
from acredita.resources.policy_trials.schemas import (
    ChangeShape,
    ReviewedShape,
    SimulationFilters,
    SimulationRequest,
    SimulationShape,
    SkippedShape,
)
from acredita.resources.workflows import queries as workflows


async def start(
    session: AsyncSession, caller: Caller, policy_id: UUID, data: SimulationRequest
) -> SimulationShape:
    """Start a simulation of the newest version, or the given one. A running one is cancelled.

    Raise NotFound, also for an unknown version or workflow.
    """
    # A change of the draft waits: it then cancels this simulation.
    await policies.lock(session, caller, policy_id)
    version = await policies.version(session, caller, policy_id, data.version)
    if version is None:
        raise NotFound
    workflow_id = None if data.workflow_id is None else ids.parse(data.workflow_id)
    if data.workflow_id is not None:
        workflow_id = (await workflows.get(session, caller, workflow_id)).id
    await policies.cancel_simulations(session, caller.organization_id, policy_id)
    simulation = PolicySimulation(
        id=ids.sortable(),
        organization_id=caller.organization_id,
        policy_id=policy_id,
        version=version.version,
        digest=version.digest,
        status=SimulationStatus.RUNNING,
        author_type=caller.kind.value,
        author_id=caller.id,
        workflow_id=workflow_id,
        since=data.since,
        until=func.least(func.now(), data.until or func.now()),
        most=data.most,
        measure=data.measure,
    )
    session.add(simulation)
    await session.flush()
    await jobs.add(
        session,
        simulate,
        {"simulation_id": simulation.id},
        organization_id=caller.organization_id,
        priority=Priority.BULK,
    )
    audit.record(
        session,
        caller,
        Action.POLICY_SIMULATED,
        policy_id,
        version=version.version,
        digest=version.digest,
        simulation=simulation.id,
    )
    await session.refresh(simulation)
    return shape_of(simulation)


async def page(
    session: AsyncSession, caller: Caller, policy_id: UUID, *, limit: int, offset: int
) -> tuple[int, list[SimulationShape]]:
    """Return the number of a policy's simulations, and a page, newest first. Raise NotFound."""
    if await policies.version(session, caller, policy_id, None) is None:
        raise NotFound
    of_policy = owned(PolicySimulation, caller.organization_id).where(
        PolicySimulation.policy_id == policy_id
    )
    total = await session.scalar(of_policy.with_only_columns(func.count()))
    # Ids are in the order of creation.
    newest = of_policy.order_by(PolicySimulation.id.desc()).limit(limit).offset(offset)
    return total or 0, [shape_of(row) for row in await session.scalars(newest)]


async def get(
    session: AsyncSession, caller: Caller, policy_id: UUID, simulation_id: UUID
) -> SimulationShape:
    """Raise NotFound."""
    return shape_of(await find(session, caller, policy_id, simulation_id))


async def cancel(
    session: AsyncSession, caller: Caller, policy_id: UUID, simulation_id: UUID
) -> SimulationShape:
    """End a running simulation; one that has ended stays as it is. Raise NotFound.

    The job finds at its next checkpoint that it ended, and adds nothing more.
    """
    row = await find(session, caller, policy_id, simulation_id, lock=True)
    if row.status == SimulationStatus.RUNNING:
        row.status = SimulationStatus.CANCELLED
        row.finished_at = func.now()
        audit.record(
            session,
            caller,
            Action.POLICY_SIMULATION_CANCELLED,
            policy_id,
            simulation=row.id,
            processed=row.processed,
        )
        await session.flush()
        await session.refresh(row)
    return shape_of(row)


async def find(
    session: AsyncSession,
    caller: Caller,
    policy_id: UUID,
    simulation_id: UUID,
    *,
    lock: bool = False,
) -> PolicySimulation:
    """Raise NotFound."""
    query = owned(PolicySimulation, caller.organization_id).where(
        PolicySimulation.id == simulation_id, PolicySimulation.policy_id == policy_id
    )
    if lock:
        query = query.with_for_update()
    return await fetch(session, query)


def shape_of(row: PolicySimulation) -> SimulationShape:
    tally = Tally.from_document(row.counts)
    reviewed = list(tally.reviewed())
    return SimulationShape(
        id=row.id,
        policy_id=row.policy_id,
        version=row.version,
        digest=row.digest.hex(),
        status=SimulationStatus(row.status),
        filters=filters_of(row),
        measure=row.measure,
        total=row.total,
        processed=row.processed,
        evaluated=tally.evaluated,
        changed=tally.changed,
        without_result=tally.without_result.count,
        matrix=[
            ChangeShape(decided=decided, simulated=simulated, **_counted(counted))
            for decided, simulated, counted in tally.matrix()
        ],
        reviewed=[
            ReviewedShape(
                decided=decided, simulated=simulated, reviewer=reviewer, **_counted(counted)
            )
            for decided, simulated, reviewer, counted in reviewed
        ],
        agreed_before=sum(c.count for decided, _, reviewer, c in reviewed if decided == reviewer),
        agreed_simulated=sum(c.count for _, new, reviewer, c in reviewed if new == reviewer),
        not_evaluated=[
            SkippedShape(reason=reason, **_counted(counted))
            for reason, counted in sorted(tally.not_evaluated.items())
        ],
        created_at=row.created_at,
        finished_at=row.finished_at,
    )


def filters_of(row: PolicySimulation) -> SimulationFilters:
    return SimulationFilters(
        workflow_id=row.workflow_id, since=row.since, until=row.until, most=row.most
    )


def _counted(counted: Counted) -> dict[str, Any]:
    return {"verifications": counted.count, "examples": counted.examples}
