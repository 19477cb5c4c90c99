"""What a scrape is answered with: what was counted, and what is asked for just then."""

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
# A scrape that takes longer than ten seconds is none, to Prometheus.
PATIENCE = 3.0

FAILURES = Counter(
    "acredita_metrics_source_failures", "Scrapes that went without numbers of a source."
)


class Exposition:
    content_type = CONTENT_TYPE_LATEST

    def __init__(self, *sources: Source, token: str = "") -> None:
        """`token`, if any, is what whoever scrapes must show as a bearer."""
        self._sources = sources
        self._token = token.encode()

    def admits(self, authorization: str) -> bool:
        if not self._token:
            return True
        scheme, _, token = authorization.partition(" ")
        shown = token.strip().encode("utf-8", "replace")
        return scheme.lower() == "bearer" and hmac.compare_digest(shown, self._token)

    async def render(self) -> bytes:
        """The text of a scrape. A source that fails or hangs is left out, and counted."""
        found = await asyncio.gather(*(_ask(source) for source in self._sources))
        everything = _Collected([family for families in found for family in families])
        # Some thousand lines take some ten milliseconds.
        return await asyncio.to_thread(generate_latest, everything)


async def _ask(source: Source) -> Sequence[Metric]:
    try:
        async with asyncio.timeout(PATIENCE):
            return await source()
    except Exception as fault:
        FAILURES.inc()
        log.warning("metrics.source_failed", error=describe(fault))
        return []


class _Collected:
    """The process's registry with families of one scrape besides."""

    def __init__(self, families: Sequence[Metric]) -> None:
        self._families = families

    def collect(self) -> Iterable[Metric]:
        yield from REGISTRY.collect()
        yield from self._families


def cached(source: Source, seconds: float) -> Source:
    """The source, asked at most so often, and by one scrape at a time."""
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
