"""Manage the users of an organization (DECISIONS, Authentication and roles).

Callers cannot create, assign, change or remove a role above their own. The last owner cannot be
removed or demoted.
"""

from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita import jobs
from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import Conflict, FeatureOff, Forbidden, LastOwner
from acredita.domain.languages import Language
from acredita.domain.roles import Role
from acredita.kit import ids
from acredita.kit.crypto import Signer
from acredita.models import LinkPurpose, User
from acredita.ports import Messaging
from acredita.resources.audit import service as audit
from acredita.resources.auth.links import INVITATION_LIFETIME, issue_password_link
from acredita.resources.auth.password_links import LinkSpent
from acredita.resources.auth.queries import email_digest, folded
from acredita.resources.auth.throttle import RESET_MAILS, Attempts
from acredita.resources.second_factors import service as factors
from acredita.resources.users import address_links, queries
from acredita.resources.users.jobs import mail_address_change
from acredita.resources.users.schemas import UserInvite, UserUpdate

TAKEN = "This e-mail address is registered already."


async def invite(
    session: AsyncSession, services: Messaging, caller: Caller, data: UserInvite, language: Language
) -> User:
    """Create a user without a password and mail a link that sets one.

    Raise Forbidden for a role above the caller's, Conflict for a registered address, RateLimited.
    """
    _check_covers(caller, data.role)
    user = User(
        id=ids.sortable(),
        organization_id=caller.organization_id,
        email=data.email,
        role=data.role,
        password_hash=None,
    )
    session.add(user)
    await _flush_addresses(session)
    await _mail_invitation(session, services, user, language)
    digest = email_digest(services.signer, user.email)
    audit.record(session, caller, Action.USER_INVITED, user.id, role=data.role, email=digest)
    return user


async def invite_again(
    session: AsyncSession, services: Messaging, caller: Caller, user_id: UUID, language: Language
) -> None:
    """Mail the invitation again.

    Raise NotFound, Forbidden, RateLimited. Raise Conflict if the user has a password.
    """
    user = await queries.get(session, caller, user_id)
    _check_covers(caller, Role(user.role))
    if user.has_joined:
        raise Conflict("This person has joined already, and can ask for a new password.")
    await _mail_invitation(session, services, user, language)
    audit.record(session, caller, Action.USER_INVITED, user.id, role=user.role)


async def update(
    session: AsyncSession,
    services: Messaging,
    caller: Caller,
    user_id: UUID,
    data: UserUpdate,
    language: Language,
) -> User:
    """Change role or address. A new address becomes pending.

    Raise NotFound, Forbidden, LastOwner, RateLimited. Raise Conflict for a registered address.
    """
    await queries.lock_users(session, caller)
    user = await queries.get(session, caller, user_id)
    _check_covers(caller, Role(user.role))
    changes, former_role = [], user.role
    if "role" in data.model_fields_set and data.role != user.role:
        _check_covers(caller, data.role)
        await _check_not_last_owner(session, user)
        user.role = data.role
        # Invalidates the tokens with the former role.
        user.token_version += 1
        if not data.role.covers(Role.REVIEWER):
            await queries.release_matches(session, user)
        changes.append("role")
    if "email" in data.model_fields_set and await _await_confirmation(
        session, services, user, data.email, language
    ):
        changes.append("pendingEmail")
    await session.flush()
    if changes:
        audit.record(
            session,
            caller,
            Action.USER_UPDATED,
            user.id,
            changes=changes,
            role=user.role,
            previous_role=former_role,
        )
    return user


async def _await_confirmation(
    session: AsyncSession, services: Messaging, user: User, email: str, language: Language
) -> bool:
    """Make `email` the user's pending address. The current address cancels a pending change.

    The same pending address gets another mail. Return whether anything changed.
    """
    if folded(email) == folded(user.email):
        was_waiting, user.pending_email = user.pending_email is not None, None
        return was_waiting
    if await queries.is_registered(session, email):
        raise Conflict(TAKEN)
    user.pending_email = email
    await _count_mail(session, services, email)
    await jobs.add(
        session,
        mail_address_change,
        {"user_id": user.id, "language": language.value},
        coalesce_key=f"address:{user.id}",
        organization_id=user.organization_id,
    )
    return True


async def confirm_address(
    session: AsyncSession, services: Messaging, link_signer: Signer, token: str, language: Language
) -> None:
    """Replace the user's address with the pending one.

    Raise LinkSpent. Raise Conflict if another user has registered the address.
    """
    parsed = address_links.parse(token)
    if parsed is None:
        raise LinkSpent
    user = await queries.awaiting_confirmation(session, parsed.user_id)
    if user is None or user.pending_email is None:
        raise LinkSpent
    if not parsed.is_for(link_signer, user.pending_email, services.clock.now()):
        raise LinkSpent
    user.email, user.pending_email = user.pending_email, None
    await _flush_addresses(session)
    await queries.void_password_links(session, user.id)
    if user.password_hash is None:
        await _mail_invitation(session, services, user, language)
    audit.record(
        session,
        audit.Actor(user.organization_id, ActorType.LINK),
        Action.USER_UPDATED,
        user.id,
        changes=["email"],
        email=email_digest(services.signer, user.email),
    )


async def remove(session: AsyncSession, caller: Caller, user_id: UUID) -> None:
    """Delete a user. The audit log keeps only the id. Raise NotFound, Forbidden, LastOwner."""
    await queries.lock_users(session, caller)
    user = await queries.get(session, caller, user_id)
    _check_covers(caller, Role(user.role))
    await _check_not_last_owner(session, user)
    await queries.release_matches(session, user)
    await session.delete(user)
    audit.record(session, caller, Action.USER_REMOVED, user_id, role=user.role)


async def reset_second_factors(session: AsyncSession, caller: Caller, user_id: UUID) -> None:
    """Delete the second factors of a user who has lost them, and end the user's sessions.

    Raise NotFound, Forbidden. Users change their own with a recent sign-in.
    """
    user = await queries.get(session, caller, user_id)
    _check_covers(caller, Role(user.role))
    if user.id == caller.id:
        raise Forbidden("Change your own second factors at /v1/auth/second-factors.")
    user.token_version += 1
    await factors.remove_all(session, caller, user_id)


def _check_covers(caller: Caller, role: Role) -> None:
    if not caller.role.covers(role):
        raise Forbidden


async def _check_not_last_owner(session: AsyncSession, user: User) -> None:
    """Raise LastOwner. A user without a password cannot act as owner and does not count."""
    if user.role != Role.OWNER or user.password_hash is None:
        return
    if not await queries.has_another_owner(session, user):
        raise LastOwner


async def _mail_invitation(
    session: AsyncSession, services: Messaging, user: User, language: Language
) -> None:
    await _count_mail(session, services, user.email)
    await issue_password_link(
        session,
        services,
        purpose=LinkPurpose.INVITATION,
        lifetime=INVITATION_LIFETIME,
        language=language,
        user_id=user.id,
    )


async def _count_mail(session: AsyncSession, services: Messaging, email: str) -> None:
    """Count a mail to an address, so that nobody can flood a mailbox.

    Raise RateLimited, FeatureOff without e-mail.
    """
    if not services.settings.has_email:
        raise FeatureOff("This installation sends no e-mail.")
    attempts = Attempts(services.signer, email, None, services.clock.now())
    await attempts.count(session, RESET_MAILS)


async def _flush_addresses(session: AsyncSession) -> None:
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict(TAKEN) from None
