"""What a step waits for besides pictures, for the person's browser: a code, a form, a position."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.caller import Caller
from acredita.domain.errors import StepNotWaiting, ValidationFailed, VerificationClosed
from acredita.domain.languages import PersonLanguage
from acredita.domain.one_time_password import LIFETIME, MOST_GUESSES, RESEND_AFTER
from acredita.domain.phone_and_email import Channel
from acredita.domain.steps import LOCATION, OTP
from acredita.domain.steps.location import DEVICE
from acredita.domain.steps.one_time_passwords import channels, confirms_metadata
from acredita.domain.verification import StepStatus, StepType
from acredita.kit.crypto import KeyRing
from acredita.models import CustomForm, OneTimePassword, Verification, VerificationStep
from acredita.models.tenancy import fetch, owned
from acredita.ports import Messaging
from acredita.resources.acts import service as acts
from acredita.resources.otp import sending
from acredita.resources.verifications import pipeline
from acredita.resources.verifications.queries import list_steps, lock_owned
from acredita.resources.verifications.steps.one_time_passwords import stated_destinations
from acredita.settings import Settings


@dataclass(frozen=True, slots=True)
class SentCode:
    """A code that can still be confirmed."""

    channel: Channel
    resend_at: datetime
    expires_at: datetime
    guesses_left: int


async def waiting_step(
    session: AsyncSession, caller: Caller, verification_id: UUID, step_type: StepType
) -> tuple[Verification, VerificationStep]:
    """Return the step that waits for the person, without a lock.

    Raise NotFound, VerificationClosed, StepNotWaiting.
    """
    mine = owned(Verification, caller.organization_id).where(Verification.id == verification_id)
    verification = await fetch(session, mine)
    return verification, await _waiting(session, verification, step_type)


async def _waiting(
    session: AsyncSession, verification: Verification, step_type: StepType
) -> VerificationStep:
    if not pipeline.is_open(verification):
        raise VerificationClosed
    for step in await list_steps(session, verification.id):
        if step.type == step_type and step.status == StepStatus.WAITING_INPUT:
            return step
    raise StepNotWaiting


async def asked_code(
    session: AsyncSession, settings: Settings, caller: Caller, verification_id: UUID
) -> dict[Channel, str | None]:
    """Return the channels of the waiting OTP step with the addresses that the metadata state. An
    address is None where the person names it.

    Raise NotFound, VerificationClosed, StepNotWaiting.
    """
    verification, step = await waiting_step(session, caller, verification_id, OTP)
    offered = [each for each in sending.channels_of(settings) if each in channels(step.config)]
    if not confirms_metadata(step.config):
        return dict.fromkeys(offered)
    stated = stated_destinations(verification)
    return {each: stated[each] for each in offered if each in stated}


async def sent_code(
    session: AsyncSession, caller: Caller, verification_id: UUID, now: datetime
) -> SentCode | None:
    """Return the newest code that can be confirmed; None without one."""
    query = (
        owned(OneTimePassword, caller.organization_id)
        .where(
            OneTimePassword.verification_id == verification_id,
            OneTimePassword.used_at.is_(None),
            OneTimePassword.expires_at > now,
            OneTimePassword.guesses < MOST_GUESSES,
        )
        .order_by(OneTimePassword.expires_at.desc())
        .limit(1)
    )
    row = (await session.scalars(query)).one_or_none()
    if row is None:
        return None
    return SentCode(
        Channel(row.channel),
        row.expires_at - LIFETIME + RESEND_AFTER,
        row.expires_at,
        MOST_GUESSES - row.guesses,
    )


async def send_code(
    session: AsyncSession,
    services: Messaging,
    caller: Caller,
    verification_id: UUID,
    channel: Channel,
    named: str | None,
    language: PersonLanguage,
) -> str:
    """Queue a code to the address that the metadata state, or else that the person names. Return
    that address.

    Anyone can open a session, so the budgets of anonymous codes apply. Raise NotFound,
    VerificationClosed, StepNotWaiting, RateLimited, ValidationFailed.
    """
    asked = await asked_code(session, services.settings, caller, verification_id)
    if channel not in asked:
        raise ValidationFailed(details=["body.channel: no code is sent by it"])
    address = asked[channel] or named
    if address is None:
        raise ValidationFailed(details=["body.destination: is required"])
    await sending.send(
        session,
        services,
        asked_by=None,
        verification_id=verification_id,
        channel=channel,
        address=address,
        language=language,
    )
    return address


async def asked_form(session: AsyncSession, caller: Caller, form_id: UUID | None) -> CustomForm:
    """Raise NotFound."""
    query = owned(CustomForm, caller.organization_id).where(CustomForm.id == form_id)
    return await fetch(session, query)


async def take_position(
    session: AsyncSession,
    keys: KeyRing,
    caller: Caller,
    verification_id: UUID,
    answer: dict[str, Any],
) -> None:
    """Store the device's answer in the waiting step's result, and resume the step.

    Raise NotFound, VerificationClosed, StepNotWaiting.
    """
    verification = await lock_owned(session, caller, verification_id)
    step = await _waiting(session, verification, LOCATION)
    step.result.seal(keys, {DEVICE: answer})
    await session.flush()
    await acts.announce(session, caller.organization_id, verification_id, LOCATION)


def seconds_until(moment: datetime, now: datetime) -> int:
    """Return whole seconds, rounded up; 0 in the past."""
    return max(0, -((now - moment) // timedelta(seconds=1)))
