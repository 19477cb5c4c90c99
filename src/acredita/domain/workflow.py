"""Which step of a verification may run now, which waits for what, and when all is done.

DECISIONS, Verifications: steps run in order; a step starts when its inputs are there and the steps
before it have finished; a step that failed decisively ends the run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from acredita.domain import step_options
from acredita.domain.verification import DocumentRole, StepStatus, StepType


@dataclass(frozen=True, slots=True)
class Step:
    id: UUID
    type: StepType
    status: StepStatus
    config: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do next. All empty: a step is running, or everything has ended."""

    start: UUID | None = None
    wait: UUID | None = None
    skip: tuple[UUID, ...] = ()
    # Every step has ended, once those in `skip` have.
    finished: bool = False


def missing_roles(
    step_type: StepType, config: Mapping[str, Any], present: frozenset[DocumentRole]
) -> tuple[DocumentRole, ...]:
    """The roles that a step still needs. A passport stands in for the front of a card."""
    match step_type:
        case StepType.DOCUMENT_OCR:
            if DocumentRole.PASSPORT in present and DocumentRole.FRONT not in present:
                return ()
            needed = [DocumentRole.FRONT]
            if step_options.requires_back(config):
                needed.append(DocumentRole.BACK)
        case StepType.FACE_MATCH:
            needed = [DocumentRole.SELFIE]
            if DocumentRole.PASSPORT not in present:
                needed.append(DocumentRole.FRONT)
        case StepType.LIVENESS:
            needed = [DocumentRole.LIVENESS]
        case StepType.GOVERNMENT_VERIFY:
            needed = []
    return tuple(role for role in needed if role not in present)


def next_steps(steps: Sequence[Step], present: frozenset[DocumentRole]) -> Plan:
    """The plan for `steps`, given in the order of execution, with the roles uploaded so far."""
    unfinished = [step for step in steps if not step.status.is_final]
    if any(step.status is StepStatus.FAILED for step in steps):
        return Plan(skip=tuple(step.id for step in unfinished), finished=True)
    if not unfinished:
        return Plan(finished=True)
    first = unfinished[0]
    if first.status is StepStatus.RUNNING:
        return Plan()
    if missing_roles(first.type, first.config, present):
        return Plan(wait=first.id)
    return Plan(start=first.id)
