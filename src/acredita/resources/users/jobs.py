from contextlib import suppress
from uuid import UUID

from sqlalchemy import select

from acredita.domain.languages import Language
from acredita.jobs import JobContext, PermanentFailure, Queue, job
from acredita.models import User
from acredita.providers.email import EmailRefused
from acredita.resources.users import mail_texts
from acredita.resources.users.address_links import address_link


@job("users.mail_address_change", queue=Queue.LIGHT, timeout=120, max_attempts=10)
async def mail_address_change(context: JobContext, user_id: UUID, language: str) -> None:
    """Notify the old address, then mail the confirmation link to the new one.

    This order ensures that the old address is notified before anyone can confirm.
    """
    services, written_in = context.services, Language(language)
    query = select(User.email, User.pending_email).where(User.id == user_id, User.is_active)
    async with services.database.reading() as connection:
        user = (await connection.execute(query)).one_or_none()
    if user is None or user.pending_email is None:
        return
    key = str(context.job.id)
    try:
        # The old mailbox may not exist any more: that must not prevent the change.
        with suppress(EmailRefused):
            warning = mail_texts.warning(written_in).to(user.email)
            await services.email.send(warning, key=f"{key}.warning")
        url = address_link(services, services.clock, user_id, user.pending_email)
        confirmation = mail_texts.confirmation(written_in, url).to(user.pending_email)
        await services.email.send(confirmation, key=key)
    except EmailRefused as fault:
        raise PermanentFailure(str(fault)) from fault
