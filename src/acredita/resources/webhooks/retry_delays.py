"""When a failed delivery is attempted again."""

import random
from collections.abc import Sequence

# DECISIONS: delays may only grow, by at most a tenth. Half of that spreads the load of the
# receivers; the poll of the queue may use the other half.
JITTER = 0.05


def delay_before_retry(tried: int, delays: Sequence[float]) -> float | None:
    """Return the seconds until the next attempt after `tried` earlier ones. None: no more attempts.

    `delays` are those of ACREDITA_WEBHOOK_RETRY_DELAYS, one for each retry.
    """
    if tried >= len(delays):
        return None
    return delays[tried] * random.uniform(1, 1 + JITTER)
