"""Decide a verification by the policy of its workflow."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import policy
from acredita.domain.audit import Action
from acredita.domain.decision import Decision
from acredita.domain.policy import Facts, JudgedStep, Policy, PolicyDecision
from acredita.domain.subject import Doubt, Subject
from acredita.domain.verification import StepStatus, StepType
from acredita.engines import policies as conditions
from acredita.engines.evidence.decisions import about_policy
from acredita.kit.crypto import KeyRing
from acredita.models import (
    AuditEntry,
    CustomSubmission,
    PolicyVersion,
    Verification,
    VerificationStep,
)
from acredita.models.tenancy import belongs_to
from acredita.resources.policies import service as policies
from acredita.resources.verifications import consistency, queries


async def is_named(session: AsyncSession, verification: Verification) -> bool:
    """Whether the verification's workflow names a policy."""
    return (
        await policies.of_workflow(session, verification.organization_id, verification.workflow_id)
    )[0]


async def conclude(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
    default: Decision,
    doubts: Sequence[Doubt],
) -> tuple[PolicyDecision, Mapping[str, Any]] | None:
    """Return the decision of the workflow's policy, and what the verification stores about the
    policy. None if the workflow names no policy: `default` is then the decision.

    `doubts` are those across steps. A policy does not approve evidence of two people.
    """
    has_policy, version = await policies.of_workflow(
        session, verification.organization_id, verification.workflow_id
    )
    if not has_policy:
        return None
    at = await queries.current_time(session)
    return await evaluate(
        session, keys, verification, steps, subject, default, version, doubts, at=at
    )


async def evaluate(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
    default: Decision,
    version: PolicyVersion | None,
    doubts: Sequence[Doubt],
    *,
    at: datetime,
) -> tuple[PolicyDecision, Mapping[str, Any]]:
    """Like `conclude`, by a version of a policy; None is a policy without a published version.

    `at` is the time of the decision: what happened later does not count.
    """
    if version is None:
        return policy.cannot_be_evaluated(default), {"withoutPolicy": default.status}
    facts = await facts_of(session, keys, verification, steps, subject, at)
    concluded = conditions.decide(
        Policy.from_document(version.document),
        policy.values(facts),
        default,
        [step.type for step in facts.steps],
        consistency.codes_against_one_person(doubts, steps, subject),
    )
    about = about_policy(
        str(version.policy_id), version.version, version.digest.hex(), concluded, default
    )
    return concluded, about


async def facts_of(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    subject: Subject,
    at: datetime,
) -> Facts:
    """What a policy's variables are made of, at the time of the decision."""
    confirmed = exists().where(
        belongs_to(AuditEntry, verification.organization_id),
        AuditEntry.resource_id == verification.id,
        AuditEntry.action == Action.CODE_CONFIRMED.value,
        AuditEntry.created_at <= at,
    )
    submitted = exists().where(
        belongs_to(CustomSubmission, verification.organization_id),
        CustomSubmission.verification_id == verification.id,
        CustomSubmission.created_at <= at,
    )
    code_confirmed, form_submitted = (await session.execute(select(confirmed, submitted))).one()
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
        today=at.date(),
        document_kind=subject.kind,
        # Metadata from a browser are the person's word, never evidence.
        metadata={} if verification.has_session else verification.verification_metadata or {},
        code_confirmed=code_confirmed,
        form_submitted=form_submitted,
    )
