"""What the person in the browser does next."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from acredita.domain.steps import Act, condition, kind_of
from acredita.domain.verification import OPEN, DocumentRole, StepStatus, VerificationStatus
from acredita.domain.workflow import Step, missing_roles


class Action(StrEnum):
    CONSENT = "consent"
    UPLOAD = "upload"
    LIVENESS = "liveness"
    CODE = Act.CODE.value
    FORM = Act.FORM.value
    LOCATION = Act.LOCATION.value
    # The step waits for an act that the organization's own application asks for.
    EXTERNAL = Act.EXTERNAL.value
    WAIT = "wait"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Next:
    action: Action
    step_id: UUID | None = None
    # All of them are needed.
    roles: tuple[DocumentRole, ...] = ()
    # These help, and nothing waits for them for long.
    optional_roles: tuple[DocumentRole, ...] = ()
    # One of these does in place of `roles`.
    alternative_roles: tuple[DocumentRole, ...] = ()


def next_action(
    status: VerificationStatus,
    steps: Sequence[Step],
    present: frozenset[DocumentRole],
    *,
    has_consented: bool,
) -> Next:
    """Return the next action: it serves the earliest step that needs something from the person, and
    never waits for running steps."""
    if status not in OPEN:
        return Next(Action.DONE)
    if not has_consented:
        return Next(Action.CONSENT)
    unfinished = _unfinished(steps)
    optional = _optional_roles(unfinished, present)
    for step in unfinished:
        missing = missing_roles(step.type, step.config, present, step.lacking)
        if missing:
            return _asked_for(step, missing, optional, _challenge_of(unfinished, present))
    if optional:
        return Next(Action.UPLOAD, unfinished[0].id, optional_roles=optional)
    first = unfinished[0] if unfinished else None
    act = None if first is None else _awaited_act(first)
    if first is not None and act is not None:
        return Next(Action(act.value), first.id)
    return Next(Action.WAIT)


def _unfinished(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that have not ended, without those that may not be needed: a condition is
    evaluated when the step's turn comes.
    """
    unfinished = [step for step in steps if not step.status.is_final]
    return [
        step
        for step in unfinished
        if step is unfinished[0]
        or step.status is not StepStatus.PENDING
        or condition(step.config) is None
    ]


def _awaited_act(step: Step) -> Act | None:
    waits = step.status is StepStatus.WAITING_INPUT
    return kind_of(step.type).act(step.config) if waits else None


def _asked_for(
    step: Step,
    missing: tuple[DocumentRole, ...],
    optional: tuple[DocumentRole, ...],
    challenge: Step | None,
) -> Next:
    """What the person does for a step that lacks these roles."""
    # The best of its frames is the selfie, unless one was sent.
    is_selfie = missing == (DocumentRole.SELFIE,) and DocumentRole.SELFIE not in step.lacking
    if challenge is not None and (step is challenge or is_selfie):
        return Next(Action.LIVENESS, challenge.id)
    alternatives = kind_of(step.type).alternatives
    return Next(
        Action.UPLOAD,
        step.id,
        missing,
        tuple(role for role in optional if role not in missing),
        tuple(alternatives[role] for role in missing if role in alternatives),
    )


def _optional_roles(
    unfinished: Sequence[Step], present: frozenset[DocumentRole]
) -> tuple[DocumentRole, ...]:
    """Return the optional roles of the steps that have not ended."""
    optional = (kind_of(step.type).optional_roles(present) for step in unfinished)
    return tuple(dict.fromkeys(role for roles in optional for role in roles))


def _challenge_of(unfinished: Sequence[Step], present: frozenset[DocumentRole]) -> Step | None:
    """Return the first step that requests a challenge."""
    for step in unfinished:
        asks_challenge = kind_of(step.type).asks_challenge
        if asks_challenge is None or not asks_challenge(step.config):
            continue
        if missing_roles(step.type, step.config, present, step.lacking):
            return step
    return None
