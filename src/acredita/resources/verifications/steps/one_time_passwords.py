"""OTP: wait until a one-time password is confirmed."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.phone_and_email import Channel, phone_number
from acredita.domain.reasons import OtpReason
from acredita.domain.steps import kind_of
from acredita.domain.steps.one_time_passwords import (
    OTP,
    channels,
    confirms_metadata,
    most_mistakes,
)
from acredita.domain.verification import StepStatus
from acredita.jobs import JobContext, Queue
from acredita.kit.clock import timestamp
from acredita.kit.crypto import Signer
from acredita.models import Verification
from acredita.resources.otp import confirmations
from acredita.resources.otp.confirmations import Confirmation
from acredita.resources.verifications.outcome import StepOutcome
from acredita.resources.verifications.search import hash_destination
from acredita.resources.verifications.step_table import StepEntry, register
from acredita.resources.verifications.step_translation import (
    Part,
    Place,
    StepTranslation,
    TranslationInput,
)
from acredita.resources.verifications.steps import running
from acredita.resources.verifications.steps.running import RunningStep

RULES = "otp/1"
# The metadata with the destination of each channel.
DESTINATION_KEYS = {Channel.SMS: "phone", Channel.EMAIL: "email"}
TRANSLATED = {
    Channel.SMS: "phone-ownership-validation",
    Channel.EMAIL: "email-ownership-validation",
}


@running.step_job("verification.await_code", queue=Queue.LIGHT, timeout=30)
async def await_code(context: JobContext, step_id: UUID) -> None:
    signer = context.services.signer

    async def judge(session: AsyncSession, found: RunningStep) -> StepOutcome | None:
        verification, config = found.verification, found.step.config
        confirmed, mistakes = await confirmations.find(
            session, verification.organization_id, verification.id
        )
        counting = [each for each in confirmed if each.channel in channels(config)]
        if confirms_metadata(config):
            stated = stated_destinations(verification)
            if stated.keys().isdisjoint(channels(config)):
                return _ended(OtpReason.OTP_DESTINATION_UNKNOWN, mistakes)
            counting = [each for each in counting if _is_stated(signer, each, stated)]
        if counting:
            return _ended(None, mistakes, counting[-1])
        if mistakes >= most_mistakes(config):
            return _ended(OtpReason.OTP_TOO_MANY_MISTAKES, mistakes)
        return None

    await running.finish_or_wait(context, step_id, judge)


def _is_stated(signer: Signer, confirmed: Confirmation, stated: dict[Channel, str]) -> bool:
    address = stated.get(confirmed.channel)
    return address is not None and confirmed.is_of(signer, address)


def stated_destinations(verification: Verification) -> dict[Channel, str]:
    """The phone and the address that the caller's metadata state. Those of a browser are the
    person's own word.
    """
    if verification.has_session:
        return {}
    metadata = verification.verification_metadata or {}
    stated = {}
    for channel, key in DESTINATION_KEYS.items():
        text = metadata.get(key)
        if not isinstance(text, str) or not text.strip():
            continue
        try:
            stated[channel] = phone_number(text) if channel is Channel.SMS else text.strip()
        except ValueError:
            continue
    return stated


def _ended(
    code: OtpReason | None, mistakes: int, confirmed: Confirmation | None = None
) -> StepOutcome:
    result: dict[str, object] = {"wrongCodes": mistakes}
    if confirmed is not None:
        result |= {"channel": confirmed.channel.value, "confirmedAt": timestamp(confirmed.at)}
    return StepOutcome(
        StepStatus.PASSED if code is None else StepStatus.REVIEW,
        code=code,
        result=result,
        judged_by={"rules": RULES},
        search_hashes=() if confirmed is None else (hash_destination(confirmed.destination),),
    )


def _translation_parts(step: TranslationInput) -> list[Part]:
    named = step.result.get("channel") or step.config.get("channel") or Channel.SMS
    step_id = TRANSLATED[Channel(named)]
    return [Part(step_id, None, Place.PERSON, registry=step_id)]


register(
    StepEntry(
        kind=kind_of(OTP),
        job=await_code,
        translation=StepTranslation(parts=_translation_parts),
    )
)
