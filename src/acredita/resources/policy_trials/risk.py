"""Propose a threshold that keeps a share of wrong approvals, as the draft of a new policy."""

from uuid import UUID

import orjson
from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import SimulationNotMeasured, ValidationFailed
from acredita.domain.policies import Tally, withhold_below
from acredita.domain.risk_control import NOT_COVERED, Choice, Scores, fewest, upper_bound
from acredita.models import PolicySimulation, SimulationStatus
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
    session: AsyncSession,
    caller: Caller,
    policy_id: UUID,
    simulation_id: UUID,
    data: ThresholdRequest,
) -> ThresholdAnswer:
    """Choose a threshold by a simulation's scores; create a policy unless there is none.

    Raise NotFound; SimulationNotMeasured for a simulation that is not done, has no measure, or
    whose rules have changed; ValidationFailed if the rules get too long by the threshold.
    """
    simulation = await simulations.find(session, caller, policy_id, simulation_id)
    version = await policies.unchanged_version(session, simulation)
    is_done = simulation.status == SimulationStatus.DONE
    if simulation.measure is None or version is None or not is_done:
        raise SimulationNotMeasured
    scores = Tally.from_document(simulation.counts).scores
    choice = scores.choose(data.limit, data.confidence)
    proposal = _shape(simulation, simulation.measure, scores, choice, data)
    if choice.chosen is None:
        return ThresholdAnswer(proposal=proposal, policy_id=None)
    rules = withhold_below(version.document, simulation.measure, choice.chosen.threshold)
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
    data: ThresholdRequest,
) -> ProposedThreshold:
    chosen = choice.chosen
    return ProposedThreshold(
        measure=measure,
        limit=data.limit,
        confidence=data.confidence,
        threshold=None if chosen is None else chosen.threshold,
        upper_bound=None
        if chosen is None
        else upper_bound(chosen.wrong, chosen.approvals, data.confidence),
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
