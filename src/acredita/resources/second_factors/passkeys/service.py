"""Add passkeys, sign in with them, and remove them."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.access.passkeys import (
    InvalidPasskey,
    Options,
    RelyingParty,
    challenge_in,
    credential_id_in,
    digest_of,
)
from acredita.domain.audit import Action, ActorType
from acredita.domain.caller import Caller
from acredita.domain.errors import Conflict, NotFound, SecondFactorWrong
from acredita.domain.signing_in import SecondFactor
from acredita.kit import ids
from acredita.kit.clock import Clock
from acredita.models import Passkey, PasskeyChallenge
from acredita.ports import SecondFactorChecks
from acredita.resources.audit import service as audit
from acredita.resources.second_factors import queries as factors
from acredita.resources.second_factors import service
from acredita.resources.second_factors.limits import has_entry_left
from acredita.resources.second_factors.passkeys import queries

CHALLENGE_LIFETIME = timedelta(minutes=5)
REFUSED = "The passkey is unknown, or its answer is not valid any more."


class PasskeyRefused(SecondFactorWrong):
    def __init__(self) -> None:
        super().__init__(REFUSED)


async def begin_registration(
    session: AsyncSession, clock: Clock, party: RelyingParty, caller: Caller
) -> Options:
    """Return what the browser is asked for a new passkey. Raise NotFound."""
    email = await factors.email_of(session, caller.organization_id, caller.id)
    if email is None:
        raise NotFound
    known = [each.credential_id for each in await queries.list_all(session, caller)]
    options = party.registration_options(caller.id, email, known)
    _store(session, clock, options, caller.id)
    return options


def begin_sign_in(session: AsyncSession, clock: Clock, party: RelyingParty) -> Options:
    options = party.sign_in_options()
    _store(session, clock, options, None)
    return options


def _store(session: AsyncSession, clock: Clock, options: Options, user_id: UUID | None) -> None:
    session.add(
        PasskeyChallenge(
            digest=options.challenge_digest,
            user_id=user_id,
            expires_at=clock.now() + CHALLENGE_LIFETIME,
        )
    )


async def add(
    session: AsyncSession,
    services: SecondFactorChecks,
    party: RelyingParty,
    caller: Caller,
    credential: dict[str, Any],
    name: str,
    *,
    lifetime: timedelta,
) -> tuple[Passkey, list[str] | None]:
    """Store a passkey. Return it, and recovery codes if the user had none.

    `lifetime`: of the caller's session. Raise SecondFactorWrong. Raise Conflict for a known one.
    """
    try:
        digest = digest_of(challenge_in(credential))
        if not await queries.use_challenge(session, digest, caller.id, services.clock.now()):
            raise PasskeyRefused
        made = party.verify_registration(credential)
    except InvalidPasskey:
        raise PasskeyRefused from None
    row = Passkey(
        id=ids.sortable(),
        organization_id=caller.organization_id,
        user_id=caller.id,
        credential_id=made.credential_id,
        public_key=made.public_key,
        sign_count=made.sign_count,
    )
    row.name.seal(services.keys, name)
    session.add(row)
    try:
        await session.flush()
    except IntegrityError:
        raise Conflict("This passkey is registered already.") from None
    await service.note_added(session, caller, SecondFactor.PASSKEY, lifetime=lifetime)
    if await factors.count_recovery_codes(session, caller.organization_id, caller.id):
        return row, None
    return row, await service.renew_recovery_codes(session, services.signer, caller)


async def remove(session: AsyncSession, caller: Caller, passkey_id: UUID) -> None:
    """Delete a passkey of the caller. Raise NotFound, LastSecondFactor."""
    if not await queries.delete_one(session, caller, passkey_id):
        raise NotFound
    await service.check_removed(session, caller, SecondFactor.PASSKEY)


async def prove(
    services: SecondFactorChecks, party: RelyingParty, credential: dict[str, Any]
) -> tuple[UUID, UUID, int]:
    """Return the user, the organization and the token version of a passkey's user.

    Raise SecondFactorWrong. The challenge is used up even if the answer is wrong.
    """
    try:
        digest, credential_id = digest_of(challenge_in(credential)), credential_id_in(credential)
    except InvalidPasskey:
        raise PasskeyRefused from None
    now = services.clock.now()
    async with services.database.transaction() as session:
        is_fresh = await queries.use_challenge(session, digest, None, now)
    if not is_fresh:
        raise PasskeyRefused
    async with services.database.transaction() as session:
        found = await queries.of_credential(session, credential_id)
        if found is None:
            raise PasskeyRefused
        row, user = found
        try:
            row.sign_count = party.verify_sign_in(
                credential, public_key=row.public_key, sign_count=row.sign_count
            )
            row.last_used_at = now
            is_right = True
        except InvalidPasskey:
            is_right = False
            actor = audit.Actor(user.organization_id, ActorType.USER, user.id)
            method = SecondFactor.PASSKEY.value
            if await has_entry_left(session, services.signer, user.id, now):
                audit.record(session, actor, Action.SECOND_FACTOR_FAILED, user.id, method=method)
    if not is_right:
        raise PasskeyRefused
    return user.id, user.organization_id, user.token_version
