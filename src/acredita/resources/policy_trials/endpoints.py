from typing import Annotated

from fastapi import Path
from starlette.responses import Response

from acredita.api.dependencies import Db, ServicesDep
from acredita.api.errors import responses
from acredita.api.pagination import Limit, Offset, Pagination
from acredita.api.permissions import Admin, Reviewer
from acredita.api.routing import make_router
from acredita.api.schemas import IdInPath
from acredita.domain.errors import SimulationNotMeasured
from acredita.resources.policy_trials import comparisons, risk, simulations
from acredita.resources.policy_trials.schemas import (
    ShadowAnswer,
    SimulationAnswer,
    SimulationPage,
    SimulationRequest,
    ThresholdAnswer,
    ThresholdRequest,
)

router = make_router("/v1", tag="Policies")


@router.post(
    "/policies/{id}/simulate", status_code=202, summary="Try a policy on past verifications"
)
async def simulate_policy(
    id: IdInPath,
    caller: Admin,
    session: Db,
    response: Response,
    data: SimulationRequest | None = None,
) -> SimulationAnswer:
    """A job evaluates the policy's newest version, or the given one, on the stored evidence of the
    organization's completed verifications, the newest first. Nothing is changed, and no image is
    read again. A simulation of the policy that still runs is cancelled. Without a body, all fields
    have their defaults.
    """
    simulation = await simulations.start(session, caller, id, data or SimulationRequest())
    response.headers["Location"] = f"/v1/policies/{id}/simulations/{simulation.id}"
    return SimulationAnswer(simulation=simulation)


@router.get("/policies/{id}/simulations", summary="List the simulations of a policy, newest first")
async def list_policy_simulations(
    id: IdInPath, caller: Reviewer, session: Db, limit: Limit = 20, offset: Offset = 0
) -> SimulationPage:
    """With their progress and counts."""
    total, found = await simulations.page(session, caller, id, limit=limit, offset=offset)
    return SimulationPage(
        simulations=found,
        pagination=Pagination.for_page(total=total, limit=limit, offset=offset),
    )


@router.get(
    "/policies/{id}/simulations/{simulationId}", summary="Get a simulation: its progress and counts"
)
async def get_policy_simulation(
    id: IdInPath,
    simulation_id: Annotated[IdInPath, Path(alias="simulationId")],
    caller: Reviewer,
    session: Db,
) -> SimulationAnswer:
    """The counts grow until `status` is no longer RUNNING."""
    return SimulationAnswer(simulation=await simulations.get(session, caller, id, simulation_id))


@router.post("/policies/{id}/simulations/{simulationId}/cancel", summary="Cancel a simulation")
async def cancel_policy_simulation(
    id: IdInPath,
    simulation_id: Annotated[IdInPath, Path(alias="simulationId")],
    caller: Admin,
    session: Db,
) -> SimulationAnswer:
    """A running one ends as CANCELLED, with the counts so far. One that has ended stays as it is,
    so the request can be repeated.
    """
    return SimulationAnswer(simulation=await simulations.cancel(session, caller, id, simulation_id))


@router.post(
    "/policies/{id}/simulations/{simulationId}/threshold",
    summary="Propose a threshold that keeps a share of wrong approvals",
    responses=responses(SimulationNotMeasured),
)
async def propose_threshold(
    id: IdInPath,
    simulation_id: Annotated[IdInPath, Path(alias="simulationId")],
    data: ThresholdRequest,
    caller: Admin,
    services: ServicesDep,
) -> ThresholdAnswer:
    """By the scores of the simulation's `measure` and the reviewers' decisions. Creates a policy
    whose draft is the simulated one, but sends what it approves below the threshold to review. The
    version's `basis` keeps the data that it rests on. Without enough data, `threshold` is null and
    no policy is created.
    """
    return await risk.propose(services.database, caller, id, simulation_id, data)


@router.get("/workflows/{id}/shadow", summary="Compare a workflow's shadow with what decided")
async def get_shadow(id: IdInPath, caller: Reviewer, session: Db) -> ShadowAnswer:
    """Counts of the decisions since the draft was saved in its present form, by their outcome and
    that of the draft, with the ids of the last ones.
    """
    return ShadowAnswer(shadow=await comparisons.get(session, caller, id))
