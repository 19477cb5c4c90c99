"""How often may be asked, by whom (DECISIONS, Limits).

A caller's requests are counted on its organization and on its API key; a token counts on the key
that it was made from. Requests to public endpoints are counted on the client's address, and so are
those whose credentials prove nothing. An endpoint states anything else with the decorators below.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from starlette.requests import Request
from starlette.types import Scope

from acredita.api.addresses import client_address
from acredita.domain.errors import RateLimited
from acredita.kit.addresses import counted_as
from acredita.kit.crypto import Signer
from acredita.kit.gcra import MICROSECONDS, Bucket, RateLimitResult, SharedBuckets
from acredita.settings import Settings

VERDICT = "acredita.rate_limit"
# Redis learns no address: keyed hashes of them stand in its keys.
PURPOSE = "client-address"
PREFIX = "acredita:rate:"

# DECISIONS: sessions that browsers open for one organization, a second and at once.
SESSIONS, SESSIONS_AT_ONCE = 5, 50

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class PerAddress:
    """What one address may ask of an endpoint: as the settings say, or `most` in `seconds`."""

    name: str = "public"
    most: int = 0
    seconds: int = 0


PUBLIC = PerAddress()
FAILED_AUTHENTICATION = PerAddress("unproven")


def limited(*, most: int, seconds: int) -> Callable[[Endpoint], Endpoint]:
    """A public endpoint that one address may call so often in so long, counted by itself."""

    def mark(endpoint: Endpoint) -> Endpoint:
        endpoint.rate_limit = PerAddress(endpoint.__name__, most, seconds)  # type: ignore[attr-defined]
        return endpoint

    return mark


def unlimited(endpoint: Endpoint) -> Endpoint:
    """A public endpoint that may be called without end."""
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
        """The organization's bucket and its API key's; none for a key's rate of 0."""
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
        """Whoever opens them: strangers cannot use up what the organization itself may ask."""
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
        """Count one request. Raise RateLimited, having counted nothing, if any bucket refuses."""
        _judge(request, await self._buckets.take(buckets))

    async def count_failure(self, request: Request) -> None:
        """Count a request that proved nothing. Raise RateLimited when there were too many."""
        self.refuse_flood(request)
        await self.count(request, self.of_address(request, FAILED_AUTHENTICATION))

    def refuse_flood(self, request: Request) -> None:
        """Raise RateLimited where an address has failed too often; asks nobody, hence cheap."""
        verdict = self._buckets.peek(self.of_address(request, FAILED_AUTHENTICATION))
        if not verdict.is_admitted:
            _judge(request, verdict)


def headers_of(scope: Scope) -> list[tuple[bytes, bytes]]:
    """What the answer tells of the tightest bucket that its request was counted on."""
    verdict: RateLimitResult | None = scope.get(VERDICT)
    if verdict is None:
        return []
    return [
        (b"ratelimit-limit", b"%d" % verdict.burst),
        (b"ratelimit-remaining", b"%d" % verdict.remaining),
        (b"ratelimit-reset", b"%d" % _seconds(verdict.reset)),
    ]


def _judge(request: Request, verdict: RateLimitResult) -> None:
    former: RateLimitResult | None = request.scope.get(VERDICT)
    if former is None or not verdict.is_admitted or verdict.remaining < former.remaining:
        request.scope[VERDICT] = verdict
    if not verdict.is_admitted:
        raise RateLimited(retry_after=max(1, _seconds(verdict.wait)))


def _seconds(microseconds: int) -> int:
    return math.ceil(microseconds / MICROSECONDS)
