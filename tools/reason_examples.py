"""Examples of reason codes in the API's answers, made by the code that makes the real ones."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, cast
from uuid import UUID

from asyncpg import Record

from acredita.api.schemas import Shape
from acredita.domain import workflow
from acredita.domain.audit import ActorType
from acredita.domain.decision import Decision, FinishedStep, decide
from acredita.domain.history import HistoryKind
from acredita.domain.policies import (
    Act,
    Outcome,
    Policy,
    PolicyDecision,
    Rule,
    cannot_be_evaluated,
    conclude,
    withhold_approval,
)
from acredita.domain.reasons import PolicyReason, ReasonCode, ReviewerReason, Severity
from acredita.domain.steps import kind_of, types
from acredita.domain.verification import DocumentRole, StepStatus, StepType, VerificationStatus
from acredita.engines.evidence.decisions import about_policy
from acredita.resources.sdk import status as browser
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.schemas import (
    DecisionShape,
    HistoryItem,
    VerificationStepShape,
)

# For codes that any step can end with.
ANY_STEP: Final = StepType("GOVERNMENT_VERIFY")
# The step whose pictures a policy or a reviewer asks for again.
ASKED_STEP: Final = StepType("FACE_MATCH")
ONE_ID: Final = UUID("5d0f7c52-8a43-4b8e-8a1f-6f0c1a9e7b20")
OTHER_ID: Final = UUID("0b6a4c3e-1f7b-4c55-9a51-2f9b8f0d3a11")
DIGEST: Final = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
MOMENT: Final = datetime(2026, 1, 31, 18, 5, 9, 120000, UTC)


class Example(NamedTuple):
    # In Markdown.
    place: str
    # The schema's name in openapi.json.
    schema: str
    value: Mapping[str, Any]


def examples(code: ReasonCode, family_step: str) -> Iterator[Example]:
    """Yield an example for each place of the API that has the code.

    `family_step` is the type of the step that ends with the code; another text for none.
    """
    if isinstance(code, ReviewerReason):
        history = "An entry of `GET /v1/verifications/{id}/history`"
        yield Example(history, "HistoryItem", _given_by_reviewer(code))
    elif code.severity is Severity.DECISION:
        decision = "`decision` in `GET /v1/verifications/{id}`"
        yield Example(decision, "DecisionShape", _given_by_policy(code))
    else:
        # No step ends with a code of a policy.
        if not isinstance(code, PolicyReason):
            ended = _ended_step(code, _step_type(family_step))
            yield Example("In `GET /v1/verifications/{id}`", "VerificationStepShape", ended)
        if code.advice is not None:
            shown = _step_in_browser(code, _step_type(family_step))
            place = "In `GET /v1/sdk/verifications/{id}`, for the person's page"
            yield Example(place, "StepView", shown)


def _step_type(family_step: str) -> StepType:
    return StepType(family_step) if family_step in types() else ANY_STEP


def _ended_step(code: ReasonCode, step_type: StepType) -> Mapping[str, Any]:
    status = StepStatus.FAILED if code.severity.may_fail else StepStatus.REVIEW
    result = StepOutcome(status, code=code).result_with_code()
    return _json(
        VerificationStepShape(id=ONE_ID, type=step_type, status=status, requires=[], result=result)
    )


def _step_in_browser(code: ReasonCode, step_type: StepType) -> Mapping[str, Any]:
    """Return the step in the view of the page, after the first request for other pictures."""
    status, retakes, asked = StepStatus.FAILED, 0, None
    if code.severity.asks_again:
        status, retakes = StepStatus.WAITING_INPUT, 1
        if isinstance(code, PolicyReason):
            # Such a step runs again from its start.
            status, step_type = StepStatus.PENDING, ASKED_STEP
    present = frozenset(kind_of(step_type).needed_roles({}, frozenset(), frozenset()))
    if retakes:
        roles = workflow.roles_to_retake(step_type, code, present)
        asked = json.dumps(dict.fromkeys(roles, MOMENT.isoformat()))
    row = {
        "id": OTHER_ID,
        "status": VerificationStatus.IN_PROGRESS,
        "expires_at": MOMENT,
        "workflow_id": OTHER_ID,
        "name": "",
        "has_consented": True,
        "is_in_browser": True,
        "hand_over": None,
        "challenges": 0,
        "documents": [(role, MOMENT) for role in present],
        "steps": [(ONE_ID, step_type, status, code, "{}", retakes, asked, None)],
    }
    [step] = browser.to_view(cast("Record", row))["steps"]
    return cast("Mapping[str, Any]", step)


def _given_by_policy(code: ReasonCode) -> Mapping[str, Any]:
    default = decide([FinishedStep(ASKED_STEP, StepStatus.PASSED)])
    concluded = _concluded(code, default)
    about = about_policy(str(OTHER_ID), 2, DIGEST, concluded, default)
    decision = concluded.decision
    return _json(
        DecisionShape.model_validate(
            {
                "status": decision.status,
                "reasons": list(decision.reasons),
                "rules": decision.rules,
                "policy": about,
            }
        )
    )


def _concluded(code: ReasonCode, default: Decision) -> PolicyDecision:
    """Return a policy's decision that has the code, where all steps have passed."""
    match code:
        case PolicyReason.POLICY_NOT_EVALUATED:
            return cannot_be_evaluated(default)
        case PolicyReason.POLICY_APPROVAL_WITHHELD:
            return withhold_approval(_by_rule(Outcome(Act.APPROVE), default), default)
        case PolicyReason.POLICY_RETAKE_NOT_POSSIBLE:
            asking = Outcome(Act.ASK_AGAIN, pictures=(DocumentRole.SELFIE,))
            return _by_rule(asking, default)
    act = Act.REVIEW if VerificationStatus.MANUAL_REVIEW in code.outcomes else Act.REJECT
    return _by_rule(Outcome(act, (code.value,)), default)


def _by_rule(then: Outcome, default: Decision) -> PolicyDecision:
    policy = Policy((Rule("una regla", "true", then),), Outcome(Act.DEFAULT))
    return conclude(policy, 0, default, [ASKED_STEP])


def _given_by_reviewer(code: ReasonCode) -> Mapping[str, Any]:
    details = {
        "previousStatus": VerificationStatus.MANUAL_REVIEW,
        "newStatus": max(code.outcomes),
        "reason": code,
        "proposal": None,
        "proposedBy": None,
    }
    entry = {
        "id": ONE_ID,
        "kind": HistoryKind.OVERRIDDEN,
        "actor": {"type": ActorType.USER, "id": OTHER_ID},
        "details": details,
        "note": None,
        "created_at": MOMENT,
    }
    return _json(HistoryItem.model_validate(entry))


def _json(shape: Shape) -> Mapping[str, Any]:
    return shape.model_dump(mode="json", by_alias=True)
