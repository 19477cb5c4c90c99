"""Policies: rules over everything that is known of a verification, and what they decide."""

from acredita.domain.policies.circumstances import stored as stored_circumstances
from acredita.domain.policies.comparison import (
    OUTCOMES,
    Counted,
    NotEvaluated,
    Tally,
    has_no_result,
    outcome_of,
)
from acredita.domain.policies.inputs import Facts, JudgedStep, values, variables
from acredita.domain.policies.kinds import Kind, Variable
from acredita.domain.policies.rules import (
    DEFAULT_POLICY,
    Act,
    Outcome,
    Policy,
    PolicyDecision,
    Rule,
    cannot_be_evaluated,
    conclude,
    withhold_approval,
)
from acredita.domain.policies.thresholds import measures, withhold_below

__all__ = [
    "DEFAULT_POLICY",
    "OUTCOMES",
    "Act",
    "Counted",
    "Facts",
    "JudgedStep",
    "Kind",
    "NotEvaluated",
    "Outcome",
    "Policy",
    "PolicyDecision",
    "Rule",
    "Tally",
    "Variable",
    "cannot_be_evaluated",
    "conclude",
    "has_no_result",
    "measures",
    "outcome_of",
    "stored_circumstances",
    "values",
    "variables",
    "withhold_approval",
    "withhold_below",
]
