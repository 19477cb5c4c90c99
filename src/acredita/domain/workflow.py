"""Which step of a verification may run now, which waits for what, and when all is done.

DECISIONS, Verifications: steps run in order; a step starts when its inputs are there and the steps
before it have finished; a step that failed decisively ends the run.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from acredita.domain.steps import kind_of
from acredita.domain.verification import DOCUMENT_ROLES, DocumentRole, StepStatus, StepType

# Another picture is asked for so often; then a person looks (DECISIONS, Verifications).
MOST_RETAKES: Final = 3


@dataclass(frozen=True, slots=True)
class Step:
    id: UUID
    type: StepType
    status: StepStatus
    config: Mapping[str, Any]
    # Roles that were asked for again, and not sent since.
    lacking: frozenset[DocumentRole] = frozenset()


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do next. All empty: a step is running, or everything has ended."""

    start: UUID | None = None
    wait: UUID | None = None
    skip: tuple[UUID, ...] = ()
    # Every step has ended, once those in `skip` have.
    finished: bool = False


def missing_roles(
    step_type: StepType,
    config: Mapping[str, Any],
    present: frozenset[DocumentRole],
    lacking: frozenset[DocumentRole] = frozenset(),
) -> tuple[DocumentRole, ...]:
    """The roles that a step still needs.

    `lacking` were asked for again: what is present in them does not count.
    """
    usable = present - lacking
    needed = kind_of(step_type).needed_roles(config, usable, lacking)
    return tuple(role for role in needed if role not in usable)


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
    if missing_roles(first.type, first.config, present, first.lacking):
        return Plan(wait=first.id)
    return Plan(start=first.id)


def settled_roles(
    finished: Iterable[tuple[StepType, datetime]],
    arrived: Iterable[tuple[DocumentRole, datetime]],
) -> dict[DocumentRole, datetime]:
    """Until when uploads of a role count, for the roles that a finished step has judged.

    What one step has judged the later ones judge, too. Otherwise the document could be exchanged
    for another person's between the step that reads it and the one that compares its portrait.
    """
    first: dict[DocumentRole, datetime] = {}
    for role, moment in arrived:
        first[role] = min(moment, first.get(role, moment))
    settled: dict[DocumentRole, datetime] = {}
    for step_type, ended_at in finished:
        for roles in kind_of(step_type).judged_roles:
            # Of what was not there yet, nothing was judged.
            if any(role in first and first[role] <= ended_at for role in roles):
                for role in roles:
                    settled[role] = min(ended_at, settled.get(role, ended_at))
    return settled


def lacking_roles(
    asked_again: Mapping[str, Any] | None, present: Mapping[DocumentRole, datetime]
) -> frozenset[DocumentRole]:
    """Of the roles that a step asked for again, those in which nothing has arrived since.

    `asked_again` says by role when that was, `present` when the newest of each role arrived.
    """
    return frozenset(
        role
        for name, moment in (asked_again or {}).items()
        if (role := DocumentRole(name)) not in present
        or present[role] <= datetime.fromisoformat(moment)
    )


def roles_to_judge_again(
    steps: Sequence[StepType],
    asked: Collection[DocumentRole],
    present: Collection[DocumentRole],
) -> dict[int, frozenset[DocumentRole]]:
    """Return the places of the steps that judge the asked roles, with the roles of each.

    A person who sent a passport in place of a card is asked for the passport.
    """
    wanted = frozenset(asked)
    is_passport = DocumentRole.PASSPORT in present and DocumentRole.FRONT not in present
    if is_passport and wanted & DOCUMENT_ROLES:
        wanted = (wanted - DOCUMENT_ROLES) | {DocumentRole.PASSPORT}
    judged = {
        place: wanted & frozenset().union(*kind_of(step_type).judged_roles)
        for place, step_type in enumerate(steps)
    }
    return {place: roles for place, roles in judged.items() if roles}


def roles_to_retake(
    step_type: StepType, code: str, present: Iterable[DocumentRole]
) -> frozenset[DocumentRole]:
    """What a step asks for again that could not use what it got."""
    return kind_of(step_type).roles_to_retake(code, frozenset(present))
