"""Propose a threshold that keeps a share of wrong approvals, as the draft of a new policy."""

import asyncio
from uuid import UUID

import orjson
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import SimulationNotMeasured, ValidationFailed
from acredita.domain.policies import Tally, withhold_below
from acredita.domain.risk_control import NOT_COVERED, Choice, Scores, fewest, upper_bound
from acredita.kit.db import Database
from acredita.models import PolicySimulation, PolicyVersion, SimulationStatus
from acredita.resources.policies import service as policies
from acredita.resources.policies.schemas import PolicyCreate
from acredita.resources.policy_trials import simulations
from acredita.resources.policy_trials.schemas import (
    ProposedThreshold,
    TestShape,
    ThresholdAnswer,
    ThresholdRequest,
)

METHOD = (
    "Fixed-sequence testing of thresholds from the strictest on (Angelopoulos et al. 2021, Learn"
    " then Test), with exact binomial p-values (Clopper and Pearson 1934)"
)


async def propose(
    database: Database,
    caller: Caller,
    policy_id: UUID,
    simulation_id: UUID,
    data: ThresholdRequest,
) -> ThresholdAnswer:
    """Choose a threshold by a simulation's scores; create a policy unless there is none.

    Raise NotFound; SimulationNotMeasured for a simulation that is not done, has no measure, or
    whose rules have changed; ValidationFailed if the rules get too long by the threshold.
    """
    async with database.transaction() as session:
        simulation, _, _ = await _find(session, caller, policy_id, simulation_id)
        scores = Tally.from_document(simulation.counts).scores
    # It takes up to seconds: beside the event loop, and without a transaction.
    choice, bound = await asyncio.to_thread(_choose, scores, data)
    async with database.transaction() as session:
        # The rules may have changed meanwhile.
        simulation, measure, version = await _find(session, caller, policy_id, simulation_id)
        proposal = _shape(simulation, measure, scores, choice, bound, data)
        return await _create(session, caller, version, choice, proposal, data)


async def _find(
    session: AsyncSession, caller: Caller, policy_id: UUID, simulation_id: UUID
) -> tuple[PolicySimulation, str, PolicyVersion]:
    """Return a measured simulation, its measure, and the version with the rules it evaluated."""
    simulation = await simulations.find(session, caller, policy_id, simulation_id)
    version = await policies.unchanged_version(session, simulation)
    is_done = simulation.status == SimulationStatus.DONE
    if simulation.measure is None or version is None or not is_done:
        raise SimulationNotMeasured
    return simulation, simulation.measure, version


def _choose(scores: Scores, data: ThresholdRequest) -> tuple[Choice, float | None]:
    """Return the choice and the upper bound of its share of wrong approvals."""
    choice = scores.choose(data.limit, data.confidence)
    chosen = choice.chosen
    if chosen is None:
        return choice, None
    return choice, upper_bound(chosen.wrong, chosen.approvals, data.confidence)


async def _create(
    session: AsyncSession,
    caller: Caller,
    version: PolicyVersion,
    choice: Choice,
    proposal: ProposedThreshold,
    data: ThresholdRequest,
) -> ThresholdAnswer:
    if choice.chosen is None:
        return ThresholdAnswer(proposal=proposal, policy_id=None)
    rules = withhold_below(version.document, proposal.measure, choice.chosen.threshold)
    try:
        draft = PolicyCreate.model_validate_json(orjson.dumps({"name": data.name, **rules}))
    except ValidationError:
        raise ValidationFailed(
            "With the threshold, the policy has too many or too long rules."
        ) from None
    created = await policies.create(
        session, caller, draft, basis=proposal.model_dump(mode="json", by_alias=True)
    )
    return ThresholdAnswer(proposal=proposal, policy_id=created.id)


def _shape(
    simulation: PolicySimulation,
    measure: str,
    scores: Scores,
    choice: Choice,
    bound: float | None,
    data: ThresholdRequest,
) -> ProposedThreshold:
    chosen = choice.chosen
    return ProposedThreshold(
        measure=measure,
        limit=data.limit,
        confidence=data.confidence,
        threshold=None if chosen is None else chosen.threshold,
        upper_bound=bound,
        needed=fewest(data.limit, data.confidence),
        tested=scores.tested,
        pilot=sum(scores.pilot.values()),
        tests=[
            TestShape(
                threshold=test.threshold,
                approvals=test.approvals,
                wrong=test.wrong,
                p_value=test.p_value,
            )
            for test in choice.tests
        ],
        method=METHOD,
        not_covered=list(NOT_COVERED),
        simulation_id=simulation.id,
        rules_digest=simulation.digest.hex(),
        filters=simulations.filters_of(simulation),
    )
