"""Prometheus metrics. Each process has its own counters and its own scrape endpoint.

Label values come from closed sets: kinds, outcomes, route templates. Never use an id, a path or
customer text: each value is a time series for as long as the process lives.
"""

from collections.abc import Sequence

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.core import GaugeMetricFamily, Metric

NAMESPACE = "acredita"
# Histogram buckets in seconds: QUICK for requests, LONG for background work.
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
LONG = (0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)

# `_created` doubles the number of series, and Prometheus knows that time from its scrapes.
disable_created_metrics()  # type: ignore[no-untyped-call]


def counter(name: str, meaning: str, *labels: str) -> Counter:
    return Counter(name, meaning, labels, namespace=NAMESPACE)


def gauge(name: str, meaning: str, *labels: str) -> Gauge:
    return Gauge(name, meaning, labels, namespace=NAMESPACE)


def seconds(name: str, meaning: str, *labels: str, buckets: Sequence[float] = QUICK) -> Histogram:
    return Histogram(f"{name}_seconds", meaning, labels, namespace=NAMESPACE, buckets=buckets)


def gauges(name: str, meaning: str, *labels: str) -> GaugeMetricFamily:
    """A metric family that a source fills at each scrape, for values that are not counted."""
    return GaugeMetricFamily(f"{NAMESPACE}_{name}", meaning, labels=labels)
