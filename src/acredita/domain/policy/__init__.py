"""Policies: rules over everything that is known of a verification, and what they decide."""

from acredita.domain.policy.inputs import Facts, JudgedStep, Kind, Variable, values, variables
from acredita.domain.policy.rules import (
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

__all__ = [
    "DEFAULT_POLICY",
    "Act",
    "Facts",
    "JudgedStep",
    "Kind",
    "Outcome",
    "Policy",
    "PolicyDecision",
    "Rule",
    "Variable",
    "cannot_be_evaluated",
    "conclude",
    "values",
    "variables",
    "withhold_approval",
]
