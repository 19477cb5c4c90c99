"""Open, list and end sessions of users in browsers."""

import secrets
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.caller import Caller
from acredita.domain.errors import NotFound, Unauthorized
from acredita.domain.signing_in import SecondFactor, SignInMethod
from acredita.kit import ids
from acredita.kit.crypto import token_digest
from acredita.models import Browser, UserSession
from acredita.ports import SessionOpening
from acredita.resources.audit import service as audit
from acredita.resources.auth.queries import Account
from acredita.resources.auth.sign_in import record_beginning, record_sign_in
from acredita.resources.second_factors import queries as factors
from acredita.resources.sessions import queries

LONGEST_USER_AGENT = 300
# For the second factor, or for setting one up.
INCOMPLETE_LIFETIME = timedelta(minutes=15)


async def open_session(
    session: AsyncSession,
    services: SessionOpening,
    account: Account,
    browser: Browser,
    token: str,
    *,
    former: bytes,
    method: SignInMethod,
    second_factor: SecondFactor | None = None,
) -> None:
    """Store a session. It ends the browser's former one, of which `former` is the token's digest.

    `second_factor`: the one that the sign-in has proved. Without one, the session is incomplete if
    the user has one or the organization requires one.
    """
    has_factor = is_required = False
    if second_factor is None:
        has_factor, is_required = await factors.needs(
            session, account.organization_id, account.user_id
        )
    lifetime = timedelta(seconds=services.settings.session_lifetime)
    now = services.clock.now()
    await queries.delete_by_digest(session, former)
    row = UserSession(
        id=ids.sortable(),
        organization_id=account.organization_id,
        user_id=account.user_id,
        token_digest=token_digest(token),
        # The version at the sign-in: a later change ends the session.
        token_version=account.token_version,
        method=method,
        second_factor=second_factor,
        signed_in_at=now,
        last_seen_at=now,
        expires_at=now + (INCOMPLETE_LIFETIME if has_factor or is_required else lifetime),
    )
    row.browser.seal(services.keys, browser)
    session.add(row)
    if has_factor:
        await record_beginning(session, services, account, method)
    else:
        factor = {} if second_factor is None else {"second_factor": second_factor.value}
        record_sign_in(session, account, method=method.value, **factor)


async def complete(
    session: AsyncSession,
    caller: Caller,
    session_id: UUID,
    digest: bytes,
    *,
    factor: SecondFactor,
    now: datetime,
    lifetime: timedelta,
) -> None:
    """Make a session active, under a new token. Raise Unauthorized if it has ended meanwhile."""
    values = {
        "token_digest": digest,
        "second_factor": factor,
        "signed_in_at": now,
        "last_seen_at": now,
        "expires_at": now + lifetime,
    }
    if not await queries.update_one(session, caller, session_id, values):
        raise Unauthorized
    audit.record(session, caller, Action.USER_SIGNED_IN, caller.id, second_factor=factor.value)


def new_token() -> str:
    return secrets.token_urlsafe(32)


async def sign_out(session: AsyncSession, caller: Caller, session_id: UUID) -> None:
    """End the session of this request."""
    if await queries.delete_one(session, caller, session_id):
        audit.record(session, caller, Action.USER_SIGNED_OUT, caller.id)


async def end(session: AsyncSession, caller: Caller, session_id: UUID) -> None:
    """End a session of the caller. Raise NotFound."""
    if not await queries.delete_one(session, caller, session_id):
        raise NotFound
    audit.record(session, caller, Action.USER_SESSION_ENDED, caller.id, ended=session_id)


async def end_others(session: AsyncSession, caller: Caller) -> None:
    """End all sessions of the caller except the one of this request."""
    ended = await queries.delete_others(session, caller)
    if ended:
        audit.record(session, caller, Action.USER_SESSION_ENDED, caller.id, count=len(ended))
