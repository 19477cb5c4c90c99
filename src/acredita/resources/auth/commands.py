"""`acredita org create`: create an organization, for installations with closed registration."""

from collections.abc import Callable

from acredita.domain.languages import Language
from acredita.models import LinkPurpose
from acredita.resources.auth.links import INVITATION_LIFETIME, issue_password_link
from acredita.resources.auth.schemas import NewOrganization
from acredita.resources.auth.service import create_organization
from acredita.services import open_services
from acredita.settings import Settings

Say = Callable[[str], None]


async def create(settings: Settings, data: NewOrganization, language: Language, say: Say) -> None:
    """Create an organization. Print its credentials and the link for its owner's password.

    Raise Conflict if the organization's name or the owner's address is registered.
    """
    async with (
        open_services(settings, purpose="command") as services,
        services.database.transaction() as session,
    ):
        made = await create_organization(session, services.signer, data, password_hash=None)
        link = await issue_password_link(
            session,
            services,
            user_id=made.user.id,
            purpose=LinkPurpose.INVITATION,
            lifetime=INVITATION_LIFETIME,
            language=language,
        )
    say(f"client_id      {made.org.id}")
    say(f"client_secret  {made.api_key.key}")
    say(f"owner          {made.user.email}")
    say(f"link           {link}")
