"""Metrics of the audit log's chains, set by the worker that chains."""

from acredita.kit.metrics import gauge

CHAINED_AT = gauge(
    "audit_chained_at_seconds", "When this process last chained the waiting audit entries."
)
