"""Past verifications in batches, and what rules decide on their stored evidence.

As in a replay, the judging is repeated, not the reading: no image is opened.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import Select, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.history import HistoryKind
from acredita.domain.policies import (
    Facts,
    NotEvaluated,
    Policy,
    PolicyDecision,
    measures,
    values,
)
from acredita.domain.verification import StepStatus
from acredita.kit.crypto import CannotUnseal, KeyRing
from acredita.models import HistoryEntry, Verification, VerificationStep
from acredita.models.tenancy import owned
from acredita.resources.verifications import policy_decisions, subjects
from acredita.resources.verifications.policy_decisions import DecisionBasis

# Malformed evidence raises one of these, too.
UNREADABLE = (CannotUnseal, LookupError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Filters:
    """Which verifications: those that were completed, of a workflow (None for all), created from
    `since` and before `until`.
    """

    organization_id: UUID
    workflow_id: UUID | None
    since: datetime | None
    until: datetime


@dataclass(frozen=True, slots=True)
class Past:
    """A verification as it is stored. `reviewed` is the reviewer's decision, None without one."""

    verification: Verification
    steps: Sequence[VerificationStep]
    code_confirmed: bool
    form_submitted: bool
    reviewed: str | None


def select_completed(filters: Filters) -> Select[Verification]:
    query = owned(Verification, filters.organization_id).where(
        Verification.completed_at.is_not(None), Verification.created_at < filters.until
    )
    if filters.workflow_id is not None:
        query = query.where(Verification.workflow_id == filters.workflow_id)
    if filters.since is not None:
        query = query.where(Verification.created_at >= filters.since)
    return query


async def count(session: AsyncSession, filters: Filters, most: int) -> int:
    """Count the verifications, at most `most`."""
    counted = select_completed(filters).with_only_columns(Verification.id).limit(most).subquery()
    return await session.scalar(select(func.count()).select_from(counted)) or 0


async def read_batch(
    session: AsyncSession, filters: Filters, after: tuple[datetime, UUID] | None, size: int
) -> list[Past]:
    """Return the next verifications, newest first, after the place of the last one."""
    happened = policy_decisions.happened(
        filters.organization_id, Verification.id, Verification.completed_at
    )
    query = (
        select_completed(filters)
        .add_columns(*happened)
        .order_by(Verification.created_at.desc(), Verification.id)
        .limit(size)
    )
    if after is not None:
        at, last = after
        query = query.where(
            Verification.created_at <= at,
            or_(Verification.created_at < at, Verification.id > last),
        )
    rows = (await session.execute(query)).all()
    ids = [row[0].id for row in rows]
    steps = await _steps(session, ids)
    reviewed = await _reviewed(session, ids)
    return [
        Past(row, steps.get(row.id, ()), confirmed, submitted, reviewed.get(row.id))
        for row, confirmed, submitted in rows
    ]


async def _steps(
    session: AsyncSession, ids: Sequence[UUID]
) -> Mapping[UUID, Sequence[VerificationStep]]:
    query = (
        select(VerificationStep)
        .where(VerificationStep.verification_id.in_(ids))
        .order_by(VerificationStep.verification_id, VerificationStep.position)
    )
    grouped: dict[UUID, list[VerificationStep]] = {}
    for step in await session.scalars(query):
        grouped.setdefault(step.verification_id, []).append(step)
    return grouped


async def _reviewed(session: AsyncSession, ids: Sequence[UUID]) -> Mapping[UUID, str]:
    """The reviewers' decisions that no later decision by the rules replaced."""
    query = (
        select(HistoryEntry.verification_id, HistoryEntry.kind, HistoryEntry.details)
        .where(
            HistoryEntry.verification_id.in_(ids),
            HistoryEntry.kind.in_((HistoryKind.DECIDED.value, HistoryKind.OVERRIDDEN.value)),
        )
        .order_by(HistoryEntry.verification_id, HistoryEntry.created_at, HistoryEntry.id)
    )
    last = {
        verification_id: (kind, details["newStatus"])
        for verification_id, kind, details in await session.execute(query)
    }
    return {key: status for key, (kind, status) in last.items() if kind == HistoryKind.OVERRIDDEN}


@dataclass(frozen=True, slots=True)
class Judged:
    """What rules decide, and the value of the measure: None without one, or if it is not known."""

    concluded: PolicyDecision
    score: float | None


def judge_all(
    keys: KeyRing, rules: Policy, batch: Iterable[Past], measure: str | None = None
) -> list[Judged | NotEvaluated]:
    """Return what the rules decide on each verification, or why they are not evaluated on it."""
    return [_judge(keys, rules, past, measure) for past in batch]


def _judge(keys: KeyRing, rules: Policy, past: Past, measure: str | None) -> Judged | NotEvaluated:
    missing = why_not(past)
    if missing is not None:
        return missing
    try:
        basis = DecisionBasis.from_steps(keys, past.verification, past.steps)
        facts = facts_of(keys, past)
        concluded = policy_decisions.judge(rules, facts, basis)
        score = None if measure is None or past.reviewed is None else _value(facts, measure)
        return Judged(concluded, score)
    except UNREADABLE:
        return NotEvaluated.UNREADABLE


def _value(facts: Facts, measure: str) -> float | None:
    known = values(facts)
    return float(str(known[measure])) if known[measures()[measure]] else None


def why_not(past: Past) -> NotEvaluated | None:
    """Return why rules cannot be evaluated, as far as it shows without opening the evidence."""
    if past.verification.purged_at is not None:
        return NotEvaluated.PURGED
    if not all(StepStatus(step.status).is_final for step in past.steps):
        return NotEvaluated.RUNNING_AGAIN
    if past.verification.decision is None:
        return NotEvaluated.NO_DECISION
    return None


def facts_of(keys: KeyRing, past: Past) -> Facts:
    """Raise an error of UNREADABLE."""
    verification = past.verification
    if verification.completed_at is None:
        raise ValueError("the verification is not completed")
    return policy_decisions.make_facts(
        keys,
        verification,
        past.steps,
        subjects.load(keys, verification, past.steps),
        verification.completed_at,
        code_confirmed=past.code_confirmed,
        form_submitted=past.form_submitted,
    )
