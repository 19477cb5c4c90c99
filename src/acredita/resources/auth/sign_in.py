"""Signing in with e-mail and password.

An unknown address, a wrong password and a disabled user go the same way: the same statements, the
same hashing, the same answer.
"""

from sqlalchemy import select, update

from acredita.api.errors import Unauthorized
from acredita.api.token_types import TokenType
from acredita.api.tokens import TokenKeys
from acredita.domain.audit import Action, ActorType
from acredita.domain.roles import Role
from acredita.models import User
from acredita.resources.audit import service as audit
from acredita.resources.audit.service import Actor
from acredita.resources.auth.queries import Account, account_of
from acredita.resources.auth.schemas import Login, LoginAnswer, UserShape
from acredita.resources.auth.throttle import SIGN_IN_LIMITS, Attempts
from acredita.resources.organizations import queries as organizations
from acredita.services import Services


async def sign_in(
    services: Services, tokens: TokenKeys, data: Login, *, address: str | None
) -> LoginAnswer:
    """A token for the dashboard. Raise Unauthorized, or RateLimited after too many failures.

    No transaction is open while the password is hashed.
    """
    attempts = Attempts(services.signer, data.email, address, services.clock.now())
    async with attempts.turn():
        account = await _judge(services, attempts, data)
    await _refresh_hash(services, account, data.password)
    return await _welcome(services, tokens, account)


async def _judge(services: Services, attempts: Attempts, data: Login) -> Account:
    async with services.database.transaction() as session:
        await attempts.count(session, *SIGN_IN_LIMITS)
    async with services.database.reading() as connection:
        account = await account_of(connection, data.email)
    matches = await services.passwords.verify(
        data.password, account.password_hash if account else None
    )
    if account is None or not matches:
        raise Unauthorized("The e-mail address or the password is not right.")
    async with services.database.transaction() as session:
        await attempts.take_back(session, *SIGN_IN_LIMITS)
        actor = Actor(account.organization_id, ActorType.USER, account.user_id)
        audit.record(session, actor, Action.USER_SIGNED_IN, account.user_id)
    return account


async def _refresh_hash(services: Services, account: Account, password: str) -> None:
    """Hash the password anew if it was hashed at another cost than today's."""
    former = account.password_hash
    if former is None or not services.passwords.is_outdated(former):
        return
    renewed = await services.passwords.hash(password)
    async with services.database.transaction() as session:
        await session.execute(
            update(User)
            .where(User.id == account.user_id, User.password_hash == former)
            .values(password_hash=renewed)
        )


async def _welcome(services: Services, tokens: TokenKeys, account: Account) -> LoginAnswer:
    query = select(User.id, User.email, User.role).where(User.id == account.user_id)
    async with services.database.reading() as connection:
        user = (await connection.execute(query)).one_or_none()
        if user is None:
            raise Unauthorized
        organization = await organizations.get(connection, account.organization_id)
    token = tokens.issue(
        token_type=TokenType.USER,
        subject_id=account.user_id,
        organization_id=account.organization_id,
        role=Role(user.role),
        now=services.clock.now(),
        # As it was when the password was compared: a change since then ends this token, too.
        version=account.token_version,
    )
    return LoginAnswer(
        access_token=token,
        expires_in=tokens.lifetime,
        user=UserShape(id=user.id, email=user.email, role=Role(user.role)),
        org=organization,
    )
