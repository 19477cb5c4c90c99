"""Metrics of the checks. Alert on violations that remain, and on missing checks."""

from acredita.kit.metrics import counter, gauge
from acredita.resources.invariants.checks import AUDIT_CHAIN, INVARIANTS

REPAIRED, FOUND = "repaired", "found"
VIOLATIONS = counter(
    "invariant_violations", "What must hold and did not, by what came of it.", "name", "outcome"
)
CHECKED_AT = gauge("invariant_checked_at_seconds", "When this process last checked it.", "name")

for name in (*(invariant.name for invariant in INVARIANTS), AUDIT_CHAIN):
    for outcome in (REPAIRED, FOUND):
        # Export zeros from the start, so that the first violation is an increase.
        VIOLATIONS.labels(name, outcome)
