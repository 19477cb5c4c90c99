"""A policy's rules, and the decision that follows from the first rule that applies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Self

from acredita.domain.decision import Decision
from acredita.domain.reasons import PolicyReason, ReasonCode, find
from acredita.domain.verification import DocumentRole, StepType, VerificationStatus

RULES: Final = "policy/1"


class Act(StrEnum):
    APPROVE = "APPROVE"
    REJECT = "REJECT"
    REVIEW = "REVIEW"
    # A further step runs before the decision, unless the verification has a step of that type.
    REQUIRE_STEP = "REQUIRE_STEP"
    # The person is asked for other pictures before the decision.
    ASK_AGAIN = "ASK_AGAIN"
    # The decision without a policy (domain.decision).
    DEFAULT = "DEFAULT"


_STATUS: Final = {
    Act.APPROVE: VerificationStatus.APPROVED,
    Act.REJECT: VerificationStatus.REJECTED,
    Act.REVIEW: VerificationStatus.MANUAL_REVIEW,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    act: Act
    # Codes of the registry of reasons.
    reasons: tuple[str, ...] = ()
    # Of REVIEW: who should look, in the organization's words.
    queue: str | None = None
    # Of REQUIRE_STEP.
    step_type: StepType | None = None
    step_config: Mapping[str, Any] | None = None
    # Of ASK_AGAIN: the roles of the pictures.
    pictures: tuple[DocumentRole, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    name: str
    # A condition in CEL over the variables of `inputs`.
    when: str
    then: Outcome


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules in their order. The first one that applies decides; `otherwise` without one."""

    rules: tuple[Rule, ...]
    otherwise: Outcome

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """Read the stored form, which the API validated (`resources/policies/schemas`)."""
        return cls(
            tuple(
                Rule(rule["name"], rule["when"], _outcome(rule["then"]))
                for rule in document["rules"]
            ),
            _outcome(document["otherwise"]),
        )


def _outcome(document: Mapping[str, Any]) -> Outcome:
    step = document.get("step") or {}
    return Outcome(
        Act(document["outcome"]),
        tuple(document.get("reasons") or ()),
        document.get("queue"),
        StepType(step["type"]) if step else None,
        step.get("config"),
        tuple(DocumentRole(role) for role in document.get("pictures") or ()),
    )


# The decision without a policy, as a policy: a test compares the two on all inputs.
DEFAULT_POLICY: Final = Policy(
    (
        Rule("a step failed", "steps.failed > 0", Outcome(Act.REJECT)),
        Rule("a step is in review", "steps.review > 0", Outcome(Act.REVIEW)),
        # Nothing but skipped steps proves nothing.
        Rule(
            "all steps were skipped",
            "steps.total > 0 && steps.skipped == steps.total",
            Outcome(Act.REVIEW),
        ),
    ),
    Outcome(Act.APPROVE),
)


@dataclass(frozen=True, slots=True)
class PolicyDecision:
    decision: Decision
    # The rule that decided; None for `otherwise`, or where the policy could not be evaluated.
    rule: str | None = None
    queue: str | None = None
    # The step that must run first. `decision` is then the one if it cannot run.
    step_type: StepType | None = None
    step_config: Mapping[str, Any] | None = None
    # The pictures that are asked for again first, and the code that tells the person why.
    # `decision` is then the one if they cannot be asked for.
    pictures: tuple[DocumentRole, ...] = ()
    retake_code: ReasonCode | None = None


def conclude(
    policy: Policy, matched: int | None, default: Decision, present: Sequence[StepType]
) -> PolicyDecision:
    """Return the decision of a policy whose rule number `matched` applies, None for none.

    `default` is the decision without a policy. `present` are the types of the verification's steps.
    """
    rule = None if matched is None else policy.rules[matched]
    then = policy.otherwise if rule is None else rule.then
    name = None if rule is None else rule.name
    if then.act is Act.DEFAULT:
        return PolicyDecision(default, name)
    if then.act is Act.REQUIRE_STEP:
        if then.step_type in present:
            # It has run and the same rule applies still: a person decides.
            return PolicyDecision(_decision(Act.REVIEW, then, default), name, then.queue)
        review = _decision(Act.REVIEW, then, default)
        return PolicyDecision(review, name, then.queue, then.step_type, then.step_config or {})
    if then.act is Act.ASK_AGAIN:
        return _ask_again(then, name, default)
    return PolicyDecision(_decision(then.act, then, default), name, then.queue)


def _ask_again(then: Outcome, rule: str | None, default: Decision) -> PolicyDecision:
    impossible = (*then.reasons, PolicyReason.POLICY_RETAKE_NOT_POSSIBLE.value)
    return PolicyDecision(
        _decision(Act.REVIEW, replace(then, reasons=impossible), default),
        rule,
        then.queue,
        pictures=then.pictures,
        retake_code=_retake_code(then.reasons),
    )


def _retake_code(reasons: Sequence[str]) -> ReasonCode:
    """Return the first code that has advice on taking a picture."""
    given = (find(code) for code in reasons)
    for code in given:
        if code is not None and code.severity.asks_again and code.advice is not None:
            return code
    return PolicyReason.PICTURE_ASKED_AGAIN


def cannot_be_evaluated(default: Decision) -> PolicyDecision:
    """Return the decision of a policy that cannot be evaluated: a person decides."""
    review = Outcome(Act.REVIEW, (PolicyReason.POLICY_NOT_EVALUATED.value,))
    return PolicyDecision(_decision(Act.REVIEW, review, default))


def withhold_approval(concluded: PolicyDecision, default: Decision) -> PolicyDecision:
    """Return the decision for evidence of two people: a person decides instead of an approval."""
    if concluded.decision.status is not VerificationStatus.APPROVED:
        return concluded
    review = Outcome(Act.REVIEW, (PolicyReason.POLICY_APPROVAL_WITHHELD.value,))
    return PolicyDecision(_decision(Act.REVIEW, review, default), concluded.rule, concluded.queue)


def _decision(act: Act, outcome: Outcome, default: Decision) -> Decision:
    reasons = tuple(f"POLICY: {code}" for code in outcome.reasons)
    return Decision(_STATUS[act], default.reasons + reasons, RULES)
