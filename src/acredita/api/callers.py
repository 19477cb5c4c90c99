"""Callers with the buckets that count their requests, and how long a check of one is remembered."""

from dataclasses import dataclass

from acredita.domain.caller import Caller
from acredita.kit.token_bucket import Bucket
from acredita.models import Organization

# DECISIONS: a revoked key, a deleted user or a changed role takes effect within one second.
CACHE_SECONDS = 0.9
MAX_CACHED = 10_000
ORGANIZATION_RATE = (
    Organization.rate_limit.label("org_rate"),
    Organization.rate_burst.label("org_burst"),
)


@dataclass(frozen=True, slots=True)
class CountedCaller(Caller):
    """A caller, and the buckets that count its requests."""

    buckets: tuple[Bucket, ...]
