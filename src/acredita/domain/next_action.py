"""What the person in the browser does next."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from acredita.domain import step_options
from acredita.domain.verification import OPEN, DocumentRole, StepType, VerificationStatus
from acredita.domain.workflow import Step, missing_roles


class Action(StrEnum):
    CONSENT = "consent"
    UPLOAD = "upload"
    LIVENESS = "liveness"
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
    """The earliest step that lacks something is served first; nobody waits for those that run."""
    if status not in OPEN:
        return Next(Action.DONE)
    if not has_consented:
        return Next(Action.CONSENT)
    unfinished = [step for step in steps if not step.status.is_final]
    optional = _optional_roles(unfinished, present)
    for step in unfinished:
        missing = missing_roles(step.type, step.config, present, step.lacking)
        if not missing:
            continue
        challenge = _challenge_of(unfinished, present)
        # The best of its frames is the selfie, unless one was sent.
        is_selfie = missing == (DocumentRole.SELFIE,) and DocumentRole.SELFIE not in step.lacking
        if challenge is not None and (step is challenge or is_selfie):
            return Next(Action.LIVENESS, challenge.id)
        alternative = step.type is StepType.DOCUMENT_OCR and DocumentRole.FRONT in missing
        return Next(
            Action.UPLOAD,
            step.id,
            missing,
            tuple(role for role in optional if role not in missing),
            (DocumentRole.PASSPORT,) if alternative else (),
        )
    if optional:
        return Next(Action.UPLOAD, unfinished[0].id, optional_roles=optional)
    return Next(Action.WAIT)


def _optional_roles(
    unfinished: Sequence[Step], present: frozenset[DocumentRole]
) -> tuple[DocumentRole, ...]:
    """A card's back, while the step that would read it has not ended."""
    reads = any(step.type is StepType.DOCUMENT_OCR for step in unfinished)
    of_a_card = DocumentRole.FRONT in present or DocumentRole.PASSPORT not in present
    if reads and of_a_card and DocumentRole.BACK not in present:
        return (DocumentRole.BACK,)
    return ()


def _challenge_of(unfinished: Sequence[Step], present: frozenset[DocumentRole]) -> Step | None:
    """The step that a challenge would serve."""
    for step in unfinished:
        is_active = step.type is StepType.LIVENESS and not step_options.judges_passively(
            step.config
        )
        if is_active and missing_roles(step.type, step.config, present, step.lacking):
            return step
    return None
