"""Authenticates users by the cookie of a session, checked against the database."""

import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from starlette.requests import Request

from acredita.api.callers import CACHE_SECONDS, MAX_CACHED, ORGANIZATION_RATE, CountedCaller
from acredita.api.rate_limits import RateLimits
from acredita.api.session_cookie import check_csrf, csrf_token, digest_of, read_cookie
from acredita.domain.caller import CallerKind
from acredita.domain.errors import Unauthorized
from acredita.domain.roles import Role
from acredita.domain.signing_in import SessionState
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.models import Organization, User, UserSession
from acredita.settings import Settings

TOUCHED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session in the database, of an active user."""

    id: UUID
    caller: CountedCaller
    state: SessionState
    last_seen_at: datetime
    expires_at: datetime


class SessionCredentials:
    def __init__(
        self,
        database: Database,
        signer: Signer,
        clock: Clock,
        limits: RateLimits,
        settings: Settings,
    ) -> None:
        self._database, self._signer, self._clock = database, signer, clock
        self._limits, self._settings = limits, settings
        self._idle = timedelta(seconds=settings.session_idle_timeout)
        self._cache: dict[bytes, tuple[float, KnownSession]] = {}

    def is_sent(self, request: Request) -> bool:
        return read_cookie(request, self._settings) is not None

    def is_remembered(self, request: Request) -> bool:
        """Whether the cookie was valid when it was last looked up."""
        token = read_cookie(request, self._settings)
        return token is not None and digest_of(token) in self._cache

    async def identify(self, request: Request) -> CountedCaller:
        """Return the user. Raise Unauthorized, CsrfTokenMissing or OriginNotAllowed."""
        return (await self.find(request)).caller

    async def find(self, request: Request) -> KnownSession:
        """Return the session of the cookie, in any state. Raise as `identify` does."""
        token = read_cookie(request, self._settings)
        if token is None:
            raise Unauthorized
        known = await self.by_token(token)
        check_csrf(request, self._settings, self._signer, token)
        return known

    async def by_token(self, token: str) -> KnownSession:
        """Return the session of a token. Raise Unauthorized."""
        known = await self._known(digest_of(token))
        if known is None or self._has_ended(known):
            raise Unauthorized
        return known

    def forget(self, request: Request) -> None:
        """Read the session of the cookie from the database again when it is used next."""
        token = read_cookie(request, self._settings)
        if token is not None:
            self._cache.pop(digest_of(token), None)

    def csrf_token(self, token: str) -> str:
        """Return the token that changing requests of a session carry."""
        return csrf_token(self._signer, token)

    def idle_end(self, known: KnownSession) -> datetime:
        """Return when the session ends if no request comes."""
        return min(known.last_seen_at + self._idle, known.expires_at)

    def _has_ended(self, known: KnownSession) -> bool:
        return self._clock.now() >= self.idle_end(known)

    async def _known(self, digest: bytes) -> KnownSession | None:
        now = time.monotonic()
        cached = self._cache.get(digest)
        if cached is not None and now - cached[0] < CACHE_SECONDS:
            return cached[1]
        known = await self._look_up(digest)
        if len(self._cache) >= MAX_CACHED:
            self._cache.clear()
        # Only sessions that exist: random cookies must not push others out.
        if known is None:
            self._cache.pop(digest, None)
        else:
            self._cache[digest] = (now, known)
        return known

    async def _look_up(self, digest: bytes) -> KnownSession | None:
        query = (
            select(
                UserSession.id,
                UserSession.user_id,
                UserSession.organization_id,
                UserSession.signed_in_at,
                UserSession.last_seen_at,
                UserSession.expires_at,
                User.role,
                *ORGANIZATION_RATE,
            )
            .join(User, User.id == UserSession.user_id)
            .join(Organization, Organization.id == UserSession.organization_id)
            .where(
                UserSession.token_digest == digest,
                UserSession.token_version == User.token_version,
                User.is_active,
            )
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        caller = CountedCaller(
            row.organization_id,
            CallerKind.USER,
            row.user_id,
            Role(row.role),
            self._limits.of_caller(row.organization_id, row.org_rate, row.org_burst),
            signed_in_at=row.signed_in_at,
            session_id=row.id,
        )
        state = SessionState.ACTIVE
        known = KnownSession(row.id, caller, state, row.last_seen_at, row.expires_at)
        return known if self._has_ended(known) else await self._touched(known)

    async def _touched(self, known: KnownSession) -> KnownSession:
        """Note that the session is in use, at most once a minute. Return it as it is now."""
        now = self._clock.now()
        if now - known.last_seen_at < TOUCHED_EVERY:
            return known
        async with self._database.transaction() as session:
            await session.execute(
                update(UserSession).where(UserSession.id == known.id).values(last_seen_at=now)
            )
        return KnownSession(known.id, known.caller, known.state, now, known.expires_at)
