"""Single-use links that set a password, and the mail that carries them.

    await issue_password_link(
        session, services, user_id=user.id, purpose=LinkPurpose.INVITATION,
        lifetime=INVITATION_LIFETIME, language=preferred(request.headers.get("accept-language")),
    )

writes the link and the job of its mail in the caller's transaction; the address is read from the
user's row when the mail is written. Several links of one user live side by side (an invitation can
be sent again) until one is used, which voids the others.
"""

from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.languages import Language
from acredita.models import LinkPurpose
from acredita.resources.auth.jobs import mail_password_link
from acredita.resources.auth.password_links import make_link
from acredita.services import Services

RESET_LIFETIME = timedelta(minutes=60)
INVITATION_LIFETIME = timedelta(days=7)


async def issue_password_link(
    session: AsyncSession,
    services: Services,
    *,
    purpose: LinkPurpose,
    lifetime: timedelta,
    language: Language,
    user_id: UUID | None = None,
    email: str | None = None,
) -> str:
    """The URL of a new link, which will also be mailed.

    For the user of that id (whose row is in the database already), or for whoever owns `email`:
    the latter takes the same work whether or not anybody does.
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
    await jobs.add(session, mail_password_link, {"link_id": str(link.row.id)})
    return link.url
