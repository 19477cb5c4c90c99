"""Evaluate the decision of a record again: a pure function of it and its personal values."""

from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import Any, Final

from acredita.domain.audit import canonical
from acredita.domain.decision import Decision, FinishedStep, decide
from acredita.domain.history import HistoryKind
from acredita.domain.policies import (
    Facts,
    JudgedStep,
    Policy,
    PolicyDecision,
    cannot_be_evaluated,
    stored_circumstances,
    values,
)
from acredita.domain.subject import AGAINST_ONE_PERSON
from acredita.domain.verification import StepStatus, StepType
from acredita.engines import policies

RECORD_FORMAT: Final = "acredita-decision-record/1"
# What a decision by a policy stores about acts of the person, and the variables of these acts.
ACTS: Final = "acts"
CODE_CONFIRMED: Final = "codeConfirmed"
FORM_SUBMITTED: Final = "formSubmitted"
_VARIABLE_OF_ACT: Final = {CODE_CONFIRMED: "code.confirmed", FORM_SUBMITTED: "form.submitted"}
# What it stores about other verifications and the pictures (domain/policies/circumstances).
CIRCUMSTANCES: Final = "circumstances"
# What the evidence digest of a decision covers.
_OF_INPUT: Final = ("id", "sha256")
_OF_STEP: Final = (
    *("id", "type", "status", "code", "judgedBy"),
    *("resultSha256", "evidenceSha256"),
)


class Disagreement(Exception):
    """The record contradicts itself. `what` has no personal data."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


def decision_of(decision: Decision, about_policy: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a decision as a verification stores it."""
    stored: dict[str, Any] = {
        "status": decision.status.value,
        "reasons": list(decision.reasons),
        "rules": decision.rules,
    }
    return stored if about_policy is None else {**stored, "policy": dict(about_policy)}


def about_policy(
    policy_id: str, version: int, digest: str, concluded: PolicyDecision, default: Decision
) -> dict[str, Any]:
    """Return what a verification stores about the policy that decided it."""
    return {
        "id": policy_id,
        "version": version,
        "digest": digest,
        "rule": concluded.rule,
        "queue": concluded.queue,
        "withoutPolicy": default.status.value,
    }


def acts_of(known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the acts of the person, from the values of the variables."""
    return {act: known[variable] for act, variable in _VARIABLE_OF_ACT.items()}


def evidence_digest(
    inputs: Sequence[Mapping[str, Any]], steps: Sequence[Mapping[str, Any]]
) -> bytes:
    """Return the SHA-256 of what a decision rests on: the files, and the results of the steps.

    The audit log records it with the decision, so a result that changes later shows, even if the
    same decision follows from it. `inputs` and `steps` are as in a record.
    """
    content = {
        "inputs": sorted([item[name] for name in _OF_INPUT] for item in inputs),
        "steps": [[step[name] for name in _OF_STEP] for step in steps],
    }
    return sha256(canonical(content).encode()).digest()


def deciding_service(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the history has of the service that decided last: its release, the digest of its
    code, and the versions of its libraries. Empty for decisions of former releases."""
    decided = [e["details"] for e in record["history"] if e["kind"] == HistoryKind.DECIDED]
    service: Mapping[str, Any] = decided[-1].get("service", {}) if decided else {}
    return service


def evaluate(record: Mapping[str, Any], personal: Mapping[str, Any]) -> dict[str, Any]:
    """Return the decision that follows from a record's steps, variables and policy.

    `personal` are the values of the variables that the record withholds. Raise Disagreement where
    the record contradicts itself; KeyError, TypeError, ValueError where it has another form.
    """
    steps = record["steps"]
    default = decide(
        [FinishedStep(StepType(s["type"]), StepStatus(s["status"]), s["code"]) for s in steps]
    )
    policy = record["policy"]
    if policy is None:
        if record["namesPolicy"]:
            # The policy had no published version.
            unpublished = cannot_be_evaluated(default)
            return decision_of(unpublished.decision, {"withoutPolicy": default.status.value})
        return decision_of(default, None)
    if sha256(canonical(policy["document"]).encode()).hexdigest() != policy["digest"]:
        raise Disagreement("the policy's rules do not have the policy's digest")
    _check_steps(steps, record["variables"], date.fromisoformat(record["evaluatedOn"]))
    if not personal.keys().isdisjoint(record["variables"]):
        raise Disagreement("a personal value replaces a variable of the record")
    known = {**record["variables"], **personal}
    concluded = policies.decide(
        Policy.from_document(policy["document"]),
        known,
        default,
        [StepType(step["type"]) for step in steps],
        _against_one_person(record),
    )
    about = about_policy(policy["id"], policy["version"], policy["digest"], concluded, default)
    if ACTS in record["decision"]["policy"]:
        # Decisions of former releases store none.
        about[ACTS] = acts_of(known)
    if CIRCUMSTANCES in record["decision"]["policy"]:
        about[CIRCUMSTANCES] = stored_circumstances(known)
    return decision_of(concluded.decision, about)


def _against_one_person(record: Mapping[str, Any]) -> list[str]:
    """Return the codes for which no policy approves. Raise Disagreement where one is left out."""
    codes: list[str] = record["codesAgainstOnePerson"]
    found = {step["code"] for step in record["steps"]} & AGAINST_ONE_PERSON
    if not found <= set(codes):
        raise Disagreement("the codes against one person do not follow from the record's steps")
    return codes


def _check_steps(steps: Sequence[Mapping[str, Any]], known: Mapping[str, Any], today: date) -> None:
    """Check that the variables about steps follow from the record's steps. Raise Disagreement."""
    judged = [
        JudgedStep(StepType(s["type"]), StepStatus(s["status"]), s["code"], retakes=s["retakes"])
        for s in steps
    ]
    for name, value in values(Facts(judged, today)).items():
        if name.startswith(("steps.", "step.")) and name in known and known[name] != value:
            raise Disagreement(f"the variable {name} does not follow from the record's steps")
