"""Limit guesses of codes.

They are counted for the user, over all sessions: six digits would be guessed soon otherwise. Only
someone who knows the password can guess, so a stranger cannot use up a user's guesses. A password
reset clears nothing here: someone who reads the user's mail would get new guesses with each reset.
Recovery codes have counts of their own, and passkeys none, so both work while codes are refused.
"""

from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.signing_in import SecondFactor
from acredita.kit.crypto import Signer
from acredita.models import AttemptLog
from acredita.resources.attempts import service as attempts
from acredita.resources.attempts.service import Limit

PURPOSE = "attempts"
# Three codes are valid at a time: 50 guesses a day find one with a chance of 0.015 %.
LIMITS = (
    Limit("second factor", 10, timedelta(minutes=15)),
    Limit("second factor of a day", 50, timedelta(days=1)),
)

# Of failures that nothing else limits for one user or organization, so that nobody fills the log.
ENTRIES = Limit("failures recorded", 10, timedelta(minutes=15))


async def has_entry_left(session: AsyncSession, signer: Signer, id_: UUID, now: datetime) -> bool:
    """Count an entry about failures of a user or organization, if there may be one more."""
    key = signer.digest(PURPOSE, f"{ENTRIES.name}\x00{id_}".encode())
    return await attempts.has_room(session, ENTRIES, key=key, now=now)


class Guesses:
    """Counts the codes that were given for one user."""

    def __init__(self, signer: Signer, user_id: UUID, factor: SecondFactor, now: datetime) -> None:
        self._now = now
        self._keys = {
            limit: signer.digest(PURPOSE, f"{limit.name}\x00{factor}\x00{user_id}".encode())
            for limit in LIMITS
        }

    async def count(self, session: AsyncSession) -> None:
        """Count one guess before it is checked. Raise RateLimited; then roll back."""
        for limit, key in self._keys.items():
            await attempts.count(session, limit, key=key, account=key, now=self._now)

    async def uncount(self, session: AsyncSession) -> None:
        """Remove a right code from the counts."""
        for key in self._keys.values():
            await session.execute(
                update(AttemptLog)
                .where(AttemptLog.key == key)
                .values(moments=func.array_remove(AttemptLog.moments, self._now))
            )
