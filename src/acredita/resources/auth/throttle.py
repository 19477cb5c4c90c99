"""Limit attempts on accounts.

Accounts are identified by keyed hashes. Attempts on unregistered addresses count too.
"""

import asyncio
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from sqlalchemy import delete, func, update
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.kit.crypto import Signer
from acredita.kit.rate_limit_address import counted_as
from acredita.models import AttemptLog
from acredita.resources.attempts import service as attempts
from acredita.resources.attempts.service import Limit
from acredita.resources.auth.queries import folded

PURPOSE = "attempts"

SIGN_IN_FROM_ADDRESS = Limit("sign-in from address", 10, timedelta(minutes=15), by_address=True)
SIGN_IN = Limit("sign-in", 100, timedelta(minutes=15))
# Always in this order, because it is the order of the row locks.
SIGN_IN_LIMITS = (SIGN_IN_FROM_ADDRESS, SIGN_IN)
# Numbers of an account's failures within the window that the audit log records: an attacker must
# not fill a log that is kept forever. Failures around one number would repeat it without the limit.
RECORDED = frozenset({1, 5, 10, 50, 100})
ENTRIES = Limit("sign-in failures recorded", len(RECORDED), timedelta(minutes=15))
# Protects a mailbox against a flood of mails.
RESET_MAILS = Limit("reset mails", 60, timedelta(hours=1))

# Locks of the attempts in progress in this process, by account and IP address.
_locks: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()


class Attempts:
    """Counts the attempts on one account, registered or not, from one IP address."""

    def __init__(self, signer: Signer, email: str, address: str | None, now: datetime) -> None:
        self._signer, self._now = signer, now
        self._account, self._place = folded(email), counted_as(address)

    def lock(self) -> asyncio.Lock:
        """The lock to hold while an attempt is counted and checked.

        Concurrent attempts on one account from one IP address run one at a time. Otherwise many
        correct passwords at once would count as failures until each is checked.
        """
        lock: asyncio.Lock = _locks.setdefault(self._key(SIGN_IN_FROM_ADDRESS), asyncio.Lock())
        return lock

    async def count(self, session: AsyncSession, *limits: Limit) -> int:
        """Count one attempt. Return how many the last limit has by now.

        Raise RateLimited after too many; the caller must then roll back.
        """
        counted = 0
        for limit in limits:
            counted = await self._count(session, limit)
        return counted

    async def _count(self, session: AsyncSession, limit: Limit) -> int:
        key, account = self._key(limit), self._key(SIGN_IN if limit in SIGN_IN_LIMITS else limit)
        return await attempts.count(session, limit, key=key, account=account, now=self._now)

    async def has_entry_left(self, session: AsyncSession) -> bool:
        """Count an entry about this account in the audit log, if there may be one more."""
        return await attempts.has_room(session, ENTRIES, key=self._key(ENTRIES), now=self._now)

    async def uncount(self, session: AsyncSession, *limits: Limit) -> None:
        """Remove a successful attempt from the counts."""
        for limit in limits:
            await session.execute(
                update(AttemptLog)
                .where(AttemptLog.key == self._key(limit))
                .values(moments=func.array_remove(AttemptLog.moments, self._now))
            )

    async def clear_sign_ins(self, session: AsyncSession) -> None:
        """Delete the attempts from all IP addresses, in the order of the row locks."""
        account = self._key(SIGN_IN)
        of_account = AttemptLog.account == account
        await session.execute(delete(AttemptLog).where(of_account, AttemptLog.key != account))
        await session.execute(delete(AttemptLog).where(AttemptLog.key == account))

    def _key(self, limit: Limit) -> bytes:
        place = self._place if limit.by_address else ""
        parts = (limit.name, self._account, place)
        return self._signer.digest(PURPOSE, "\x00".join(parts).encode())
