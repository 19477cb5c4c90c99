"""Metrics of delivery attempts, counted by the worker that makes them."""

from collections import Counter
from collections.abc import Sequence
from functools import cache

from prometheus_client import Histogram

from acredita.kit.metrics import counter, seconds
from acredita.models import DeliveryState
from acredita.resources.webhooks.delivery_rows import AttemptOutcome

ATTEMPTS = counter("delivery_attempts", "POSTs to receivers, by what came of them.", "outcome")
SECONDS = seconds("delivery_attempt", "The whole exchange of an attempt.", "delivered")
ENDED = counter("deliveries_ended", "Deliveries made, or given up.", "state")


def count(outcomes: Sequence[AttemptOutcome]) -> None:
    for what, times in Counter(each.attempt.reason or "delivered" for each in outcomes).items():
        ATTEMPTS.labels(what).inc(times)
    for state, times in Counter(each.state for each in outcomes).items():
        if state is not DeliveryState.PENDING:
            ENDED.labels(state).inc(times)
    for each in outcomes:
        _seconds(each.attempt.delivered).observe(each.attempt.duration_ms / 1000)


@cache
def _seconds(delivered: bool) -> Histogram:  # noqa: FBT001 (a label)
    return SECONDS.labels("yes" if delivered else "no")
