"""Rate limits (DECISIONS, Limits).

A caller's requests count for its organization and its API key; a token counts for the key that it
was made from. Requests to public endpoints and requests with invalid credentials count for the
client's address. The decorators below state exceptions of an endpoint.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from starlette.requests import Request
from starlette.types import Scope

from acredita.api.client_address import client_address
from acredita.domain.errors import RateLimited
from acredita.kit.crypto import Signer
from acredita.kit.rate_limit_address import counted_as
from acredita.kit.token_bucket import MICROSECONDS, Bucket, RateLimitResult, SharedBuckets
from acredita.settings import Settings

RATE_LIMIT_RESULT = "acredita.rate_limit"
# Redis keys contain keyed hashes of addresses, never addresses.
PURPOSE = "client-address"
PREFIX = "acredita:rate:"

# DECISIONS: sessions that browsers open for one organization: per second, and burst.
SESSIONS, SESSIONS_AT_ONCE = 5, 50

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class PerAddress:
    """The limit of an endpoint per address: `most` requests in `seconds`, or the settings'."""

    name: str = "public"
    most: int = 0
    seconds: int = 0


PUBLIC = PerAddress()
FAILED_AUTHENTICATION = PerAddress("unproven")


def limited(*, most: int, seconds: int) -> Callable[[Endpoint], Endpoint]:
    """Give a public endpoint its own limit per address: `most` requests in `seconds`."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.rate_limit = PerAddress(endpoint.__name__, most, seconds)  # type: ignore[attr-defined]
        return endpoint

    return mark


def unlimited(endpoint: Endpoint) -> Endpoint:
    """Mark a public endpoint as having no rate limit."""
    endpoint.rate_limit = None  # type: ignore[attr-defined]
    return endpoint


def limit_of(endpoint: Callable[..., Any]) -> PerAddress | None:
    limit: PerAddress | None = getattr(endpoint, "rate_limit", PUBLIC)
    return limit


class RateLimits:
    def __init__(self, settings: Settings, signer: Signer, buckets: SharedBuckets) -> None:
        self._settings, self._signer, self._buckets = settings, signer, buckets

    def of_caller(
        self,
        organization_id: UUID,
        rate: int | None,
        burst: int | None,
        *,
        key_id: UUID | None = None,
        key_rate: int = 0,
    ) -> tuple[Bucket, ...]:
        """Return the buckets of the organization and of its API key (none if its rate is 0)."""
        # Braces: in a Redis cluster, a script's keys must live on one node.
        name = f"{PREFIX}{{{organization_id}}}"
        organization = Bucket.filling(
            name,
            rate=rate or self._settings.org_rate_limit,
            burst=burst or self._settings.org_rate_burst,
        )
        if not key_rate:
            return (organization,)
        key = Bucket.filling(f"{name}:{key_id}", rate=key_rate, burst=2 * key_rate)
        return (organization, key)

    def of_sessions(self, organization_id: UUID) -> Bucket:
        """Return the bucket of browser sessions, so that they use none of the caller's limit."""
        name = f"{PREFIX}{{{organization_id}}}:sessions"
        return Bucket.filling(name, rate=SESSIONS, burst=SESSIONS_AT_ONCE)

    def of_address(self, request: Request, limit: PerAddress = PUBLIC) -> Bucket:
        address = counted_as(client_address(request, self._settings))
        digest = self._signer.digest(PURPOSE, f"{limit.name}\x00{address}".encode())
        name = f"{PREFIX}{limit.name}:{digest.hex()[:32]}"
        if limit.seconds:
            return Bucket.windowed(name, most=limit.most, seconds=limit.seconds)
        rate, burst = self._settings.ip_rate_limit, self._settings.ip_rate_burst
        return Bucket.filling(name, rate=rate, burst=burst)

    async def count(self, request: Request, *buckets: Bucket) -> None:
        """Count one request. If any bucket is exhausted, count nothing and raise RateLimited."""
        _store_result(request, await self._buckets.take(buckets))

    async def count_failure(self, request: Request) -> None:
        """Count a failed authentication. Raise RateLimited after too many."""
        self.refuse_flood(request)
        await self.count(request, self.of_address(request, FAILED_AUTHENTICATION))

    def refuse_flood(self, request: Request) -> None:
        """Raise RateLimited for an address with too many failures; from memory, so it is cheap."""
        result = self._buckets.peek(self.of_address(request, FAILED_AUTHENTICATION))
        if not result.is_admitted:
            _store_result(request, result)


def headers_of(scope: Scope) -> list[tuple[bytes, bytes]]:
    """Return the rate limit headers of the strictest bucket that counted the request."""
    result: RateLimitResult | None = scope.get(RATE_LIMIT_RESULT)
    if result is None:
        return []
    return [
        (b"ratelimit-limit", b"%d" % result.burst),
        (b"ratelimit-remaining", b"%d" % result.remaining),
        (b"ratelimit-reset", b"%d" % _seconds(result.reset)),
    ]


def _store_result(request: Request, result: RateLimitResult) -> None:
    previous: RateLimitResult | None = request.scope.get(RATE_LIMIT_RESULT)
    if previous is None or not result.is_admitted or result.remaining < previous.remaining:
        request.scope[RATE_LIMIT_RESULT] = result
    if not result.is_admitted:
        raise RateLimited(retry_after=max(1, _seconds(result.wait)))


def _seconds(microseconds: int) -> int:
    return math.ceil(microseconds / MICROSECONDS)
