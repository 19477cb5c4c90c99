"""What checks found. Worth an alert: what was not repaired, and checks that do not come."""

from acredita.kit.metrics import counter, gauge
from acredita.resources.invariants.checks import AUDIT_CHAIN, INVARIANTS

REPAIRED, FOUND = "repaired", "found"
VIOLATIONS = counter(
    "invariant_violations", "What must hold and did not, by what came of it.", "name", "outcome"
)
CHECKED_AT = gauge("invariant_checked_at_seconds", "When this process last checked it.", "name")

for name in (*(invariant.name for invariant in INVARIANTS), AUDIT_CHAIN):
    for outcome in (REPAIRED, FOUND):
        # From the start, so that the first one is an increase.
        VIOLATIONS.labels(name, outcome)
