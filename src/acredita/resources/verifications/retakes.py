"""Ask the person in the browser for other pictures: for a step that cannot use them, or because a
policy or a reviewer asks again.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain import workflow
from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.events import EventKind
from acredita.domain.history import HistoryKind
from acredita.domain.policies import PolicyDecision
from acredita.domain.reasons import PolicyReason, ReasonCode
from acredita.domain.verification import DocumentRole, StepStatus, StepType
from acredita.kit.crypto import KeyRing
from acredita.models import Verification, VerificationStep
from acredita.resources.audit import service as audit
from acredita.resources.verifications import event_recording, history, queries
from acredita.resources.verifications.outcome import StepOutcome


async def request(
    session: AsyncSession,
    verification: Verification,
    step: VerificationStep,
    outcome: StepOutcome,
) -> bool:
    """Request a retake if the outcome allows one; return whether it does.

    Roles that another step has judged cannot be retaken.
    """
    if not _can_be_asked(verification, step) or outcome.status is StepStatus.PASSED:
        return False
    if outcome.code is None or not outcome.code.severity.asks_again:
        return False
    documents = await queries.current_documents(session, verification.id)
    roles = outcome.unusable or workflow.roles_to_retake(
        StepType(step.type), outcome.code, documents
    )
    settled = await queries.judged_roles(session, verification.id)
    if not roles or roles & settled.keys():
        return False
    moment = await queries.current_time(session)
    step.status = StepStatus.WAITING_INPUT
    _ask(session, verification, step, outcome.code, roles, moment)
    await _record(session, verification)
    return True


async def request_by_policy(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    concluded: PolicyDecision,
    about_policy: Mapping[str, Any],
) -> bool:
    """Ask for the pictures that a policy wants again; return whether they can be asked for.

    All steps that judged them judge the new ones, and every later step runs again: it relied on
    the former ones. A failed step before them would end the run at once, so nothing is asked for.
    """
    judging = await _judging(session, verification, steps, concluded.pictures)
    if not all(_can_be_asked(verification, steps[place]) for place in judging):
        return False
    code = concluded.retake_code
    if not judging or code is None:
        return False
    await _ask_again(session, keys, verification, steps, judging, code)
    details = {**_details(steps, judging), "policy": about_policy}
    await history.record(session, verification, HistoryKind.PICTURES_ASKED_AGAIN, details)
    return True


async def request_by_reviewer(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    pictures: Collection[DocumentRole],
    *,
    reviewer: Caller,
    note: str | None,
) -> bool:
    """Ask for the pictures that a reviewer wants again; return whether they can be asked for.

    As for a policy, except that the person may have been asked too often: a reviewer decides to
    try once more.
    """
    judging = await _judging(session, verification, steps, pictures)
    if not judging or not verification.is_in_browser:
        return False
    for place in judging:
        steps[place].retakes = min(steps[place].retakes, workflow.MOST_RETAKES - 1)
    code = PolicyReason.PICTURE_ASKED_AGAIN
    await _ask_again(session, keys, verification, steps, judging, code, actor=reviewer)
    await history.record_with_note(
        session,
        keys,
        verification,
        HistoryKind.PICTURES_ASKED_AGAIN,
        _details(steps, judging),
        actor=reviewer,
        note=note,
    )
    return True


Judging = Mapping[int, frozenset[DocumentRole]]


async def _judging(
    session: AsyncSession,
    verification: Verification,
    steps: Sequence[VerificationStep],
    pictures: Collection[DocumentRole],
) -> Judging:
    """Return the places of the steps that would judge new pictures, with the roles of each.

    None if they cannot be asked for: no step judges them, or an earlier one has failed.
    """
    present = await queries.current_documents(session, verification.id)
    judging = workflow.roles_to_judge_again(
        [StepType(step.type) for step in steps], pictures, present
    )
    if not judging or any(step.status == StepStatus.FAILED for step in steps[: min(judging)]):
        return {}
    is_missing = any(
        workflow.missing_roles(
            StepType(steps[place].type), steps[place].config, frozenset(present), roles
        )
        for place, roles in judging.items()
    )
    return judging if is_missing else {}


async def _ask_again(
    session: AsyncSession,
    keys: KeyRing,
    verification: Verification,
    steps: Sequence[VerificationStep],
    judging: Judging,
    code: ReasonCode,
    *,
    actor: Caller | None = None,
) -> None:
    for step in steps[min(judging) :]:
        make_pending(keys, step)
    moment = await queries.current_time(session)
    for place, roles in judging.items():
        _ask(session, verification, steps[place], code, roles, moment, actor=actor)
    await _record(session, verification)


def _details(steps: Sequence[VerificationStep], judging: Judging) -> dict[str, Any]:
    return {
        "pictures": sorted(frozenset().union(*judging.values())),
        "stepIds": [str(steps[place].id) for place in judging],
    }


def make_pending(keys: KeyRing, step: VerificationStep) -> None:
    """Let an ended step run again, without its former result."""
    step.status = StepStatus.PENDING
    step.code = step.judged_by = step.started_at = step.finished_at = None
    step.result.seal(keys, None)
    step.evidence.seal(keys, None)


def _can_be_asked(verification: Verification, step: VerificationStep) -> bool:
    """Whether a person is at the browser, who was not yet asked too often."""
    return verification.is_in_browser and step.retakes < workflow.MOST_RETAKES


def _ask(
    session: AsyncSession,
    verification: Verification,
    step: VerificationStep,
    code: ReasonCode,
    roles: Collection[DocumentRole],
    moment: datetime,
    *,
    actor: Caller | None = None,
) -> None:
    """The verification is locked, so all further uploads have a later timestamp than `moment`."""
    asked = {role.value: moment.isoformat() for role in roles}
    step.code = code
    step.retakes += 1
    step.asked_again = {**(step.asked_again or {}), **asked}
    audit.record(
        session,
        actor or audit.Actor(verification.organization_id),
        Action.RETAKE_ASKED,
        verification.id,
        step=step.id,
        code=code,
        roles=sorted(roles),
    )


async def _record(session: AsyncSession, verification: Verification) -> None:
    verification.updated_at = func.clock_timestamp()
    await session.flush()
    await event_recording.record(
        session,
        verification,
        EventKind.VERIFICATION_UPDATED,
        {"verificationId": str(verification.id), "changes": ["steps"]},
    )
