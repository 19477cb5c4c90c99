"""Policies of the customers' workflows: a branch, a step with a condition, a shadow.

A rejection, a required step and a skipped step are all in a run, so a crash between any two of
their transactions shows.
"""

from dataclasses import dataclass
from typing import Any

from tests.factories.organizations import Member

# An address of the sandbox's table (docs/integrators/location.md).
ADDRESS = "203.0.113.10"
WAS_CONFIRMED = "step.GOVERNMENT_VERIFY.status == 'PASSED'"
LOCATION = {"type": "LOCATION"}
# The branch: what the registry confirms is located before it is decided.
RULES: dict[str, Any] = {
    "rules": [
        {
            "name": "a step failed",
            "when": "steps.failed > 0",
            "then": {"outcome": "REJECT", "reasons": ["RISK_ABOVE_LIMIT"]},
        },
        {
            "name": "not located",
            "when": f"{WAS_CONFIRMED} && step.LOCATION.status == 'ABSENT'",
            "then": {"outcome": "REQUIRE_STEP", "step": LOCATION},
        },
        {
            "name": "located in Mexico",
            "when": "location.known && location.country == 'MX' && registry.renapo == 'match'",
            "then": {"outcome": "APPROVE"},
        },
    ],
    "otherwise": {"outcome": "DEFAULT"},
}
# The shadow: it decides otherwise, and must change nothing.
SHADOW: dict[str, Any] = {
    "rules": [
        {
            "name": "everything in review",
            "when": "steps.total > 0",
            "then": {"outcome": "REVIEW", "queue": "shadow"},
        }
    ],
    "otherwise": {"outcome": "REJECT"},
}


@dataclass(frozen=True, slots=True)
class Named:
    """What a workflow names."""

    policy_id: str
    shadow_id: str

    def workflow(self) -> dict[str, str]:
        return {"policyId": self.policy_id, "shadowPolicyId": self.shadow_id}


async def publish(member: Member) -> Named:
    """Publish the policy of an organization, and save the draft of its shadow."""
    policy = await _create(member, "Alta", RULES)
    published = await member.post(
        f"/v1/policies/{policy['id']}/publish", json={"digest": policy["versions"][0]["digest"]}
    )
    assert published.status_code == 200, published.text
    shadow = await _create(member, "Ensayo", SHADOW)
    return Named(policy["id"], shadow["id"])


async def _create(member: Member, name: str, rules: dict[str, Any]) -> dict[str, Any]:
    answer = await member.post("/v1/policies", json={"name": name, **rules})
    assert answer.status_code == 201, answer.text
    policy: dict[str, Any] = answer.json()["policy"]
    return policy
