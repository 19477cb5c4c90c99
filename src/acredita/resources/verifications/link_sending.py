"""Send a link for the person: of a hand-over, or with a reviewer's request for other pictures."""

from typing import Final
from uuid import UUID

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.phone_and_email import Channel
from acredita.jobs import (
    JobContext,
    Later,
    LeasedJob,
    PermanentFailure,
    Priority,
    Queue,
    job,
)
from acredita.kit.crypto import KeyRing
from acredita.models import CaptureLink, Organization
from acredita.models.capture_link import LinkMessage
from acredita.ports import JobEnding
from acredita.providers.email import EmailRefused, EmailUnavailable
from acredita.providers.sms import Sms, SmsRefused, SmsUnavailable
from acredita.resources.verifications.link_texts import LinkTexts, texts_of

# Networks keep a text message no longer for a phone that is off.
LONGEST_VALIDITY: Final = 86_400


async def queue(
    session: AsyncSession, keys: KeyRing, link: CaptureLink, message: LinkMessage
) -> None:
    """Send the message with the link after the commit."""
    link.message.seal(keys, message)
    await session.flush()
    await jobs.add(
        session,
        send_link,
        {"link_id": str(link.id)},
        priority=Priority.URGENT,
        organization_id=link.organization_id,
    )


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
        select(
            CaptureLink.message_sealed,
            CaptureLink.expires_at,
            CaptureLink.purpose,
            Organization.name,
        )
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
        await _send(context, message, texts_of(row.purpose, message, row.name), left)
    except (SmsRefused, EmailRefused) as fault:
        raise PermanentFailure(str(fault)) from fault
    except (SmsUnavailable, EmailUnavailable) as fault:
        raise Later(str(fault)) from fault
    async with context.finish() as session:
        await _forget_message(session, link_id)


async def _send(context: JobContext, message: LinkMessage, texts: LinkTexts, left: int) -> None:
    services, key = context.services, str(context.job.id)
    if message.channel is Channel.EMAIL:
        await services.email.send(texts.letter.to(message.address), key=key)
        return
    sms = Sms(message.address, texts.sms, valid_for=min(left, LONGEST_VALIDITY))
    await services.sms.send(sms, key=key, may_have_left=context.job.attempts > 1)
