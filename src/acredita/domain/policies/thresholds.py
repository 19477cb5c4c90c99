"""Withhold the approvals of a policy whose score is below a threshold."""

from collections.abc import Mapping
from typing import Any, Final

from acredita.domain.policies.inputs import variables
from acredita.domain.policies.kinds import Kind
from acredita.domain.policies.rules import Act
from acredita.domain.reasons import PolicyReason

# A higher score of a list is a nearer match, which is no reason to approve.
_NEARER_IS_WORSE: Final = "screening.score"
# When the decision without a policy can be an approval.
_CAN_APPROVE: Final = " && steps.failed == 0 && steps.review == 0"
_REVIEW: Final = {
    "outcome": Act.REVIEW.value,
    "reasons": [PolicyReason.RISK_ABOVE_LIMIT.value],
}


def measures() -> dict[str, str]:
    """The variables that can have a threshold: numbers from 0 to 1, of which a higher one is safer.
    To each the variable that says whether it is known.
    """
    fixed = {variable.name: variable.kind for variable in variables(())}
    found = {name: f"{name.rpartition('.')[0]}.known" for name in fixed}
    return {
        name: known
        for name, known in found.items()
        if fixed[name] is Kind.DOUBLE and known in fixed and name != _NEARER_IS_WORSE
    }


def withhold_below(document: Mapping[str, Any], measure: str, threshold: float) -> dict[str, Any]:
    """Return a policy that approves what `document` does from the threshold on. What it approves
    below, or without a measurement, goes to review; all other outcomes stay.
    """
    below = f"(!{measures()[measure]} || {measure} < {threshold!r})"
    rules: list[Mapping[str, Any]] = []
    for rule in document["rules"]:
        condition = _if_approved(rule["then"], below)
        if condition is not None:
            name = f"below {threshold}: {rule['name']}"
            rules.append(
                {"name": name, "when": f"({rule['when']}) && {condition}", "then": _REVIEW}
            )
        rules.append(rule)
    condition = _if_approved(document["otherwise"], below)
    if condition is not None:
        rules.append({"name": f"below {threshold}", "when": condition, "then": _REVIEW})
    return {"rules": rules, "otherwise": document["otherwise"]}


def _if_approved(then: Mapping[str, Any], below: str) -> str | None:
    """The condition that an outcome approves below the threshold; None if it never approves."""
    if then["outcome"] == Act.APPROVE:
        return below
    return below + _CAN_APPROVE if then["outcome"] == Act.DEFAULT else None
