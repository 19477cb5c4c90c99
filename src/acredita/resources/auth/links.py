"""Issue single-use links that set a password, and mail them.

    await issue_password_link(
        session, services, user_id=user.id, purpose=LinkPurpose.INVITATION,
        lifetime=INVITATION_LIFETIME, language=preferred(request.headers.get("accept-language")),
    )

adds the link and the job of its mail in the caller's transaction. The job reads the address from
the user's row. A user can have several valid links (an invitation can be sent again). Using one of
them invalidates the others.
"""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.languages import Language
from acredita.models import LinkPurpose
from acredita.ports import Messaging
from acredita.resources.auth.jobs import mail_password_link
from acredita.resources.auth.password_links import make_link

RESET_LIFETIME = timedelta(minutes=60)
INVITATION_LIFETIME = timedelta(days=7)


async def issue_password_link(
    session: AsyncSession,
    services: Messaging,
    *,
    purpose: LinkPurpose,
    lifetime: timedelta,
    language: Language,
    user_id: UUID | None = None,
    email: str | None = None,
) -> str:
    """Create a link, queue its mail and return its URL. Without e-mail, nothing is queued.

    Give either `user_id` (the row must exist) or `email`. With `email`, the work is the same
    whether or not a user has that address.
    """
    link = make_link(
        services,
        purpose=purpose,
        lifetime=lifetime,
        language=language,
        user_id=user_id,
        email=email,
    )
    session.add(link.row)
    await session.flush()
    if services.settings.has_email:
        await jobs.add(session, mail_password_link, {"link_id": str(link.row.id)})
    return link.url
