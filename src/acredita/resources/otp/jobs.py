"""Send codes; delete expired ones."""

import math
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.phone_and_email import Channel
from acredita.jobs import JobContext, Later, LeasedJob, PermanentFailure, Queue, job, recurring
from acredita.models import OneTimePassword
from acredita.ports import JobEnding
from acredita.providers.email import EmailRefused, EmailUnavailable
from acredita.providers.sms import Sms, SmsRefused, SmsUnavailable
from acredita.resources.audit import service as audit
from acredita.resources.otp import queries, send_limits
from acredita.resources.otp.message_texts import code_letter, text_message


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    password = await queries.forget_message(session, UUID(leased.payload["password_id"]))
    if password is not None:
        service = audit.Actor(password.organization_id)
        audit.record(
            session,
            service,
            Action.CODE_NOT_SENT,
            password.verification_id,
            channel=password.channel,
            destination=password.destination_digest,
        )


# With the pauses between attempts, this exceeds the five minutes that a code is valid.
@job("otp.send", queue=Queue.LIGHT, timeout=60, max_attempts=10, on_dead=give_up)
async def send_code(context: JobContext, password_id: UUID) -> None:
    """Send a code, unless it was replaced or has expired."""
    services = context.services
    now = services.clock.now()
    async with services.database.reading() as connection:
        unsent = await queries.unsent(connection, password_id)
    if unsent is None:
        return
    if unsent.expires_at <= now:
        raise PermanentFailure("the code expired before it was sent")
    left = math.ceil((unsent.expires_at - now).total_seconds())
    try:
        await _send(context, unsent, left)
    except (SmsRefused, EmailRefused) as fault:
        raise PermanentFailure(str(fault)) from fault
    except SmsUnavailable as fault:
        # Retry before the code expires, or at that moment, to end the job.
        delay = None if fault.retry_after is None else min(fault.retry_after, left)
        raise Later(str(fault), delay=delay) from fault
    except EmailUnavailable as fault:
        raise Later(str(fault)) from fault
    async with context.finish() as session:
        await queries.forget_message(session, password_id)


async def _send(context: JobContext, unsent: queries.Unsent, left: int) -> None:
    services, key = context.services, str(context.job.id)
    message = OneTimePassword.message.open(services.keys, unsent.id, unsent.message_sealed)
    if Channel(unsent.channel) is Channel.EMAIL:
        letter = code_letter(message.language, unsent.sender, message.code)
        await services.email.send(letter.to(message.address), key=key)
        return
    text = text_message(message.language, unsent.sender, message.code)
    await services.sms.send(
        Sms(message.address, text, valid_for=left), key=key, may_have_left=context.job.attempts > 1
    )


@recurring("otp.purge", every=600)
async def purge(context: JobContext) -> None:
    now = context.services.clock.now()
    async with context.services.database.transaction() as session:
        await queries.delete_expired(session, now)
        await send_limits.delete_former_days(session, now)
