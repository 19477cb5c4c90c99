"""Attempts at deliveries, counted by the worker that makes them."""

from acredita.kit.metrics import counter, seconds
from acredita.models import DeliveryState
from acredita.resources.webhooks.posting import Attempt

ATTEMPTS = counter("delivery_attempts", "POSTs to receivers, by what came of them.", "outcome")
SECONDS = seconds("delivery_attempt", "The whole exchange of an attempt.", "delivered")
ENDED = counter("deliveries_ended", "Deliveries made, or given up.", "state")


def count(attempt: Attempt, state: DeliveryState) -> None:
    """`state` is what the attempt makes of its delivery."""
    ATTEMPTS.labels(attempt.reason or "delivered").inc()
    SECONDS.labels("yes" if attempt.delivered else "no").observe(attempt.duration_ms / 1000)
    if state is not DeliveryState.PENDING:
        ENDED.labels(state).inc()
