"""Attempts on accounts, counted in PostgreSQL: a wiped Redis must not hand out fresh guesses.

An attempt is written down before it is judged, so that fifty at once are no more than ten. Keys are
keyed hashes, and addresses that nobody has registered are counted like any other.
"""

import asyncio
import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from weakref import WeakValueDictionary

from sqlalchemy import bindparam, delete, func, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import DateTime

from acredita.api.addresses import counted_as
from acredita.api.errors import RateLimited
from acredita.kit.crypto import Signer
from acredita.models import AttemptLog
from acredita.resources.auth.queries import folded

PURPOSE = "attempts"

# The limit stands in the statement that counts: under the row's lock, attempts take turns.
_COUNT = text("""
    INSERT INTO attempt_log AS log (key, account, moments, forgotten_at)
    VALUES (:key, :account, ARRAY[:now], :forgotten_at)
    ON CONFLICT (key) DO UPDATE
    SET moments = :now || ARRAY(
            SELECT moment FROM unnest(log.moments) moment WHERE moment > :since
        ),
        forgotten_at = :forgotten_at
    WHERE (SELECT count(*) FROM unnest(log.moments) moment WHERE moment > :since) < :most
    RETURNING key
""").bindparams(
    bindparam("now", type_=DateTime(timezone=True)),
    bindparam("since", type_=DateTime(timezone=True)),
    bindparam("forgotten_at", type_=DateTime(timezone=True)),
)


@dataclass(frozen=True, slots=True)
class Limit:
    name: str
    most: int
    within: timedelta
    by_address: bool = False


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
        key, since = self._key(limit), self._now - limit.within
        counted = await session.scalar(
            _COUNT,
            {
                "key": key,
                "account": self._key(SIGN_IN if limit in SIGN_IN_LIMITS else limit),
                "now": self._now,
                "since": since,
                "forgotten_at": self._now + limit.within,
                "most": limit.most,
            },
        )
        if counted is None:
            moments = await session.scalar(select(AttemptLog.moments).where(AttemptLog.key == key))
            oldest = min((moment for moment in moments or () if moment > since), default=since)
            raise RateLimited(retry_after=max(1, math.ceil((oldest - since).total_seconds())))

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


async def delete_forgotten(session: AsyncSession, now: datetime) -> None:
    """Rows that somebody is counting in just now are left to the next time."""
    forgotten = (
        select(AttemptLog.key)
        .where(AttemptLog.forgotten_at < now)
        .with_for_update(skip_locked=True)
        .scalar_subquery()
    )
    await session.execute(delete(AttemptLog).where(AttemptLog.key.in_(forgotten)))
