"""Mail password links; delete expired links and old attempts."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.jobs import JobContext, LeasedJob, PermanentFailure, Queue, job, recurring
from acredita.models import LinkPurpose
from acredita.ports import JobEnding
from acredita.providers.email import EmailRefused
from acredita.resources.attempts import service as attempts
from acredita.resources.audit import service as audit
from acredita.resources.auth import password_links
from acredita.resources.auth.mail_texts import password_letter


async def give_up(session: AsyncSession, _: JobEnding, leased: LeasedJob) -> None:
    await password_links.forget_secret(session, UUID(leased.payload["link_id"]))


# The attempts cover an hour without the mail server, as long as a reset link is valid.
@job("auth.mail_password_link", queue=Queue.LIGHT, timeout=60, max_attempts=18, on_dead=give_up)
async def mail_password_link(context: JobContext, link_id: UUID) -> None:
    """Find the owner of a link that was requested by address, and send the mail.

    The owner is stored before the mail is sent, because the link must work when it arrives.
    """
    services = context.services
    async with services.database.transaction() as session:
        await password_links.find_owner(session, services.keys, link_id)
    async with services.database.reading() as connection:
        link = await password_links.mailable(connection, services, link_id)
    if link is None:
        return
    letter = password_letter(link.purpose, link.language, link.url)
    try:
        await services.email.send(letter.to(link.email), key=str(context.job.id))
    except EmailRefused as fault:
        raise PermanentFailure(str(fault)) from fault
    async with context.finish() as session:
        await password_links.forget_secret(session, link_id)
        # An invitation is an act of its own.
        if link.purpose is LinkPurpose.RESET:
            actor = audit.Actor(link.organization_id)
            audit.record(session, actor, Action.PASSWORD_LINK_SENT, link.user_id)


@recurring("auth.purge", every=3600)
async def purge(context: JobContext) -> None:
    now = context.services.clock.now()
    async with context.services.database.transaction() as session:
        await password_links.delete_expired(session, now)
        await attempts.delete_forgotten(session, now)
