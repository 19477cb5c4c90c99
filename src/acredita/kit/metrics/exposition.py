"""The response to a scrape: this process's counters, and the values of sources."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence

import structlog
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, generate_latest
from prometheus_client.core import Metric

from acredita.kit.logging import describe

log = structlog.get_logger()

Source = Callable[[], Awaitable[Sequence[Metric]]]
# Seconds. Prometheus gives up a scrape after ten seconds.
SOURCE_TIMEOUT = 3.0

FAILURES = Counter(
    "acredita_metrics_source_failures", "Scrapes that went without numbers of a source."
)


class Exposition:
    content_type = CONTENT_TYPE_LATEST

    def __init__(self, *sources: Source, token: str = "") -> None:
        """`token`, if not empty, is the bearer token that a scrape must send."""
        self._sources = sources
        self._token = token.encode()

    def admits(self, authorization: str) -> bool:
        if not self._token:
            return True
        """Whether the Authorization header carries the token."""
        scheme, _, token = authorization.partition(" ")
        presented = token.strip().encode("utf-8", "replace")
        return scheme.lower() == "bearer" and hmac.compare_digest(presented, self._token)

    async def render(self) -> bytes:
        """The body of a scrape. A source that fails or hangs is skipped and counted."""
        found = await asyncio.gather(*(_ask(source) for source in self._sources))
        everything = _Collected([family for families in found for family in families])
        # A few thousand lines take about ten milliseconds.
        return await asyncio.to_thread(generate_latest, everything)


async def _ask(source: Source) -> Sequence[Metric]:
    try:
        async with asyncio.timeout(SOURCE_TIMEOUT):
            return await source()
    except Exception as fault:
        FAILURES.inc()
        log.warning("metrics.source_failed", error=describe(fault))
        return []


class _Collected:
    """The process's registry plus the families of one scrape."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        yield from REGISTRY.collect()
        yield from self._families


def cached(source: Source, seconds: float) -> Source:
    """Wrap a source so that its result is reused for `seconds`. One scrape at a time calls it."""
    asking = asyncio.Lock()
    kept: Sequence[Metric] = []
    asked_at = float("-inf")

    async def ask() -> Sequence[Metric]:
        nonlocal kept, asked_at
        async with asking:
            if time.monotonic() - asked_at >= seconds:
                kept = await source()
                asked_at = time.monotonic()
            return kept

    return ask
