"""Recover a forgotten password: mail a link, set a new password with it."""

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.domain.errors import FeatureOff, RateLimited
from acredita.domain.languages import Language
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.models import LinkPurpose, User
from acredita.ports import Messaging
from acredita.resources.audit import service as audit
from acredita.resources.auth import password_links
from acredita.resources.auth.links import RESET_LIFETIME, issue_password_link
from acredita.resources.auth.throttle import RESET_MAILS, Attempts


async def ask_for_link(
    services: Messaging, database: Database, email: str, language: Language
) -> None:
    """Queue a mail with a link for the owner of an address, if there is one.

    Only the job looks up the owner, so neither the content nor the timing of the response reveals
    whether the address is registered. Raise FeatureOff without e-mail.
    """
    if not services.settings.has_email:
        raise FeatureOff("This installation sends no e-mail. Ask your administrator.")
    attempts = Attempts(services.signer, email, None, services.clock.now())
    try:
        async with database.transaction() as session:
            await attempts.count(session, RESET_MAILS)
            await issue_password_link(
                session,
                services,
                purpose=LinkPurpose.RESET,
                lifetime=RESET_LIFETIME,
                language=language,
                email=email,
            )
    except RateLimited:
        # No further mail is sent, but the response is 202 for any address.
        return


async def set_password(
    session: AsyncSession, clock: Clock, signer: Signer, token: str, *, password_hash: str
) -> None:
    """Set the password of the link's owner and invalidate the user's tokens.

    Raise LinkSpent if the link is no longer valid.
    """
    user_id = await password_links.consume(session, clock, token)
    changed = await session.execute(
        update(User)
        .where(User.id == user_id)
        .values(password_hash=password_hash, token_version=User.token_version + 1)
        .returning(User.email, User.organization_id)
    )
    user = changed.one()
    attempts = Attempts(signer, user.email, None, clock.now())
    await attempts.clear_sign_ins(session)
    actor = audit.Actor(user.organization_id, ActorType.LINK)
    audit.record(session, actor, Action.USER_PASSWORD_RESET, user_id)
