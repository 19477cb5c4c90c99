"""Verify guesses of one-time codes, and count them.

`asked_by` is the organization of an authenticated caller, as in `sending`.
"""

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.audit import Action
from acredita.domain.one_time_password import MOST_GUESSES
from acredita.domain.phone_and_email import Channel
from acredita.domain.steps import OTP
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.resources.acts import service as acts
from acredita.resources.otp import codes, queries


@dataclass(frozen=True, slots=True)
class GuessResult:
    valid: bool
    guesses_left: int


async def verify(
    session: AsyncSession,
    clock: Clock,
    signer: Signer,
    *,
    asked_by: UUID | None,
    verification_id: UUID | None,
    channel: Channel,
    code: str,
) -> GuessResult:
    """Verify a code. Without a valid code (never sent, used, expired) the result is invalid.

    Raise NotFound.
    """
    now = clock.now()
    password = await queries.guess(session, verification_id, channel, asked_by, now)
    if password is None:
        # Checked last, so that an unknown verification takes as long as one without a code.
        await queries.owner_of(session, verification_id, asked_by)
        return GuessResult(valid=False, guesses_left=0)
    valid = codes.matches(signer, password, code)
    if valid:
        # The attempt holds the row lock until the transaction ends, so the code is used once.
        password.used_at = now
    codes.record(session, password, Action.CODE_CONFIRMED if valid else Action.CODE_MISTAKEN)
    await acts.announce(session, password.organization_id, password.verification_id, OTP)
    return GuessResult(valid, MOST_GUESSES - password.guesses)
