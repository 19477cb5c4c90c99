"""Add, prove and remove second factors. What fails is recorded too."""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller, CallerKind
from acredita.domain.errors import (
    LastSecondFactor,
    NotFound,
    SecondFactorWrong,
    SignInAgain,
    UserNeeded,
)
from acredita.domain.signing_in import SecondFactor
from acredita.kit import ids
from acredita.kit.crypto import KeyRing, Signer
from acredita.models import TotpSecret
from acredita.ports import SecondFactorChecks
from acredita.resources.audit import service as audit
from acredita.resources.second_factors import queries, recovery_codes, totp
from acredita.resources.second_factors.limits import Guesses


def check_recent(caller: Caller, *, now: datetime, within: timedelta) -> None:
    """Raise UserNeeded for an API key, SignInAgain for a user who signed in earlier.

    Otherwise, someone who finds an open browser could add a factor of their own.
    """
    if caller.kind is not CallerKind.USER or caller.signed_in_at is None:
        raise UserNeeded
    if now - caller.signed_in_at > within:
        raise SignInAgain


async def begin_totp(session: AsyncSession, keys: KeyRing, caller: Caller) -> tuple[str, str]:
    """Store a new secret that waits for its first code. Return it, and the user's address."""
    email = await queries.email_of(session, caller.organization_id, caller.id)
    if email is None:
        raise NotFound
    row = await queries.totp_of(session, caller.organization_id, caller.id)
    if row is None:
        row = TotpSecret(
            id=ids.sortable(), organization_id=caller.organization_id, user_id=caller.id
        )
        session.add(row)
    secret = totp.new_secret()
    row.pending.seal(keys, secret)
    return secret, email


async def confirm_totp(
    session: AsyncSession,
    services: SecondFactorChecks,
    caller: Caller,
    code: str,
    *,
    lifetime: timedelta,
) -> list[str]:
    """Let the waiting secret replace the former one. Return new recovery codes.

    `lifetime`: of the caller's session.

    Raise NotFound without a waiting secret, SecondFactorWrong.
    """
    row = await queries.totp_of(session, caller.organization_id, caller.id)
    secret = None if row is None else row.pending.open(services.keys)
    if row is None or secret is None:
        raise NotFound
    now = services.clock.now()
    step = totp.matching_step(secret, code, now=now, last_step=0)
    if step is None:
        raise SecondFactorWrong
    row.secret.seal(services.keys, secret)
    row.pending.seal(services.keys, None)
    row.last_step, row.confirmed_at = step, now
    await note_added(session, caller, SecondFactor.TOTP, lifetime=lifetime)
    return await renew_recovery_codes(session, services.signer, caller)


async def note_added(
    session: AsyncSession, caller: Caller, factor: SecondFactor, *, lifetime: timedelta
) -> None:
    """Record a new factor. The caller's session, of this lifetime, has proved it."""
    if caller.session_id is not None:
        await queries.mark_session(
            session, caller.organization_id, caller.session_id, factor, lifetime=lifetime
        )
    method = factor.value
    audit.record(session, caller, Action.SECOND_FACTOR_ADDED, caller.id, method=method)


async def renew_recovery_codes(session: AsyncSession, signer: Signer, caller: Caller) -> list[str]:
    """Replace the caller's recovery codes. Raise NotFound without a second factor."""
    await session.flush()
    has_factor, _ = await queries.needs(session, caller.organization_id, caller.id)
    if not has_factor:
        raise NotFound
    audit.record(session, caller, Action.RECOVERY_CODES_MADE, caller.id)
    return await recovery_codes.renew(session, signer, caller.organization_id, caller.id)


async def remove_totp(session: AsyncSession, caller: Caller) -> None:
    """Delete the caller's secret.

    Raise NotFound. Raise LastSecondFactor if the organization requires one and no other is left.
    """
    if not await queries.delete_totp(session, caller.organization_id, caller.id):
        raise NotFound
    await check_removed(session, caller, SecondFactor.TOTP)


async def check_removed(session: AsyncSession, caller: Caller, factor: SecondFactor) -> None:
    """Record that a factor of the caller is deleted. Recovery codes go with the last one.

    Raise LastSecondFactor if the organization requires one and no other is left.
    """
    has_factor, is_required = await queries.needs(session, caller.organization_id, caller.id)
    if not has_factor:
        if is_required:
            raise LastSecondFactor
        await queries.delete_recovery_codes(session, caller.organization_id, caller.id)
    method = factor.value
    audit.record(session, caller, Action.SECOND_FACTOR_REMOVED, caller.id, method=method)


async def remove_all(session: AsyncSession, caller: Caller, user_id: UUID) -> None:
    """Delete the second factors of another user, who has lost them."""
    await queries.delete_totp(session, caller.organization_id, user_id)
    await queries.delete_passkeys(session, caller.organization_id, user_id)
    await queries.delete_recovery_codes(session, caller.organization_id, user_id)
    audit.record(session, caller, Action.SECOND_FACTOR_REMOVED, user_id)


async def prove(
    services: SecondFactorChecks,
    organization_id: UUID,
    user_id: UUID,
    factor: SecondFactor,
    code: str,
) -> None:
    """Check a code of a user who has given the password. It is counted before it is checked.

    Raise SecondFactorWrong, RateLimited. A code works once.
    """
    now = services.clock.now()
    guesses = Guesses(services.signer, user_id, factor, now)
    async with services.database.transaction() as session:
        await guesses.count(session)
    actor = audit.Actor(organization_id, ActorType.USER, user_id)
    async with services.database.transaction() as session:
        if factor is SecondFactor.TOTP:
            is_right = await _use_totp(session, services.keys, organization_id, user_id, code, now)
        else:
            digest = recovery_codes.digest(services.signer, user_id, code)
            is_right = await queries.use_recovery_code(session, organization_id, user_id, digest)
        if is_right:
            await guesses.uncount(session)
        else:
            audit.record(session, actor, Action.SECOND_FACTOR_FAILED, user_id, method=factor)
    if not is_right:
        raise SecondFactorWrong


async def _use_totp(
    session: AsyncSession,
    keys: KeyRing,
    organization_id: UUID,
    user_id: UUID,
    code: str,
    now: datetime,
) -> bool:
    row = await queries.totp_of(session, organization_id, user_id)
    secret = None if row is None else row.secret.open(keys)
    if row is None or secret is None:
        return False
    step = totp.matching_step(secret, code, now=now, last_step=row.last_step)
    if step is None:
        return False
    row.last_step = step
    return True
