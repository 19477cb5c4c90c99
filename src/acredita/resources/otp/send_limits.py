"""Limits for sending codes: per destination, per verification, per organization, for all of them.

Anonymous sessions of browsers have budgets of their own, because anyone can open them with an
organization's public id: they cannot use up what the organization's own systems send. Anyone can
register organizations, too, so the anonymous sends of all of them have one more budget. The
counters are in PostgreSQL, so a loss of Redis lifts no limit, and concurrent sends wait for the row
lock. A refusal raises inside the transaction, whose rollback undoes the counts.
"""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from acredita.domain.errors import RateLimited
from acredita.kit.crypto import Signer
from acredita.kit.metrics import counter
from acredita.models import AttemptLog, DailySends
from acredita.resources.attempts import service as attempts
from acredita.resources.attempts.service import Limit
from acredita.settings import Settings

STOPPED = counter("otp_stopped", "Anonymous sends above the limit of the whole installation.")

PURPOSE = "otp-sends"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# Counted over all organizations: several of them together must not flood a person's phone.
TO_DESTINATION = Limit("to destination", 3, timedelta(minutes=10))
FOR_VERIFICATION = Limit("for verification", 10, HOUR)
# Of anonymous callers, within 24 hours.
ANONYMOUS_TO_DESTINATION = Limit("anonymous to destination", 10, DAY)
ANONYMOUS_FOR_VERIFICATION = Limit("anonymous for verification", 20, DAY)
# A session sends to one person: to the first destinations that it names on each channel. More than
# one, because people mistype.
DESTINATIONS = Limit("destinations", 3, DAY)
HOME_COUNTRY = "MX"


async def count(
    session: AsyncSession,
    signer: Signer,
    *,
    organization_id: UUID,
    verification_id: UUID,
    destination: str,
    daily_limit: int,
    now: datetime,
) -> None:
    """Count a send of an authenticated caller. `destination` is normalized by `counted_as`.

    Raise RateLimited.
    """
    sends = _Counter(session, signer, now)
    await sends.count(TO_DESTINATION, destination)
    await sends.count(FOR_VERIFICATION, verification_id)
    await _count_day(session, organization_id, daily_limit, now.astimezone(UTC))


async def count_alone(
    session: AsyncSession,
    signer: Signer,
    *,
    organization_id: UUID,
    destination: str,
    daily_limit: int,
    now: datetime,
) -> None:
    """Count a send of an authenticated caller for no verification. Raise RateLimited."""
    await _Counter(session, signer, now).count(TO_DESTINATION, destination)
    await _count_day(session, organization_id, daily_limit, now.astimezone(UTC))


async def count_anonymous(
    session: AsyncSession,
    signer: Signer,
    settings: Settings,
    *,
    organization_id: UUID,
    verification_id: UUID,
    channel: str,
    destination: str,
    country: str | None,
    now: datetime,
) -> None:
    """Count a send of an anonymous caller. `country` is the ISO 3166-1 code of a phone; None for an
    e-mail address. Raise RateLimited.
    """
    sends = _Counter(session, signer, now)
    await sends.count(TO_DESTINATION, destination)
    # From here to the commit, this session sends nothing else.
    await sends.count(FOR_VERIFICATION, verification_id)
    await sends.count(ANONYMOUS_TO_DESTINATION, destination)
    await sends.count(ANONYMOUS_FOR_VERIFICATION, verification_id)
    bound = Limit("bound", ANONYMOUS_FOR_VERIFICATION.most, DAY)
    if not await sends.has_counted(bound, verification_id, destination):
        await sends.count(DESTINATIONS, verification_id, channel)
    await sends.count(bound, verification_id, destination)
    if country not in (None, HOME_COUNTRY):
        abroad = Limit("anonymous abroad", settings.otp_anonymous_foreign_limit, DAY)
        await sends.count(abroad, organization_id, country)
    own = Limit("anonymous of organization", settings.otp_anonymous_daily_limit, DAY)
    await sends.count(own, organization_id)
    # Last, because all anonymous sends wait for this row until the commit.
    everybody = Limit("anonymous", settings.otp_anonymous_installation_limit, HOUR)
    try:
        await sends.count(everybody)
    except RateLimited:
        STOPPED.inc()
        raise


class _Counter:
    """Counts sends under keyed hashes."""

    def __init__(self, session: AsyncSession, signer: Signer, now: datetime) -> None:
        self._session, self._signer, self._now = session, signer, now

    async def count(self, limit: Limit, *subject: object) -> None:
        """Raise RateLimited."""
        key = self._key(limit, subject)
        await attempts.count(self._session, limit, key=key, account=key, now=self._now)

    async def has_counted(self, limit: Limit, *subject: object) -> bool:
        """Whether anything counts under this limit now."""
        query = select(AttemptLog.moments).where(AttemptLog.key == self._key(limit, subject))
        since = self._now - limit.within
        return any(moment > since for moment in await self._session.scalar(query) or ())

    def _key(self, limit: Limit, subject: tuple[object, ...]) -> bytes:
        written = "\x00".join([limit.name, *map(str, subject)])
        return self._signer.digest(PURPOSE, written.encode())


async def _count_day(
    session: AsyncSession, organization_id: UUID, most: int, now: datetime
) -> None:
    first = insert(DailySends).values(organization_id=organization_id, day=now.date(), sends=1)
    counting = first.on_conflict_do_update(
        index_elements=[DailySends.organization_id, DailySends.day],
        set_={"sends": DailySends.sends + 1},
        where=DailySends.sends < most,
    ).returning(DailySends.sends)
    if await session.scalar(counting) is None:
        midnight = datetime.combine(now.date() + timedelta(days=1), time(), UTC)
        raise RateLimited(retry_after=int((midnight - now).total_seconds()) + 1)


async def delete_former_days(session: AsyncSession, now: datetime) -> None:
    yesterday = now.astimezone(UTC).date() - timedelta(days=1)
    await session.execute(delete(DailySends).where(DailySends.day < yesterday))
