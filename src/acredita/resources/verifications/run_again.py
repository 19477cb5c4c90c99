"""Run a verification again that ended in review because a service was unavailable."""

from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, NothingToRunAgain
from acredita.domain.reasons import AnyStepReason, RegistryReason, WatchlistReason
from acredita.domain.verification import StepStatus, VerificationStatus
from acredita.kit.clock import Clock
from acredita.kit.crypto import KeyRing
from acredita.models import Verification
from acredita.resources.audit import service as audit
from acredita.resources.reviews import cases
from acredita.resources.verifications import pipeline, queries, retakes
from acredita.resources.verifications.schemas import ChangedVerification

UNAVAILABLE: Final = frozenset(
    {
        AnyStepReason.CHECK_UNAVAILABLE.value,
        RegistryReason.REGISTRY_UNAVAILABLE.value,
        WatchlistReason.WATCHLISTS_NOT_LOADED.value,
    }
)


async def run_again(
    session: AsyncSession, clock: Clock, keys: KeyRing, caller: Caller, verification_id: UUID
) -> ChangedVerification:
    """Run the steps again that a service's failure sent to review. Raise NotFound,
    NothingToRunAgain, AlreadyClaimed.
    """
    verification = await queries.lock_owned(session, caller, verification_id)
    await cases.begin_act(session, clock, caller, verification_id)
    await _run_again(session, keys, verification, caller)
    await session.refresh(verification, ["updated_at"])
    return ChangedVerification(
        id=verification.id,
        status=VerificationStatus(verification.status),
        updated_at=verification.updated_at,
    )


async def run_again_for_operator(
    session: AsyncSession, keys: KeyRing, verification_id: UUID
) -> None:
    """`run_again` for the operator's command, for any organization's verification."""
    verification = await queries.lock(session, verification_id)
    if verification is None:
        raise NotFound
    service = audit.Actor(verification.organization_id)
    await _run_again(session, keys, verification, service)


async def _run_again(
    session: AsyncSession, keys: KeyRing, verification: Verification, actor: Caller | audit.Actor
) -> None:
    """Later steps that also ended in review, or were skipped, run again with the first one: they
    may have lacked what it reads.
    """
    steps = await queries.list_steps(session, verification.id)
    failed = [
        place
        for place, step in enumerate(steps)
        if step.status == StepStatus.REVIEW and step.code in UNAVAILABLE
    ]
    in_review = verification.status == VerificationStatus.MANUAL_REVIEW
    if not in_review or not failed or verification.purged_at is not None:
        raise NothingToRunAgain
    again = [
        step
        for step in steps[failed[0] :]
        if step.status in (StepStatus.REVIEW, StepStatus.SKIPPED)
    ]
    for step in again:
        retakes.make_pending(keys, step)
    audit.record(
        session,
        actor,
        Action.VERIFICATION_RUN_AGAIN,
        verification.id,
        steps=[step.id for step in again],
    )
    await pipeline.reopen(session, keys, verification)
