"""Sign in with e-mail address and password.

An unknown address, a wrong password and a disabled user take the same path: the same statements,
the same hashing, the same response. The audit log of the user's organization records failures. The
statement that adds the entry runs for unknown addresses, too, in a transaction that always writes.
"""

from sqlalchemy import func, insert, literal, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.access.tokens import TokenKeys
from acredita.domain.audit import Action, ActorType, ResourceType
from acredita.domain.errors import (
    ProviderSignInRequired,
    SecondFactorRequired,
    SecondFactorSetupRequired,
    Unauthorized,
)
from acredita.domain.roles import Role
from acredita.domain.signing_in import SecondFactor, SignInMethod
from acredita.domain.token_types import TokenType
from acredita.kit import ids
from acredita.models import AuditEntry, User
from acredita.ports import SessionOpening, SignIn
from acredita.resources.audit import service as audit
from acredita.resources.auth.queries import Account, account_of, folded, needs_provider
from acredita.resources.auth.schemas import EmailAndPassword, Login, LoginAnswer, UserShape
from acredita.resources.auth.throttle import RECORDED, SIGN_IN_LIMITS, Attempts
from acredita.resources.organizations import queries as organizations
from acredita.resources.second_factors import queries as factors
from acredita.resources.second_factors import totp
from acredita.resources.second_factors.limits import has_entry_left
from acredita.resources.second_factors.service import prove


async def sign_in(
    services: SignIn, tokens: TokenKeys, data: Login, *, address: str | None
) -> LoginAnswer:
    """Issue a token for the dashboard.

    Raise Unauthorized. Raise RateLimited after too many failures. Raise SecondFactorRequired
    without a code, SecondFactorSetupRequired, SecondFactorWrong.
    """
    account = await check_password(services, data, address=address)
    has_proved = await _check_second_factor(services, account, data.code)
    async with services.database.transaction() as session:
        record_sign_in(session, account)
    return await _login_answer(services, tokens, account, has_second_factor=has_proved)


async def _check_second_factor(services: SignIn, account: Account, code: str | None) -> bool:
    """Return whether a second factor was needed and given."""
    async with services.database.reading() as connection:
        has_factor, is_required = await factors.needs(
            connection, account.organization_id, account.user_id
        )
    if not has_factor and not is_required:
        return False
    if not has_factor or code is None:
        async with services.database.transaction() as session:
            await record_beginning(session, services, account, SignInMethod.PASSWORD)
        raise SecondFactorRequired if has_factor else SecondFactorSetupRequired
    is_of_app = len(code) == totp.DIGITS and code.isdecimal()
    factor = SecondFactor.TOTP if is_of_app else SecondFactor.RECOVERY_CODE
    await prove(services, account.organization_id, account.user_id, factor, code)
    return True


async def record_beginning(
    session: AsyncSession, services: SessionOpening | SignIn, account: Account, method: SignInMethod
) -> None:
    """Record a sign-in that lacks a second factor: perhaps the password is known to a stranger.

    The number of entries is limited, because someone with the password can repeat this.
    """
    if await has_entry_left(session, services.signer, account.user_id, services.clock.now()):
        actor = audit.Actor(account.organization_id)
        audit.record(session, actor, Action.SIGN_IN_BEGUN, account.user_id, method=method)


def record_sign_in(session: AsyncSession, account: Account, **details: str) -> None:
    actor = audit.Actor(account.organization_id, ActorType.USER, account.user_id)
    audit.record(session, actor, Action.USER_SIGNED_IN, account.user_id, **details)


async def check_password(
    services: SignIn, data: EmailAndPassword, *, address: str | None
) -> Account:
    """Return the account. No transaction is open while the password is hashed.

    Raise Unauthorized. Raise RateLimited after too many failures. Raise ProviderSignInRequired if
    the organization accepts no password.
    """
    attempts = Attempts(services.signer, data.email, address, services.clock.now())
    async with attempts.lock():
        account = await _authenticate(services, attempts, data)
    await refuse_without_provider(services, account, SignInMethod.PASSWORD)
    await _refresh_hash(services, account, data.password)
    return account


async def refuse_without_provider(services: SignIn, account: Account, method: SignInMethod) -> None:
    """Raise ProviderSignInRequired if the organization accepts its identity provider alone.

    The audit log has the refusal, with a limit, because someone with the password can repeat it.
    """
    async with services.database.reading() as connection:
        if not await needs_provider(connection, account.user_id):
            return
    async with services.database.transaction() as session:
        now = services.clock.now()
        if await has_entry_left(session, services.signer, account.user_id, now):
            audit.record(
                session,
                audit.Actor(account.organization_id),
                Action.SIGN_IN_FAILED,
                account.user_id,
                method=method,
                reason=ProviderSignInRequired.code,
            )
    raise ProviderSignInRequired


async def _authenticate(services: SignIn, attempts: Attempts, data: EmailAndPassword) -> Account:
    async with services.database.transaction() as session:
        number = await attempts.count(session, *SIGN_IN_LIMITS)
    async with services.database.reading() as connection:
        account = await account_of(connection, data.email)
    matches = await services.passwords.verify(
        data.password, account.password_hash if account else None
    )
    if account is None or not matches:
        if number in RECORDED:
            async with services.database.transaction() as session:
                await _record_failure(session, attempts, data.email, number)
        raise Unauthorized("The e-mail address or the password is wrong.")
    async with services.database.transaction() as session:
        await attempts.uncount(session, *SIGN_IN_LIMITS)
    return account


async def _record_failure(
    session: AsyncSession, attempts: Attempts, email: str, number: int
) -> None:
    """Add an entry to the audit log of the user with this address, also a disabled one.

    `number`: of the account's failures within a quarter of an hour. Who tried is unknown.
    """
    if not await attempts.has_entry_left(session):
        return
    details = audit.details_of(method=SignInMethod.PASSWORD, failures=number)
    values = {
        AuditEntry.id: literal(ids.sortable()),
        AuditEntry.organization_id: User.organization_id,
        AuditEntry.actor_type: literal(ActorType.SERVICE.value),
        AuditEntry.action: literal(Action.SIGN_IN_FAILED.value),
        AuditEntry.resource_type: literal(ResourceType.USER.value),
        AuditEntry.resource_id: User.id,
        AuditEntry.details: literal(details),
    }
    found = select(*values.values()).where(func.lower(User.email) == folded(email))
    await session.execute(insert(AuditEntry).from_select([*values], found, include_defaults=False))


async def _refresh_hash(services: SignIn, account: Account, password: str) -> None:
    """Hash the password again if its hash has outdated parameters."""
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


async def _login_answer(
    services: SignIn, tokens: TokenKeys, account: Account, *, has_second_factor: bool
) -> LoginAnswer:
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
        # The version at the password check: a later change invalidates this token too.
        version=account.token_version,
        has_second_factor=has_second_factor,
    )
    return LoginAnswer(
        access_token=token,
        expires_in=tokens.lifetime,
        user=UserShape(id=user.id, email=user.email, role=Role(user.role)),
        org=organization,
    )
