"""Authenticates callers by bearer token, API key or cookie, checked against the database."""

import asyncio
import time
from dataclasses import dataclass, replace
from uuid import UUID

from sqlalchemy import ColumnElement, or_, select
from starlette.requests import Request

from acredita.access.api_keys import LONGEST_KEY, PREFIX_LENGTH, PURPOSE
from acredita.access.tokens import InvalidToken, TokenKeys
from acredita.api.callers import CACHE_SECONDS, MAX_CACHED, ORGANIZATION_RATE, CountedCaller
from acredita.api.key_usage import KeyUsage
from acredita.api.rate_limits import RateLimits
from acredita.api.session_credentials import KnownSession, SessionCredentials
from acredita.domain.caller import CallerKind
from acredita.domain.errors import Forbidden, Unauthorized
from acredita.domain.roles import Role
from acredita.kit.clock import Clock
from acredita.kit.crypto import Signer
from acredita.kit.db import Database
from acredita.models import ApiKey, Organization, User
from acredita.models.second_factor import has_second_factor


@dataclass(frozen=True, slots=True)
class _CachedState:
    """The cached state of a key or user in the database."""

    checked_at: float
    caller: CountedCaller | None
    digest: bytes = b""
    # Of a user: the number of password changes.
    version: int = 0
    # Of a user: whether a password alone is not enough.
    needs_second_factor: bool = False


class Credentials:
    def __init__(
        self,
        database: Database,
        signer: Signer,
        tokens: TokenKeys,
        clock: Clock,
        limits: RateLimits,
        sessions: SessionCredentials,
    ) -> None:
        self._database, self._signer, self._tokens, self._clock = database, signer, tokens, clock
        self._limits, self.sessions = limits, sessions
        self._cache: dict[tuple[str, str], _CachedState] = {}
        # Requests that find the same state too old wait for one look-up.
        self._looking_up: dict[tuple[str, str], asyncio.Task[_CachedState]] = {}
        self.key_usage = KeyUsage(database)

    @staticmethod
    def are_sent(request: Request) -> bool:
        """Whether the request states credentials. Browsers send cookies without being asked."""
        return "authorization" in request.headers or "x-api-key" in request.headers

    async def identify(self, request: Request, *, is_setup: bool = False) -> CountedCaller:
        """Return the caller. Raise Unauthorized, or RateLimited after too many failures.

        `is_setup`: accept a session whose user has to set up a second factor.
        """
        try:
            return await self._identify(request, is_setup=is_setup)
        except Unauthorized:
            await self._limits.count_failure(request)
            raise

    async def find_session(self, request: Request) -> KnownSession:
        """Return the session of the cookie. Raise as `identify`, CsrfTokenMissing."""
        self._refuse_flood_of_cookies(request)
        try:
            return await self.sessions.find(request)
        except Unauthorized:
            await self._limits.count_failure(request)
            raise

    async def identify_session(self, request: Request) -> CountedCaller | None:
        """Return the user of the cookie's session. None: there is no valid one."""
        if not self.sessions.is_sent(request):
            return None
        try:
            return await self.sessions.identify(request)
        except (Unauthorized, Forbidden):
            return None

    async def _identify(self, request: Request, *, is_setup: bool) -> CountedCaller:
        authorizations = request.headers.getlist("authorization")
        if len(authorizations) == 1:
            scheme, _, token = authorizations[0].partition(" ")
            if scheme.lower() != "bearer":
                raise Unauthorized
            return await self._by_token(token.strip())
        raw_keys = request.headers.getlist("x-api-key")
        if not authorizations and len(raw_keys) == 1:
            # A flood of bad keys from an address does not stop a key that was valid before. Tokens
            # need no limit here: a forged one is rejected without the database.
            if not self._was_valid(raw_keys[0]):
                self._limits.refuse_flood(request)
            caller = await self.by_key(raw_keys[0])
            if caller is not None:
                return caller
        if not self.are_sent(request):
            self._refuse_flood_of_cookies(request)
            return await self.sessions.identify(request, is_setup=is_setup)
        raise Unauthorized

    def _refuse_flood_of_cookies(self, request: Request) -> None:
        """Raise RateLimited, as for API keys, except for a cookie that was valid before."""
        if not self.sessions.is_remembered(request):
            self._limits.refuse_flood(request)

    def _was_valid(self, raw: str) -> bool:
        state = self._cache.get(("prefix", raw[:PREFIX_LENGTH]))
        return state is not None and state.caller is not None

    async def by_key(self, raw: str) -> CountedCaller | None:
        """Return the caller of a raw API key, or None if the key is not valid."""
        if len(raw) > LONGEST_KEY or not raw.isascii():
            return None
        prefix = raw[:PREFIX_LENGTH]
        state = await self._state("prefix", prefix)
        # Compare a digest for an unknown prefix too, so that the timing is the same.
        if self._signer.matches(PURPOSE, raw.encode(), state.digest or bytes(32)):
            if state.caller is not None:
                self.key_usage.note(state.caller.id)
            return state.caller
        return None

    async def _by_token(self, token: str) -> CountedCaller:
        try:
            claims = self._tokens.read(token, now=self._clock.now())
        except InvalidToken:
            raise Unauthorized from None
        state = await self._state(
            claims.kind.value, str(claims.subject_id), least_version=claims.version
        )
        caller = state.caller
        if caller is None or caller.organization_id != claims.organization_id:
            raise Unauthorized
        if state.version != claims.version:
            raise Unauthorized
        if state.needs_second_factor and not claims.has_second_factor:
            raise Unauthorized
        if caller.kind is CallerKind.CLIENT:
            self.key_usage.note(caller.id)
            return caller
        return replace(caller, signed_in_at=claims.issued_at)

    async def _state(self, kind: str, name: str, *, least_version: int = 0) -> _CachedState:
        """Return the cached state, or read it if it is too old or below `least_version`."""
        key = kind, name
        known = self._cache.get(key)
        is_recent = known is not None and time.monotonic() - known.checked_at < CACHE_SECONDS
        if known is not None and is_recent and _is_at_least(known, least_version):
            return known
        if (reading := self._looking_up.get(key)) is None:
            reading = asyncio.create_task(self._read(kind, name))
            self._looking_up[key] = reading
            reading.add_done_callback(lambda ended: self._end_of(key, ended))
        found = await asyncio.shield(reading)
        # The look-up may have begun before the version that the token has.
        return found if _is_at_least(found, least_version) else await self._read(kind, name)

    def _end_of(self, key: tuple[str, str], ended: asyncio.Task[_CachedState]) -> None:
        del self._looking_up[key]
        if not ended.cancelled():
            # All callers may have gone. asyncio logs a failure that is never read.
            ended.exception()

    async def _read(self, kind: str, name: str) -> _CachedState:
        found = await self._look_up(kind, name, time.monotonic())
        if len(self._cache) >= MAX_CACHED:
            self._cache.clear()
        self._cache[kind, name] = found
        return found

    async def _look_up(self, kind: str, name: str, now: float) -> _CachedState:
        match kind:
            case CallerKind.USER:
                return await self._user(name, now)
            case CallerKind.CLIENT:
                return await self._key(ApiKey.id == UUID(name), now)
            case "prefix":
                return await self._key(ApiKey.prefix == name, now)
            case _:
                return _CachedState(now, None)

    async def _user(self, name: str, now: float) -> _CachedState:
        query = (
            select(
                User.id,
                User.organization_id,
                User.role,
                User.token_version,
                or_(has_second_factor(User.id), Organization.second_factor_required).label(
                    "needs_second_factor"
                ),
                *ORGANIZATION_RATE,
            )
            .join(Organization, Organization.id == User.organization_id)
            .where(User.id == UUID(name), User.is_active)
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return _CachedState(now, None)
        buckets = self._limits.of_caller(row.organization_id, row.org_rate, row.org_burst)
        caller = CountedCaller(
            row.organization_id, CallerKind.USER, row.id, Role(row.role), buckets
        )
        return _CachedState(
            now,
            caller,
            version=row.token_version,
            needs_second_factor=row.needs_second_factor,
        )

    async def _key(self, named: ColumnElement[bool], now: float) -> _CachedState:
        query = (
            select(
                ApiKey.id,
                ApiKey.organization_id,
                ApiKey.role,
                ApiKey.digest,
                ApiKey.rate_limit,
                *ORGANIZATION_RATE,
            )
            .join(Organization, Organization.id == ApiKey.organization_id)
            .where(named, ApiKey.is_active)
        )
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return _CachedState(now, None)
        buckets = self._limits.of_caller(
            row.organization_id,
            row.org_rate,
            row.org_burst,
            key_id=row.id,
            key_rate=row.rate_limit,
        )
        caller = CountedCaller(
            row.organization_id, CallerKind.CLIENT, row.id, Role(row.role), buckets
        )
        return _CachedState(now, caller, row.digest)


def _is_at_least(state: _CachedState, version: int) -> bool:
    return state.caller is None or state.version >= version
