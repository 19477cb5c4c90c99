"""Attempts on accounts. Keys are keyed hashes, and addresses that nobody has registered are counted
like any other."""

import asyncio
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from sqlalchemy import delete, func, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.api.addresses import counted_as
from acredita.kit.crypto import Signer
from acredita.models import AttemptLog
from acredita.resources.attempts import service as attempts
from acredita.resources.attempts.service import Limit
from acredita.resources.auth.queries import folded

PURPOSE = "attempts"

SIGN_IN_FROM_ADDRESS = Limit("sign-in from address", 10, timedelta(minutes=15), by_address=True)
SIGN_IN = Limit("sign-in", 100, timedelta(minutes=15))
# In this order everywhere: the rows are locked in it.
SIGN_IN_LIMITS = (SIGN_IN_FROM_ADDRESS, SIGN_IN)
# A person's mailbox must not be filled by whoever knows its address.
RESET_MAILS = Limit("reset mails", 60, timedelta(hours=1))

# Attempts under way in this process, by account and address.
_turns: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()


class Attempts:
    """The attempts on one account, at this moment and from this address, be it known or not."""

    def __init__(self, signer: Signer, email: str, address: str | None, now: datetime) -> None:
        self._signer, self._now = signer, now
        self._account, self._place = folded(email), counted_as(address)

    def turn(self) -> asyncio.Lock:
        """Held from counting an attempt to judging it.

        Attempts on one account from one address wait for each other, so that many right passwords
        at once are not taken for guesses while they are looked at.
        """
        turn: asyncio.Lock = _turns.setdefault(self._key(SIGN_IN_FROM_ADDRESS), asyncio.Lock())
        return turn

    async def count(self, session: AsyncSession, *limits: Limit) -> None:
        """Count one attempt; RateLimited when there were too many, and then roll back."""
        for limit in limits:
            await self._count(session, limit)

    async def _count(self, session: AsyncSession, limit: Limit) -> None:
        account = self._key(SIGN_IN if limit in SIGN_IN_LIMITS else limit)
        await attempts.count(session, limit, key=self._key(limit), account=account, now=self._now)

    async def take_back(self, session: AsyncSession, *limits: Limit) -> None:
        """An attempt that turned out right was none."""
        for limit in limits:
            await session.execute(
                update(AttemptLog)
                .where(AttemptLog.key == self._key(limit))
                .values(moments=func.array_remove(AttemptLog.moments, self._now))
            )

    async def clear_sign_ins(self, session: AsyncSession) -> None:
        """Forget the attempts from all addresses; last, as they are counted, the account's own."""
        account = self._key(SIGN_IN)
        of_account = AttemptLog.account == account
        await session.execute(delete(AttemptLog).where(of_account, AttemptLog.key != account))
        await session.execute(delete(AttemptLog).where(AttemptLog.key == account))

    def _key(self, limit: Limit) -> bytes:
        place = self._place if limit.by_address else ""
        parts = (limit.name, self._account, place)
        return self._signer.digest(PURPOSE, "\x00".join(parts).encode())
