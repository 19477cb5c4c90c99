"""Policies: rules over everything that is known of a verification, and what they decide."""

from acredita.domain.policies.circumstances import stored as stored_circumstances
from acredita.domain.policies.comparison import (
    Counted,
    NotEvaluated,
    Tally,
    has_no_result,
    outcome_of,
)
from acredita.domain.policies.inputs import Facts, JudgedStep, values, variables
from acredita.domain.policies.kinds import Kind
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
