"""Decide a verification by the policy of its workflow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import structlog
from sqlalchemy import Exists, exists, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from acredita.domain import policies as policy_rules
from acredita.domain.audit import Action
from acredita.domain.decision import Decision, FinishedStep, decide
from acredita.domain.policies import Facts, JudgedStep, Policy, PolicyDecision
from acredita.domain.steps import condition as step_condition
from acredita.domain.subject import Doubt, Subject
from acredita.domain.time_zone import mexican_date
from acredita.domain.verification import DocumentRole, StepStatus, StepType
from acredita.engines import policies as conditions
from acredita.engines.evidence.decisions import (
    ACTS,
    CIRCUMSTANCES,
    CODE_CONFIRMED,
    FORM_SUBMITTED,
    about_policy,
    acts_of,
)
from acredita.kit.crypto import KeyRing
from acredita.models import (
    AuditEntry,
    CustomSubmission,
    Document,
    PolicyComparison,
    PolicyVersion,
    Verification,
    VerificationStep,
)
from acredita.models.tenancy import belongs_to
from acredita.resources.policies import service as policies
from acredita.resources.verifications import circumstances, consistency, queries, subjects

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class DecisionBasis:
    """What a decision rests on. `doubts`: those across steps. `default`: the decision without a
    policy."""

    verification: Verification
    steps: Sequence[VerificationStep]
    subject: Subject
    doubts: Sequence[Doubt]
    default: Decision

    @classmethod
    def from_steps(
        cls, keys: KeyRing, verification: Verification, steps: Sequence[VerificationStep]
    ) -> "DecisionBasis":
        """Return that of a verification whose steps have all ended."""
        subject = subjects.load(keys, verification, steps)
        doubts = list(consistency.doubts_across_steps(keys, verification, steps, subject))
        return cls(verification, steps, subject, doubts, default_decision(steps))


def default_decision(steps: Sequence[VerificationStep]) -> Decision:
    """Return the decision without a policy."""
    return decide([FinishedStep(StepType(s.type), StepStatus(s.status), s.code) for s in steps])


async def is_named(session: AsyncSession, verification: Verification) -> bool:
    """Whether the verification's workflow names a policy."""
    named = await policies.of_workflow(
        session, verification.organization_id, verification.workflow_id
    )
    return named.has_policy


async def conclude(
    session: AsyncSession, keys: KeyRing, basis: DecisionBasis
) -> tuple[PolicyDecision, Mapping[str, Any]] | None:
    """Return the decision of the workflow's policy, and what the verification stores about the
    policy. None if the workflow names no policy: `basis.default` is then the decision.

    A policy does not approve evidence of two people.
    """
    verification = basis.verification
    named = await policies.of_workflow(
        session, verification.organization_id, verification.workflow_id
    )
    if not named.has_policy and named.shadow is None:
        return None
    at = await queries.current_time(session)
    facts = None
    if named.published is not None:
        facts = await facts_of(session, keys, verification, basis.steps, basis.subject, at)
    by_policy = None
    if named.has_policy:
        by_policy = _by_version(named.published, facts, basis)
    if named.shadow is not None:
        decided = PolicyDecision(basis.default) if by_policy is None else by_policy[0]
        outcome = policy_rules.outcome_of(decided)
        await _compare(session, keys, basis, named.shadow, facts, outcome, at=at)
    return by_policy


async def _compare(
    session: AsyncSession,
    keys: KeyRing,
    basis: DecisionBasis,
    draft: PolicyVersion,
    facts: Facts | None,
    decided: str,
    *,
    at: datetime,
) -> None:
    """Record what the draft would decide beside `decided`, the outcome. It raises nothing: a fault
    is logged, and the decision goes on.

    `facts` are those of the decision, so that nothing is opened twice; None if it needed none.
    """
    verification = basis.verification
    try:
        # What fails here is undone here.
        async with session.begin_nested():
            if facts is None:
                facts = await facts_of(session, keys, verification, basis.steps, basis.subject, at)
            concluded = judge(Policy.from_document(draft.document), facts, basis)
            session.add(
                PolicyComparison(
                    organization_id=verification.organization_id,
                    workflow_id=verification.workflow_id,
                    verification_id=verification.id,
                    policy_id=draft.policy_id,
                    version=draft.version,
                    digest=draft.digest,
                    decided=decided,
                    proposed=policy_rules.outcome_of(concluded),
                    has_result=not policy_rules.has_no_result(concluded),
                )
            )
    except Exception as fault:
        log.warning(
            "policies.shadow_failed",
            verification_id=str(verification.id),
            policy_id=str(draft.policy_id),
            error=type(fault).__name__,
        )


async def evaluate(
    session: AsyncSession,
    keys: KeyRing,
    basis: DecisionBasis,
    version: PolicyVersion | None,
    *,
    at: datetime,
) -> tuple[PolicyDecision, Mapping[str, Any]]:
    """Like `conclude`, by a version of a policy; None is a policy without a published version.

    `at` is the time of the decision: what happened later does not count.
    """
    facts = None
    if version is not None:
        facts = await facts_of(session, keys, basis.verification, basis.steps, basis.subject, at)
    return _by_version(version, facts, basis)


def _by_version(
    version: PolicyVersion | None, facts: Facts | None, basis: DecisionBasis
) -> tuple[PolicyDecision, Mapping[str, Any]]:
    if version is None or facts is None:
        default = basis.default
        return policy_rules.cannot_be_evaluated(default), {"withoutPolicy": default.status}
    concluded = judge(Policy.from_document(version.document), facts, basis)
    about = about_policy(
        str(version.policy_id), version.version, version.digest.hex(), concluded, basis.default
    )
    known = policy_rules.values(facts)
    about[ACTS] = acts_of(known)
    about[CIRCUMSTANCES] = policy_rules.stored_circumstances(known)
    return concluded, about


def judge(rules: Policy, facts: Facts, basis: DecisionBasis) -> PolicyDecision:
    """Return what the rules decide on the facts. A pure function: nothing is read or changed."""
    return conditions.decide(
        rules,
        policy_rules.values(facts),
        basis.default,
        [step.type for step in facts.steps],
        consistency.codes_against_one_person(basis.doubts, basis.steps, basis.subject),
    )


async def is_left_out(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    step: VerificationStep,
    documents: Mapping[DocumentRole, Document],
) -> bool:
    """Whether the condition of a step, whose turn has come, is false. A step whose condition cannot
    be evaluated runs.
    """
    condition = step_condition(step.config)
    if condition is None or step.status != StepStatus.PENDING:
        return False
    at = await queries.current_time(session)
    await circumstances.take(session, verification, documents)
    subject = subjects.load(keys, verification, steps)
    facts = await facts_of(session, keys, verification, steps, subject, at)
    try:
        return not conditions.holds(condition, policy_rules.values(facts))
    except conditions.CannotEvaluate:
        return False


async def facts_of(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
    at: datetime,
) -> Facts:
    """What a policy's variables are made of, at the time of the decision."""
    query = select(*happened(verification.organization_id, verification.id, at))
    code_confirmed, form_submitted = (await session.execute(query)).one()
    return make_facts(
        keys,
        verification,
        steps,
        subject,
        at,
        code_confirmed=code_confirmed,
        form_submitted=form_submitted,
    )


def happened(
    organization_id: UUID,
    verification_id: UUID | InstrumentedAttribute[UUID],
    at: datetime | InstrumentedAttribute[datetime | None],
) -> tuple[Exists, Exists]:
    """The conditions that a code was confirmed, and that a form was submitted, until `at`."""
    confirmed = exists().where(
        belongs_to(AuditEntry, organization_id),
        AuditEntry.resource_id == verification_id,
        AuditEntry.action == Action.CODE_CONFIRMED.value,
        AuditEntry.created_at <= at,
    )
    submitted = exists().where(
        belongs_to(CustomSubmission, organization_id),
        CustomSubmission.verification_id == verification_id,
        CustomSubmission.created_at <= at,
    )
    return confirmed, submitted


def make_facts(
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
    at: datetime,
    *,
    code_confirmed: bool,
    form_submitted: bool,
) -> Facts:
    """What a policy's variables are made of. Open the results and the evidence of the steps.

    A decision by a policy stores what the person had done by then, which counts instead of the
    arguments: another transaction can commit such an act later, with an earlier time.
    """
    acts = ((verification.decision or {}).get("policy") or {}).get(ACTS)
    if acts is not None:
        code_confirmed, form_submitted = acts[CODE_CONFIRMED], acts[FORM_SUBMITTED]
    return Facts(
        steps=[
            JudgedStep(
                StepType(step.type),
                StepStatus(step.status),
                step.code,
                step.result.open(keys) or {},
                step.evidence.open(keys) or (),
                step.retakes,
            )
            for step in steps
        ],
        # As for the dates of documents: a birthday begins at midnight there, not in UTC.
        today=mexican_date(at),
        document_kind=subject.kind,
        # Metadata from a browser are the person's word, never evidence.
        metadata={} if verification.has_session else verification.verification_metadata or {},
        code_confirmed=code_confirmed,
        form_submitted=form_submitted,
        # Decisions of former releases have none.
        circumstances=verification.circumstances or {},
    )
