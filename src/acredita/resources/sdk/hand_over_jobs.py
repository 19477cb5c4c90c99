"""Send the link with which a person continues on another device."""

from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.phone_and_email import Channel
from acredita.jobs import JobContext, Later, LeasedJob, PermanentFailure, Queue, job
from acredita.models import CaptureLink, Organization
from acredita.models.capture_link import LinkMessage
from acredita.ports import JobEnding
from acredita.providers.email import EmailRefused, EmailUnavailable
from acredita.providers.sms import Sms, SmsRefused, SmsUnavailable
from acredita.resources.sdk.hand_over_texts import letter, text_message


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    await _forget_message(session, UUID(leased.payload["link_id"]))


async def _forget_message(session: AsyncSession, link_id: UUID) -> None:
    await session.execute(
        update(CaptureLink).where(CaptureLink.id == link_id).values(message_sealed=None)
    )


@job("capture_link.send", queue=Queue.LIGHT, timeout=60, max_attempts=10, on_dead=give_up)
async def send_link(context: JobContext, link_id: UUID) -> None:
    """Send a link, unless it was revoked or has expired."""
    services = context.services
    now = services.clock.now()
    query = (
        select(CaptureLink.message_sealed, CaptureLink.expires_at, Organization.name)
        .join(Organization, Organization.id == CaptureLink.organization_id)
        .where(CaptureLink.id == link_id, CaptureLink.message_sealed.is_not(None))
    )
    async with services.database.reading() as connection:
        row = (await connection.execute(query)).one_or_none()
    if row is None:
        return
    left = int((row.expires_at - now).total_seconds())
    if left <= 0:
        raise PermanentFailure("the link expired before it was sent")
    message = CaptureLink.message.open(services.keys, link_id, row.message_sealed)
    try:
        await _send(context, message, row.name, left)
    except (SmsRefused, EmailRefused) as fault:
        raise PermanentFailure(str(fault)) from fault
    except (SmsUnavailable, EmailUnavailable) as fault:
        raise Later(str(fault)) from fault
    async with context.finish() as session:
        await _forget_message(session, link_id)


async def _send(context: JobContext, message: LinkMessage, name: str, left: int) -> None:
    services, key = context.services, str(context.job.id)
    if message.channel is Channel.EMAIL:
        await services.email.send(letter(message, name).to(message.address), key=key)
        return
    sms = Sms(message.address, text_message(message, name), valid_for=left)
    await services.sms.send(sms, key=key, may_have_left=context.job.attempts > 1)
