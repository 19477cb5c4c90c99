"""Authenticates users by the cookie of a session, checked against the database."""

import time
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import select, update
from starlette.requests import Request

from acredita.api.callers import CACHE_SECONDS, MAX_CACHED, ORGANIZATION_RATE, CountedCaller
from acredita.api.rate_limits import RateLimits
from acredita.api.session_cookie import check_csrf, csrf_token, read_cookie
from acredita.domain.caller import CallerKind
from acredita.domain.errors import (
    SecondFactorRequired,
    SecondFactorSetupRequired,
    Unauthorized,
)
from acredita.domain.roles import Role
from acredita.domain.signing_in import SessionState, state_of
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer, token_digest
from acredita.kit.db import Database
from acredita.models import Organization, User, UserSession
from acredita.models.second_factor import has_second_factor
from acredita.settings import Settings

TOUCHED_EVERY = timedelta(minutes=1)
# What a page asks by itself, for example to show changes.
UNATTENDED = "x-unattended"


def _is_attended(request: Request) -> bool:
    """Whether somebody at the browser may have caused the request.

    Otherwise, a page that is left open with the review queue would never be idle.
    """
    headers = request.headers
    return (
        UNATTENDED not in headers
        # Streams of events go on by themselves, and pictures come with a page that asked before.
        and "text/event-stream" not in headers.get("accept", "")
        and headers.get("sec-fetch-dest") != "image"
    )


@dataclass(frozen=True, slots=True)
class KnownSession:
    """A session in the database, of an active user."""

    id: UUID
    caller: CountedCaller
    state: SessionState
    last_seen_at: datetime
    expires_at: datetime
    is_factor_required: bool


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
        return token is not None and token_digest(token) in self._cache

    async def identify(self, request: Request, *, is_setup: bool = False) -> CountedCaller:
        """Return the user. Raise Unauthorized, CsrfTokenMissing or OriginNotAllowed.

        Raise SecondFactorRequired. Raise SecondFactorSetupRequired, unless `is_setup`.
        """
        known = await self.find(request)
        if known.state is SessionState.SECOND_FACTOR:
            raise SecondFactorRequired
        if known.state is SessionState.SECOND_FACTOR_SETUP and not is_setup:
            raise SecondFactorSetupRequired
        return known.caller

    async def find(self, request: Request) -> KnownSession:
        """Return the session of the cookie, in any state. Raise as `identify` does."""
        token = read_cookie(request, self._settings)
        if token is None:
            raise Unauthorized
        known = await self.by_token(token, is_attended=_is_attended(request))
        check_csrf(request, self._settings, self._signer, token)
        return known

    async def by_token(self, token: str, *, is_attended: bool = True) -> KnownSession:
        """Return the session of a token. Raise Unauthorized.

        `is_attended`: the session is in use, so it does not become idle.
        """
        known = await self._known(token_digest(token), is_attended=is_attended)
        if known is None or self._has_ended(known):
            raise Unauthorized
        return known

    def forget(self, request: Request) -> None:
        """Read the session of the cookie from the database again when it is used next."""
        token = read_cookie(request, self._settings)
        if token is not None:
            self._cache.pop(token_digest(token), None)

    def csrf_token(self, token: str) -> str:
        """Return the token that changing requests of a session carry."""
        return csrf_token(self._signer, token)

    def idle_end(self, known: KnownSession) -> datetime:
        """Return when the session ends if no request comes."""
        return min(known.last_seen_at + self._idle, known.expires_at)

    def _has_ended(self, known: KnownSession) -> bool:
        return self._clock.now() >= self.idle_end(known)

    def _is_to_touch(self, known: KnownSession) -> bool:
        return self._clock.now() - known.last_seen_at >= TOUCHED_EVERY

    async def _known(self, digest: bytes, *, is_attended: bool) -> KnownSession | None:
        now = time.monotonic()
        read_at, known = self._cache.get(digest, (-CACHE_SECONDS, None))
        if (
            known is not None
            and now - read_at < CACHE_SECONDS
            and not (is_attended and self._is_to_touch(known))
        ):
            return known
        known = await self._look_up(digest)
        if known is not None and is_attended and not self._has_ended(known):
            known = await self._touched(known)
        if len(self._cache) >= MAX_CACHED:
            self._cache.clear()
        # Only active sessions: random cookies must not push others out, and a session that waits
        # for a second factor becomes active at once.
        if known is None or known.state is not SessionState.ACTIVE:
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
                UserSession.second_factor,
                User.role,
                has_second_factor(User.id).label("has_factor"),
                Organization.second_factor_required,
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
        state = state_of(
            has_proved=row.second_factor is not None,
            has_factor=row.has_factor,
            is_required=row.second_factor_required,
        )
        return KnownSession(
            row.id,
            caller,
            state,
            row.last_seen_at,
            row.expires_at,
            row.second_factor_required,
        )

    async def _touched(self, known: KnownSession) -> KnownSession:
        """Note that the session is in use, at most once a minute. Return it as it is now."""
        if not self._is_to_touch(known):
            return known
        now = self._clock.now()
        async with self._database.transaction() as session:
            await session.execute(
                update(UserSession).where(UserSession.id == known.id).values(last_seen_at=now)
            )
        return replace(known, last_seen_at=now)
